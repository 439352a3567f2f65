// INFO: what the server is, has and does, as `name:value` lines in sections.
//
// Clients and redis-cli --stat look for field names as substrings, first match first: no field may contain the name of
// one that comes later (a test sees to that). What cannot be known is left out.

import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import {
  commandStatsSection,
  errorStatsSection,
  keyspaceSection,
  latencyStatsSection,
  locksSection,
  statsSection,
} from './info/activity-sections.ts';
import { type Field, lines } from './info/format.ts';
import {
  clientsSection,
  cpuSection,
  memorySection,
  persistenceSection,
  replicationSection,
  serverSection,
} from './info/server-sections.ts';

interface Section {
  readonly title: string;
  /** Further names to ask for it by, besides the title. */
  readonly alias?: string;
  /** Shown only when asked for, by name or by `all`. */
  readonly isExtra?: true;
  readonly fields: (ctx: Context) => readonly Field[];
}

/** In the order in which they are shown, whatever the order they are asked for. */
const SECTIONS: readonly Section[] = [
  { title: 'Server', fields: ({ server }) => serverSection(server) },
  { title: 'Clients', fields: ({ server }) => clientsSection(server) },
  { title: 'Memory', fields: ({ server, scripts }) => memorySection(server, scripts) },
  { title: 'Persistence', fields: ({ server }) => persistenceSection(server) },
  { title: 'Stats', fields: ({ server }) => statsSection(server) },
  { title: 'Replication', fields: ({ server }) => replicationSection(server) },
  { title: 'CPU', fields: () => cpuSection() },
  { title: 'Modules', alias: 'module_list', fields: () => [] },
  { title: 'Commandstats', isExtra: true, fields: ({ registry }) => commandStatsSection(registry) },
  { title: 'Errorstats', fields: ({ server }) => errorStatsSection(server) },
  {
    title: 'Latencystats',
    isExtra: true,
    fields: ({ server, registry }) => latencyStatsSection(server, registry),
  },
  { title: 'Cluster', fields: () => [['cluster_enabled', 0]] },
  { title: 'Locks', fields: ({ server }) => locksSection(server) },
  { title: 'Keyspace', fields: ({ server }) => keyspaceSection(server) },
];

function isWanted({ title, alias, isExtra }: Section, wanted: ReadonlySet<string>): boolean {
  if (wanted.has('all') || wanted.has('everything')) return true;
  if (wanted.has(title.toLowerCase()) || (alias !== undefined && wanted.has(alias))) return true;
  return !isExtra && (wanted.size === 0 || wanted.has('default'));
}

function info(ctx: Context): void {
  const wanted = new Set(ctx.request.strings(1).map((name) => name.toLowerCase()));
  const sections = SECTIONS.filter((section) => isWanted(section, wanted));
  const written = sections.map((section) => `# ${section.title}\r\n${lines(section.fields(ctx))}`);
  ctx.reply.verbatim(written.join('\r\n'));
}

export const infoCommands = [
  defineCommand({
    name: 'info',
    summary: 'Tells what the server is, holds and does, by sections.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(N) where N is the number of clients',
    arity: -1,
    flags: ['loading', 'stale'],
    categories: ['dangerous'],
    tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
    arguments: [{ name: 'section', type: 'string', optional: true, multiple: true }],
    history: [['7.0.0', 'Several sections in one call.']],
    replies: ['text of `name:value` lines; empty if no section has such a name'],
    handler: info,
  }),
];
