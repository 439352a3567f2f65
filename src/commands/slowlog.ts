// SLOWLOG: the commands that took longer than slowlog-log-slower-than.

import type { Context } from './context.ts';
import { type CommandFlag, defineCommand } from './define.ts';
import { wrongSubcommandUse } from './errors.ts';
import { helpSubcommand } from './help.ts';

const ADMIN: readonly CommandFlag[] = ['admin', 'loading', 'stale'];
const DEFAULT_COUNT = 10;
const ALL = -1;

function get({ request, reply, server }: Context): void {
  if (request.count > 3) return reply.error(wrongSubcommandUse('SLOWLOG', request.string(1)));
  const count = request.count === 3 ? request.integer(2) : DEFAULT_COUNT;
  if (!(count >= ALL)) return reply.error('ERR count should be greater than or equal to -1');
  const entries = server.measurements.slowLog.newest(count === ALL ? Number.POSITIVE_INFINITY : count);
  reply.array(entries.length);
  for (const entry of entries) {
    reply.array(6);
    reply.integer(entry.id);
    reply.integer(entry.epochSeconds);
    reply.integer(entry.microseconds);
    reply.texts(entry.words);
    reply.text(entry.peer);
    reply.text(entry.clientName);
  }
}

export const slowLogCommands = [
  defineCommand({
    name: 'slowlog',
    summary: 'Shows which commands took long.',
    since: '2.2.12',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      defineCommand({
        name: 'slowlog|get',
        summary: 'Returns the newest entries, ten unless told otherwise; -1 returns all.',
        since: '2.2.12',
        group: 'server',
        complexity: 'O(N) where N is the number of entries returned',
        arity: -2,
        flags: ADMIN,
        tips: ['request_policy:all_nodes', 'nondeterministic_output'],
        arguments: [{ name: 'count', type: 'integer', optional: true }],
        history: [['4.0.0', "The client's address and name in each entry."]],
        replies: ['array of [id, unix time, microseconds, arguments, client address, client name]'],
        handler: get,
      }),
      defineCommand({
        name: 'slowlog|len',
        summary: 'Returns the number of entries.',
        since: '2.2.12',
        group: 'server',
        complexity: 'O(1)',
        arity: 2,
        flags: ADMIN,
        tips: ['request_policy:all_nodes', 'response_policy:agg_sum', 'nondeterministic_output'],
        replies: ['integer'],
        handler: ({ reply, server }) => reply.integer(server.measurements.slowLog.length),
      }),
      defineCommand({
        name: 'slowlog|reset',
        summary: 'Forgets all entries.',
        since: '2.2.12',
        group: 'server',
        complexity: 'O(N) where N is the number of entries',
        arity: 2,
        flags: ADMIN,
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        replies: ['OK'],
        handler({ reply, server }) {
          server.measurements.slowLog.clear();
          reply.ok();
        },
      }),
      helpSubcommand('slowlog', 'server', '6.2.0'),
    ],
  }),
];
