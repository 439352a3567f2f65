// Counters: strings that hold a number, changed by an amount, their time to live kept.
//
// Integers are exact over all 64 bits (integer-value.ts). INCRBYFLOAT computes in C's long double, as Redis does (bytes/double.ts).

import { addLongDoubles, formatLongDouble } from '../bytes/double.ts';
import { ByteView } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type CommandSpec, defineCommand } from './define.ts';
import { INCREMENT_OVERFLOWS, NOT_A_FLOAT } from './errors.ts';
import {
  addInt64,
  type Int64,
  readInt64Argument,
  readInt64Value,
  replyInt64,
  storeInt64,
} from './integer-value.ts';
import { INT64, LONG_DOUBLE } from './number-kinds.ts';

/** Adds to the integer in argument 1. */
function add(ctx: Context, increment: Int64): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const value = readInt64Value(ctx, slot);
  if (value === undefined) return;
  const sum = addInt64(value, increment);
  if (sum === undefined) return ctx.reply.error(INCREMENT_OVERFLOWS);
  if (ctx.refusesLocked(slot)) return;
  storeInt64(ctx, key, slot, sum);
  replyInt64(ctx.reply, sum);
}

function incrby(ctx: Context): void {
  const increment = readInt64Argument(ctx, 2);
  if (increment !== undefined) add(ctx, increment);
}

function decrby(ctx: Context): void {
  const decrement = readInt64Argument(ctx, 2);
  if (decrement === undefined) return;
  // The one amount whose opposite is no int64.
  if (decrement === INT64.min) return ctx.reply.error('ERR decrement would overflow');
  add(ctx, -decrement);
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
  const deadline = slot === 0 ? NO_DEADLINE : db.deadline(slot);
  db.putString(key, slot, ByteView.of(text), deadline, EVENT.incrbyfloat);
  reply.text(text);
}

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
    handler: incrby,
  }),
  defineCommand({
    ...COUNTER,
    name: 'decrby',
    summary: 'Subtracts from the integer that a key holds, which is 0 without the key.',
    since: '1.0.0',
    arity: 3,
    arguments: [KEY, { name: 'decrement', type: 'integer' }],
    replies: ['integer: the new value'],
    handler: decrby,
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
