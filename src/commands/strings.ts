// Strings: storing, reading and comparing whole values.

import { equalViews } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import type { Context } from './context.ts';
import { defineCommand, type KeySpec } from './define.ts';
import { SetOptions } from './set-options.ts';

const READ: KeySpec = { access: 'RO', does: ['access'], begin: 1 };

const options = new SetOptions();

function get(ctx: Context): void {
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  if (slot === 0) ctx.reply.null();
  else ctx.reply.bulk(ctx.db.value(slot));
}

/** SET key value [NX|XX|IFEQ|IFNE|IFDEQ|IFDNE …] [GET] [EX|PX|EXAT|PXAT …|KEEPTTL] */
function set(ctx: Context): void {
  const { request, reply, db } = ctx;
  if (request.count > 3 && !options.parse(ctx, 3)) return;
  const plain = request.count === 3;
  let deadline = plain ? NO_DEADLINE : options.deadline(ctx, 'set');
  if (Number.isNaN(deadline)) return;
  const key = request.key(1);
  const slot = db.find(key);
  if (!plain && !maySet(ctx, slot)) return;
  if (ctx.refusesLocked(slot)) return;
  if (!plain && options.isKeepTtl && slot !== 0) deadline = db.deadline(slot);
  const stored = db.putString(key, slot, request.view(2), deadline, EVENT.set);
  if (!plain && options.timeAt !== 0) db.alsoAnnounce(stored, EVENT.expire);
  reply.ok();
}

/** Whether the condition lets SET write. If not, the answer has been given. */
function maySet(ctx: Context, slot: number): boolean {
  const { condition } = options;
  let holds = true;
  if (condition === 'NX') holds = slot === 0;
  else if (condition === 'XX') holds = slot !== 0;
  else if (condition === 'IFEQ')
    holds = slot !== 0 && equalViews(ctx.db.value(slot), ctx.request.view(options.operand));
  if (!holds) ctx.reply.null();
  return holds;
}

export const stringCommands = [
  defineCommand({
    name: 'get',
    summary: 'Returns the string that a key holds.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 2,
    flags: ['readonly', 'fast'],
    keys: [READ],
    arguments: [{ name: 'key', type: 'key', keySpec: 0 }],
    replies: ['bulk string: the value', 'nil: no such key'],
    handler: get,
  }),
  defineCommand({
    name: 'set',
    summary: 'Stores a string, if a condition holds, with a time to live.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(1)',
    arity: -3,
    flags: ['write', 'denyoom'],
    keys: [{ access: 'RW', does: ['access', 'update'], flags: ['variable_flags'], begin: 1 }],
    locked: 'decides',
    handler: set,
  }),
];
