// The native lock commands: release, renew and hand over a lock that is a plain string key, by comparing its token.
// Source: spec/goblin-caexpire and Goblin Core's documentation; the order of checks is arity, WRONGTYPE, numbers, compare.

import { equalViews } from '../bytes/view.ts';
import { EVENT } from '../keyspace/key-event.ts';
import type { Context } from './context.ts';
import { MAX_DEADLINE_MS } from './deadline.ts';
import { defineCommand, type KeySpec } from './define.ts';
import { invalidExpireTime, NOT_AN_INTEGER } from './errors.ts';

const KEY: KeySpec = { access: 'RW', does: ['access', 'update'], begin: 1 };
const KEY_DELETED: KeySpec = { access: 'RM', does: ['delete'], begin: 1 };

/** True if the string in `slot` is argument `index`, byte for byte. */
function holds(ctx: Context, slot: number, index: number): boolean {
  return slot !== 0 && equalViews(ctx.db.value(slot), ctx.request.view(index));
}

/** GOBLIN.CAD key expected: 1 removed, 0 not (another token, or no key). */
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
  const ms = ctx.request.integer(3);
  if (Number.isNaN(ms)) return ctx.reply.error(NOT_AN_INTEGER);
  if (ms > MAX_DEADLINE_MS) return ctx.reply.error(invalidExpireTime('goblin.caexpire'));
  if (!holds(ctx, slot, 2)) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  if (ms <= 0) ctx.db.remove(slot, EVENT.del);
  else ctx.db.setDeadline(slot, ctx.nowMs + ms, EVENT.expire);
  ctx.reply.integer(1);
}

export const lockCommands = [
  defineCommand({
    name: 'goblin.cad',
    summary: 'Releases a lock: deletes a key if it holds the expected token.',
    since: 'holdfast 0.1',
    group: 'lock',
    complexity: 'O(1)',
    arity: 3,
    flags: ['write', 'fast'],
    categories: ['string'],
    keys: [KEY_DELETED],
    arguments: [
      { name: 'key', type: 'key', keySpec: 0 },
      { name: 'expected', type: 'string' },
    ],
    replies: ['1: deleted', '0: another token, or no such key', 'WRONGTYPE: not a string'],
    locked: 'decides',
    handler: compareAndDelete,
  }),
  defineCommand({
    name: 'goblin.caexpire',
    summary: 'Renews a lock: sets the time to live of a key if it holds the expected token.',
    since: 'holdfast 0.1',
    group: 'lock',
    complexity: 'O(1)',
    arity: 4,
    flags: ['write', 'fast'],
    categories: ['string'],
    keys: [KEY],
    arguments: [
      { name: 'key', type: 'key', keySpec: 0 },
      { name: 'expected', type: 'string' },
      { name: 'ms', type: 'integer' },
    ],
    replies: [
      '1: renewed; deleted if ms is not positive',
      '0: another token, or no such key',
      'WRONGTYPE: not a string',
    ],
    locked: 'decides',
    handler: compareAndExpire,
  }),
];
