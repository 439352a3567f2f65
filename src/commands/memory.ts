// MEMORY: what keys cost, and where the memory is.

import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { type Command, type CommandSpec, defineCommand } from './define.ts';
import { NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';
import { helpSubcommand } from './help.ts';
import { humanBytes, ratio } from './info/format.ts';
import { type MemoryFigures, memoryFigures } from './info/memory-figures.ts';

const EVERY_SHARD_OWN = ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'];
const MEBIBYTE = 1024 ** 2;

/** MEMORY USAGE key [SAMPLES count]: strings have nothing to sample, so the count is only checked. */
function usage({ request, reply, db }: Context): void {
  for (let i = 3; i < request.count; i += 2) {
    if (!request.matches(i, 'SAMPLES') || i + 1 === request.count) return reply.error(SYNTAX_ERROR);
    const samples = request.integer(i + 1);
    if (Number.isNaN(samples)) return reply.error(NOT_AN_INTEGER);
    if (samples < 0) return reply.error(SYNTAX_ERROR);
  }
  const slot = db.find(request.key(2));
  if (slot === 0) return reply.null();
  reply.integer(db.slotBytes(slot));
}

function stats({ reply, scripts, server }: Context): void {
  const memory = memoryFigures(server);
  const inUse = memory.used + memory.heap;
  const integers: readonly [string, number][] = [
    ['peak.allocated', memory.peak],
    ['total.allocated', memory.used],
    ['startup.allocated', 0],
    ['replication.backlog', 0],
    ['clients.slaves', 0],
    ['clients.normal', memory.clients],
    ['cluster.links', 0],
    ['aof.buffer', 0],
    ['lua.caches', scripts.scripts.bytes],
    ['functions.caches', scripts.functions.bytes],
    ['overhead.total', memory.overhead],
    ['keys.count', memory.keys],
    ['keys.bytes-per-key', Math.floor(ratio(memory.used, memory.keys))],
    ['dataset.bytes', memory.dataset],
    ['allocator.allocated', memory.arenaUsed],
    ['allocator.active', memory.arenaReserved],
    ['allocator-fragmentation.bytes', memory.arenaReserved - memory.arenaUsed],
    ['js-heap.bytes', memory.heap],
    ['fragmentation.bytes', memory.rss - inUse],
  ];
  const doubles: readonly [string, number][] = [
    ['dataset.percentage', ratio(memory.dataset, memory.used) * 100],
    ['peak.percentage', ratio(memory.used, memory.peak) * 100],
    ['allocator-fragmentation.ratio', ratio(memory.arenaReserved, memory.arenaUsed)],
    ['fragmentation', ratio(memory.rss, inUse)],
  ];
  reply.map(integers.length + doubles.length);
  for (const [name, value] of integers) {
    reply.text(name);
    reply.integer(value);
  }
  for (const [name, value] of doubles) {
    reply.text(name);
    reply.double(value);
  }
}

/** What is worth a person's attention: each with when it applies. Small servers are always a little untidy. */
function findings(memory: MemoryFigures, maxMemory: number): string[] {
  const found: string[] = [];
  if (maxMemory > 0 && memory.used > maxMemory * 0.9) {
    found.push(
      `${humanBytes(memory.used)} are used and maxmemory is ${humanBytes(maxMemory)}: beyond it writes are refused.`,
    );
  }
  if (memory.arenaReserved - memory.arenaUsed > Math.max(memory.arenaUsed / 2, 16 * MEBIBYTE)) {
    found.push(
      `${humanBytes(memory.arenaReserved)} are reserved for ${humanBytes(memory.arenaUsed)} of keys and values: space that deleted keys left will be used again by new ones; a part of it that is wholly empty goes back to the system, and all of it on FLUSHALL.`,
    );
  }
  if (memory.clients > Math.max(memory.used / 2, 16 * MEBIBYTE)) {
    found.push(
      `Clients make the server hold ${humanBytes(memory.clients)}: look for large unfinished commands and transactions (CLIENT LIST), and at client-query-buffer-limit.`,
    );
  }
  if (memory.heap > Math.max(memory.used, 256 * MEBIBYTE)) {
    found.push(`The JavaScript heap is at ${humanBytes(memory.heap)}, more than keys and values take.`);
  }
  return found;
}

function doctor({ reply, server }: Context): void {
  const found = findings(memoryFigures(server), server.maxMemoryBytes);
  reply.verbatim(
    `${found.length === 0 ? 'Nothing about the memory calls for attention.' : found.join('\n')}\n`,
  );
}

function mallocStats({ reply, server }: Context): void {
  const lines = server.keyspace.databases
    .filter(({ size }) => size > 0)
    .map(({ id, size, memory }) => {
      const figures = Object.entries(memory).map(([name, value]) => `${name}=${value}`);
      return `db${id}: keys=${size} ${figures.join(' ')}`;
    });
  reply.verbatim(`${lines.length === 0 ? 'No database holds a key.' : lines.join('\n')}\n`);
}

type Part = Pick<CommandSpec, 'name' | 'summary' | 'handler'> & Partial<CommandSpec>;

const subcommand = (part: Part): Command =>
  defineCommand({
    since: '4.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 2,
    flags: [],
    tips: EVERY_SHARD_OWN,
    ...part,
  });

export const memoryCommands = [
  defineCommand({
    name: 'memory',
    summary: 'Shows where the memory is.',
    since: '4.0.0',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      subcommand({
        name: 'memory|usage',
        summary: 'Returns how many bytes a key and its value take.',
        complexity: 'O(N) where N is the number of samples',
        arity: -3,
        flags: ['readonly'],
        tips: [],
        keys: [{ access: 'RO', begin: 2 }],
        arguments: [KEY, { name: 'count', type: 'integer', token: 'SAMPLES', optional: true }],
        replies: ['integer: bytes, with the share of the index', 'nil: no such key'],
        handler: usage,
      }),
      subcommand({
        name: 'memory|stats',
        summary: 'Returns where the memory is, in bytes.',
        replies: ['map'],
        handler: stats,
      }),
      subcommand({
        name: 'memory|doctor',
        summary: 'Says what about the memory calls for attention.',
        replies: ['text'],
        handler: doctor,
      }),
      subcommand({
        name: 'memory|purge',
        summary:
          'Does nothing: freed space is used again, and goes back to the system by itself where it can.',
        complexity: 'O(1)',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        replies: ['OK'],
        handler: ({ reply }) => reply.ok(),
      }),
      subcommand({
        name: 'memory|malloc-stats',
        summary: "Returns each database's memory by purpose.",
        replies: ['text'],
        handler: mallocStats,
      }),
      helpSubcommand('memory', 'server', '4.0.0'),
    ],
  }),
];
