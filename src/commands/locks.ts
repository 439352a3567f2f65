// The native lock commands: release, renew and hand over a lock that is a plain string key, by comparing its token.
// They are the hottest commands of a lock server: one lookup, a compare in place, and nothing allocated.
//
// Source: spec/goblin-caexpire and Goblin Core's documentation; DELIFEQ is Valkey's. The order of checks is arity,
// WRONGTYPE, numbers, compare: an unusable number is the caller's bug, whatever the key holds.

import { equalViews } from '../bytes/view.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { MAX_DEADLINE_MS } from './deadline.ts';
import { type Argument, type CommandSpec, defineCommand, type KeySpec } from './define.ts';
import { invalidExpireTime } from './errors.ts';
import { integerArgument } from './integer-argument.ts';

/** True if the string in `slot` is argument `index`, byte for byte. */
function holds(ctx: Context, slot: number, index: number): boolean {
  return slot !== 0 && equalViews(ctx.db.value(slot), ctx.request.view(index));
}

/** GOBLIN.CAD and DELIFEQ key expected: 1 removed, 0 not (another token, or no key). */
function compareAndDelete(ctx: Context): void {
  const slot = ctx.writeString(ctx.request.key(1));
  if (slot < 0) return;
  if (!holds(ctx, slot, 2)) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  ctx.db.remove(slot, EVENT.del);
  ctx.reply.integer(1);
}

/** GOBLIN.CAEXPIRE key expected ms: 1 renewed (or deleted, if ms is not positive), 0 not. */
function compareAndExpire(ctx: Context): void {
  const slot = ctx.writeString(ctx.request.key(1));
  if (slot < 0) return;
  const ms = integerArgument(ctx, 3);
  if (Number.isNaN(ms)) return;
  if (ms > MAX_DEADLINE_MS) return ctx.reply.error(invalidExpireTime('goblin.caexpire'));
  if (!holds(ctx, slot, 2)) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  if (ms <= 0) ctx.db.remove(slot, EVENT.del);
  else ctx.db.setDeadline(slot, ctx.nowMs + ms, EVENT.expire);
  ctx.reply.integer(1);
}

/** GOBLIN.CAS key expected new: OK handed over, 0 not. The lease goes on as it is. */
function compareAndSet(ctx: Context): void {
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  if (!holds(ctx, slot, 2)) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  ctx.db.putString(key, slot, ctx.request.view(3), ctx.db.deadline(slot), EVENT.set);
  ctx.reply.ok();
}

const UPDATED: readonly KeySpec[] = [{ access: 'RW', does: ['access', 'update'], begin: 1 }];
const DELETED: readonly KeySpec[] = [{ access: 'RW', does: ['access', 'delete'], begin: 1 }];

const EXPECTED: Argument = { name: 'expected', type: 'string' };

/** What all of them have in common. */
const COMPARES = {
  since: 'holdfast 0.1',
  group: 'lock',
  complexity: 'O(1)',
  flags: ['write', 'fast'],
  categories: ['string'],
  locked: 'decides',
} as const satisfies Partial<CommandSpec>;

const NOT_HELD = '0: another token, or no such key';
const NO_STRING = 'WRONGTYPE: not a string';

export const lockCommands = [
  defineCommand({
    ...COMPARES,
    name: 'goblin.cad',
    summary: 'Releases a lock: deletes a key if it holds the expected token.',
    arity: 3,
    keys: DELETED,
    arguments: [KEY, EXPECTED],
    replies: ['1: deleted', NOT_HELD, NO_STRING],
    handler: compareAndDelete,
  }),
  defineCommand({
    ...COMPARES,
    name: 'delifeq',
    summary: 'Deletes a key if it holds the expected value. The name that Valkey has for GOBLIN.CAD.',
    arity: 3,
    keys: DELETED,
    arguments: [KEY, { name: 'value', type: 'string' }],
    replies: ['1: deleted', '0: another value, or no such key', NO_STRING],
    handler: compareAndDelete,
  }),
  defineCommand({
    ...COMPARES,
    name: 'goblin.caexpire',
    summary: 'Renews a lock: sets the time to live of a key if it holds the expected token.',
    arity: 4,
    keys: UPDATED,
    arguments: [KEY, EXPECTED, { name: 'ms', type: 'integer' }],
    replies: ['1: renewed; deleted if ms is not positive', NOT_HELD, NO_STRING],
    handler: compareAndExpire,
  }),
  defineCommand({
    ...COMPARES,
    name: 'goblin.cas',
    summary:
      'Hands a lock over: puts another token in the place of the expected one. The time to live goes on.',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    keys: UPDATED,
    arguments: [KEY, EXPECTED, { name: 'new', type: 'string' }],
    replies: ['OK: replaced', NOT_HELD, NO_STRING],
    handler: compareAndSet,
  }),
];
