// CLUSTER, READONLY, READWRITE, ASKING: there is no cluster mode, and everything about it gets Redis' answer to that.
//
// The subcommands are listed all the same, because a wrong name or number of arguments is answered before the mode is.

import type { Context } from './context.ts';
import { type Argument, type Command, type CommandFlag, type CommandSpec, defineCommand } from './define.ts';

const NO_CLUSTER = 'ERR This instance has cluster support disabled';
const SUMMARY = 'Refused: there is no cluster mode.';

const refuse = ({ reply }: Context): void => reply.error(NO_CLUSTER);

const VARIES = ['nondeterministic_output'];
const CHANGES: readonly CommandFlag[] = ['admin', 'stale', 'no_async_loading'];

const integer = (name: string): Argument => ({ name, type: 'integer' });
const text = (name: string): Argument => ({ name, type: 'string' });
const token = (word: string): Argument => ({ name: word.toLowerCase(), type: 'pure-token', token: word });
const SLOTS: readonly Argument[] = [{ ...integer('slot'), multiple: true }];
const SLOT_RANGES: readonly Argument[] = [
  {
    name: 'start-slot_end-slot',
    type: 'block',
    multiple: true,
    arguments: [integer('start-slot'), integer('end-slot')],
  },
];
const oneOf = (name: string, ...words: string[]): Argument => ({
  name,
  type: 'oneof',
  optional: true,
  arguments: words.map(token),
});

function subcommand(name: string, arity: number, more: Partial<CommandSpec> = {}): Command {
  return defineCommand({
    name: `cluster|${name}`,
    summary: SUMMARY,
    since: '3.0.0',
    group: 'cluster',
    complexity: 'O(1)',
    arity,
    flags: ['stale'],
    isProvided: false,
    replies: [NO_CLUSTER],
    handler: refuse,
    ...more,
  });
}

const SETSLOT: readonly Argument[] = [
  integer('slot'),
  {
    name: 'subcommand',
    type: 'oneof',
    arguments: [
      { ...text('node-id'), token: 'IMPORTING' },
      { ...text('node-id'), token: 'MIGRATING' },
      { ...text('node-id'), token: 'NODE' },
      token('STABLE'),
    ],
  },
];

const READS: readonly Command[] = [
  subcommand('countkeysinslot', 3, { arguments: [integer('slot')] }),
  subcommand('getkeysinslot', 4, { tips: VARIES, arguments: [integer('slot'), integer('count')] }),
  subcommand('help', 2, { since: '5.0.0', flags: ['loading', 'stale'] }),
  subcommand('info', 2, { tips: VARIES }),
  subcommand('keyslot', 3, { arguments: [text('key')] }),
  subcommand('links', 2, { since: '7.0.0', tips: VARIES }),
  subcommand('myid', 2),
  subcommand('myshardid', 2, { since: '7.2.0', flags: ['stale', 'loading'], tips: VARIES }),
  subcommand('nodes', 2, { tips: VARIES }),
  subcommand('shards', 2, { since: '7.0.0', tips: VARIES }),
  subcommand('slot-stats', -4, { since: '8.2.0', flags: ['stale', 'loading'], tips: VARIES }),
  subcommand('slots', 2, {
    tips: VARIES,
    deprecated: { since: '7.0.0', replacedBy: '`CLUSTER SHARDS`' },
    history: [
      ['4.0.0', 'The ids of nodes.'],
      ['7.0.0', 'Metadata about networks.'],
    ],
  }),
  subcommand('count-failure-reports', 3, {
    flags: ['admin', 'stale'],
    tips: VARIES,
    arguments: [text('node-id')],
  }),
  subcommand('replicas', 3, {
    since: '5.0.0',
    flags: ['admin', 'stale'],
    tips: VARIES,
    arguments: [text('node-id')],
  }),
  subcommand('slaves', 3, {
    flags: ['admin', 'stale'],
    tips: VARIES,
    arguments: [text('node-id')],
    deprecated: { since: '5.0.0', replacedBy: '`CLUSTER REPLICAS`' },
  }),
];

const WRITES: readonly Command[] = [
  subcommand('addslots', -3, { flags: CHANGES, arguments: SLOTS }),
  subcommand('addslotsrange', -4, { since: '7.0.0', flags: CHANGES, arguments: SLOT_RANGES }),
  subcommand('bumpepoch', 2, { flags: CHANGES, tips: VARIES }),
  subcommand('delslots', -3, { flags: CHANGES, arguments: SLOTS }),
  subcommand('delslotsrange', -4, { since: '7.0.0', flags: CHANGES, arguments: SLOT_RANGES }),
  subcommand('failover', -2, { flags: CHANGES, arguments: [oneOf('options', 'FORCE', 'TAKEOVER')] }),
  subcommand('flushslots', 2, { flags: CHANGES }),
  subcommand('forget', 3, { flags: CHANGES, arguments: [text('node-id')] }),
  subcommand('meet', -4, {
    flags: CHANGES,
    arguments: [
      text('ip'),
      integer('port'),
      { ...integer('cluster_bus_port'), since: '4.0.0', optional: true },
    ],
    history: [['4.0.0', 'The argument `cluster_bus_port`.']],
  }),
  subcommand('migration', -4, { since: '8.4.0', flags: CHANGES, tips: VARIES }),
  subcommand('replicate', 3, { flags: CHANGES, arguments: [text('node-id')] }),
  subcommand('reset', -2, {
    flags: ['admin', 'noscript', 'stale'],
    arguments: [oneOf('hard_soft', 'HARD', 'SOFT')],
  }),
  subcommand('saveconfig', 2, { flags: CHANGES }),
  subcommand('set-config-epoch', 3, { flags: CHANGES, arguments: [integer('config-epoch')] }),
  subcommand('setslot', -4, { flags: CHANGES, arguments: SETSLOT }),
];

function connectionCommand(name: string, flags: readonly CommandFlag[]): Command {
  return defineCommand({
    name,
    summary: SUMMARY,
    since: '3.0.0',
    group: 'cluster',
    complexity: 'O(1)',
    arity: 1,
    flags,
    categories: ['connection'],
    isProvided: false,
    replies: [NO_CLUSTER],
    handler: refuse,
  });
}

export const clusterCommands = [
  defineCommand({
    name: 'cluster',
    summary: SUMMARY,
    since: '3.0.0',
    group: 'cluster',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    isProvided: false,
    subcommands: [...READS, ...WRITES],
  }),
  connectionCommand('readonly', ['loading', 'stale', 'fast']),
  connectionCommand('readwrite', ['loading', 'stale', 'fast']),
  connectionCommand('asking', ['fast']),
];
