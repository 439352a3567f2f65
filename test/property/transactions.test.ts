// Transactions and keyspace events against redis-server 7.0.15: three clients queue, watch and change the same few keys in
// any order, and a fourth listens to everything. Every reply and every message is the same, byte for byte.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  installedRedisVersion,
  type RunningServer,
  redisAvailable,
  startRedis,
} from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';
import { startOurs } from '../support/server.ts';

const key = fc.constantFrom('a', 'b', '\xff\0');
const one = (...words: string[]) => fc.constantFrom(...words);

const change = fc.oneof(
  fc.tuple(one('SET', 'SETNX', 'APPEND', 'GETSET'), key, one('1', 'word', '')),
  fc.tuple(one('SET'), key, one('v'), one('NX', 'XX')),
  fc.tuple(one('DEL', 'INCR', 'PERSIST', 'GETDEL', 'GETEX', 'GET', 'TOUCH'), key),
  fc.tuple(one('RENAME', 'RENAMENX', 'COPY'), key, key),
  fc.tuple(one('EXPIRE'), key, one('100', '-1', 'x')),
  fc.tuple(one('GETEX'), key, one('PERSIST')),
  fc.tuple(one('MOVE'), key, one('0', '1')),
  fc.tuple(one('MSETNX'), key, one('1'), key, one('2')),
  fc.tuple(one('SETRANGE'), key, one('0'), one('', 'x')),
  fc.tuple(one('SELECT'), one('0', '1', '99')),
  fc.constantFrom(['SWAPDB', '0', '1'], ['FLUSHDB'], ['FLUSHALL'], ['NOSUCH'], ['GET']),
);
const transaction = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(['MULTI'], ['EXEC'], ['EXEC']) },
  { weight: 2, arbitrary: fc.tuple(one('WATCH'), key, key) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['DISCARD'], ['UNWATCH'], ['RESET'], ['EXEC', 'x'], ['MULTI', 'x']),
  },
  { weight: 1, arbitrary: fc.tuple(one('PUBLISH', 'SPUBLISH'), one('ch', ''), key) },
);
const step = fc.record({ by: fc.nat(2), words: fc.oneof(change, transaction) });

/** Three clients and a listener of one server. */
class Side {
  readonly #clients: readonly RespClient[];
  readonly #listener: RespClient;

  private constructor(clients: readonly RespClient[], listener: RespClient) {
    this.#clients = clients;
    this.#listener = listener;
  }

  static async of({ endpoint }: RunningServer): Promise<Side> {
    const clients = await Promise.all([0, 1, 2].map(() => RespClient.connect(endpoint)));
    const listener = await RespClient.connect(endpoint);
    await listener.call('CONFIG', 'SET', 'notify-keyspace-events', 'KEAmn');
    await listener.call('HELLO', '3');
    await listener.call('PSUBSCRIBE', '*');
    await listener.call('SSUBSCRIBE', 'ch');
    return new Side(clients, listener);
  }

  async reset(): Promise<void> {
    for (const client of this.#clients) await client.call('RESET');
    await this.#clients[0]?.call('FLUSHALL');
    await this.#heard();
  }

  /** The reply, and what the listener heard of it. */
  async play(by: number, words: readonly string[]): Promise<readonly string[]> {
    const reply = (await this.#clients[by]?.raw(...words)) ?? '';
    return [reply, ...(await this.#heard())];
  }

  async #heard(): Promise<readonly string[]> {
    this.#listener.send('PING');
    const heard: string[] = [];
    for (;;) {
      const message = await this.#listener.next();
      if (message === '+PONG\r\n') return heard;
      heard.push(message);
    }
  }

  async close(): Promise<void> {
    for (const client of [...this.#clients, this.#listener]) await client.close();
  }
}

const title = `any sequence of transactions is answered as by redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable)(title, async () => {
  const servers = [await startOurs(), await startRedis()] as const;
  const ours = await Side.of(servers[0]);
  const redis = await Side.of(servers[1]);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 50 }), async (steps) => {
        await ours.reset();
        await redis.reset();
        for (const { by, words } of steps) {
          const expected = await redis.play(by, words);
          expect([by, words, await ours.play(by, words)]).toEqual([by, words, expected]);
        }
      }),
      { numRuns: 100 },
    );
  } finally {
    await ours.close();
    await redis.close();
    for (const server of servers) await server.stop();
  }
});
