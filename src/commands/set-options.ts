// The options of SET, in any order and case. One object is filled again for each command, so parsing allocates nothing.

import { NO_DEADLINE } from '../keyspace/database.ts';
import type { Context } from './context.ts';
import {
  deadlineOf,
  EPOCH_MILLISECONDS,
  EPOCH_SECONDS,
  MILLISECONDS,
  SECONDS,
  type TimeForm,
} from './deadline.ts';
import { invalidExpireTime, NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';

/** What must be true of the key before it is written. */
export type SetCondition = 'none' | 'NX' | 'XX' | 'IFEQ' | 'IFNE' | 'IFDEQ' | 'IFDNE';

const COMPARES = ['IFEQ', 'IFNE', 'IFDEQ', 'IFDNE'] as const;

export class SetOptions {
  condition: SetCondition = 'none';
  /** Argument that a compare compares with. */
  operand = 0;
  isGet = false;
  isKeepTtl = false;
  /** Argument with the expire time; 0 if there is none. */
  timeAt = 0;
  form: TimeForm = SECONDS;

  /** Reads the options from argument `from` on. False: an error was replied. */
  parse(ctx: Context, from: number): boolean {
    this.condition = 'none';
    this.operand = 0;
    this.isGet = false;
    this.isKeepTtl = false;
    this.timeAt = 0;
    const { count } = ctx.request;
    for (let i = from; i < count; i++) {
      const taken = this.#option(ctx, i, count - i - 1);
      if (taken < 0) {
        ctx.reply.error(SYNTAX_ERROR);
        return false;
      }
      i += taken;
    }
    return true;
  }

  /** Reads the option at `i`, behind which `left` arguments stand. Returns how many of them it took, -1 for a mistake. */
  #option(ctx: Context, i: number, left: number): number {
    const { request } = ctx;
    if (request.matches(i, 'PX')) return this.#time(i, left, MILLISECONDS);
    if (request.matches(i, 'NX')) return this.#when('NX');
    if (request.matches(i, 'EX')) return this.#time(i, left, SECONDS);
    if (request.matches(i, 'XX')) return this.#when('XX');
    if (request.matches(i, 'GET')) {
      this.isGet = true;
      return 0;
    }
    if (request.matches(i, 'KEEPTTL')) {
      if (this.timeAt !== 0) return -1;
      this.isKeepTtl = true;
      return 0;
    }
    if (request.matches(i, 'PXAT')) return this.#time(i, left, EPOCH_MILLISECONDS);
    if (request.matches(i, 'EXAT')) return this.#time(i, left, EPOCH_SECONDS);
    for (const compare of COMPARES) {
      if (!request.matches(i, compare)) continue;
      if (left === 0 || this.#when(compare) < 0) return -1;
      this.operand = i + 1;
      return 1;
    }
    return -1;
  }

  #when(condition: SetCondition): number {
    // Redis lets NX be repeated, and XX too; two different conditions are a mistake.
    if (this.condition !== 'none' && this.condition !== condition) return -1;
    this.condition = condition;
    return 0;
  }

  #time(i: number, left: number, form: TimeForm): number {
    if (left === 0 || this.timeAt !== 0 || this.isKeepTtl) return -1;
    this.timeAt = i + 1;
    this.form = form;
    return 1;
  }

  /** The deadline asked for, NO_DEADLINE if none was. NaN: an error was replied. */
  deadline(ctx: Context, command: string): number {
    if (this.timeAt === 0) return NO_DEADLINE;
    return readDeadline(ctx, this.timeAt, this.form, command);
  }
}

/** Reads the expire time in argument `index`, which must be positive. NaN: an error was replied. */
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
