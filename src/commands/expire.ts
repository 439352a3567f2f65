// How long keys live: EXPIRE and its kin set it, TTL and its kin tell it, PERSIST ends it.

import { INT64_MAX } from '../bytes/integer.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import {
  deadlineOf,
  EPOCH_MILLISECONDS,
  EPOCH_SECONDS,
  MILLISECONDS,
  SECONDS,
  type TimeForm,
} from './deadline.ts';
import { type Argument, type Command, defineCommand } from './define.ts';
import { invalidExpireTime, NOT_AN_INTEGER } from './errors.ts';
import { ExpireOptions } from './expire-options.ts';

/** The longest time that a 64-bit count of milliseconds can hold, in seconds. */
const INT64_MAX_SECONDS = INT64_MAX / 1000n;

const options = new ExpireOptions();

/** EXPIRE, PEXPIRE, EXPIREAT, PEXPIREAT key time [NX | XX | GT | LT …] [IFEQ value] */
function expire(ctx: Context, form: TimeForm): void {
  const { db, reply, request } = ctx;
  if (!options.parse(ctx, 3)) return;
  const deadline = readSignedDeadline(ctx, form);
  if (Number.isNaN(deadline)) return;
  const key = request.key(1);
  const slot = options.operand === 0 ? ctx.write(key) : ctx.writeString(key);
  if (slot < 0) return;
  if (slot === 0 || !options.isHolder(ctx, slot) || !options.allow(db.deadline(slot), deadline)) {
    return reply.integer(0);
  }
  if (ctx.refusesLocked(slot)) return;
  if (deadline <= ctx.nowMs) db.remove(slot, EVENT.del);
  else db.setDeadline(slot, deadline, EVENT.expire);
  reply.integer(1);
}

/** The deadline in argument 2, which may well be in the past, however far. NaN: an error was replied. */
function readSignedDeadline(ctx: Context, form: TimeForm): number {
  const near = deadlineOf(ctx, ctx.request.integer(2), form);
  if (!Number.isNaN(near)) return near; // nearly always
  const time = ctx.request.int64(2);
  if (time === undefined) {
    ctx.reply.error(NOT_AN_INTEGER);
    return Number.NaN;
  }
  if (time < 0 && (form.unitMs === 1 || time >= -INT64_MAX_SECONDS)) return Number.NEGATIVE_INFINITY;
  ctx.reply.error(invalidExpireTime(ctx.command.name));
  return Number.NaN;
}

/** What is left of a key's life: -2 without the key, -1 without an end. Rounded, as in Redis: 1,500 ms are 2 s. */
function timeLeft(ctx: Context, unitMs: number): void {
  const deadline = deadlineFor(ctx);
  if (deadline >= 0) ctx.reply.integer(rounded(deadline - ctx.nowMs, unitMs));
}

/** When a key's life ends, since 1970. */
function timeOfEnd(ctx: Context, unitMs: number): void {
  const deadline = deadlineFor(ctx);
  if (deadline >= 0) ctx.reply.integer(rounded(ctx.server.clock.toEpochMs(deadline), unitMs));
}

/** The deadline of the key in argument 1. -1: there is none, which has been replied. */
function deadlineFor(ctx: Context): number {
  const slot = ctx.peek(ctx.request.key(1));
  const deadline = slot === 0 ? NO_DEADLINE : ctx.db.deadline(slot);
  if (deadline !== NO_DEADLINE) return deadline;
  ctx.reply.integer(slot === 0 ? -2 : -1);
  return -1;
}

function rounded(ms: number, unitMs: number): number {
  return Math.floor((ms + unitMs / 2) / unitMs);
}

function persist(ctx: Context): void {
  const slot = ctx.write(ctx.request.key(1));
  if (slot === 0 || ctx.db.deadline(slot) === NO_DEADLINE) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  ctx.db.setDeadline(slot, NO_DEADLINE, EVENT.persist);
  ctx.reply.integer(1);
}

