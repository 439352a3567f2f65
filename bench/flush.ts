// The pause of FLUSHALL with ten million locks, as another client sees it, and how long its own reply takes.
// The probe goes on for a while, because memory that is freed later can stall later.

import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import { loadLocks, startPing } from './support/load.ts';
import { type Server, withServer } from './support/server.ts';
import { latencyColumns, nowMs } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

const parameters = {
  locks: { about: 'locks to flush', full: 10_000_000, smoke: 10_000 },
  beforeSeconds: { about: 'time to ping the full, idle server before', full: 5, smoke: 0.2 },
  afterSeconds: { about: 'time to ping from FLUSHALL on', full: 10, smoke: 0.3 },
};

type Settings = Values<typeof parameters>;

async function measure(server: Server, settings: Settings): Promise<Record<string, Cell>[]> {
  progress(`${server.label}: acquiring ${settings.locks} locks`);
  await loadLocks(server, settings.locks);
  const ping = await startPing(server.tcp);
  await delay(settings.beforeSeconds * 1000);
  const flushedAtMs = nowMs();
  await server.client.command('FLUSHALL');
  const replyMs = nowMs() - flushedAtMs;
  const left = await server.client.command('DBSIZE');
  if (left !== 0) throw new Error(`${server.label} still has ${left} keys after FLUSHALL`);
  await delay(settings.afterSeconds * 1000);
  const { sentAtMs, latencyMs } = await ping.stop();
  // A ping that was answered after the flush began is the flush's.
  const endedAt = (i: number) => (sentAtMs[i] ?? 0) + (latencyMs[i] ?? 0);
  const before = latencyMs.filter((_, i) => endedAt(i) < flushedAtMs);
  const after = latencyMs.filter((_, i) => endedAt(i) >= flushedAtMs);
  return [
    { server: server.label, phase: 'before', ...latencyColumns(before), 'FLUSHALL reply ms': null },
    { server: server.label, phase: 'FLUSHALL', ...latencyColumns(after), 'FLUSHALL reply ms': replyMs },
  ];
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const rows: Record<string, Cell>[] = [];
  for (const contestant of contestants) {
    rows.push(...(await withServer(contestant, {}, (server) => measure(server, settings))));
  }
  return [
    { title: `PING across FLUSHALL of ${settings.locks} locks`, rows, notes: ['the pause is the max'] },
  ];
}

export const flush = defineBench({
  name: 'flush',
  summary: 'the pause of FLUSHALL with ten million locks',
  parameters,
  run,
});
