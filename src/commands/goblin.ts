// Guards of work and of quotas in one step each, under the names and with the meaning of Goblin Core: CLAIM (do it once),
// INCREX (so many in a window), INCRBOUND (up to a ceiling), DECRPOS (while some are left).
//
// Source: Goblin Core's command pages. What is refused writes nothing, and never creates a key. Integers have 64 bits.

import { Key } from '../bytes/key.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { deadlineOf, readDeadline, SECONDS } from './deadline.ts';
import { type CommandSpec, defineCommand, type KeySpec } from './define.ts';
import { INCREMENT_OVERFLOWS, invalidExpireTime } from './errors.ts';
import { integerArgument } from './integer-argument.ts';
import {
  addInt64,
  type Int64,
  readInt64Argument,
  readInt64Value,
  replyInt64,
  storeInt64,
} from './integer-value.ts';
import { storeString } from './strings.ts';

const resultKey = new Key();

/** GOBLIN.CLAIM claim_key result_key token seconds: `CLAIMED`, or what whoever has claimed it left as the result. */
function claim(ctx: Context): void {
  const deadline = readDeadline(ctx, 4, SECONDS, 'goblin.claim');
  if (Number.isNaN(deadline)) return;
  const key = ctx.request.key(1);
  // Whatever holds the claim, of any type and locked or not, it is held.
  if (ctx.write(key) === 0) {
    storeString(ctx, key, 0, 3, deadline, true);
    return ctx.reply.text('CLAIMED');
  }
  const result = ctx.readString(ctx.request.key(2, resultKey));
  if (result > 0) ctx.reply.bulk(ctx.db.value(result));
  else if (result === 0) ctx.reply.null();
}

/** GOBLIN.INCREX key seconds: counts in a window that begins with the write that creates the key. */
function countInWindow(ctx: Context): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const seconds = integerArgument(ctx, 2);
  if (Number.isNaN(seconds)) return;
  // A window that is over before it begins, however long ago, leaves nothing behind.
  const deadline = seconds <= 0 ? ctx.nowMs : deadlineOf(ctx, seconds, SECONDS);
  if (Number.isNaN(deadline)) return ctx.reply.error(invalidExpireTime('goblin.increx'));
  if (slot !== 0) return addTo(ctx, key, slot, 1);
  if (deadline > ctx.nowMs) ctx.db.alsoAnnounce(storeInt64(ctx, key, 0, 1, deadline), EVENT.expire);
  ctx.reply.integer(1);
}

/** GOBLIN.INCRBOUND key delta max: the sum, or -1 if it would be above max. */
function addUpTo(ctx: Context): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const delta = readInt64Argument(ctx, 2);
  if (delta === undefined) return;
  const max = readInt64Argument(ctx, 3);
  if (max !== undefined) addTo(ctx, key, slot, delta, max);
}

/** Adds to the counter in `slot`, and answers the sum; -1 if it would be above `max`. */
function addTo(ctx: Context, key: Key, slot: number, delta: Int64, max?: Int64): void {
  const value = readInt64Value(ctx, slot);
  if (value === undefined) return;
  const sum = addInt64(value, delta);
  if (max !== undefined && (sum === undefined ? delta > 0 : sum > max)) return ctx.reply.integer(-1);
  if (sum === undefined) return ctx.reply.error(INCREMENT_OVERFLOWS);
  if (ctx.refusesLocked(slot)) return;
  storeInt64(ctx, key, slot, sum);
  replyInt64(ctx.reply, sum);
}

/** GOBLIN.DECRPOS key: one less, or -1 if there is none to take. */
function takeOne(ctx: Context): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const value = readInt64Value(ctx, slot);
  if (value === undefined) return;
  if (value <= 0) return ctx.reply.integer(-1);
  addTo(ctx, key, slot, -1);
}

const COUNTER: readonly KeySpec[] = [{ access: 'RW', does: ['access', 'update'], begin: 1 }];

/** What all of them have in common. */
const GUARD = {
  since: 'holdfast 0.1',
  group: 'lock',
  complexity: 'O(1)',
  flags: ['write', 'denyoom', 'fast'],
  categories: ['string'],
  keys: COUNTER,
  locked: 'decides',
} as const satisfies Partial<CommandSpec>;

const NOT_A_COUNTER = ['ERR: not an integer, or it would need more than 64 bits', 'WRONGTYPE: not a string'];

export const goblinCommands = [
  defineCommand({
    ...GUARD,
    name: 'goblin.claim',
    summary: 'Claims work for a time, or returns the result of whoever has claimed it before.',
    arity: 5,
    keys: [
      { access: 'OW', does: ['insert'], begin: 1 },
      { access: 'RO', does: ['access'], begin: 2 },
    ],
    arguments: [
      { name: 'claim_key', type: 'key', keySpec: 0 },
      { name: 'result_key', type: 'key', keySpec: 1 },
      { name: 'token', type: 'string' },
      { name: 'seconds', type: 'integer' },
    ],
    replies: [
      'CLAIMED: the claim was free; it holds the token now, for so many seconds',
      'bulk string: it is claimed, and this is the result',
      'nil: it is claimed, and there is no result yet',
      'WRONGTYPE: it is claimed, and the result is not a string',
    ],
    handler: claim,
  }),
  defineCommand({
    ...GUARD,
    name: 'goblin.increx',
    summary: 'Counts in a window of time: adds 1, and sets the time to live when that creates the key.',
    arity: 3,
    arguments: [KEY, { name: 'seconds', type: 'integer' }],
    replies: ['integer: the new value', ...NOT_A_COUNTER],
    handler: countInWindow,
  }),
  defineCommand({
    ...GUARD,
    name: 'goblin.incrbound',
    summary: 'Adds to a counter unless that would take it above a ceiling. The time to live goes on.',
    arity: 4,
    arguments: [KEY, { name: 'delta', type: 'integer' }, { name: 'max', type: 'integer' }],
    replies: ['integer: the new value', '-1: it would be above max, nothing was changed', ...NOT_A_COUNTER],
    handler: addUpTo,
  }),
  defineCommand({
    ...GUARD,
    name: 'goblin.decrpos',
    summary: 'Takes one from a counter while it is positive. The time to live goes on.',
    arity: 2,
    flags: ['write', 'fast'],
    arguments: [KEY],
    replies: ['integer: the new value', '-1: none left, nothing was changed', ...NOT_A_COUNTER],
    handler: takeOne,
  }),
];
