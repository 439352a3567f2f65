// SAVE, BGSAVE, BGREWRITEAOF, LASTSAVE. Nothing is written to disk yet, and the answers say so: an OK here would be believed.

import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { SYNTAX_ERROR } from './errors.ts';

export const NOTHING_IS_SAVED = 'ERR nothing is written to disk yet: a restart forgets all keys and locks';

const refuse = ({ reply }: Context): void => reply.error(NOTHING_IS_SAVED);

export const persistenceCommands = [
  defineCommand({
    name: 'save',
    summary: 'Refused: nothing is written to disk yet.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['admin', 'noscript', 'no_async_loading', 'no_multi'],
    isProvided: false,
    replies: [NOTHING_IS_SAVED],
    handler: refuse,
  }),
  defineCommand({
    name: 'bgsave',
    summary: 'Refused: nothing is written to disk yet.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -1,
    flags: ['admin', 'noscript', 'no_async_loading'],
    arguments: [{ name: 'schedule', type: 'pure-token', token: 'SCHEDULE', since: '3.2.2', optional: true }],
    history: [['3.2.2', 'The option SCHEDULE.']],
    isProvided: false,
    replies: [NOTHING_IS_SAVED],
    handler(ctx) {
      const { request, reply } = ctx;
      const isPlain = request.count === 1 || (request.count === 2 && request.matches(1, 'SCHEDULE'));
      return isPlain ? refuse(ctx) : reply.error(SYNTAX_ERROR);
    },
  }),
  defineCommand({
    name: 'bgrewriteaof',
    summary: 'Refused: nothing is written to disk yet.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['admin', 'noscript', 'no_async_loading'],
    isProvided: false,
    replies: [NOTHING_IS_SAVED],
    handler: refuse,
  }),
  defineCommand({
    name: 'lastsave',
    summary: 'Returns when the data was last saved; as in Redis the start of the server, if it never was.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['loading', 'stale', 'fast'],
    categories: ['admin', 'dangerous'],
    tips: ['nondeterministic_output'],
    replies: ['integer: unix time'],
    handler({ reply, server }) {
      reply.integer(Math.floor(server.clock.toEpochMs(server.startedMs) / 1000));
    },
  }),
];
