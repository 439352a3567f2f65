// The round trip of one client that sends one command at a time, on TCP and on a unix socket: what a single
// lock holder feels. redis-benchmark with one connection, because its own share of the time is small.

import { type Contestant, defineBench, type Values } from './support/bench.ts';
import { loadLocks } from './support/load.ts';
import { lockCommands, TOKEN } from './support/locks.ts';
import { type BenchmarkFigures, medianFigures, runRedisBenchmark } from './support/redis-benchmark.ts';
import { type Server, withServer } from './support/server.ts';
import type { Cell, Table } from './support/table.ts';

const KEY = 'lock:__rand_int__';
const TTL_MS = 600_000;

const parameters = {
  rounds: { about: 'rounds, of which the median counts', full: 3, smoke: 1 },
  requests: { about: 'requests a round', full: 50_000, smoke: 500 },
  locks: { about: 'locks held, and keys drawn from', full: 100_000, smoke: 1_000 },
};

type Settings = Values<typeof parameters>;

async function measure(server: Server, settings: Settings): Promise<Record<string, Cell>[]> {
  await loadLocks(server, settings.locks);
  const locks = await lockCommands(server.client);
  const commands = {
    PING: ['PING'],
    'SET PX': ['SET', KEY, TOKEN, 'PX', String(TTL_MS)],
    GET: ['GET', KEY],
    [`renew (${locks.form})`]: locks.renew(KEY, TOKEN, TTL_MS),
  };
  const rows: Record<string, Cell>[] = [];
  for (const [transport, endpoint] of [
    ['TCP', server.tcp],
    ['unix', server.unix],
  ] as const) {
    if (endpoint === null) continue;
    for (const [command, args] of Object.entries(commands)) {
      const rounds: BenchmarkFigures[] = [];
      const one = { endpoint, pid: server.pid, args, pipeline: 1, clients: 1, keyspace: settings.locks };
      while (rounds.length < settings.rounds) {
        rounds.push(await runRedisBenchmark({ ...one, requests: settings.requests }));
      }
      const { rps, cpuUs, p50Ms, p99Ms } = medianFigures(rounds);
      const figures = {
        'mean us': 1e6 / rps,
        'p50 us': p50Ms * 1e3,
        'p99 us': p99Ms * 1e3,
        'server CPU us': cpuUs,
      };
      rows.push({ transport, command, server: server.label, ...figures });
    }
  }
  return rows;
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const measured: Record<string, Cell>[][] = [];
  for (const contestant of contestants) {
    measured.push(await withServer(contestant, { pinned: true }, (server) => measure(server, settings)));
  }
  // The servers' rows for one command, one below the other.
  const rows = (measured[0] ?? []).flatMap((_, i) => measured.flatMap((own) => own.slice(i, i + 1)));
  return [{ title: 'One connection, one command at a time', rows }];
}

export const roundtrip = defineBench({
  name: 'roundtrip',
  summary: 'one connection, one command at a time, on TCP and unix socket',
  parameters,
  run,
});
