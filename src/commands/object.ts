// OBJECT: how a value is stored and when it was last used. Looking does not count as use.

import { parseInt64 } from '../bytes/integer.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type CommandSpec, defineCommand } from './define.ts';
import { helpSubcommand } from './help.ts';

/** Redis' limit for strings that it keeps in one piece with their header. */
const EMBEDDED_MAX_BYTES = 44;

const NO_FREQUENCY =
  'ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.';

/** The slot of the key in argument 2. 0: there is none, which has been replied. */
function inspect(ctx: Context): number {
  const slot = ctx.db.find(ctx.request.key(2));
  if (slot !== 0) {
    ctx.server.stats.keyspaceHits++;
    return slot;
  }
  ctx.server.stats.keyspaceMisses++; // and no `keymiss`, as in Redis
  ctx.reply.null();
  return 0;
}

function encoding(ctx: Context): void {
  const slot = inspect(ctx);
  if (slot !== 0) ctx.reply.text(encodingOf(ctx, slot));
}

/** What Redis would call the way it stores this string. Here all strings are bytes; only being edited in place is remembered. */
export function encodingOf({ db }: Context, slot: number): string {
  if (db.isRaw(slot)) return 'raw';
  const { buffer, start, length } = db.value(slot);
  if (parseInt64(buffer, start, length) !== undefined) return 'int';
  return length <= EMBEDDED_MAX_BYTES ? 'embstr' : 'raw';
}

function idleTime(ctx: Context): void {
  const slot = inspect(ctx);
  if (slot !== 0) ctx.reply.integer(ctx.db.idleSeconds(slot));
}

/** Frequencies are counted for eviction, and nothing is evicted. */
function frequency(ctx: Context): void {
  if (inspect(ctx) !== 0) ctx.reply.error(NO_FREQUENCY);
}

/** No two keys share a value. */
function referenceCount(ctx: Context): void {
  if (inspect(ctx) !== 0) ctx.reply.integer(1);
}

const inspects = {
  group: 'generic',
  complexity: 'O(1)',
  arity: 3,
  flags: ['readonly'],
  categories: ['keyspace'],
  tips: ['nondeterministic_output'],
  keys: [{ access: 'RO', begin: 2 }],
  arguments: [KEY],
} as const satisfies Partial<CommandSpec>;

export const objectCommands = [
  defineCommand({
    name: 'object',
    summary: 'Shows how values are stored and used.',
    since: '2.2.3',
    group: 'generic',
    complexity: 'Depends on the subcommand',
    arity: -2,
    flags: [],
    subcommands: [
      defineCommand({
        ...inspects,
        name: 'object|encoding',
        summary: 'Tells how the value of a key is stored.',
        since: '2.2.3',
        replies: ['bulk string: int, embstr or raw', 'nil: no such key'],
        handler: encoding,
      }),
      defineCommand({
        ...inspects,
        name: 'object|freq',
        summary: 'Would tell how often a key is used, which is not counted here.',
        since: '4.0.0',
        replies: ['ERR: there is no LFU policy', 'nil: no such key'],
        handler: frequency,
      }),
      defineCommand({
        ...inspects,
        name: 'object|idletime',
        summary: 'Tells for how many seconds a key has not been used.',
        since: '2.2.3',
        replies: ['integer: seconds', 'nil: no such key'],
        handler: idleTime,
      }),
      defineCommand({
        ...inspects,
        name: 'object|refcount',
        summary: 'Tells how many keys share the value: one, always.',
        since: '2.2.3',
        replies: ['1', 'nil: no such key'],
        handler: referenceCount,
      }),
      helpSubcommand('object', 'generic', '6.2.0'),
    ],
  }),
];
