// Commands about keys of any type: whether they are there, of which type, which there are, and deleting them.
// Values that get another name or place are in rename.ts, times to live in expire.ts, walks over all keys in scan.ts.

import { EVENT } from '../keyspace/key-event.ts';
import { TYPE_NAMES } from '../keyspace/slot-flags.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type Argument, type CommandSpec, defineCommand, type KeySpec } from './define.ts';

const MULTI_SHARD_SUM = ['request_policy:multi_shard', 'response_policy:agg_sum'];
const SEVERAL_KEYS: readonly Argument[] = [{ name: 'key', type: 'key', keySpec: 0, multiple: true }];
const ALL_REMOVED: readonly KeySpec[] = [{ access: 'RM', does: ['delete'], begin: 1, last: -1 }];
const ALL_READ: readonly KeySpec[] = [{ access: 'RO', begin: 1, last: -1 }];

/** How often RANDOMKEY tries its luck before it takes the first key that has not ended. */
const RANDOM_TRIES = 100;

/** DEL and UNLINK key…: a key named twice counts once. */
function del(ctx: Context): void {
  let deleted = 0;
  for (let i = 1; i < ctx.request.count; i++) {
    const slot = ctx.write(ctx.request.key(i));
    if (slot === 0) continue;
    ctx.db.remove(slot, EVENT.del);
    deleted++;
  }
  ctx.reply.integer(deleted);
}

/** EXISTS key…: a key named twice counts twice. */
function exists(ctx: Context): void {
  let present = 0;
  for (let i = 1; i < ctx.request.count; i++) if (ctx.peek(ctx.request.key(i)) !== 0) present++;
  ctx.reply.integer(present);
}

function type(ctx: Context): void {
  const slot = ctx.peek(ctx.request.key(1));
  ctx.reply.simple(slot === 0 ? 'none' : TYPE_NAMES[ctx.db.type(slot)]!);
}

/** TOUCH key…: they count as used even for a client with CLIENT NO-TOUCH, since that is what it asks for. */
function touch(ctx: Context): void {
  let touched = 0;
  for (let i = 1; i < ctx.request.count; i++) {
    const slot = ctx.peek(ctx.request.key(i));
    if (slot === 0) continue;
    ctx.db.touch(slot);
    touched++;
  }
  ctx.reply.integer(touched);
}

function randomKey(ctx: Context): void {
  const slot = someKey(ctx);
  if (slot === 0) ctx.reply.null();
  else ctx.reply.text(ctx.db.keyString(slot));
}

/** A key chosen at random, or 0. Where nearly all keys have just ended chance would need too long to hit another. */
function someKey({ db, server }: Context): number {
  for (let i = 0; i < RANDOM_TRIES; i++) {
    const slot = db.random(server.random(), server.random());
    if (slot === 0 || !db.hasEnded(slot)) return slot;
  }
  let first = 0;
  let cursor = 0;
  do {
    cursor = db.scan(cursor, 1, (slot) => {
      first = slot;
    });
  } while (first === 0 && cursor !== 0);
  return first;
}

/** What DEL and UNLINK share: here memory is given back in constant time, so that both do the same. */
const deletes = {
  group: 'generic',
  arity: -2,
  categories: ['keyspace'],
  tips: MULTI_SHARD_SUM,
  keys: ALL_REMOVED,
  arguments: SEVERAL_KEYS,
  replies: ['integer: how many keys were deleted', 'EXISTS: a key is locked by GETL, none was deleted'],
  handler: del,
} as const satisfies Partial<CommandSpec>;

export const keyCommands = [
  defineCommand({
    ...deletes,
    name: 'del',
    summary: 'Deletes keys.',
    since: '1.0.0',
    complexity: 'O(N) in the number of keys',
    flags: ['write'],
  }),
  defineCommand({
    ...deletes,
    name: 'unlink',
    summary: 'Deletes keys, and never takes long over the memory of a big value.',
    since: '4.0.0',
    complexity: 'O(N) in the number of keys',
    flags: ['write', 'fast'],
  }),
  defineCommand({
    name: 'exists',
    summary: 'Counts which of the keys are there.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['readonly', 'fast'],
    categories: ['keyspace'],
    tips: MULTI_SHARD_SUM,
    keys: ALL_READ,
    arguments: SEVERAL_KEYS,
    history: [['3.0.3', 'Takes several keys.']],
    replies: ['integer: how many of the named keys exist; one named twice counts twice'],
    handler: exists,
  }),
  defineCommand({
    name: 'type',
    summary: 'Tells the type of the value that a key holds.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 2,
    flags: ['readonly', 'fast'],
    categories: ['keyspace'],
    keys: [{ access: 'RO', begin: 1 }],
    arguments: [KEY],
    replies: ['simple string: the type', 'none: no such key'],
    handler: type,
  }),
  defineCommand({
    name: 'touch',
    summary: 'Marks keys as just used, and counts those that exist.',
    since: '3.2.1',
    group: 'generic',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['readonly', 'fast'],
    categories: ['keyspace'],
    tips: MULTI_SHARD_SUM,
    keys: ALL_READ,
    arguments: SEVERAL_KEYS,
    replies: ['integer: how many of the named keys exist'],
    handler: touch,
  }),
  defineCommand({
    name: 'randomkey',
    summary: 'Names a key chosen at random.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 1,
    flags: ['readonly'],
    categories: ['keyspace'],
    tips: ['request_policy:all_shards', 'nondeterministic_output'],
    replies: ['bulk string: a key', 'nil: the database is empty'],
    handler: randomKey,
  }),
];
