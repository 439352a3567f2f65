// What a server without replicas answers about replication: ROLE and REPLICAOF NO ONE as in Redis, all else an error.

import type { Context } from './context.ts';
import { type Argument, defineCommand } from './define.ts';
import { NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';

const NO_REPLICATION = 'ERR replication is not provided: this server has no replicas and cannot be one';
const MAX_PORT = 65535;

const refuse = ({ reply }: Context): void => reply.error(NO_REPLICATION);

function replicaOf(ctx: Context): void {
  const { request, reply } = ctx;
  if (request.matches(1, 'NO') && request.matches(2, 'ONE')) return reply.ok();
  const port = request.integer(2);
  if (!(port >= 0 && port <= MAX_PORT)) return reply.error('ERR Invalid master port');
  refuse(ctx);
}

/** FAILOVER [TO host port [FORCE]] [ABORT] [TIMEOUT ms]: there is never a replica to fail over to. */
function failover({ request, reply }: Context): void {
  if (request.count === 2 && request.matches(1, 'ABORT')) return reply.error('ERR No failover in progress.');
  const given = new Set<string>();
  for (let i = 1; i < request.count; i++) {
    const [word, operands] = failoverOption(request.string(i));
    if (given.has(word) || i + operands >= request.count) return reply.error(SYNTAX_ERROR);
    given.add(word);
    if (word === '') return reply.error(SYNTAX_ERROR);
    i += operands;
    if (operands > 0 && Number.isNaN(request.integer(i))) return reply.error(NOT_AN_INTEGER);
    if (word === 'timeout' && request.integer(i) <= 0) {
      return reply.error('ERR FAILOVER timeout must be greater than 0');
    }
  }
  reply.error('ERR FAILOVER requires connected replicas.');
}

/** An option and how many arguments follow it; no word if there is no such option. */
function failoverOption(text: string): [word: string, operands: number] {
  const word = text.toLowerCase();
  if (word === 'timeout') return [word, 1];
  if (word === 'to') return [word, 2];
  return word === 'force' ? [word, 0] : ['', 0];
}

const MASTER: readonly Argument[] = [
  {
    name: 'args',
    type: 'oneof',
    arguments: [
      {
        name: 'host-port',
        type: 'block',
        arguments: [
          { name: 'host', type: 'string' },
          { name: 'port', type: 'integer' },
        ],
      },
      {
        name: 'no-one',
        type: 'block',
        arguments: [
          { name: 'no', type: 'pure-token', token: 'NO' },
          { name: 'one', type: 'pure-token', token: 'ONE' },
        ],
      },
    ],
  },
];

export const replicationCommands = [
  defineCommand({
    name: 'role',
    summary: 'Returns the role in replication: a master without replicas.',
    since: '2.8.12',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast'],
    categories: ['admin', 'dangerous'],
    replies: ['[master, 0, []]'],
    handler({ reply }) {
      reply.array(3);
      reply.text('master');
      reply.integer(0);
      reply.array(0);
    },
  }),
  defineCommand({
    name: 'replicaof',
    summary: 'NO ONE is what the server is anyway; becoming a replica is refused.',
    since: '5.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 3,
    flags: ['admin', 'noscript', 'stale', 'no_async_loading'],
    arguments: MASTER,
    replies: ['OK: to NO ONE', NO_REPLICATION],
    handler: replicaOf,
  }),
  defineCommand({
    name: 'slaveof',
    summary: 'The old name of REPLICAOF.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 3,
    flags: ['admin', 'noscript', 'stale', 'no_async_loading'],
    arguments: MASTER,
    deprecated: { since: '5.0.0', replacedBy: '`REPLICAOF`' },
    replies: ['OK: to NO ONE', NO_REPLICATION],
    handler: replicaOf,
  }),
  defineCommand({
    name: 'failover',
    summary: 'Refused: there are no replicas.',
    since: '6.2.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -1,
    flags: ['admin', 'noscript', 'stale'],
    arguments: [
      {
        name: 'target',
        type: 'block',
        token: 'TO',
        optional: true,
        arguments: [
          { name: 'host', type: 'string' },
          { name: 'port', type: 'integer' },
          { name: 'force', type: 'pure-token', token: 'FORCE', optional: true },
        ],
      },
      { name: 'abort', type: 'pure-token', token: 'ABORT', optional: true },
      { name: 'milliseconds', type: 'integer', token: 'TIMEOUT', optional: true },
    ],
    isProvided: false,
    replies: ['ERR: no replicas, or nothing to abort'],
    handler: failover,
  }),
  defineCommand({
    name: 'sync',
    summary: 'Refused: a replica asks for the data with it, and there is no replication.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['admin', 'noscript', 'no_async_loading', 'no_multi'],
    isProvided: false,
    replies: [NO_REPLICATION],
    handler: refuse,
  }),
  defineCommand({
    name: 'psync',
    summary: 'Refused: a replica asks for what it missed with it, and there is no replication.',
    since: '2.8.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -3,
    flags: ['admin', 'noscript', 'no_async_loading', 'no_multi'],
    arguments: [
      { name: 'replicationid', type: 'string' },
      { name: 'offset', type: 'integer' },
    ],
    isProvided: false,
    replies: [NO_REPLICATION],
    handler: refuse,
  }),
  defineCommand({
    name: 'replconf',
    summary: 'Refused: a replica introduces itself with it, and there is no replication.',
    since: '3.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -1,
    isInternal: true,
    flags: ['admin', 'noscript', 'loading', 'stale', 'allow_busy'],
    isProvided: false,
    replies: [NO_REPLICATION],
    handler: refuse,
  }),
];
