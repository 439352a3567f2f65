// The libraries of script-locks.ts: that they hold to the contract, and that each reply is the very one that its client
// reads, on redis-server as on ours.

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Redis, ReplyError } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, redisAvailable, startRedis } from '../support/redis-server.ts';
import { startOurs } from '../support/server.ts';
import { type ConnectLockUser, describeLockLibrary } from './lock-contract.ts';
import { type Reply, SCRIPT_LOCKS, type ScriptLock, type Sending, type Step } from './script-locks.ts';

const LEASE_MS = 60_000;

/** Does one step as the library would: by hash first, and by text or after SCRIPT LOAD if the server lost it. */
async function perform(
  redis: Redis,
  lock: ScriptLock,
  step: Step,
  key: string,
  token: string,
  leaseMs: number,
) {
  if ('command' in step) {
    const [name = '', ...args] = step.command(key, token, leaseMs);
    return replyOf(redis.call(String(name), ...args));
  }
  const keys = lock.keys === 2 ? [key, `${key}:second`] : [key];
  return replyOf(send(redis, lock.sending, step.lua, keys, step.args(token, leaseMs)));
}

async function send(
  redis: Redis,
  sending: Sending,
  lua: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  if (sending === 'EVAL') return redis.eval(lua, keys.length, ...keys, ...args);
  const sha = createHash('sha1').update(lua).digest('hex');
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!String((error as Error).message).startsWith('NOSCRIPT')) throw error;
    if (sending === 'EVALSHA or EVAL') return redis.eval(lua, keys.length, ...keys, ...args);
    expect(await redis.script('LOAD', lua)).toBe(sha);
    return redis.evalsha(sha, keys.length, ...keys, ...args);
  }
}

async function replyOf(answer: Promise<unknown>): Promise<Reply> {
  try {
    return (await answer) as Reply;
  } catch (error) {
    if (error instanceof ReplyError) return { error: (error as Error).message };
    throw error;
  }
}

function lockUser(lock: ScriptLock): ConnectLockUser {
  return async (port) => {
    const redis = new Redis({ port });
    return {
      async tryAcquire(key, leaseMs) {
        const token = randomUUID();
        const { acquire, renew, release } = lock.replies;
        const acquired = await perform(redis, lock, lock.acquire, key, token, leaseMs);
        if (!succeeded(acquired, acquire.free, [acquire.held])) return undefined;
        return {
          renew: async (ms) =>
            succeeded(await perform(redis, lock, lock.renew, key, token, ms), renew.own, [renew.foreign]),
          release: async () =>
            succeeded(await perform(redis, lock, lock.release, key, token, 0), release.own, [
              release.foreign,
              release.missing,
            ]),
        };
      },
      close: () => redis.disconnect(),
    };
  };
}

/** Whether the reply says so; one that the library does not know fails the test. */
function succeeded(reply: Reply, success: Reply, refusals: readonly Reply[]): boolean {
  expect([success, ...refusals]).toContainEqual(reply);
  return JSON.stringify(reply) === JSON.stringify(success);
}

for (const [name, lock] of Object.entries(SCRIPT_LOCKS)) describeLockLibrary(name, lockUser(lock));

const SERVERS = [
  { server: 'ours', start: startOurs, available: true },
  { server: 'redis-server', start: startRedis, available: redisAvailable },
];

describe.each(SERVERS.filter(({ available }) => available))('replies of $server', ({ start }) => {
  let server: RunningServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await start();
    redis = new Redis({ ...server.endpoint });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  test.each(Object.entries(SCRIPT_LOCKS))('%s', async (_, lock) => {
    await redis.flushall();
    const ask = (step: Step, token: string) => perform(redis, lock, step, 'lock', token, LEASE_MS);
    const { acquire, renew, release } = lock.replies;
    expect(await ask(lock.acquire, 'mine')).toEqual(acquire.free);
    expect(await ask(lock.acquire, 'theirs')).toEqual(acquire.held);
    expect(await ask(lock.acquire, 'mine')).toEqual(acquire.again);
    expect(await ask(lock.renew, 'mine')).toEqual(renew.own);
    expect(await ask(lock.renew, 'theirs')).toEqual(renew.foreign);
    expect(await ask(lock.release, 'theirs')).toEqual(release.foreign);
    expect(await ask(lock.release, 'mine')).toEqual(release.own);
    expect(await ask(lock.release, 'mine')).toEqual(release.missing);
    expect(await ask(lock.renew, 'mine')).toEqual(renew.missing);
  });
});

test('who waits for a lock of Spring Integration hears of its release, and only of that', async () => {
  const server = await startOurs();
  const redis = new Redis({ ...server.endpoint });
  const waiting = redis.duplicate();
  const lock = SCRIPT_LOCKS['Spring Integration'];
  if (lock === undefined) throw new Error('it is not in the table');
  await waiting.subscribe('registry-channel');
  const heard = once(waiting, 'message');

  await perform(redis, lock, lock.acquire, 'first', 'mine', LEASE_MS);
  await perform(redis, lock, lock.release, 'first', 'theirs', LEASE_MS);
  await perform(redis, lock, lock.acquire, 'second', 'mine', LEASE_MS);
  await perform(redis, lock, lock.release, 'second', 'mine', LEASE_MS);
  expect(await heard).toEqual(['registry-channel', 'second']);

  waiting.disconnect();
  redis.disconnect();
  await server.stop();
});
