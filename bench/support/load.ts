// How benches start load and latency probes against a server.

import type { Endpoint } from './client.ts';
import type { LoadResult, LoadSpec } from './load-task.ts';
import { acquire, LONG_TTL_MS } from './locks.ts';
import type { PingResult, PingSpec } from './ping-task.ts';
import type { Server } from './server.ts';
import { startTask, type Task } from './task.ts';

/** Deep enough to keep any server busy, shallow enough that a PING never queues behind more than a millisecond or two. */
const LOADER_IN_FLIGHT = 1_024;
const LOADER_NICENESS = 10;

/** `args` on keys 0 to keyCount - 1; by default once each, over one connection, as fast as replies come. */
export function startLoad(
  endpoint: Endpoint,
  args: readonly string[],
  keyCount: number,
  overrides: Partial<LoadSpec> = {},
): Task<LoadResult> {
  const spec: LoadSpec = {
    endpoint,
    args,
    keyCount,
    requests: keyCount,
    connections: 1,
    inFlightPerConnection: LOADER_IN_FLIGHT,
    requestsPerSecond: null,
    deadlines: null,
    ...overrides,
  };
  return startTask<LoadSpec, LoadResult>('./load-task.js', spec, { niceness: LOADER_NICENESS, pinned: true });
}

/** Acquires locks with an hour to live, and checks that the server holds as many as it acknowledged. */
export async function loadLocks(server: Server, count: number): Promise<LoadResult> {
  const result = await startLoad(server.tcp, acquire(LONG_TTL_MS), count).result;
  const held = await server.client.command('DBSIZE');
  if (held !== count) throw new Error(`${server.label} holds ${held} of ${count} locks`);
  return result;
}

/** Starts a probe that is warm and pinging when this returns. */
export async function startPing(endpoint: Endpoint): Promise<Task<PingResult>> {
  const task = startTask<PingSpec, PingResult>('./ping-task.js', { endpoint });
  await task.ready;
  return task;
}
