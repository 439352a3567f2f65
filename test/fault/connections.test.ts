// What clients do to a server by dying, stalling and coming in crowds. Whatever it is, others are served meanwhile, and
// afterwards nothing is left: no client, no byte of a buffer, no watched key, no subscription.

import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../../src/index.ts';
import type { RunningServer } from '../../src/server/start.ts';
import { connectRaw, readToEnd, until } from '../support/clients.ts';
import { encodeRequest, RespClient } from '../support/resp-client.ts';

const MEBIBYTE = 1024 ** 2;

/** Thousands of connections take a slow machine minutes, and how long is not what is tested. */
const CROWD = { timeout: 300_000 };

describe.each([true, false])('with a shared read buffer: %s', (sharesReads) => {
  let server: RunningServer;
  let witness: RespClient;
  beforeEach(async () => {
    server = await startServer({ port: 0, bind: ['127.0.0.1'], sharesReads });
    witness = await client();
  });
  afterEach(async () => {
    expect(await witness.raw('PING')).toBe('+PONG\r\n');
    await witness.close();
    await until('all clients are gone', () => server.state.clients.size === 0);
    const { clientBytes, watches, pubsub } = server.state;
    expect([clientBytes, watches.size, pubsub.size('channels')]).toEqual([0, 0, 0]);
    await server.close();
  });

  const client = (): Promise<RespClient> => RespClient.connect({ port: server.port });
  const raw = (): Promise<Socket> => connectRaw({ port: server.port });

  function onlyWitness(): Promise<void> {
    return until('only the witness is left', () => server.state.clients.size === 1);
  }

  test.each([
    ['inside a header', '*3\r\n$3'],
    ['inside an argument', '*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$10\r\nabc'],
    ['inside a big argument', `*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1000000\r\n${'v'.repeat(100_000)}`],
    ['inside an inline command', 'SET k v'],
    ['inside a transaction', 'WATCH a b\r\nMULTI\r\nSET k v\r\n*3\r\n$3\r\nSE'],
  ])('killed %s', async (_, bytes) => {
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const victim = await raw();
      victim.write(bytes);
      await until('all of it has come', () =>
        [...server.state.clients.values()].some((each) => each.networkInBytes === bytes.length),
      );
      victim[end]();
      await onlyWitness();
      expect(await witness.call('EXISTS', 'k')).toBe(0);
    }
  });

  test('killed amid its replies', async () => {
    await witness.raw('SET', 'big', Buffer.alloc(MEBIBYTE, 'v'));
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const victim = await raw();
      victim.pause();
      victim.write(Buffer.concat(new Array(50).fill(encodeRequest(['GET', 'big']))));
      await until('replies wait', () => server.state.clientBytes > MEBIBYTE);
      victim[end]();
      await onlyWitness();
      expect(server.state.clientBytes).toBe(0);
    }
  });

  test('killed while it listens, with messages under way', async () => {
    const listener = await client();
    await listener.raw('SUBSCRIBE', 'news');
    listener.socket.pause();
    const message = Buffer.alloc(MEBIBYTE, 'm');
    for (let i = 0; i < 20; i++) expect(await witness.raw('PUBLISH', 'news', message)).toBe(':1\r\n');
    await listener.close();
    await onlyWitness();
    expect(await witness.raw('PUBLISH', 'news', 'x')).toBe(':0\r\n');
  });

  test('a reader that stops delays nobody', async () => {
    await witness.raw('SET', 'big', Buffer.alloc(MEBIBYTE, 'v'));
    const stalled = await raw();
    stalled.pause();
    stalled.write(Buffer.concat(new Array(50).fill(encodeRequest(['GET', 'big']))));
    await until('replies wait', () => server.state.clientBytes > MEBIBYTE);
    for (let i = 1; i <= 1000; i++) expect(await witness.call('INCR', 'n')).toBe(i);
    stalled.end();
    stalled.resume();
    expect((await readToEnd(stalled)).length).toBe(50 * (MEBIBYTE + 12));
  });

  test('half a frame, then silence', async () => {
    const silent = await Promise.all(Array.from({ length: 100 }, raw));
    const half = '*2\r\n$3\r\nGET\r\n$100000000\r\nabc';
    for (const each of silent) each.write(half);
    await until('all of it has come', () => {
      const told = [...server.state.clients.values()].filter(
        ({ networkInBytes }) => networkInBytes === half.length,
      );
      return told.length === silent.length;
    });
    expect(server.state.clientBytes).toBeGreaterThan(0);
    expect(server.state.clientBytes).toBeLessThan(100 * 4096);
    for (const each of silent) each.destroy();
    await onlyWitness();
  });

  test('clients that send garbage are told and closed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const socket = await raw();
        const answer = readToEnd(socket);
        socket.write(Buffer.concat([Buffer.from('*1\r\n'), Buffer.alloc(100, i % 2 === 0 ? '!' : '\r')]));
        if (i % 2 === 0) socket.write('\r\n');
        return answer;
      }),
    );
    expect(new Set(answers)).toEqual(
      new Set([
        "-ERR Protocol error: expected '$', got '!'\r\n",
        "-ERR Protocol error: expected '$', got ' '\r\n",
      ]),
    );
    await onlyWitness();
  });

  test('10,000 connects and drops', CROWD, async () => {
    const before = server.state.stats.connectionsReceived;
    for (let batch = 0; batch < 100; batch++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, raw));
      sockets.forEach((socket, i) => {
        if (i % 4 === 0) socket.end('PING\r\n');
        else if (i % 4 === 1) socket.write('SET k v\r\nGE');
        if (i % 2 === 0) socket.resume();
        if (i % 4 === 3) socket.resetAndDestroy();
        else if (i % 4 !== 0) socket.destroy();
      });
      await onlyWitness();
    }
    expect(server.state.stats.connectionsReceived - before).toBeLessThanOrEqual(10_000);
    expect(server.state.stats.connectionsReceived - before).toBeGreaterThan(5000);
  });

  test('1,000 idle and 1,000 busy connections', CROWD, async () => {
    const idle: Socket[] = [];
    const busy: RespClient[] = [];
    for (let i = 0; i < 10; i++) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, raw))));
      busy.push(...(await Promise.all(Array.from({ length: 100 }, client))));
    }
    await until('all are there', () => server.state.clients.size === 2001);
    for (let round = 1; round <= 5; round++) {
      const replies = await Promise.all(busy.map((each) => each.call('INCR', 'n')));
      expect(replies.map(Number).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 1000 }, (_, i) => (round - 1) * 1000 + i + 1),
      );
    }
    expect(server.state.clientBytes).toBe(0);
    for (const each of idle) each.destroy();
    await Promise.all(busy.map((each) => each.close()));
    await onlyWitness();
  });
});
