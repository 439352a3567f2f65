// rate-limiter-flexible, whose limiter is a script over one counter with a lease: on ioredis and on node-redis.

import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HandClock } from '../support/hand-clock.ts';
import { RespClient } from '../support/resp-client.ts';
import { type OurServer, startOurs } from '../support/server.ts';

const POINTS = 5;
const DURATION_S = 10;
const RACES = 1000;

interface Connected {
  limiter(points: number): RateLimiterRedis;
  close(): void;
}

const CLIENTS: Record<string, (port: number) => Promise<Connected>> = {
  async 'ioredis 6'(port) {
    const storeClient = new Redis({ port });
    return {
      limiter: (points) => new RateLimiterRedis({ storeClient, points, duration: DURATION_S }),
      close: () => storeClient.disconnect(),
    };
  },
  async 'node-redis 6'(port) {
    const storeClient = createClient({ socket: { port, host: '127.0.0.1' } });
    await storeClient.connect();
    return {
      limiter: (points) =>
        new RateLimiterRedis({ storeClient, useRedisPackage: true, points, duration: DURATION_S }),
      close: () => storeClient.destroy(),
    };
  },
};

describe.each(Object.entries(CLIENTS))('rate-limiter-flexible on %s', (_, connect) => {
  let clock: HandClock;
  let server: OurServer;
  let a: Connected;
  let b: Connected;
  let observer: RespClient;

  beforeEach(async () => {
    clock = new HandClock();
    server = await startOurs({ time: clock });
    a = await connect(server.endpoint.port);
    b = await connect(server.endpoint.port);
    observer = await RespClient.connect(server.endpoint);
  });
  afterEach(async () => {
    a.close();
    b.close();
    await observer.close();
    await server.stop();
  });

  test('lets so much through in so much time, for all clients together', async () => {
    const [first, second] = [a.limiter(POINTS), b.limiter(POINTS)];
    expect(await first.consume('user', 2)).toMatchObject({ consumedPoints: 2, isFirstInDuration: true });
    await observer.call('SCRIPT', 'FLUSH');
    expect(await second.consume('user', 3)).toMatchObject({ consumedPoints: 5, remainingPoints: 0 });
    clock.pass(1000);
    expect(await refusal(first.consume('user'))).toMatchObject({ consumedPoints: 6, msBeforeNext: 9000 });
    clock.pass(9000);
    expect(await second.get('user')).toBeNull();
    expect(await second.consume('user')).toMatchObject({ consumedPoints: 1, msBeforeNext: 10_000 });
  });

  test('is told, blocked and forgotten by hand', async () => {
    const limiter = a.limiter(POINTS);
    await limiter.penalty('user', 4);
    await limiter.reward('user', 1);
    expect(await limiter.get('user')).toMatchObject({ consumedPoints: 3, remainingPoints: 2 });
    await limiter.block('user', 60);
    expect(await refusal(limiter.consume('user'))).toMatchObject({ msBeforeNext: 60_000 });
    expect(await limiter.delete('user')).toBe(true);
    expect(await limiter.delete('user')).toBe(false);
    expect(await limiter.consume('user')).toMatchObject({ consumedPoints: 1 });
  });

  test('counts exactly when clients race', async () => {
    const consume = async (limiter: RateLimiterRedis): Promise<number> => {
      let passed = 0;
      for (let i = 0; i < RACES; i++) if ((await outcome(limiter.consume('user'))).passed) passed++;
      return passed;
    };
    const [first, second] = await Promise.all([consume(a.limiter(RACES)), consume(b.limiter(RACES))]);
    expect(first + second).toBe(RACES);
  });
});

/** The limiter refuses by throwing its answer; an Error is something else. */
async function outcome(
  attempt: Promise<RateLimiterRes>,
): Promise<{ passed: boolean; answer: RateLimiterRes }> {
  try {
    return { passed: true, answer: await attempt };
  } catch (answer) {
    if (answer instanceof RateLimiterRes) return { passed: false, answer };
    throw answer;
  }
}

async function refusal(attempt: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  const { passed, answer } = await outcome(attempt);
  expect(passed).toBe(false);
  return answer;
}
