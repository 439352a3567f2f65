// From the times that clients give (seconds or milliseconds, relative or since 1970) to deadlines of the keyspace's clock.
// Redis accepts any time that fits 64 bits of milliseconds; deadlines here are doubles and exact below 2^53, so a time
// further away than 2^52 ms (142,000 years) is refused with the same error.

import { INT64_MAX } from '../bytes/integer.ts';
import type { Context } from './context.ts';
import { invalidExpireTime, NOT_AN_INTEGER } from './errors.ts';

/** The furthest deadline. Far enough below 2^53 that adding the clock to it stays exact. */
export const MAX_DEADLINE_MS = 2 ** 52;

/** How a time is written: its unit in ms, and whether it counts from 1970. */
export interface TimeForm {
  readonly unitMs: 1 | 1000;
  readonly isAbsolute: boolean;
}

export const SECONDS: TimeForm = { unitMs: 1000, isAbsolute: false };
export const MILLISECONDS: TimeForm = { unitMs: 1, isAbsolute: false };
export const EPOCH_SECONDS: TimeForm = { unitMs: 1000, isAbsolute: true };
export const EPOCH_MILLISECONDS: TimeForm = { unitMs: 1, isAbsolute: true };

/** The deadline that `time` in this form means; NaN if it is too far away either way. */
export function deadlineOf(ctx: Context, time: number, form: TimeForm): number {
  const ms = time * form.unitMs;
  if (!(Math.abs(ms) <= MAX_DEADLINE_MS)) return Number.NaN;
  return form.isAbsolute ? ctx.server.clock.fromEpochMs(ms) : ctx.nowMs + ms;
}

/**
 * Reads the expire time in argument `index`, which must be positive. It may be in the past all the same, if absolute.
 * NaN: an error was replied.
 */
export function readDeadline(ctx: Context, index: number, form: TimeForm, command: string): number {
  const time = ctx.request.integer(index);
  if (Number.isNaN(time) && ctx.request.int64(index) === undefined) {
    ctx.reply.error(NOT_AN_INTEGER);
    return Number.NaN;
  }
  const deadline = time > 0 ? deadlineOf(ctx, time, form) : Number.NaN;
  if (Number.isNaN(deadline)) ctx.reply.error(invalidExpireTime(command));
  return deadline;
}

/** Reads argument `index` as a timeout in milliseconds, as far away as Redis can count. Undefined: an error was replied. */
export function readTimeoutMs({ reply, request, server }: Context, index: number): bigint | undefined {
  const timeoutMs = request.int64(index);
  if (timeoutMs === undefined) reply.error('ERR timeout is not an integer or out of range');
  else if (timeoutMs < 0n) reply.error('ERR timeout is negative');
  else if (timeoutMs > INT64_MAX - BigInt(server.clock.epochMs)) reply.error('ERR timeout is out of range');
  else return timeoutMs;
  return undefined;
}
