// Latency while growing to ten million locks. A table that rehashes pauses at the same key count in every run, the
// machine does not: a long pause counts as the server's own if every run has one within 1 % of the same key count.

import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import { startLoad, startPing } from './support/load.ts';
import { acquire, LONG_TTL_MS } from './support/locks.ts';
import { during, findPauses, type Pause, repeatingPauses } from './support/pauses.ts';
import { type Server, withServer } from './support/server.ts';
import { CORRECTION_NOTE, latencyColumns } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

const parameters = {
  locks: { about: 'locks to grow to', full: 10_000_000, smoke: 20_000 },
  runs: { about: 'runs, each on a fresh server', full: 3, smoke: 2 },
  pauseMs: { about: 'pings at least this slow count as pauses', full: 10, smoke: 10 },
  idleSeconds: { about: 'time to ping the empty server before', full: 5, smoke: 0.2 },
};

type Settings = Values<typeof parameters>;

interface Growth {
  row: Record<string, Cell>;
  pauses: Pause[];
}

async function idle(server: Server, seconds: number): Promise<Record<string, Cell>> {
  const ping = await startPing(server.tcp);
  await delay(seconds * 1000);
  return { server: server.label, run: 'idle', ...latencyColumns((await ping.stop()).latencyMs) };
}

async function grow(server: Server, run: number, settings: Settings): Promise<Growth> {
  const ping = await startPing(server.tcp);
  const load = await startLoad(server.tcp, acquire(LONG_TTL_MS), settings.locks).result;
  const pings = during(await ping.stop(), load.startedAtMs);
  const held = await server.client.command('DBSIZE');
  if (held !== settings.locks) throw new Error(`${server.label} holds ${held} of ${settings.locks} locks`);
  const pauses = findPauses(pings, load.progress, settings.pauseMs);
  const row = {
    server: server.label,
    run: String(run),
    ...latencyColumns(pings.latencyMs),
    'locks/s': (load.acknowledged / load.elapsedMs) * 1000,
    pauses: pauses.length,
  };
  return { row, pauses };
}

async function growOften(contestant: Contestant, settings: Settings) {
  const rows: Record<string, Cell>[] = [];
  const pauses: Pause[][] = [];
  for (let run = 1; run <= settings.runs; run++) {
    await withServer(contestant, {}, async (server) => {
      progress(`${contestant.label}: growing, run ${run} of ${settings.runs}`);
      if (run === 1) rows.push(await idle(server, settings.idleSeconds));
      const growth = await grow(server, run, settings);
      rows.push(growth.row);
      pauses.push(growth.pauses);
    });
  }
  const found = pauses.flatMap((run, i) => run.map((pause) => pauseRow(contestant, String(i + 1), pause)));
  const repeating = repeatingPauses(pauses).map((pause) => pauseRow(contestant, 'all', pause));
  return { rows, pauseRows: [...found, ...repeating] };
}

function pauseRow({ label }: Contestant, run: string, { locks, durationMs }: Pause): Record<string, Cell> {
  return { server: label, run, locks, ms: durationMs };
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const grown: Table = {
    title: `PING while growing to ${settings.locks} locks`,
    rows: [],
    notes: [CORRECTION_NOTE],
  };
  const paused: Table = {
    title: `Pauses of ${settings.pauseMs} ms and more, by the number of locks at which they began`,
    rows: [],
    notes: ['run "all": every run has a pause there (within 1 %), so it is the server and not the machine'],
  };
  for (const contestant of contestants) {
    const { rows, pauseRows } = await growOften(contestant, settings);
    grown.rows.push(...rows);
    paused.rows.push(...pauseRows);
  }
  return [grown, paused];
}

export const growth = defineBench({
  name: 'growth',
  summary: 'PING latency while growing to ten million locks, and pauses that repeat',
  parameters,
  run,
});
