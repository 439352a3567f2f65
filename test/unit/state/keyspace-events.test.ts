// `expired` is told at the deadline: by the wheel, when the clock says so, and once only.

import { expect, test } from 'vitest';
import { startServer } from '../../../src/index.ts';
import type { Server } from '../../../src/state/server.ts';
import { RespClient } from '../../support/resp-client.ts';

/** A server whose time the test moves. */
async function started(events: string) {
  let nowMs = 0;
  const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs };
  const server = await startServer({ port: 0, time, 'notify-keyspace-events': events });
  const listener = await RespClient.connect({ port: server.port });
  await listener.call('PSUBSCRIBE', '__key*');
  const client = await RespClient.connect({ port: server.port });
  return {
    client,
    state: server.state as Server,
    /** The next message: its channel and what it says. */
    heard: async () => ((await listener.nextValue()) as string[]).slice(2).join(' '),
    /** Messages that came and that nobody asked for. */
    unheard: async () => {
      await listener.call('PING');
      return listener.unread;
    },
    advance(ms: number): void {
      nowMs += ms;
      server.tick();
    },
    async end() {
      await client.close();
      await listener.close();
      await server.close();
    },
  };
}

test('keys are told to have expired at their deadline, in order, without anybody looking', async () => {
  const { client, state, heard, unheard, advance, end } = await started('Ex');
  await client.call('SET', 'second', 'v', 'PX', '2000');
  await client.call('SET', 'first', 'v', 'PX', '1000');
  await client.call('SET', 'third', 'v', 'PX', '2000');
  await client.call('PEXPIRE', 'third', '5000');
  advance(999);
  expect(await unheard()).toEqual([]);
  expect(state.keyspace.databases[0]?.size).toBe(3);
  advance(1);
  expect(await heard()).toBe('__keyevent@0__:expired first');
  advance(1000);
  expect(await heard()).toBe('__keyevent@0__:expired second');
  advance(2999);
  expect(await unheard()).toEqual([]);
  advance(1);
  expect(await heard()).toBe('__keyevent@0__:expired third');
  expect(state.keyspace.databases[0]?.size).toBe(0);
  await end();
});

test("on the key's channel before the event's, in the database's own number, after a swap too", async () => {
  const { client, heard, unheard, advance, end } = await started('KEx');
  await client.call('SET', '\xff\0', 'v', 'PX', '10');
  await client.call('SWAPDB', '0', '1');
  advance(10);
  expect(await heard()).toBe('__keyspace@1__:\xff\0 expired');
  expect(await heard()).toBe('__keyevent@1__:expired \xff\0');
  advance(100);
  expect(await unheard()).toEqual([]);
  await end();
});

test('a deadline in the past deletes: `del`, never `expired`', async () => {
  const { client, heard, unheard, advance, end } = await started('Egx');
  await client.call('SET', 'k', 'v', 'PX', '10');
  expect(await heard()).toBe('__keyevent@0__:expire k');
  await client.call('PEXPIREAT', 'k', '1');
  expect(await heard()).toBe('__keyevent@0__:del k');
  advance(100);
  expect(await unheard()).toEqual([]);
  await end();
});

test('a key with a deadline that is deleted, renewed or made permanent does not expire', async () => {
  const { client, unheard, advance, end } = await started('Ex');
  for (const key of ['a', 'b', 'c', 'd']) await client.call('SET', key, 'v', 'PX', '10');
  await client.call('DEL', 'a');
  await client.call('PEXPIRE', 'b', '100000');
  await client.call('PERSIST', 'c');
  await client.call('SET', 'd', 'v');
  advance(50_000);
  expect(await unheard()).toEqual([]);
  await end();
});
