// The memory limit (maxmemory) reached, and left again by each of the ways there are. Beyond it nothing that takes memory
// is done, while locks can still be read, renewed and given back: a server that is full must not keep them held.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.ts';
import { connectRaw, until } from '../support/clients.ts';
import { encodeRequest, RespClient } from '../support/resp-client.ts';

const MEBIBYTE = 1024 ** 2;
const LIMIT = 2 * MEBIBYTE;
const LEASE_MS = 30_000;
const OOM = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";

let nowMs = 1_000_000;
const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs };

let server: RunningServer;
let client: RespClient;
beforeEach(async () => {
  server = await startServer({ port: 0, bind: ['127.0.0.1'], maxmemory: LIMIT, time });
  client = await RespClient.connect({ port: server.port });
});
afterEach(async () => {
  await client.raw('FLUSHALL');
  await client.close();
  await until('all clients are gone', () => server.state.clients.size === 0);
  expect(server.state.usedMemoryBytes).toBe(0);
  await server.close();
});

/** Locks of `token`, until one is refused. How many there are. */
async function fill(by = client): Promise<number> {
  for (let i = 0; ; i++) {
    const reply = await by.raw('SET', `lock:${i}`, 'token', 'PX', `${LEASE_MS}`);
    if (reply === OOM) return i;
    expect(reply).toBe('+OK\r\n');
    // Most of the memory goes into few keys, so that this is quick.
    if (i % 10 === 0) await by.raw('SET', `big:${i}`, Buffer.alloc(100_000, 'v'), 'PX', `${LEASE_MS}`);
  }
}

const isFull = async (): Promise<boolean> => (await client.raw('SET', 'another', 'token')) === OOM;

test('what takes memory is refused, and changes nothing', async () => {
  await fill();
  const used = server.state.usedMemoryBytes;
  expect(used).toBeGreaterThan(LIMIT);
  expect(used).toBeLessThan(LIMIT + 200_000);
  const keys = await client.call('DBSIZE');
  for (const words of [
    'SET lock:1 other',
    'SETNX new token',
    'MSET lock:1 a new b',
    'MSETEX 1 new b',
    'APPEND lock:1 more',
    'SETRANGE lock:1 100 x',
    'INCR counter',
    'GETSET lock:1 other',
    'COPY lock:1 new',
    'GETL lock:1',
    'CAS lock:1 1 other',
    'GOBLIN.CAS lock:1 token other',
    'GOBLIN.CLAIM new token',
    'GOBLIN.INCREX counter 1000',
    'GOBLIN.INCRBOUND counter 1 0 9',
  ]) {
    const reply = await client.raw(...words.split(' '));
    // One whose arguments do not fit would be refused for that, and show nothing.
    if (!reply.includes('wrong number of arguments')) expect([words, reply]).toEqual([words, OOM]);
  }
  expect(await client.call('DBSIZE')).toBe(keys);
  expect(await client.call('GET', 'lock:1')).toBe('token');
  expect(server.state.usedMemoryBytes).toBe(used);
});

test('locks are still read, renewed and given back', async () => {
  await fill();
  nowMs += 1000;
  expect(await client.call('GET', 'lock:1')).toBe('token');
  expect(await client.call('PTTL', 'lock:1')).toBe(LEASE_MS - 1000);
  expect(await client.call('GOBLIN.CAEXPIRE', 'lock:1', 'token', '60000')).toBe(1);
  expect(await client.call('PEXPIRE', 'lock:2', '60000')).toBe(1);
  expect(await client.call('GOBLIN.CAEXPIRE', 'lock:3', 'other', '60000')).toBe(0);
  expect(await client.call('GOBLIN.CAD', 'lock:1', 'token')).toBe(1);
  expect(await client.call('DELIFEQ', 'lock:2', 'token')).toBe(1);
  expect(await client.call('EXISTS', 'lock:1', 'lock:2', 'lock:3')).toBe(1);
});

test('a transaction that would take memory is given up as a whole', async () => {
  await client.raw('MULTI');
  expect(await client.raw('DEL', 'lock:1')).toBe('+QUEUED\r\n');
  expect(await client.raw('SET', 'new', 'token')).toBe('+QUEUED\r\n');
  const other = await RespClient.connect({ port: server.port });
  await fill(other);
  expect(await client.raw('EXEC')).toMatch(/^-EXECABORT .*OOM/);
  expect(await client.call('EXISTS', 'lock:1', 'new')).toBe(1);

  await fill(other);
  await client.raw('MULTI');
  expect(await client.raw('DEL', 'lock:1')).toBe(OOM);
  expect(await client.raw('EXEC')).toMatch(/^-EXECABORT /);
  expect(await client.call('DEL', 'lock:1', 'big:0', 'big:10')).toBe(3);
  expect(await isFull()).toBe(false);
  await other.close();
});

const waysOut: Record<string, (locks: number) => Promise<unknown>> = {
  'keys are deleted': async (locks) => {
    for (let i = 0; i < locks; i += 10) await client.raw('DEL', `lock:${i}`, `big:${i}`);
  },
  'leases end': async () => {
    nowMs += LEASE_MS;
    server.tick();
  },
  'everything is flushed': () => client.raw('FLUSHALL'),
  'the limit is raised': () => client.raw('CONFIG', 'SET', 'maxmemory', `${2 * LIMIT}`),
  'the limit is lifted': () => client.raw('CONFIG', 'SET', 'maxmemory', '0'),
};

test.each(Object.entries(waysOut))('left when %s', async (_, leave) => {
  for (let round = 0; round < 2; round++) {
    await client.raw('CONFIG', 'SET', 'maxmemory', `${LIMIT}`);
    await client.raw('FLUSHALL');
    const locks = await fill();
    expect(await isFull()).toBe(true);
    await leave(locks);
    expect(await client.raw('SET', 'another', 'token')).toBe('+OK\r\n');
  }
});

test('replies that nobody reads count, until their reader is gone', async () => {
  await client.raw('SET', 'big', Buffer.alloc(MEBIBYTE, 'v'));
  const lazy = await connectRaw({ port: server.port });
  lazy.pause();
  lazy.write(Buffer.concat(new Array(50).fill(encodeRequest(['GET', 'big']))));
  await until('replies wait', () => server.state.usedMemoryBytes > LIMIT);
  expect(await isFull()).toBe(true);
  lazy.resetAndDestroy();
  await until('its replies are gone', () => server.state.clients.size === 1);
  expect(await isFull()).toBe(false);
});
