// One connection: order through pauses, limits on time and bytes, ends from either side; by both ways of reading.

import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerOptions, startServer } from '../../../src/index.ts';
import type { RunningServer } from '../../../src/server/start.ts';
import { connectRaw, readToEnd, until } from '../../support/clients.ts';
import { CLOSED, encodeRequest, RespClient } from '../../support/resp-client.ts';

const MEBIBYTE = 1024 ** 2;

describe.each([true, false])('with a shared read buffer: %s', (sharesReads) => {
  let server: RunningServer;
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
  });
  afterEach(async () => {
    await server.close();
    expect([server.state.clients.size, server.state.clientBytes]).toEqual([0, 0]);
  });

  async function start(options: ServerOptions = {}): Promise<void> {
    const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs };
    server = await startServer({ port: 0, bind: ['127.0.0.1'], sharesReads, time, ...options });
  }

  const client = (): Promise<RespClient> => RespClient.connect({ port: server.port });

  function pass(ms: number): void {
    nowMs += ms;
    server.tick();
  }

  /** Resolves when the server has read all that was sent before. */
  async function processed(): Promise<void> {
    const witness = await client();
    await witness.raw('PING');
    await witness.raw('PING');
    await witness.close();
  }

  describe('CLIENT PAUSE', () => {
    test('keeps requests and runs them in order at its end; leases run out meanwhile', async () => {
      await start();
      const [admin, writer] = [await client(), await client()];
      await admin.raw('SET', 'lease', 'v', 'PX', '50');
      await admin.raw('CLIENT', 'PAUSE', '100', 'WRITE');
      writer.write(Buffer.concat([encodeRequest(['INCR', 'n']), encodeRequest(['INCR', 'n'])]));
      await processed();
      writer.send('INCR', 'n');
      writer.send('GET', 'n');
      pass(99);
      expect(await admin.call('GET', 'lease')).toBe(null);
      expect(await admin.call('GET', 'n')).toBe(null);
      expect(writer.unread).toEqual([]);
      pass(1);
      for (const reply of [':1\r\n', ':2\r\n', ':3\r\n', '$1\r\n3\r\n'])
        expect(await writer.next()).toBe(reply);
      await admin.close();
      await writer.close();
    });

    test('that begins again holds the same requests again, still in order', async () => {
      await start();
      const [admin, writer] = [await client(), await client()];
      await admin.raw('CLIENT', 'PAUSE', '100', 'WRITE');
      writer.write(Buffer.concat(['1', '2', '3'].map((n) => encodeRequest(['APPEND', 'k', n]))));
      await processed();
      admin.write('CLIENT UNPAUSE\r\nCLIENT PAUSE 100 WRITE\r\n');
      await admin.next();
      await admin.next();
      await processed();
      expect(await admin.call('GET', 'k')).toBe(null);
      pass(100);
      for (const n of [1, 2, 3]) expect(await writer.next()).toBe(`:${n}\r\n`);
      expect(await admin.call('GET', 'k')).toBe('123');
      await admin.close();
      await writer.close();
    });

    test('a client that hangs up while it waits is gone, and its request with it', async () => {
      await start();
      const [admin, gone, halfGone] = [
        await client(),
        await client(),
        await connectRaw({ port: server.port }),
      ];
      await admin.raw('CLIENT', 'PAUSE', '100', 'WRITE');
      gone.send('SET', 'k', 'v'.repeat(1000));
      halfGone.write(encodeRequest(['SET', 'k', 'v']));
      await processed();
      expect(server.state.clientBytes).toBeGreaterThan(1000);
      await gone.close();
      halfGone.end();
      await until('both are gone', () => server.state.clients.size === 1);
      expect(server.state.clientBytes).toBe(0);
      pass(100);
      await processed();
      expect(await admin.call('GET', 'k')).toBe(null);
      await admin.close();
    });

    test('who waits may send only so much ahead, and loses nothing of what comes later', async () => {
      await start();
      const [admin, writer] = [await client(), await client()];
      await admin.raw('CLIENT', 'PAUSE', '100', 'WRITE');
      const value = Buffer.alloc(10_000, 'v');
      for (let i = 0; i < 2000; i++) writer.send('APPEND', 'k', value);
      await processed();
      await processed();
      expect(server.state.clientBytes).toBeLessThan(MEBIBYTE);
      pass(100);
      for (let i = 1; i <= 2000; i++) expect(await writer.next()).toBe(`:${i * 10_000}\r\n`);
      await admin.close();
      await writer.close();
    });
  });

  describe('timeout', () => {
    test('closes who is silent for longer, but not who listens or waits', async () => {
      await start({ timeout: 10 });
      const [silent, busy, listener, waiting] = [
        await client(),
        await client(),
        await client(),
        await client(),
      ];
      await listener.raw('SUBSCRIBE', 'a');
      await busy.raw('CLIENT', 'PAUSE', '60000', 'WRITE');
      waiting.send('SET', 'k', 'v');
      await processed();
      pass(10_000);
      expect(await busy.raw('PING')).toBe('+PONG\r\n');
      pass(1);
      expect(await silent.next()).toBe(CLOSED);
      expect(await busy.raw('CLIENT', 'UNPAUSE')).toBe('+OK\r\n');
      expect(await waiting.next()).toBe('+OK\r\n');
      expect(await busy.raw('PUBLISH', 'a', 'x')).toBe(':1\r\n');
      for (const each of [busy, listener, waiting]) await each.close();
    });
  });

  describe('client-output-buffer-limit', () => {
    const limit = (soft: number, hard: number) => {
      const none = { hardLimitBytes: 0, softLimitBytes: 0, softLimitSeconds: 0 };
      const normal = { hardLimitBytes: hard, softLimitBytes: soft, softLimitSeconds: 5 };
      return { 'client-output-buffer-limit': { normal, replica: none, pubsub: none } };
    };

    /** A client that asks for 40 MB and reads nothing; the kernel takes only part of it. */
    async function slowReader(): Promise<Awaited<ReturnType<typeof connectRaw>>> {
      const helper = await client();
      await helper.raw('SET', 'big', Buffer.alloc(MEBIBYTE, 'v'));
      await helper.close();
      await until('only the slow reader', () => server.state.clients.size === 0);
      const slow = await connectRaw({ port: server.port });
      slow.pause();
      slow.write(Buffer.concat(new Array(40).fill(encodeRequest(['GET', 'big']))));
      return slow;
    }

    test('above the hard limit a client is closed at once', async () => {
      await start(limit(0, 4 * MEBIBYTE));
      const slow = await slowReader();
      await until('it is closed', () => server.state.stats.outputBufferLimitDisconnections === 1);
      expect([server.state.clients.size, server.state.clientBytes]).toEqual([0, 0]);
      slow.destroy();
    });

    test('above the soft limit it is closed after that time, though nothing happens', async () => {
      await start(limit(4 * MEBIBYTE, 0));
      const slow = await slowReader();
      await until('much waits', () => server.state.clientBytes > 4 * MEBIBYTE);
      pass(5000);
      expect(server.state.clients.size).toBe(1);
      pass(1);
      expect(server.state.clients.size).toBe(0);
      expect(server.state.stats.outputBufferLimitDisconnections).toBe(1);
      slow.destroy();
    });

    test('without limit all replies wait, are counted, block nobody, and come when read', async () => {
      await start();
      const slow = await slowReader();
      await until('much waits', () => server.state.clientBytes > 4 * MEBIBYTE);
      const other = await client();
      expect(await other.raw('PING')).toBe('+PONG\r\n');
      await other.close();
      slow.end();
      slow.resume();
      expect((await readToEnd(slow)).length).toBe(40 * (MEBIBYTE + '$1048576\r\n\r\n'.length));
    });
  });

  test('client-query-buffer-limit closes without a reply', async () => {
    await start({ 'client-query-buffer-limit': MEBIBYTE });
    const sender = await connectRaw({ port: server.port });
    const all = readToEnd(sender);
    sender.write('*2\r\n$3\r\nGET\r\n$100000000\r\n');
    sender.write(Buffer.alloc(8 * MEBIBYTE, 'v'));
    expect(await all).toBe('');
    expect(server.state.stats.queryBufferLimitDisconnections).toBe(1);
  });

  describe('ends', () => {
    test('who only sends no more gets all replies', async () => {
      await start();
      const half = await connectRaw({ port: server.port });
      const all = readToEnd(half);
      half.end(`SET k ${'v'.repeat(1000)}\r\n${'GET k\r\n'.repeat(3000)}PING\r\n`);
      const replies = await all;
      expect(replies.length).toBe('+OK\r\n'.length + 3000 * 1009 + '+PONG\r\n'.length);
      expect(replies.endsWith('+PONG\r\n')).toBe(true);
    });

    test.each([
      ['QUIT', 'QUIT\r\nPING\r\n', '+OK\r\n'],
      ['a broken frame', 'PING\r\n*x\r\n', '+PONG\r\n-ERR Protocol error: invalid multibulk length\r\n'],
      ['killing itself', 'CLIENT KILL TYPE normal SKIPME no\r\nPING\r\n', ':1\r\n'],
    ])('%s closes the connection, although the peer keeps its half open', async (_, bytes, replies) => {
      await start();
      const socket = await connectRaw({ port: server.port });
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      const ended = once(socket, 'end');
      socket.write(bytes);
      await ended;
      expect(received).toBe(replies);
      await until('it is gone', () => server.state.clients.size === 0);
      expect(socket.writable).toBe(true);
      socket.destroy();
    });

    test('a client killed by another is gone at once, with what it was told to receive', async () => {
      await start();
      const [killer, victim] = [await client(), await client()];
      await victim.raw('SUBSCRIBE', 'a');
      const reply = killer.raw('CLIENT', 'KILL', 'TYPE', 'pubsub');
      expect(await reply).toBe(':1\r\n');
      expect(await killer.raw('PUBLISH', 'a', 'x')).toBe(':0\r\n');
      expect(server.state.clients.size).toBe(1);
      expect(await victim.next()).toBe(CLOSED);
      await killer.close();
    });
  });
});
