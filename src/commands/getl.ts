// Locking a value for a while: GETL reads it and locks it, UNL unlocks it, CAS writes it, GETS tells its cas.
//
// Source: spec/membase-getl, and the behaviour of Couchbase where that is silent. While a lock holds, anybody may read, and
// only who has its cas may write, by CAS, which also unlocks; every other change is refused (Context.refusesLocked, the
// gate `locked`). A lock cannot be renewed, and does not prolong the key's own time to live. A given cas is compared with
// the lock's while one holds, else with the key's own, which every change replaces.
//
// With the cas of a lock its holder proves itself: GETS shows -1 in its place, and MONITOR and SLOWLOG nothing.

import { expiration, KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type Argument, type CommandSpec, defineCommand, type KeySpec } from './define.ts';
import { invalidExpireTime, KEY_IS_LOCKED, SYNTAX_ERROR } from './errors.ts';
import { integerArgument } from './integer-argument.ts';
import { SetOptions } from './set-options.ts';
import { storeString } from './strings.ts';

const LOCKED = 'LOCK_ERROR key is locked';
const NOT_THE_LOCKS_CAS = 'LOCK_ERROR cas does not match the lock';
const NOT_LOCKED = 'NOT_LOCKED key is not locked';
const NOT_FOUND = 'NOT_FOUND no such key';
const STALE_CAS = 'EXISTS cas is stale; the key has changed since';
const INVALID_CAS = 'ERR cas must be a positive integer, as GETL, GETS or CAS returned it';

/** What GETS shows as the cas of a key that is locked. */
const HIDDEN_CAS = -1;

const SECOND_MS = 1000;

const casOptions = new SetOptions({ existence: false, values: false, get: false, lifetime: 'KEEPTTL' });

/** GETL key [seconds | PX ms]: value and the lock's cas. */
function getAndLock(ctx: Context): void {
  const timeoutMs = readTimeoutMs(ctx);
  if (Number.isNaN(timeoutMs)) return;
  const { db, reply } = ctx;
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  if (slot === 0) return reply.nullArray();
  if (db.isLocked(slot)) return refuse(ctx, LOCKED);
  replyWithCas(ctx, slot, db.lock(slot, ctx.nowMs + timeoutMs));
}

/** How long to lock for: 0 stands for the default, and more than the most is the most. NaN: an error was replied. */
function readTimeoutMs(ctx: Context): number {
  const { reply, request } = ctx;
  const { values } = ctx.server.config;
  const isInMs = request.count === 4 && request.matches(2, 'PX');
  if (request.count > 3 && !isInMs) {
    reply.error(SYNTAX_ERROR);
    return Number.NaN;
  }
  const time = request.count === 2 ? 0 : integerArgument(ctx, isInMs ? 3 : 2);
  if (time < 0) {
    reply.error(invalidExpireTime('getl'));
    return Number.NaN;
  }
  const askedMs = isInMs ? time : time * SECOND_MS;
  return Math.min(
    askedMs === 0 ? values['getl-default-timeout'] * SECOND_MS : askedMs,
    values['getl-max-timeout'] * SECOND_MS,
  );
}

/** GETS key [key …]: value and cas of each. */
function getWithCas(ctx: Context): void {
  const { db, reply, request } = ctx;
  for (let i = 1; i < request.count; i++) if (ctx.writeString(request.key(i)) < 0) return;
  reply.array(request.count - 1);
  for (let i = 1; i < request.count; i++) {
    const slot = ctx.read(request.key(i));
    if (slot === 0) reply.nullArray();
    else replyWithCas(ctx, slot, db.isLocked(slot) ? HIDDEN_CAS : db.cas(slot));
  }
}

function replyWithCas(ctx: Context, slot: number, cas: number): void {
  ctx.reply.array(2);
  ctx.reply.bulk(ctx.db.value(slot));
  ctx.reply.integer(cas);
}

/** UNL key cas: gives the lock back. */
function unlock(ctx: Context): void {
  const cas = readCas(ctx);
  if (Number.isNaN(cas)) return;
  const { db, reply } = ctx;
  const slot = ctx.writeString(ctx.request.key(1));
  if (slot < 0) return;
  if (slot === 0) return reply.error(NOT_FOUND);
  if (!db.isLocked(slot)) return refuse(ctx, NOT_LOCKED);
  if (cas !== db.getl.lockCas(slot)) return refuse(ctx, NOT_THE_LOCKS_CAS);
  db.unlock(slot);
  reply.ok();
}

