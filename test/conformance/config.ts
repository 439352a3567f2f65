// CONFIG. Every directive and its values are compared with redis-server in test/unit/config; here is the command.

import { conformance, matching, pairs, scenario, shaped } from './harness/cases.ts';

export const family = conformance('config', [
  scenario('CONFIG GET', [
    'CONFIG GET maxmemory',
    'CONFIG GET MaxMemory',
    pairs('config get maxmemory timeout'),
    'CONFIG GET maxmemory maxmemory',
    pairs('CONFIG GET slowlog-log* slowlog-max*'),
    pairs('CONFIG GET maxmem[o]ry timeout maxmemory'),
    'CONFIG GET nosuch',
    'CONFIG GET nosuch*',
    'CONFIG GET databases',
    'CONFIG GET save',
    'CONFIG GET appendonly',
    'CONFIG GET slave-read-only',
    'CONFIG GET replica-read-only',
    'CONFIG GET',
    shaped('CONFIG GET timeout'),
  ]),

  scenario(
    'CONFIG SET',
    { config: { timeout: '0', 'slowlog-max-len': '128', 'notify-keyspace-events': '' } },
    [
      'CONFIG SET timeout 100',
      'CONFIG GET timeout',
      'CONFIG SET TIMEOUT 101 SLOWLOG-max-len 5',
      'CONFIG GET slowlog-max-len',
      'CONFIG SET timeout 1 slowlog-max-len x',
      'CONFIG GET timeout',
      'CONFIG SET notify-keyspace-events AKE',
      'CONFIG GET notify-keyspace-events',
      'CONFIG SET timeout -1',
      'CONFIG SET timeout 1 timeout 2',
      'CONFIG SET databases 3',
      'CONFIG SET nosuch v',
      'CONFIG SET timeout 1 nosuch v',
      'CONFIG SET',
      'CONFIG SET timeout',
      'CONFIG SET timeout 1 slowlog-max-len',
    ],
  ),

  scenario('the other subcommands', [
    'CONFIG RESETSTAT',
    'CONFIG RESETSTAT x',
    'CONFIG REWRITE',
    'CONFIG REWRITE x',
    'CONFIG',
    'CONFIG NOSUCH',
    'CONFIG HELP x',
    matching('CONFIG HELP', /^CONFIG <subcommand> .* GET .* SET .* RESETSTAT .* REWRITE .* HELP/),
  ]),
]);
