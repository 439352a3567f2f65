// Values that get another name or place: RENAME, RENAMENX, COPY and MOVE.
//
// Value, deadline and the way a string is encoded go along. A GETL lock refuses only what would really change a locked
// key, so all four look at both keys before they touch either.

import { Key } from '../bytes/key.ts';
import { equalViews } from '../bytes/view.ts';
import type { Database } from '../keyspace/database.ts';
import { EVENT, type KeyEvent } from '../keyspace/key-event.ts';
import { RAW } from '../keyspace/slot-flags.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { readDatabaseIndex } from './database-index.ts';
import { defineCommand, type KeySpec } from './define.ts';
import { NO_SUCH_KEY, SYNTAX_ERROR } from './errors.ts';

const SAME_OBJECT = 'ERR source and destination objects are the same';

/** RENAME: key 1 becomes key 2, whatever that held. */
function rename(ctx: Context): void {
  const source = ctx.write(ctx.request.key(1));
  if (source === 0) return ctx.reply.error(NO_SUCH_KEY);
  const newKey = ctx.request.key(2);
  const destination = ctx.write(newKey);
  if (destination === source) return ctx.reply.ok();
  if (ctx.refusesLocked(source) || ctx.refusesLocked(destination)) return;
  if (destination !== 0) ctx.db.remove(destination, EVENT.silent);
  ctx.db.rename(source, newKey);
  ctx.reply.ok();
}

/** RENAMENX: the same if key 2 is free. */
function renameIfFree(ctx: Context): void {
  const source = ctx.write(ctx.request.key(1));
  if (source === 0) return ctx.reply.error(NO_SUCH_KEY);
  const newKey = ctx.request.key(2);
  if (ctx.write(newKey) !== 0) return ctx.reply.integer(0);
  if (ctx.refusesLocked(source)) return;
  ctx.db.rename(source, newKey);
  ctx.reply.integer(1);
}

/** COPY source destination [DB n] [REPLACE] */
function copy(ctx: Context): void {
  const { request, reply } = ctx;
  let to = ctx.client.database;
  let replaces = false;
  for (let i = 3; i < request.count; i++) {
    if (request.matches(i, 'REPLACE')) {
      replaces = true;
    } else if (request.matches(i, 'DB') && i + 1 < request.count) {
      to = readDatabaseIndex(ctx, ++i);
      if (to < 0) return;
    } else {
      return reply.error(SYNTAX_ERROR);
    }
  }
  const source = request.key(1, new Key());
  const destination = request.key(2);
  if (to === ctx.client.database && equalViews(source, destination)) return reply.error(SAME_OBJECT);
  const slot = ctx.read(source);
  if (slot === 0) return reply.integer(0);
  const target = ctx.server.keyspace.databases[to]!;
  const taken = target.find(destination);
  if (taken !== 0) {
    if (!replaces) return reply.integer(0);
    if (ctx.refusesLocked(taken, target)) return;
    target.remove(taken, EVENT.silent);
  }
  duplicate(ctx.db, slot, target, destination, EVENT.copyTo);
  reply.integer(1);
}

/** MOVE key db: only if the key is free there. */
function move(ctx: Context): void {
  const to = readDatabaseIndex(ctx, 2);
  if (to < 0) return;
  if (to === ctx.client.database) return ctx.reply.error(SAME_OBJECT);
  const key = ctx.request.key(1);
  const slot = ctx.write(key);
  const target = ctx.server.keyspace.databases[to]!;
  if (slot === 0 || target.find(key) !== 0) return ctx.reply.integer(0);
  if (ctx.refusesLocked(slot)) return;
  const moved = duplicate(ctx.db, slot, target, key, EVENT.silent);
  target.setIdleSeconds(moved, ctx.db.idleSeconds(slot));
  ctx.db.remove(slot, EVENT.moveFrom);
  target.alsoAnnounce(moved, EVENT.moveTo); // after the other, as Redis puts them
  ctx.reply.integer(1);
}

/** Stores the string in `slot` once more, under a key that is free in `target`. */
function duplicate(source: Database, slot: number, target: Database, key: Key, event: KeyEvent): number {
  const copied = target.putString(key, 0, source.value(slot), source.deadline(slot), event);
  if (source.isRaw(slot)) target.setFlag(copied, RAW);
  return copied;
}

const RENAMED: KeySpec = { access: 'RW', does: ['access', 'delete'], begin: 1 };
const LOCKED = 'EXISTS: a key that would change is locked by GETL';

export const renameCommands = [
  defineCommand({
    name: 'rename',
    summary: 'Gives a key another name, in place of whatever had that name.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 3,
    flags: ['write'],
    categories: ['keyspace'],
    keys: [RENAMED, { access: 'OW', does: ['update'], begin: 2 }],
    arguments: [KEY, { name: 'newkey', type: 'key', keySpec: 1 }],
    replies: ['OK', 'ERR: no such key', LOCKED],
    locked: 'decides',
    handler: rename,
  }),
  defineCommand({
    name: 'renamenx',
    summary: 'Gives a key another name if that is free.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 3,
    flags: ['write', 'fast'],
    categories: ['keyspace'],
    keys: [RENAMED, { access: 'OW', does: ['insert'], begin: 2 }],
    arguments: [KEY, { name: 'newkey', type: 'key', keySpec: 1 }],
    history: [['3.2.0', 'Two equal names are no error any more.']],
    replies: ['1: renamed', '0: the new name is taken', 'ERR: no such key', LOCKED],
    locked: 'decides',
    handler: renameIfFree,
  }),
  defineCommand({
    name: 'copy',
    summary: 'Copies a value, with its time to live, to another key.',
    since: '6.2.0',
    group: 'generic',
    complexity: 'O(N) in the size of the value',
    arity: -3,
    flags: ['write', 'denyoom'],
    categories: ['keyspace'],
    keys: [
      { access: 'RO', does: ['access'], begin: 1 },
      { access: 'OW', does: ['update'], begin: 2 },
    ],
    arguments: [
      { name: 'source', type: 'key', keySpec: 0 },
      { name: 'destination', type: 'key', keySpec: 1 },
      { name: 'destination-db', type: 'integer', token: 'DB', optional: true },
      { name: 'replace', type: 'pure-token', token: 'REPLACE', optional: true },
    ],
    replies: ['1: copied', '0: no such key, or the destination is taken', LOCKED],
    locked: 'decides',
    handler: copy,
  }),
  defineCommand({
    name: 'move',
    summary: 'Moves a key to another database, if its name is free there.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 3,
    flags: ['write', 'fast'],
    categories: ['keyspace'],
    keys: [{ access: 'RW', does: ['access', 'update'], begin: 1 }],
    arguments: [KEY, { name: 'db', type: 'integer' }],
    replies: ['1: moved', '0: no such key, or it is taken there', LOCKED],
    locked: 'decides',
    handler: move,
  }),
];
