// redis-benchmark as people run it to see whether a server is any good: it must end by itself, without an error, having
// done what it counts. How fast is a question for bench/.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RespClient } from '../support/resp-client.ts';
import { type OurServer, startOurs } from '../support/server.ts';

const run = promisify(execFile);
const isInstalled = await run('redis-benchmark', ['--version']).then(
  () => true,
  () => false,
);
if (!isInstalled) test.skip('redis-benchmark is not installed');

const REQUESTS = 2000;

describe.skipIf(!isInstalled)('redis-benchmark', () => {
  let server: OurServer;
  let client: RespClient;

  beforeAll(async () => {
    server = await startOurs();
    client = await RespClient.connect(server.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(async () => {
    await client.call('FLUSHALL');
  });

  const benchmark = async (...args: string[]): Promise<string> => {
    const fixed = ['-p', String(server.endpoint.port), '-n', String(REQUESTS), '-c', '10', '-q'];
    const { stdout, stderr } = await run('redis-benchmark', [...fixed, ...args]);
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/error/i);
    return stdout;
  };

  test('runs its own tests', async () => {
    const output = await benchmark('-t', 'ping_inline,ping_mbulk,set,get,incr,mset');
    expect(output.match(/requests per second/g)).toHaveLength(6);
    expect(await client.call('GET', 'counter:__rand_int__')).toBe(String(REQUESTS));
  });

  test('pipelines', async () => {
    await benchmark('-P', '16', 'INCR', 'counter');
    expect(await client.call('GET', 'counter')).toBe(String(REQUESTS));
  });

  test('takes and renews locks under random keys, from two threads', async () => {
    await benchmark('-r', '100', '--threads', '2', 'SET', 'lock:__rand_int__', 'token', 'NX', 'PX', '60000');
    expect(Number(await client.call('DBSIZE'))).toBeLessThanOrEqual(100);
    await benchmark('-r', '100', '-P', '8', 'GOBLIN.CAEXPIRE', 'lock:__rand_int__', 'token', '120000');
    expect(Number(await client.call('PTTL', 'lock:000000000001'))).toBeGreaterThan(60_000);
  });

  test('speaks RESP3', async () => {
    await benchmark('-3', 'GET', 'missing');
  });
});
