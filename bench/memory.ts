// Resident memory a lock: a key of 17 bytes, a token of 36 and a deadline, over the same server empty but warm.
// Warm means that code is compiled and buffers have grown: many requests on a thousand keys, then FLUSHALL.
// Only a thousand, because memory a flush leaves behind would make the baseline larger and the figure prettier.
// Three counts, because tables that double look good just before they grow and bad just after.

import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import { residentBytes } from './support/linux.ts';
import { loadLocks, startLoad } from './support/load.ts';
import { acquire, LONG_TTL_MS } from './support/locks.ts';
import { type Server, withServer } from './support/server.ts';
import type { Cell, Table } from './support/table.ts';

const WARM_KEYS = 1_000;
const SETTLE_POLL_MS = 500;
/** Settled: this many readings in a row within a quarter of a percent. */
const QUIET_READINGS = 4;
const QUIET_FRACTION = 0.0025;

const parameters = {
  counts: { about: 'numbers of locks', full: [1_000_000, 1_100_000, 1_500_000], smoke: [10_000] },
  warmup: { about: 'requests before the empty server is measured', full: 500_000, smoke: 5_000 },
  settleSeconds: { about: 'longest wait for garbage collections to settle', full: 20, smoke: 0 },
};

type Settings = Values<typeof parameters>;

/** Waits until resident memory stays put: a runtime frees what it no longer needs when it likes. */
async function settledBytes(pid: number, settleSeconds: number): Promise<number> {
  let settled = residentBytes(pid);
  let quiet = 0;
  for (
    let waitedMs = 0;
    waitedMs < settleSeconds * 1000 && quiet < QUIET_READINGS;
    waitedMs += SETTLE_POLL_MS
  ) {
    await delay(SETTLE_POLL_MS);
    const now = residentBytes(pid);
    quiet = Math.abs(now - settled) <= settled * QUIET_FRACTION ? quiet + 1 : 0;
    if (quiet === 0) settled = now;
  }
  return residentBytes(pid);
}

async function measure(server: Server, locks: number, settings: Settings): Promise<Record<string, Cell>> {
  progress(`${server.label}: ${locks} locks`);
  await startLoad(server.tcp, acquire(LONG_TTL_MS), WARM_KEYS, { requests: settings.warmup }).result;
  await server.client.command('FLUSHALL');
  const emptyBytes = await settledBytes(server.pid, settings.settleSeconds);
  await loadLocks(server, locks);
  const loadedBytes = await settledBytes(server.pid, settings.settleSeconds);
  return {
    server: server.label,
    locks,
    'empty MiB': emptyBytes / 2 ** 20,
    'loaded MiB': loadedBytes / 2 ** 20,
    'bytes a lock': (loadedBytes - emptyBytes) / locks,
  };
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const rows: Record<string, Cell>[] = [];
  for (const locks of settings.counts) {
    for (const contestant of contestants) {
      rows.push(await withServer(contestant, {}, (server) => measure(server, locks, settings)));
    }
  }
  return [{ title: 'Resident memory a lock', rows, notes: ['a fresh server for each row'] }];
}

export const memory = defineBench({
  name: 'memory',
  summary: 'resident bytes a lock over a warmed empty server',
  parameters,
  run,
});
