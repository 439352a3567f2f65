// Waiting for replicas and for the append-only file: WAIT and WAITAOF.
//
// There are no replicas and no append-only file, and waiting brings none: both answer at once how many have
// acknowledged, which is none, instead of letting the client run into its timeout first.

import type { Context } from './context.ts';
import { readTimeoutMs } from './deadline.ts';
import { type CommandSpec, defineCommand } from './define.ts';
import { NOT_AN_INTEGER } from './errors.ts';

/** WAIT numreplicas timeout */
function wait(ctx: Context): void {
  if (ctx.request.int64(1) === undefined) return ctx.reply.error(NOT_AN_INTEGER);
  if (readTimeoutMs(ctx, 2) === undefined) return;
  ctx.reply.integer(0);
}

/** WAITAOF numlocal numreplicas timeout */
function waitAof(ctx: Context): void {
  const { request, reply } = ctx;
  const local = request.int64(1);
  const replicas = request.int64(2);
  if (local === undefined) return reply.error(NOT_AN_INTEGER);
  if (local < 0 || local > 1) return reply.error('ERR value is out of range, value must between 0 and 1');
  if (replicas === undefined) return reply.error(NOT_AN_INTEGER);
  if (replicas < 0) return reply.error('ERR value is out of range, must be positive');
  if (readTimeoutMs(ctx, 3) === undefined) return;
  if (local > 0) {
    return reply.error('ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.');
  }
  reply.array(2);
  reply.integer(0);
  reply.integer(0);
}

const waits = {
  group: 'generic',
  complexity: 'O(1)',
  categories: ['connection'],
  tips: ['request_policy:all_shards', 'response_policy:agg_min'],
} as const satisfies Partial<CommandSpec>;

export const waitCommands = [
  defineCommand({
    ...waits,
    name: 'wait',
    summary: 'Tells how many replicas have all writes of this connection: none, at once.',
    since: '3.0.0',
    arity: 3,
    flags: ['noscript'],
    arguments: [
      { name: 'numreplicas', type: 'integer' },
      { name: 'timeout', type: 'integer' },
    ],
    replies: ['0: there are no replicas'],
    handler: wait,
  }),
  defineCommand({
    ...waits,
    name: 'waitaof',
    summary: 'Tells how many append-only files have all writes of this connection: none, at once.',
    since: '7.2.0',
    arity: 4,
    flags: ['blocking'],
    arguments: [
      { name: 'numlocal', type: 'integer' },
      { name: 'numreplicas', type: 'integer' },
      { name: 'timeout', type: 'integer' },
    ],
    replies: ['array: 0 files here, 0 files at replicas', 'ERR: numlocal is 1'],
    handler: waitAof,
  }),
];
