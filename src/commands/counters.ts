// Counters: strings that hold a number, changed by an amount, their time to live kept.
//
// Integers are exact over all 64 bits. As long as they fit a JavaScript number, which is nearly always, nothing is
// allocated; beyond that they are bigints. INCRBYFLOAT computes in C's long double, as Redis does (bytes/double.ts).

import { addLongDoubles, formatLongDouble } from '../bytes/double.ts';
import { parseInteger, writeDigits } from '../bytes/integer.ts';
import type { Key } from '../bytes/key.ts';
import { ByteView } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT, type KeyEvent } from '../keyspace/key-event.ts';
import type { Context } from './context.ts';
import { type Argument, type CommandSpec, defineCommand } from './define.ts';
import { NOT_A_FLOAT, NOT_AN_INTEGER } from './errors.ts';
import { INT64, LONG_DOUBLE } from './number-kinds.ts';

/** Digits on their way into the keyspace. */
const digits = new ByteView(Buffer.alloc(24));

/** Stores a counter's new value; a deadline stays. */
function store(ctx: Context, key: Key, slot: number, value: ByteView, event: KeyEvent): void {
  ctx.db.putString(key, slot, value, slot === 0 ? NO_DEADLINE : ctx.db.deadline(slot), event);
}

/** Adds a safe integer to the counter in argument 1. */
function add(ctx: Context, increment: number): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const sum = integerIn(ctx, slot) + increment;
  if (!Number.isSafeInteger(sum)) return addExactly(ctx, key, slot, BigInt(increment));
  if (ctx.refusesLocked(slot)) return;
  digits.length = writeDigits(digits.buffer, 0, sum);
  store(ctx, key, slot, digits, EVENT.incrby);
  ctx.reply.integer(sum);
}

/** The integer in a slot, 0 for slot 0; NaN if there is none or it needs more than a number. */
function integerIn(ctx: Context, slot: number): number {
  if (slot === 0) return 0;
  const { buffer, start, length } = ctx.db.value(slot);
  return parseInteger(buffer, start, length);
}

/** As `add`, for any int64: where a number would not hold the value, the increment or the sum. */
function addExactly(ctx: Context, key: Key, slot: number, increment: bigint): void {
  const value = slot === 0 ? INT64.zero : INT64.parse(ctx.db.value(slot));
  if (value === undefined) return ctx.reply.error(NOT_AN_INTEGER);
  const sum = value + increment;
  if (sum < INT64.min || sum > INT64.max) {
    return ctx.reply.error('ERR increment or decrement would overflow');
  }
  if (ctx.refusesLocked(slot)) return;
  store(ctx, key, slot, ByteView.of(String(sum)), EVENT.incrby);
  ctx.reply.int64(sum);
}

/** INCRBY and DECRBY: `sign` is 1 or -1. */
function addArgument(ctx: Context, sign: 1 | -1): void {
  const amount = ctx.request.integer(2);
  if (!Number.isNaN(amount)) return add(ctx, sign * amount);
  const int64 = ctx.request.int64(2);
  if (int64 === undefined) return ctx.reply.error(NOT_AN_INTEGER);
  // The one amount whose opposite is no int64.
  if (sign < 0 && int64 === INT64.min) return ctx.reply.error('ERR decrement would overflow');
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot >= 0) addExactly(ctx, key, slot, BigInt(sign) * int64);
}

function incrbyfloat(ctx: Context): void {
  const { request, reply, db } = ctx;
  const key = request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const value = slot === 0 ? LONG_DOUBLE.zero : LONG_DOUBLE.parse(db.value(slot));
  const increment = LONG_DOUBLE.parse(request.view(2));
  if (value === undefined || increment === undefined) return reply.error(NOT_A_FLOAT);
  const sum = addLongDoubles(value, increment);
  if (sum === undefined) return reply.error('ERR increment would produce NaN or Infinity');
  if (ctx.refusesLocked(slot)) return;
  const text = formatLongDouble(sum);
  store(ctx, key, slot, ByteView.of(text), EVENT.incrbyfloat);
  reply.text(text);
}

const KEY: Argument = { name: 'key', type: 'key', keySpec: 0 };

/** What all of them have in common. */
const COUNTER = {
  group: 'string',
  complexity: 'O(1)',
  flags: ['write', 'denyoom', 'fast'],
  keys: [{ access: 'RW', does: ['access', 'update'], begin: 1 }],
  locked: 'decides',
} as const satisfies Partial<CommandSpec>;

export const counterCommands = [
  defineCommand({
    ...COUNTER,
    name: 'incr',
    summary: 'Adds 1 to the integer that a key holds; without the key it becomes 1.',
    since: '1.0.0',
    arity: 2,
    arguments: [KEY],
    replies: ['integer: the new value'],
    handler: (ctx) => add(ctx, 1),
  }),
  defineCommand({
    ...COUNTER,
    name: 'decr',
    summary: 'Subtracts 1 from the integer that a key holds; without the key it becomes -1.',
    since: '1.0.0',
    arity: 2,
    arguments: [KEY],
    replies: ['integer: the new value'],
    handler: (ctx) => add(ctx, -1),
  }),
  defineCommand({
    ...COUNTER,
    name: 'incrby',
    summary: 'Adds to the integer that a key holds, which is 0 without the key.',
    since: '1.0.0',
    arity: 3,
    arguments: [KEY, { name: 'increment', type: 'integer' }],
    replies: ['integer: the new value'],
    handler: (ctx) => addArgument(ctx, 1),
  }),
  defineCommand({
    ...COUNTER,
    name: 'decrby',
    summary: 'Subtracts from the integer that a key holds, which is 0 without the key.',
    since: '1.0.0',
    arity: 3,
    arguments: [KEY, { name: 'decrement', type: 'integer' }],
    replies: ['integer: the new value'],
    handler: (ctx) => addArgument(ctx, -1),
  }),
  defineCommand({
    ...COUNTER,
    name: 'incrbyfloat',
    summary: 'Adds to the number that a key holds, which is 0 without the key.',
    since: '2.6.0',
    arity: 3,
    arguments: [KEY, { name: 'increment', type: 'double' }],
    replies: ['bulk string: the new value'],
    handler: incrbyfloat,
  }),
];
