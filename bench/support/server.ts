// Starts a contestant on a free port (and a unix socket, if its command line takes one) and stops it again.
// A server that does not come up fails the bench with the server's own last words.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contestant } from './bench.ts';
import { exited, scratchFolder, track } from './cleanup.ts';
import { Client, type Endpoint } from './client.ts';
import { pickCores } from './linux.ts';
import { nowMs } from './statistics.ts';

const START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 2;

export interface Server {
  label: Contestant['label'];
  pid: number;
  tcp: Endpoint;
  /** Null if the contestant's command has no {socket}. */
  unix: Endpoint | null;
  client: Client;
  /** From spawn to the first PONG. */
  startMs: number;
}

export interface ServerOptions {
  /** Keep the server on one core, away from a pinned load generator. */
  pinned?: boolean;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no TCP port to be had');
  return address.port;
}

/** Runs `use` with a fresh server, which is gone afterwards, whatever happens. */
export async function withServer<T>(
  contestant: Contestant,
  options: ServerOptions,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const path = join(scratchFolder(), `${port}.sock`);
  const command = contestant.command.replaceAll('{port}', String(port)).replaceAll('{socket}', path);
  const startedAt = nowMs();
  const { child, output } = launch(command, options.pinned === true ? pickCores().server : null);
  try {
    const tcp = { port, host: '127.0.0.1' };
    const client = await firstPong(
      child,
      tcp,
      startedAt,
      () => `${contestant.label}: ${command}\n${output()}`,
    );
    try {
      const startMs = nowMs() - startedAt;
      const unix = contestant.command.includes('{socket}') ? { path } : null;
      return await use({ label: contestant.label, pid: child.pid ?? 0, tcp, unix, client, startMs });
    } finally {
      client.close();
    }
  } finally {
    await stop(child);
  }
}

function launch(command: string, core: number | null): { child: ChildProcess; output: () => string } {
  // `exec` all the way, so that the child's pid is the server's.
  const line = core === null ? `exec ${command}` : `exec taskset -c ${core} ${command}`;
  const child = track(spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'pipe'] }));
  let tail = '';
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { child, output: () => tail };
}

async function firstPong(
  child: ChildProcess,
  endpoint: Endpoint,
  startedAt: number,
  describe: () => string,
): Promise<Client> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`server ended: ${describe()}`);
    const client = await tryConnect(endpoint);
    if (client !== null) {
      if ((await client.command('PING')) === 'PONG') return client;
      throw new Error(`no PONG from ${describe()}`);
    }
    if (nowMs() - startedAt > START_TIMEOUT_MS) throw new Error(`server does not listen: ${describe()}`);
    await delay(POLL_MS);
  }
}

async function tryConnect(endpoint: Endpoint): Promise<Client | null> {
  try {
    return await Client.connect(endpoint);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') return null;
    throw error;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited(child);
  clearTimeout(timer);
}