/** CAS key cas value [EX|PX|EXAT|PXAT …|KEEPTTL]: writes if nobody has since, and answers the new cas. */
function checkAndSet(ctx: Context): void {
  if (!casOptions.parse(ctx, 4)) return;
  const asked = casOptions.deadline(ctx, 'cas');
  if (Number.isNaN(asked)) return;
  const cas = readCas(ctx);
  if (Number.isNaN(cas)) return;
  const { db, reply } = ctx;
  const key = ctx.request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  if (slot === 0) return reply.error(NOT_FOUND);
  const isLocked = db.isLocked(slot);
  if (isLocked && cas !== db.getl.lockCas(slot)) return refuse(ctx, KEY_IS_LOCKED);
  if (!isLocked && cas !== db.cas(slot)) return reply.error(STALE_CAS);
  if (isLocked) db.unlock(slot);
  const deadline = casOptions.isKeepTtl ? db.deadline(slot) : asked;
  storeString(ctx, key, slot, 3, deadline, casOptions.timeAt !== 0);
  // A key whose time has come at once is gone, and a cas that nothing has is the truth about it.
  reply.integer(deadline > ctx.nowMs ? db.cas(slot) : ctx.server.nextCas());
}

/** The cas in argument 2, never 0 or less. NaN: an error was replied. */
function readCas(ctx: Context): number {
  const cas = ctx.request.integer(2);
  if (cas > 0) return cas;
  ctx.reply.error(INVALID_CAS);
  return Number.NaN;
}

/** An error that a lock is the reason of (INFO `getl_errors`). */
function refuse(ctx: Context, error: string): void {
  ctx.server.stats.getlErrors++;
  ctx.reply.error(error);
}

const CAS: Argument = { name: 'cas', type: 'integer' };
const READ: readonly KeySpec[] = [{ access: 'RO', does: ['access'], begin: 1 }];
const ALL_READ: readonly KeySpec[] = [{ access: 'RO', does: ['access'], begin: 1, last: -1 }];
const CHANGED: readonly KeySpec[] = [{ access: 'RW', does: ['access', 'update'], begin: 1 }];

const NO_STRING = 'WRONGTYPE: not a string';
const NO_CAS = 'ERR: the cas is not a positive integer';

/** What all of them have in common. */
const OF_GETL = {
  since: 'holdfast 0.1',
  group: 'lock',
  complexity: 'O(1)',
  categories: ['string'],
} as const satisfies Partial<CommandSpec>;

/** They look at locks themselves, and keep the cas out of MONITOR and SLOWLOG. */
const WITH_CAS = {
  ...OF_GETL,
  locked: 'ignores',
  hides: (_, index) => index === 2,
} as const satisfies Partial<CommandSpec>;

export const getlCommands = [
  defineCommand({
    ...OF_GETL,
    name: 'getl',
    summary: 'Returns a string and locks it for a time: others may read it, and not change it.',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    keys: [{ ...READ[0]!, access: 'RW' }],
    arguments: [
      KEY,
      {
        name: 'timeout',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'seconds', type: 'integer' },
          { name: 'milliseconds', type: 'integer', token: 'PX' },
        ],
      },
    ],
    replies: [
      'array: the value, and the cas of the lock, with which UNL unlocks and CAS writes',
      'nil: no such key',
      'LOCK_ERROR: it is locked already, until when it was',
      NO_STRING,
    ],
    locked: 'ignores',
    handler: getAndLock,
  }),
  defineCommand({
    ...WITH_CAS,
    name: 'unl',
    summary: 'Unlocks a key that GETL has locked.',
    arity: 3,
    flags: ['write', 'fast'],
    keys: CHANGED,
    arguments: [KEY, CAS],
    replies: [
      'OK: unlocked; the cas from before the lock is valid again',
      'LOCK_ERROR: it is locked with another cas',
      'NOT_LOCKED: it is not locked, or no longer',
      'NOT_FOUND: no such key',
      NO_CAS,
      NO_STRING,
    ],
    handler: unlock,
  }),
  defineCommand({
    ...OF_GETL,
    name: 'gets',
    summary: 'Returns strings, each with its cas, which changes whenever the string does.',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['readonly', 'fast'],
    keys: ALL_READ,
    arguments: [{ ...KEY, multiple: true }],
    replies: [
      'array: for each key an array of the value and its cas, which is -1 while the key is locked; nil for no such key',
      NO_STRING,
    ],
    handler: getWithCas,
  }),
  defineCommand({
    ...WITH_CAS,
    name: 'cas',
    summary:
      'Stores a string if the key has the expected cas, and unlocks it. Without options it then lives for ever.',
    arity: -4,
    flags: ['write', 'denyoom'],
    keys: CHANGED,
    arguments: [KEY, CAS, { name: 'value', type: 'string' }, expiration('KEEPTTL')],
    replies: [
      'integer: stored, and this is the new cas',
      'EXISTS: the key has changed since, or is locked with another cas',
      'NOT_FOUND: no such key',
      NO_CAS,
      NO_STRING,
    ],
    handler: checkAndSet,
  }),
];
