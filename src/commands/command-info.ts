// A command as COMMAND INFO shows it: ten fields, which clients route and redis-cli asserts by.
// Flags, categories and key flags are sets of status lines in RESP3; key specifications are maps of maps.

import type { Reply } from '../protocol/reply.ts';
import { categoriesOf } from './categories.ts';
import type { Command, CommandFlag, KeySpec } from './define.ts';
import { keyRange } from './key-positions.ts';

/** In Redis' order. The flags not here (may_replicate, protected, sentinel) are nobody's business but the server's. */
const SHOWN_FLAGS: readonly CommandFlag[] = [
  'write',
  'readonly',
  'denyoom',
  'admin',
  'pubsub',
  'noscript',
  'blocking',
  'loading',
  'stale',
  'skip_monitor',
  'skip_slowlog',
  'asking',
  'fast',
  'no_auth',
  'no_mandatory_keys',
  'no_async_loading',
  'no_multi',
  'movablekeys',
  'allow_busy',
];

export function replyCommandInfo(reply: Reply, command: Command): void {
  const { keys = [], tips = [], subcommands = [] } = command.spec;
  const range = keyRange(keys);
  reply.array(10);
  reply.text(command.name);
  reply.integer(command.arity);
  replySimpleSet(reply, shownFlags(command));
  reply.integer(range.first);
  reply.integer(range.last);
  reply.integer(range.step);
  replySimpleSet(
    reply,
    categoriesOf(command).map((category) => `@${category}`),
  );
  reply.set(tips.length);
  for (const tip of tips) reply.text(tip);
  reply.set(keys.length);
  for (const key of keys) replyKeySpec(reply, key);
  // Redis has an empty set where there are none, and an array of those that there are.
  if (subcommands.length === 0) reply.set(0);
  else reply.array(subcommands.length);
  for (const subcommand of subcommands) replyCommandInfo(reply, subcommand);
}

export function shownFlags({ spec, flags }: Command): CommandFlag[] {
  const isMovable = !keyRange(spec.keys ?? []).isComplete;
  return SHOWN_FLAGS.filter((flag) => flags.has(flag) || (flag === 'movablekeys' && isMovable));
}

export function replySimpleSet(reply: Reply, values: readonly string[]): void {
  reply.set(values.length);
  for (const value of values) reply.simple(value);
}

function replyKeySpec(reply: Reply, spec: KeySpec): void {
  const { access, does = [], flags = [], notes } = spec;
  reply.map(notes === undefined ? 3 : 4);
  if (notes !== undefined) {
    reply.text('notes');
    reply.text(notes);
  }
  reply.text('flags');
  // A shard channel is routed like a key, but nothing happens to one.
  replySimpleSet(reply, [...(flags.includes('not_key') ? [] : [access]), ...does, ...flags]);
  replySearch(reply, 'begin_search', 'index', [['index', spec.begin]]);
  if (spec.counted) {
    replySearch(reply, 'find_keys', 'keynum', [
      ['keynumidx', 0],
      ['firstkey', 1],
      ['keystep', spec.step ?? 1],
    ]);
  } else {
    replySearch(reply, 'find_keys', 'range', [
      ['lastkey', spec.last ?? 0],
      ['keystep', spec.step ?? 1],
      ['limit', 0],
    ]);
  }
}

function replySearch(
  reply: Reply,
  step: string,
  type: string,
  numbers: readonly (readonly [name: string, value: number])[],
): void {
  reply.text(step);
  reply.map(2);
  reply.text('type');
  reply.text(type);
  reply.text('spec');
  reply.map(numbers.length);
  for (const [name, value] of numbers) {
    reply.text(name);
    reply.integer(value);
  }
}
