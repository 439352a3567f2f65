// A real redis-server as the oracle: started on a unix socket in a folder of its own, gone after `stop`.
//
// The recordings in test/conformance/recorded/ are the answers of one version. Another version answers some lines
// otherwise, so only that one counts as available.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Endpoint, RespClient } from './resp-client.ts';

export const ORACLE_VERSION = '7.0.15';

/** A server that tests talk to, ours or the oracle. */
export interface RunningServer {
  readonly endpoint: Endpoint;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 10_000;

/**
 * The shell becomes redis-server. Its standard input is a pipe from us, whose end comes with ours, even when we are
 * killed: no test run leaves a server behind.
 */
const RUN_WHILE_PARENT_LIVES = 'exec 3<&0; (cat <&3 >/dev/null; kill -9 $$) & exec redis-server "$@" 3<&-';

/** The version of the redis-server on PATH, or undefined when there is none. */
export const installedRedisVersion = findVersion();
export const redisAvailable = installedRedisVersion === ORACLE_VERSION;

function findVersion(): string | undefined {
  try {
    return /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'latin1' }))?.[1];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function startRedis(args: readonly string[] = []): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'oracle-'));
  const path = join(folder, 'redis.sock');
  const fixed = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no'];
  const directives = [...fixed, '--enable-debug-command', 'yes', ...args];
  const child = spawn('sh', ['-c', RUN_WHILE_PARENT_LIVES, 'sh', ...directives], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = once(child, 'exit');

  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = { path };
  try {
    await answering(endpoint, () => child.exitCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}

async function answering(endpoint: Endpoint, hasExited: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += 20) {
    if (hasExited()) throw new Error('redis-server exited while starting');
    try {
      const client = await RespClient.connect(endpoint);
      await client.raw('PING');
      await client.close();
      return;
    } catch {
      // Its socket is not there yet.
      await delay(20);
    }
  }
  throw new Error(`redis-server did not answer within ${START_LIMIT_MS} ms`);
}
