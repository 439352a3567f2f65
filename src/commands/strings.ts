// Strings as wholes: reading one, storing one, and the commands that do both. SET is how locks are taken: a plain one,
// and one with options, allocates nothing between the request and the reply.
//
// What Redis 8.4 does beyond 7.0: the IF* conditions, and a SET whose EXAT or PXAT has passed stores nothing (it deletes).

import type { Key } from '../bytes/key.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import type { Request } from '../protocol/request.ts';
import { expiration, KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { MILLISECONDS, readDeadline, SECONDS, type TimeForm } from './deadline.ts';
import { type Argument, defineCommand, type KeySpec } from './define.ts';
import { WRONG_TYPE } from './errors.ts';
import { SetOptions } from './set-options.ts';
import { fulfils } from './value-condition.ts';

const setOptions = new SetOptions();
const getexOptions = new SetOptions({ existence: false, values: false, get: false, lifetime: 'PERSIST' });

/** Answers the string in a slot, nil for slot 0. */
function replyValue(ctx: Context, slot: number): void {
  if (slot === 0) ctx.reply.null();
  else ctx.reply.bulk(ctx.db.value(slot));
}

/**
 * Stores argument `valueAt`, whatever was there. A deadline that has come already leaves nothing behind: what was there is
 * deleted. `isTimed` says that the deadline was asked for, so that there is an event about it.
 */
export function storeString(
  ctx: Context,
  key: Key,
  slot: number,
  valueAt: number,
  deadlineMs: number,
  isTimed: boolean,
): void {
  const { db } = ctx;
  if (deadlineMs <= ctx.nowMs) {
    if (slot !== 0) db.remove(slot, EVENT.del);
    return;
  }
  const stored = db.putString(key, slot, ctx.request.view(valueAt), deadlineMs, EVENT.set);
  if (isTimed) db.alsoAnnounce(stored, EVENT.expire);
}

function get(ctx: Context): void {
  const slot = ctx.readString(ctx.request.key(1));
  if (slot >= 0) replyValue(ctx, slot);
}

/** SET key value [NX|XX|IFEQ|IFNE|IFDEQ|IFDNE …] [GET] [EX|PX|EXAT|PXAT …|KEEPTTL] */
function set(ctx: Context): void {
  const key = ctx.request.key(1);
  if (ctx.request.count > 3) return setWithOptions(ctx, key);
  const slot = ctx.write(key);
  if (ctx.refusesLocked(slot)) return;
  storeString(ctx, key, slot, 2, NO_DEADLINE, false);
  ctx.reply.ok();
}

function setWithOptions(ctx: Context, key: Key): void {
  const { reply } = ctx;
  if (!setOptions.parse(ctx, 3)) return;
  const asked = setOptions.deadline(ctx, 'set');
  if (Number.isNaN(asked)) return;
  const slot = setOptions.isGet ? ctx.readString(key) : ctx.write(key);
  if (slot < 0) return;
  const holds = conditionHolds(ctx, slot);
  if (holds === undefined || (holds && ctx.refusesLocked(slot))) return;
  if (setOptions.isGet) replyValue(ctx, slot);
  else if (holds) reply.ok();
  else reply.null();
  if (!holds) return;
  const deadline = setOptions.isKeepTtl && slot !== 0 ? ctx.db.deadline(slot) : asked;
  storeString(ctx, key, slot, 2, deadline, setOptions.timeAt !== 0);
}

/** Whether SET's condition lets it write. Undefined: an error was replied. */
function conditionHolds(ctx: Context, slot: number): boolean | undefined {
  const { condition } = setOptions;
  if (condition === 'none') return true;
  if (condition === 'NX') return slot === 0;
  if (condition === 'XX') return slot !== 0;
  if (slot === 0) return condition === 'IFNE' || condition === 'IFDNE';
  if (ctx.db.isString(slot)) return fulfils(ctx, slot, condition, setOptions.operand);
  ctx.reply.error(WRONG_TYPE);
  return undefined;
}

function setnx(ctx: Context): void {
  const key = ctx.request.key(1);
  // A key that is not there has no GETL lock.
  if (ctx.write(key) !== 0) return ctx.reply.integer(0);
  storeString(ctx, key, 0, 2, NO_DEADLINE, false);
  ctx.reply.integer(1);
}

function setWithLifetime(ctx: Context, form: TimeForm): void {
  const deadline = readDeadline(ctx, 2, form, ctx.command.name);
  if (Number.isNaN(deadline)) return;
  const key = ctx.request.key(1);
  storeString(ctx, key, ctx.write(key), 3, deadline, true);
  ctx.reply.ok();
}

function getset(ctx: Context): void {
  const key = ctx.request.key(1);
  const slot = ctx.readString(key);
  if (slot < 0) return;
  replyValue(ctx, slot);
  storeString(ctx, key, slot, 2, NO_DEADLINE, false);
}

function getdel(ctx: Context): void {
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  replyValue(ctx, slot);
  if (slot !== 0) ctx.db.remove(slot, EVENT.del);
}

/** GETEX key [EX|PX|EXAT|PXAT …|PERSIST]: a missing key is nil before its expire time is even looked at. */
function getex(ctx: Context): void {
  if (!getexOptions.parse(ctx, 2)) return;
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  if (slot === 0) return ctx.reply.null();
  const { db } = ctx;
  const isTimed = getexOptions.timeAt !== 0;
  const deadline = getexOptions.deadline(ctx, 'getex');
  if (Number.isNaN(deadline)) return;
  const changes = isTimed || (getexOptions.isPersist && db.deadline(slot) !== NO_DEADLINE);
  if (changes && ctx.refusesLocked(slot)) return;
  ctx.reply.bulk(db.value(slot));
  if (!changes) return;
  if (deadline <= ctx.nowMs) db.remove(slot, EVENT.del);
  else db.setDeadline(slot, deadline, isTimed ? EVENT.expire : EVENT.persist);
}

const READ: KeySpec = { access: 'RO', does: ['access'], begin: 1 };
const READ_WRITE: KeySpec = { access: 'RW', does: ['access', 'update'], begin: 1 };
const OVERWRITE: KeySpec = { access: 'OW', does: ['update'], begin: 1 };

const LOOKING_WORDS = ['GET', 'IFEQ', 'IFNE', 'IFDEQ', 'IFDNE'];

/** Whether a SET asks for, or compares, the value that is there. */
function looksAtOldValue(request: Request): boolean {
  for (let i = 3; i < request.count; i++) {
    if (LOOKING_WORDS.some((word) => request.matches(i, word))) return true;
  }
  return false;
}

const VALUE: Argument = { name: 'value', type: 'string' };

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
    arguments: [KEY],
    replies: ['bulk string: the value', 'nil: no such key'],
    handler: get,
  }),
  defineCommand({
    name: 'set',
    summary: 'Stores a string, if a condition holds, with a time to live.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(1); O(N) in the length of the value that is there with IFDEQ and IFDNE',
    history: [
      ['2.6.12', 'NX, XX, EX and PX.'],
      ['6.0.0', 'KEEPTTL.'],
      ['6.2.0', 'GET, EXAT and PXAT.'],
      ['7.0.0', 'NX and GET may be combined.'],
      ['8.4.0', 'IFEQ, IFNE, IFDEQ and IFDNE.'],
    ],
    arity: -3,
    flags: ['write', 'denyoom'],
    keys: [
      {
        ...READ_WRITE,
        flags: ['variable_flags'],
        notes: 'read only if GET or a comparison asks for what is there',
        useIn: (request) => (looksAtOldValue(request) ? READ_WRITE : OVERWRITE),
      },
    ],
    arguments: [
      KEY,
      VALUE,
      {
        name: 'condition',
        type: 'oneof',
        optional: true,
        since: '2.6.12',
        arguments: [
          { name: 'nx', type: 'pure-token', token: 'NX' },
          { name: 'xx', type: 'pure-token', token: 'XX' },
          { name: 'ifeq-value', type: 'string', token: 'IFEQ', since: '8.4.0' },
          { name: 'ifne-value', type: 'string', token: 'IFNE', since: '8.4.0' },
          { name: 'ifdeq-digest', type: 'integer', token: 'IFDEQ', since: '8.4.0' },
          { name: 'ifdne-digest', type: 'integer', token: 'IFDNE', since: '8.4.0' },
        ],
      },
      { name: 'get', type: 'pure-token', token: 'GET', optional: true, since: '6.2.0' },
      expiration('KEEPTTL', { EX: '2.6.12', PX: '2.6.12', EXAT: '6.2.0', PXAT: '6.2.0', KEEPTTL: '6.0.0' }),
    ],
    replies: [
      'OK: stored',
      'nil: the condition does not hold, nothing was stored',
      'with GET: the value from before, stored or not; nil if there was none',
    ],
    locked: 'decides',
    handler: set,
  }),
  defineCommand({
    name: 'setnx',
    summary: 'Stores a string if the key does not exist.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    keys: [{ access: 'OW', does: ['insert'], begin: 1 }],
    arguments: [KEY, VALUE],
    replies: ['1: stored', '0: the key exists'],
    locked: 'decides',
    handler: setnx,
  }),
  defineCommand({
    name: 'setex',
    summary: 'Stores a string with a time to live in seconds.',
    since: '2.0.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 4,
    flags: ['write', 'denyoom'],
    keys: [OVERWRITE],
    arguments: [KEY, { name: 'seconds', type: 'integer' }, VALUE],
    replies: ['OK'],
    handler: (ctx) => setWithLifetime(ctx, SECONDS),
  }),
  defineCommand({
    name: 'psetex',
    summary: 'Stores a string with a time to live in milliseconds.',
    since: '2.6.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 4,
    flags: ['write', 'denyoom'],
    keys: [OVERWRITE],
    arguments: [KEY, { name: 'milliseconds', type: 'integer' }, VALUE],
    replies: ['OK'],
    handler: (ctx) => setWithLifetime(ctx, MILLISECONDS),
  }),
  defineCommand({
    name: 'getset',
    summary: 'Stores a string and returns the one from before.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(1)',
    deprecated: { since: '6.2.0', replacedBy: '`SET` with the `!GET` argument' },
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    keys: [READ_WRITE],
    arguments: [KEY, VALUE],
    replies: ['bulk string: the value from before', 'nil: there was none'],
    handler: getset,
  }),
  defineCommand({
    name: 'getdel',
    summary: 'Returns a string and deletes its key.',
    since: '6.2.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 2,
    flags: ['write', 'fast'],
    keys: [{ access: 'RW', does: ['access', 'delete'], begin: 1 }],
    arguments: [KEY],
    replies: ['bulk string: the value', 'nil: no such key'],
    handler: getdel,
  }),
  defineCommand({
    name: 'getex',
    summary: 'Returns a string and sets or takes away its time to live.',
    since: '6.2.0',
    group: 'string',
    complexity: 'O(1)',
    arity: -2,
    flags: ['write', 'fast'],
    keys: [{ ...READ_WRITE, notes: 'updates the time to live' }],
    arguments: [KEY, expiration('PERSIST')],
    replies: ['bulk string: the value', 'nil: no such key'],
    locked: 'decides',
    handler: getex,
  }),
];
