// CONFIG: the options of a running server. What there is to set, and Redis' words for what goes wrong, is in src/config.

import { ConfigError } from '../config/errors.ts';
import { findOption, optionOf } from '../config/options.ts';
import { rewriteConfigFile } from '../config/rewrite.ts';
import type { Request } from '../protocol/request.ts';
import type { Context } from './context.ts';
import { type CommandFlag, defineCommand } from './define.ts';
import { SYNTAX_ERROR } from './errors.ts';
import { helpSubcommand } from './help.ts';

const ADMIN: readonly CommandFlag[] = ['admin', 'noscript', 'loading', 'stale'];
const EVERY_NODE = ['request_policy:all_nodes', 'response_policy:all_succeeded'];

function get({ request, reply, server }: Context): void {
  const found = server.config.get(request.strings(2));
  reply.map(found.length);
  for (const [name, value] of found) {
    reply.text(name);
    reply.text(value);
  }
}

function set({ request, reply, server, client }: Context): void {
  if (request.count % 2 !== 0) return reply.error(SYNTAX_ERROR);
  const pairs: [string, string][] = [];
  for (let i = 2; i < request.count; i += 2) pairs.push([request.string(i), request.string(i + 1)]);
  const mistake = mistakeOf(() => server.config.set(pairs, client.address.isLoopback));
  if (mistake !== undefined) return reply.error(mistake);
  reply.ok();
}

/** Values of options such as requirepass. Arguments are `CONFIG SET name value …`. */
function isSensitive(request: Request, index: number): boolean {
  if (index < 3 || index % 2 === 0) return false;
  const name = findOption(request.string(index - 1));
  return name !== undefined && optionOf(name).sensitive === true;
}

function rewrite({ reply, server }: Context): void {
  const mistake = mistakeOf(() => rewriteConfigFile(server.config));
  if (mistake !== undefined) return reply.error(mistake);
  reply.ok();
}

/** What the configuration says against an attempt, as the whole error reply. */
function mistakeOf(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function resetStatistics({ reply, server, registry }: Context): void {
  server.stats.reset();
  for (const command of registry.all) command.resetMeasurements();
  reply.ok();
}

export const configCommands = [
  defineCommand({
    name: 'config',
    summary: 'Reads and changes the configuration.',
    since: '2.0.0',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      defineCommand({
        name: 'config|get',
        summary: 'Returns the options that match any of the patterns, with their values.',
        since: '2.0.0',
        group: 'server',
        complexity: 'O(N) where N is the number of options asked for',
        arity: -3,
        flags: ADMIN,
        arguments: [
          {
            name: 'parameter',
            type: 'block',
            multiple: true,
            arguments: [{ name: 'parameter', type: 'string' }],
          },
        ],
        history: [['7.0.0', 'Several patterns in one call.']],
        replies: ['map of names to values'],
        handler: get,
      }),
      defineCommand({
        name: 'config|set',
        summary: 'Sets options: all that are given, or none if one of them cannot be set.',
        since: '2.0.0',
        group: 'server',
        complexity: 'O(N) where N is the number of options given',
        arity: -4,
        flags: ADMIN,
        tips: EVERY_NODE,
        arguments: [
          {
            name: 'parameter_value',
            type: 'block',
            multiple: true,
            arguments: [
              { name: 'parameter', type: 'string' },
              { name: 'value', type: 'string' },
            ],
          },
        ],
        history: [['7.0.0', 'Several options in one call.']],
        replies: ['OK', 'ERR: the first mistake; nothing has changed'],
        hides: isSensitive,
        handler: set,
      }),
      defineCommand({
        name: 'config|resetstat',
        summary: 'Sets the counters that INFO shows back to zero.',
        since: '2.0.0',
        group: 'server',
        complexity: 'O(1)',
        arity: 2,
        flags: ADMIN,
        tips: EVERY_NODE,
        replies: ['OK'],
        handler: resetStatistics,
      }),
      defineCommand({
        name: 'config|rewrite',
        summary: 'Brings the configuration file up to date, keeping its comments and order.',
        since: '2.8.0',
        group: 'server',
        complexity: 'O(1)',
        arity: 2,
        flags: ADMIN,
        tips: EVERY_NODE,
        replies: ['OK', 'ERR: started without a file, or it cannot be written'],
        handler: rewrite,
      }),
      helpSubcommand('config', 'server', '5.0.0'),
    ],
  }),
];
