// Many strings at once: all of them or none, whatever stands in the way (a condition, a GETL lock on any of the keys).

import { NO_DEADLINE } from '../keyspace/database.ts';
import { expiration, KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type Argument, defineCommand, type KeySpec } from './define.ts';
import { wrongArity } from './errors.ts';
import { SetOptions } from './set-options.ts';
import { storeString } from './strings.ts';

const options = new SetOptions({ existence: true, values: false, get: false, lifetime: 'KEEPTTL' });

/** Redis counts keys in 32 bits here. */
const MAX_KEYS = 2 ** 31 - 1;

function mget(ctx: Context): void {
  const { db, request, reply } = ctx;
  reply.array(request.count - 1);
  for (let i = 1; i < request.count; i++) {
    const slot = ctx.read(request.key(i));
    if (slot === 0 || !db.isString(slot)) reply.null();
    else reply.bulk(db.value(slot));
  }
}

function mset(ctx: Context): void {
  const { count } = ctx.request;
  if (count % 2 === 0) return ctx.reply.error(wrongArity('mset'));
  storePairs(ctx, 1, count);
  ctx.reply.ok();
}

function msetnx(ctx: Context): void {
  const { count } = ctx.request;
  if (count % 2 === 0) return ctx.reply.error(wrongArity('msetnx'));
  // Keys that are not there have no GETL lock.
  const isFree = eachKey(ctx, 1, count, (slot) => slot === 0);
  if (isFree) storePairs(ctx, 1, count);
  ctx.reply.integer(isFree ? 1 : 0);
}

/** MSETEX numkeys key value … [NX|XX] [EX|PX|EXAT|PXAT …|KEEPTTL] */
function msetex(ctx: Context): void {
  const { request, reply } = ctx;
  const keys = request.integer(1);
  if (!(keys >= 1 && keys <= MAX_KEYS)) return reply.error('ERR invalid numkeys value');
  const end = 2 + 2 * keys;
  if (end > request.count) return reply.error('ERR wrong number of key-value pairs');
  if (!options.parse(ctx, end)) return;
  const deadline = options.deadline(ctx, 'msetex');
  if (Number.isNaN(deadline)) return;
  const { condition } = options;
  if (condition !== 'none' && !eachKey(ctx, 2, end, (slot) => (slot === 0) === (condition === 'NX'))) {
    return reply.integer(0);
  }
  if (!eachKey(ctx, 2, end, (slot) => !ctx.refusesLocked(slot))) return;
  storePairs(ctx, 2, end, deadline, options.timeAt !== 0, options.isKeepTtl);
  reply.integer(1);
}

/** True if every key among the pairs from `from` to `end` passes; stops at the first that does not. */
function eachKey(ctx: Context, from: number, end: number, passes: (slot: number) => boolean): boolean {
  for (let i = from; i < end; i += 2) {
    if (!passes(ctx.write(ctx.request.key(i)))) return false;
  }
  return true;
}

/** Stores the pairs from `from` to `end`, in order: of a key that is named twice the last value stays. */
function storePairs(
  ctx: Context,
  from: number,
  end: number,
  deadlineMs = NO_DEADLINE,
  isTimed = false,
  isKeepTtl = false,
): void {
  const { db, request } = ctx;
  for (let i = from; i < end; i += 2) {
    const key = request.key(i);
    const slot = ctx.write(key);
    const lifetime = isKeepTtl && slot !== 0 ? db.deadline(slot) : deadlineMs;
    storeString(ctx, key, slot, i + 1, lifetime, isTimed);
  }
}

const PAIRS: Argument = {
  name: 'key_value',
  type: 'block',
  multiple: true,
  arguments: [KEY, { name: 'value', type: 'string' }],
};
const EACH_KEY: KeySpec = { access: 'OW', does: ['update'], begin: 1, last: -1, step: 2 };

export const multiStringCommands = [
  defineCommand({
    name: 'mget',
    summary: 'Returns the strings that several keys hold.',
    since: '1.0.0',
    group: 'string',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['readonly', 'fast'],
    tips: ['request_policy:multi_shard'],
    keys: [{ access: 'RO', does: ['access'], begin: 1, last: -1 }],
    arguments: [{ name: 'key', type: 'key', keySpec: 0, multiple: true }],
    replies: ['array: each value; nil for a key that does not exist or is no string'],
    handler: mget,
  }),
  defineCommand({
    name: 'mset',
    summary: 'Stores several strings.',
    since: '1.0.1',
    group: 'string',
    complexity: 'O(N) in the number of keys',
    arity: -3,
    flags: ['write', 'denyoom'],
    tips: ['request_policy:multi_shard', 'response_policy:all_succeeded'],
    keys: [EACH_KEY],
    arguments: [PAIRS],
    replies: ['OK'],
    handler: mset,
  }),
  defineCommand({
    name: 'msetnx',
    summary: 'Stores several strings if none of the keys exists.',
    since: '1.0.1',
    group: 'string',
    complexity: 'O(N) in the number of keys',
    arity: -3,
    flags: ['write', 'denyoom'],
    tips: ['request_policy:multi_shard', 'response_policy:agg_min'],
    keys: [{ ...EACH_KEY, does: ['insert'] }],
    arguments: [PAIRS],
    replies: ['1: all stored', '0: a key exists, nothing was stored'],
    locked: 'decides',
    handler: msetnx,
  }),
  defineCommand({
    name: 'msetex',
    summary: 'Stores several strings with one time to live, if a condition holds for all keys.',
    since: '8.4.0',
    group: 'string',
    complexity: 'O(N) in the number of keys',
    arity: -4,
    flags: ['write', 'denyoom', 'movablekeys'],
    tips: ['request_policy:multi_shard', 'response_policy:all_succeeded'],
    keys: [{ access: 'OW', does: ['update'], begin: 1, step: 2, counted: true }],
    arguments: [
      { name: 'numkeys', type: 'integer' },
      { ...PAIRS, name: 'data' },
      {
        name: 'condition',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'nx', type: 'pure-token', token: 'NX' },
          { name: 'xx', type: 'pure-token', token: 'XX' },
        ],
      },
      expiration('KEEPTTL'),
    ],
    replies: ['1: all stored', '0: the condition does not hold for some key, nothing was stored'],
    locked: 'decides',
    handler: msetex,
  }),
];
