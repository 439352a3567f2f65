// redis-benchmark as the load generator: the same tool and the same numbers that people check a Redis with.
// Besides its own figures it reports the server's CPU time an operation, which noise elsewhere disturbs less.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { track } from './cleanup.ts';
import type { Endpoint } from './client.ts';
import { cpuMicroseconds, pickCores } from './linux.ts';
import { median } from './statistics.ts';

export interface BenchmarkRun {
  endpoint: Endpoint;
  pid: number;
  /** `__rand_int__` in it becomes a random number of 12 digits below `keyspace`. */
  args: readonly string[];
  requests: number;
  pipeline: number;
  clients: number;
  keyspace: number;
}

export interface BenchmarkFigures {
  rps: number;
  cpuUs: number;
  p50Ms: number;
  p99Ms: number;
}

/** Each figure with its name in reports. */
export const FIGURES = [
  ['rps', 'rps'],
  ['cpuUs', 'CPU us'],
  ['p50Ms', 'p50 ms'],
  ['p99Ms', 'p99 ms'],
] as const satisfies [keyof BenchmarkFigures, string][];

async function capture(command: string, args: readonly string[]): Promise<string> {
  const child = track(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('latin1');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('latin1');
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}${stdout.slice(-500)}`);
  return stdout;
}

export async function runRedisBenchmark(run: BenchmarkRun): Promise<BenchmarkFigures> {
  const { endpoint } = run;
  const address = 'path' in endpoint ? ['-s', endpoint.path] : ['-h', endpoint.host, '-p', endpoint.port];
  const numbers = ['-n', run.requests, '-P', run.pipeline, '-c', run.clients, '-r', run.keyspace];
  const line = ['redis-benchmark', ...address, ...numbers, '--csv', ...run.args].map(String);
  const core = pickCores().load;
  const [command = '', ...args] = core === null ? line : ['taskset', '-c', String(core), ...line];
  const cpuBefore = cpuMicroseconds(run.pid);
  const output = await capture(command, args);
  const cpuUs = (cpuMicroseconds(run.pid) - cpuBefore) / run.requests;
  return { cpuUs, ...parseCsv(output) };
}

/** The last line ends with seven figures in quotes; the name before them is the command and may contain anything. */
function parseCsv(output: string): Omit<BenchmarkFigures, 'cpuUs'> {
  const cells = (output.trimEnd().split('\n').at(-1) ?? '').split('","').slice(-7);
  const [rps, , , p50Ms, , p99Ms] = cells.map((cell) => Number.parseFloat(cell));
  if (rps === undefined || p50Ms === undefined || p99Ms === undefined || Number.isNaN(rps + p50Ms + p99Ms)) {
    throw new Error(`redis-benchmark printed no figures:\n${output}`);
  }
  return { rps, p50Ms, p99Ms };
}

/** The median of each figure over the rounds. */
export function medianFigures(rounds: readonly BenchmarkFigures[]): BenchmarkFigures {
  const of = (figure: keyof BenchmarkFigures) => median(rounds.map((round) => round[figure]));
  return { rps: of('rps'), cpuUs: of('cpuUs'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
}
