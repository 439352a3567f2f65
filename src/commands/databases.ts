// Whole databases: counting, emptying and swapping them.
//
// Emptying drops a database's memory as a whole, which is then given back bit by bit (keyspace/reclaimer.ts): it takes no
// time, with ASYNC or without. GETL locks go with the keys, or with the place where the key was.

import type { Context } from './context.ts';
import { isInt32 } from './database-index.ts';
import { type Argument, type CommandSpec, defineCommand } from './define.ts';
import { DB_INDEX_OUT_OF_RANGE, SYNTAX_ERROR } from './errors.ts';

function swapDatabases(ctx: Context): void {
  const { request, reply } = ctx;
  const { keyspace } = ctx.server;
  const first = request.integer(1);
  if (!isInt32(first)) return reply.error('ERR invalid first DB index');
  const second = request.integer(2);
  if (!isInt32(second)) return reply.error('ERR invalid second DB index');
  if (keyspace.databases[first] === undefined || keyspace.databases[second] === undefined) {
    return reply.error(DB_INDEX_OUT_OF_RANGE);
  }
  keyspace.swap(first, second);
  reply.ok();
}

/** FLUSHDB and FLUSHALL [ASYNC | SYNC] */
function flush(ctx: Context, what: { clear(): void }): void {
  const { request, reply } = ctx;
  const isPlain = request.count === 1;
  if (!isPlain && !(request.count === 2 && (request.matches(1, 'ASYNC') || request.matches(1, 'SYNC')))) {
    return reply.error(SYNTAX_ERROR);
  }
  what.clear();
  reply.ok();
}

const FLUSH_MODE: readonly Argument[] = [
  {
    name: 'async',
    type: 'oneof',
    optional: true,
    arguments: [
      { name: 'async', type: 'pure-token', token: 'ASYNC', since: '4.0.0' },
      { name: 'sync', type: 'pure-token', token: 'SYNC', since: '6.2.0' },
    ],
  },
];

const FLUSHES = {
  since: '1.0.0',
  group: 'server',
  arity: -1,
  flags: ['write'],
  categories: ['keyspace', 'dangerous'],
  tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
  arguments: FLUSH_MODE,
  history: [
    ['4.0.0', 'The word `ASYNC`.'],
    ['6.2.0', 'The word `SYNC`.'],
  ],
  replies: ['OK'],
} as const satisfies Partial<CommandSpec>;

export const databaseCommands = [
  defineCommand({
    name: 'dbsize',
    summary: 'Counts the keys in the selected database.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['readonly', 'fast'],
    categories: ['keyspace'],
    tips: ['request_policy:all_shards', 'response_policy:agg_sum'],
    replies: ['integer: the number of keys'],
    handler: (ctx) => ctx.reply.integer(ctx.db.size),
  }),
  defineCommand({
    ...FLUSHES,
    name: 'flushdb',
    summary: 'Deletes all keys of the selected database, and their locks.',
    complexity: 'O(N) in the mebibytes that the keys take',
    handler: (ctx) => flush(ctx, ctx.db),
  }),
  defineCommand({
    ...FLUSHES,
    name: 'flushall',
    summary: 'Deletes all keys of all databases, and their locks.',
    complexity: 'O(N) in the number of databases and the mebibytes that their keys take',
    handler: (ctx) => flush(ctx, ctx.server.keyspace),
  }),
  defineCommand({
    name: 'swapdb',
    summary: 'Lets two databases change places. GETL locks in both end.',
    since: '4.0.0',
    group: 'server',
    complexity: 'O(N) in the number of keys watched in both databases',
    arity: 3,
    flags: ['write', 'fast'],
    categories: ['keyspace', 'dangerous'],
    arguments: [
      { name: 'index1', type: 'integer' },
      { name: 'index2', type: 'integer' },
    ],
    replies: ['OK', 'ERR: no such database'],
    handler: swapDatabases,
  }),
];
