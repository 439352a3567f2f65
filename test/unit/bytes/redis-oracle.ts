// A real redis-server for differential tests: one of our own, on a unix socket, gone when the test file ends.
// Where none is installed `redisOracle` is undefined; each test that asks it has recorded cases beside it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export type RedisOracle = {
  readonly client: Redis;
  readonly socketPath: string;
  /** The reply, or the error's text behind a "-". */
  call(command: string, ...args: (string | Buffer | number)[]): Promise<unknown>;
  close(): Promise<void>;
};

export const oracleInstalled = spawnSync('redis-server', ['--version']).status === 0;

export async function startOracle(): Promise<RedisOracle> {
  const directory = mkdtempSync(join(tmpdir(), 'oracle-'));
  const socketPath = join(directory, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', socketPath, '--save', '', '--dir', directory];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => server.kill());
  await untilReady(server);
  const client = new Redis(socketPath);
  return {
    client,
    socketPath,
    call: (command, ...args) => client.call(command, ...args).catch((error: Error) => `-${error.message}`),
    async close() {
      client.disconnect();
      server.kill();
      await once(server, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

async function untilReady(server: ChildProcess): Promise<void> {
  let log = '';
  for await (const chunk of server.stdout ?? []) {
    log += chunk;
    if (/ready to accept connections/i.test(log)) break;
  }
  if (server.exitCode !== null) throw new Error(`redis-server did not start: ${log}`);
}
