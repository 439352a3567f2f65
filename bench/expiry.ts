// Latency while half a million leases end within one second: the probe pings from before the first deadline until
// well after the last, and the same probe on the idle server before it shows what the machine does by itself.

import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import { startLoad, startPing } from './support/load.ts';
import { TOKEN } from './support/locks.ts';
import type { PingResult } from './support/ping-task.ts';
import { DEADLINE, KEY } from './support/request-template.ts';
import { type Server, withServer } from './support/server.ts';
import { CORRECTION_NOTE, latencyColumns, nowMs } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

const LEAD_MS = 200;
const POLL_MS = 20;
const GONE_TIMEOUT_MS = 60_000;

const parameters = {
  leases: { about: 'leases that end together', full: 500_000, smoke: 5_000 },
  spreadMs: { about: 'time from the first deadline to the last', full: 1_000, smoke: 100 },
  loadSeconds: { about: 'time to acquire them before the first deadline', full: 10, smoke: 1 },
  watchSeconds: { about: 'time to ping from the first deadline on', full: 4, smoke: 0.3 },
  rounds: { about: 'storms, whose pings are pooled', full: 3, smoke: 1 },
};

type Settings = Values<typeof parameters>;

interface Storm {
  latencyMs: Float64Array;
  /** From the last deadline until DBSIZE says 0. */
  goneAfterMs: number;
}

async function idle(server: Server, seconds: number): Promise<PingResult> {
  const ping = await startPing(server.tcp);
  await delay(seconds * 1000);
  return ping.stop();
}

async function storm(server: Server, settings: Settings): Promise<Storm> {
  progress(`${server.label}: a storm of ${settings.leases} leases`);
  const firstEpochMs = Date.now() + settings.loadSeconds * 1000;
  const lastEpochMs = firstEpochMs + settings.spreadMs;
  const deadlines = { fromEpochMs: firstEpochMs, spreadMs: settings.spreadMs };
  const args = ['SET', KEY, TOKEN, 'PXAT', DEADLINE];
  await startLoad(server.tcp, args, settings.leases, { deadlines }).result;
  const ping = await startPing(server.tcp);
  if (Date.now() > firstEpochMs - LEAD_MS) throw new Error('loading took too long: raise --load-seconds');
  await delay(firstEpochMs - LEAD_MS - Date.now());
  const fromMs = nowMs();
  const goneAfterMs = (await whenEmpty(server, lastEpochMs)) - lastEpochMs;
  await delay(Math.max(0, firstEpochMs + settings.watchSeconds * 1000 - Date.now()));
  const { sentAtMs, latencyMs } = await ping.stop();
  return { latencyMs: latencyMs.filter((_, i) => (sentAtMs[i] ?? 0) >= fromMs), goneAfterMs };
}

async function whenEmpty(server: Server, lastEpochMs: number): Promise<number> {
  await delay(Math.max(0, lastEpochMs - Date.now()));
  while ((await server.client.command('DBSIZE')) !== 0) {
    if (Date.now() > lastEpochMs + GONE_TIMEOUT_MS)
      throw new Error(`${server.label} does not expire its keys`);
    await delay(POLL_MS);
  }
  return Date.now();
}

async function measure(server: Server, settings: Settings): Promise<Record<string, Cell>[]> {
  const calm = await idle(server, settings.watchSeconds * settings.rounds);
  const storms: Storm[] = [];
  while (storms.length < settings.rounds) storms.push(await storm(server, settings));
  const pooled = Float64Array.from(storms.flatMap(({ latencyMs }) => [...latencyMs]));
  const gone = Math.max(...storms.map(({ goneAfterMs }) => goneAfterMs));
  return [
    { server: server.label, phase: 'idle', ...latencyColumns(calm.latencyMs), 'gone after ms': null },
    { server: server.label, phase: 'expiry', ...latencyColumns(pooled), 'gone after ms': gone },
  ];
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const rows: Record<string, Cell>[] = [];
  for (const contestant of contestants) {
    rows.push(...(await withServer(contestant, {}, (server) => measure(server, settings))));
  }
  const title = `PING while ${settings.leases} leases end within ${settings.spreadMs} ms`;
  return [
    {
      title,
      rows,
      notes: [CORRECTION_NOTE, 'gone after: from the last deadline until DBSIZE is 0, worst round'],
    },
  ];
}

export const expiry = defineBench({
  name: 'expiry',
  summary: 'PING latency while 500,000 leases end in one second',
  parameters,
  run,
});
