// Throughput, CPU an operation and latency under redis-benchmark, beside the peer: both servers up at once on one
// core, the generator on another, rounds alternating, so that noise hits both and the ratios can be trusted.

import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import type { Endpoint, Reply } from './support/client.ts';
import { loadLocks } from './support/load.ts';
import { LONG_TTL_MS, type LockCommands, lockCommands, TOKEN } from './support/locks.ts';
import {
  type BenchmarkFigures,
  FIGURES,
  medianFigures,
  runRedisBenchmark,
} from './support/redis-benchmark.ts';
import { type Server, withServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

const KEY = 'lock:__rand_int__';
const TTL_MS = 600_000;

interface Workload {
  name: string;
  args(locks: LockCommands): string[];
  /** Whether the reply is right for a held lock (for INCR: a new key). A fast wrong answer is not a result. */
  accepts(reply: Reply): boolean;
}

const is = (expected: Reply) => (reply: Reply) => reply === expected;
const isTtl = (reply: Reply) => typeof reply === 'number' && reply > 0 && reply <= LONG_TTL_MS;

const WORKLOADS: readonly Workload[] = [
  {
    name: 'SET NX PX, contended',
    args: () => ['SET', KEY, TOKEN, 'NX', 'PX', String(TTL_MS)],
    accepts: is(null),
  },
  { name: 'SET PX', args: () => ['SET', KEY, TOKEN, 'PX', String(TTL_MS)], accepts: is('OK') },
  { name: 'GET', args: () => ['GET', KEY], accepts: is(TOKEN) },
  { name: 'PTTL', args: () => ['PTTL', KEY], accepts: isTtl },
  { name: 'EXISTS', args: () => ['EXISTS', KEY], accepts: is(1) },
  { name: 'renew', args: (locks) => locks.renew(KEY, TOKEN, TTL_MS), accepts: is(1) },
  { name: 'release, not the owner', args: (locks) => locks.release(KEY, 'someone-else'), accepts: is(0) },
  {
    name: 'renew by EVALSHA on both',
    args: (locks) => locks.renewByScript(KEY, TOKEN, TTL_MS),
    accepts: is(1),
  },
  {
    name: 'release by EVALSHA on both, not the owner',
    args: (locks) => locks.releaseByScript(KEY, 'someone-else'),
    accepts: is(0),
  },
  { name: 'INCR', args: () => ['INCR', 'count:__rand_int__'], accepts: is(1) },
  // Comes last, because all locks are gone after a moment: this is the cost of finding nothing.
  { name: 'DEL, mostly missing', args: () => ['DEL', KEY], accepts: is(1) },
];

interface Side {
  server: Server;
  endpoint: Endpoint;
  locks: LockCommands;
}

const parameters = {
  rounds: { about: 'rounds, of which the median counts', full: 3, smoke: 1 },
  depths: { about: 'requests a client pipelines', full: [1, 16, 128], smoke: [16] },
  clients: { about: 'parallel connections', full: 50, smoke: 5 },
  requests: {
    about: 'requests a round at pipeline 1; ten times as many when pipelined',
    full: 150_000,
    smoke: 1_000,
  },
  locks: { about: 'locks held, and keys drawn from', full: 100_000, smoke: 1_000 },
  only: { about: 'only workloads whose name contains this', full: '', smoke: '' },
  unix: { about: 'over a unix socket instead of TCP', full: false, smoke: false },
};

type Settings = Values<typeof parameters>;

async function openSide(server: Server, unix: boolean): Promise<Side> {
  const endpoint = unix ? server.unix : server.tcp;
  if (endpoint === null) throw new Error(`--unix needs {socket} in the command of ${server.label}`);
  return { server, endpoint, locks: await lockCommands(server.client) };
}

async function prepare({ server }: Side, settings: Settings): Promise<void> {
  await server.client.command('FLUSHALL');
  await loadLocks(server, settings.locks);
}

/** redis-benchmark takes any reply for a good one. */
async function checkAnswer({ server, locks }: Side, workload: Workload): Promise<void> {
  const args = workload.args(locks).map((arg) => arg.replace('__rand_int__', '000000000001'));
  const reply = await server.client.command(...args);
  if (!workload.accepts(reply)) throw new Error(`${server.label} answers ${reply} to ${args.join(' ')}`);
}

function runOnce(
  side: Side,
  workload: Workload,
  pipeline: number,
  settings: Settings,
): Promise<BenchmarkFigures> {
  return runRedisBenchmark({
    endpoint: side.endpoint,
    pid: side.server.pid,
    args: workload.args(side.locks),
    requests: settings.requests * (pipeline === 1 ? 1 : 10),
    pipeline,
    clients: settings.clients,
    keyspace: settings.locks,
  });
}

async function measureRow(sides: readonly Side[], workload: Workload, pipeline: number, settings: Settings) {
  progress(`pipeline ${pipeline}: ${workload.name}`);
  for (const side of sides) await checkAnswer(side, workload);
  const rounds: BenchmarkFigures[][] = sides.map(() => []);
  for (let round = 0; round < settings.rounds; round++) {
    for (const [i, side] of sides.entries())
      rounds[i]?.push(await runOnce(side, workload, pipeline, settings));
  }
  const row: Record<string, Cell> = { workload: workload.name, pipeline };
  for (const [figure, label] of FIGURES) {
    for (const [i, { server }] of sides.entries()) {
      row[`${server.label} ${label}`] = medianFigures(rounds[i] ?? [])[figure];
    }
    if (sides.length === 2) row[`${label} ratio`] = ratio(rounds, figure);
  }
  return row;
}

/** The median over the rounds of ours/peer; null where the peer's figure is too small to be seen. */
function ratio([ours = [], peer = []]: BenchmarkFigures[][], figure: keyof BenchmarkFigures): number | null {
  const ratios = ours.map((round, i) => round[figure] / (peer[i]?.[figure] ?? Number.NaN));
  return ratios.every(Number.isFinite) ? median(ratios) : null;
}

async function measure(sides: readonly Side[], settings: Settings): Promise<Table> {
  const rows: Record<string, Cell>[] = [];
  for (const pipeline of settings.depths) {
    for (const side of sides) await prepare(side, settings);
    for (const workload of WORKLOADS.filter(({ name }) => name.includes(settings.only))) {
      rows.push(await measureRow(sides, workload, pipeline, settings));
    }
  }
  const forms = sides.map(({ server, locks }) => `${server.label}: ${locks.form}`).join(', ');
  return {
    title: `redis-benchmark, ${settings.clients} clients, ${settings.unix ? 'unix socket' : 'TCP'}`,
    rows,
    notes: [`renew and release are ${forms}`, 'ratio: ours / peer; rps higher is better, all else lower'],
  };
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const withSides = async (rest: readonly Contestant[], sides: readonly Side[]): Promise<Table> => {
    const [contestant, ...others] = rest;
    if (contestant === undefined) return measure(sides, settings);
    return withServer(contestant, { pinned: true }, async (server) =>
      withSides(others, [...sides, await openSide(server, settings.unix)]),
    );
  };
  return [await withSides(contestants, [])];
}

export const throughput = defineBench({
  name: 'throughput',
  summary: 'requests a second, CPU an operation and latency by pipeline depth',
  parameters,
  run,
});