const CONDITIONS: readonly Argument[] = [
  {
    name: 'condition',
    type: 'oneof',
    optional: true,
    since: '7.0.0',
    arguments: [
      { name: 'nx', type: 'pure-token', token: 'NX' },
      { name: 'xx', type: 'pure-token', token: 'XX' },
      { name: 'gt', type: 'pure-token', token: 'GT' },
      { name: 'lt', type: 'pure-token', token: 'LT' },
    ],
  },
  { name: 'ifeq-value', type: 'string', token: 'IFEQ', optional: true, since: 'holdfast 0.1' },
];

function defineExpire(name: string, since: string, summary: string, time: Argument, form: TimeForm): Command {
  return defineCommand({
    name,
    summary,
    since,
    group: 'generic',
    complexity: 'O(1)',
    arity: -3,
    flags: ['write', 'fast'],
    categories: ['keyspace'],
    keys: [{ access: 'RW', does: ['update'], begin: 1 }],
    arguments: [KEY, time, ...CONDITIONS],
    history: [
      ['7.0.0', 'The options `NX`, `XX`, `GT` and `LT`.'],
      ['holdfast 0.1', 'The option `IFEQ`.'],
    ],
    replies: [
      '1: set, or deleted if the time has passed already',
      '0: no such key, or a condition does not hold',
      'WRONGTYPE: not a string, with IFEQ',
      'EXISTS: the key is locked by GETL',
    ],
    locked: 'decides',
    handler: (ctx) => expire(ctx, form),
  });
}

function defineTimeQuery(
  name: string,
  since: string,
  summary: string,
  details: Pick<Command['spec'], 'tips' | 'history'>,
  handler: (ctx: Context) => void,
): Command {
  return defineCommand({
    name,
    summary,
    since,
    group: 'generic',
    complexity: 'O(1)',
    arity: 2,
    flags: ['readonly', 'fast'],
    categories: ['keyspace'],
    ...details,
    keys: [{ access: 'RO', does: ['access'], begin: 1 }],
    arguments: [KEY],
    replies: ['integer: the time', '-1: the key lives for ever', '-2: no such key'],
    handler,
  });
}

const CHANGING: Pick<Command['spec'], 'tips' | 'history'> = {
  tips: ['nondeterministic_output'],
  history: [['2.8.0', 'Answers -2 without the key.']],
};

export const expireCommands = [
  defineExpire(
    'expire',
    '1.0.0',
    'Sets how many seconds a key has left.',
    { name: 'seconds', type: 'integer' },
    SECONDS,
  ),
  defineExpire(
    'pexpire',
    '2.6.0',
    'Sets how many milliseconds a key has left.',
    { name: 'milliseconds', type: 'integer' },
    MILLISECONDS,
  ),
  defineExpire(
    'expireat',
    '1.2.0',
    'Sets the Unix time at which a key ends.',
    { name: 'unix-time-seconds', type: 'unix-time' },
    EPOCH_SECONDS,
  ),
  defineExpire(
    'pexpireat',
    '2.6.0',
    'Sets the Unix time in milliseconds at which a key ends.',
    { name: 'unix-time-milliseconds', type: 'unix-time' },
    EPOCH_MILLISECONDS,
  ),
  defineTimeQuery('ttl', '1.0.0', 'Tells how many seconds a key has left.', CHANGING, (ctx) =>
    timeLeft(ctx, 1000),
  ),
  defineTimeQuery('pttl', '2.6.0', 'Tells how many milliseconds a key has left.', CHANGING, (ctx) =>
    timeLeft(ctx, 1),
  ),
  defineTimeQuery('expiretime', '7.0.0', 'Tells the Unix time at which a key ends.', {}, (ctx) =>
    timeOfEnd(ctx, 1000),
  ),
  defineTimeQuery(
    'pexpiretime',
    '7.0.0',
    'Tells the Unix time in milliseconds at which a key ends.',
    {},
    (ctx) => timeOfEnd(ctx, 1),
  ),
  defineCommand({
    name: 'persist',
    summary: "Takes away a key's time to live, so that it lives for ever.",
    since: '2.2.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 2,
    flags: ['write', 'fast'],
    categories: ['keyspace'],
    keys: [{ access: 'RW', does: ['update'], begin: 1 }],
    arguments: [KEY],
    replies: ['1: done', '0: no such key, or it lives for ever already', 'EXISTS: the key is locked by GETL'],
    locked: 'decides',
    handler: persist,
  }),
];
