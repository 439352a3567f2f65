// The native commands against the Lua scripts that they stand for, run by redis-server 7.0.15: random sequences over a few
// keys. Replies are equal, and so is what is there afterwards; times to live differ at most by the time that the test took.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';
import { startOurs } from '../support/server.ts';

/** Each command's script, and how many of its arguments are keys. */
const SCRIPTS: Readonly<Record<string, readonly [keys: number, script: string]>> = {
  'GOBLIN.CAD': [
    1,
    'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0',
  ],
  'GOBLIN.CAEXPIRE': [
    1,
    'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0',
  ],
  'GOBLIN.CAS': [
    1,
    'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("set", KEYS[1], ARGV[2], "KEEPTTL") end return 0',
  ],
  'GOBLIN.CLAIM': [
    2,
    `if redis.call("set", KEYS[1], ARGV[1], "NX", "EX", ARGV[2]) then return "CLAIMED" end
     return redis.call("get", KEYS[2])`,
  ],
  'GOBLIN.INCREX': [
    1,
    `local n = redis.call("incr", KEYS[1])
     if n == 1 then redis.call("expire", KEYS[1], ARGV[1]) end
     return n`,
  ],
  'GOBLIN.INCRBOUND': [
    1,
    `local n = tonumber(redis.call("get", KEYS[1]) or "0")
     if n + tonumber(ARGV[1]) <= tonumber(ARGV[2]) then return redis.call("incrby", KEYS[1], ARGV[1]) end
     return -1`,
  ],
  'GOBLIN.DECRPOS': [
    1,
    `if tonumber(redis.call("get", KEYS[1]) or "0") > 0 then return redis.call("decr", KEYS[1]) end
     return -1`,
  ],
};

/** Longer than any test takes, so that nothing ends meanwhile; or at once. */
const LEASES_MS = ['3600000', '7200000', '86400000', '0', '-1', '-9223372036854775808'];

const lock = fc.constantFrom('lock', 'lock:2', '', '\0\xff\r\n');
const token = fc.constantFrom('a', 'b', '', '\0', 'a\0', 'x'.repeat(40), 'y'.repeat(300), 'z'.repeat(70_000));
const leaseMs = fc.constantFrom(...LEASES_MS);
const seconds = fc.constantFrom('3600', '7200');
const small = fc.integer({ min: -20, max: 20 }).map(String);
// Counters keep to keys of their own, where each script is defined; a window's counter is only counted and removed.
const counter = fc.constantFrom('n', 'm');
const window = fc.constantFrom('w', 'w2');

const command = fc.oneof(
  fc.tuple(fc.constant('SET'), lock, token),
  fc.tuple(fc.constant('SET'), lock, token, fc.constant('NX'), fc.constant('PX'), fc.constant('3600000')),
  fc.tuple(fc.constant('GOBLIN.CAD'), lock, token),
  fc.tuple(fc.constant('GOBLIN.CAEXPIRE'), lock, token, leaseMs),
  fc.tuple(fc.constant('GOBLIN.CAEXPIRE'), lock, token, leaseMs),
  fc.tuple(fc.constant('GOBLIN.CAS'), lock, token, token),
  fc.tuple(fc.constant('GOBLIN.CLAIM'), lock, lock, token, seconds),
  fc.tuple(fc.constantFrom('SET'), counter, small),
  fc.tuple(fc.constant('GOBLIN.INCRBOUND'), counter, small, small),
  fc.tuple(fc.constant('GOBLIN.DECRPOS'), counter),
  fc.tuple(fc.constant('GOBLIN.INCREX'), window, fc.constantFrom('3600', '7200', '0', '-1')),
  fc.tuple(fc.constant('DEL'), fc.oneof(lock, counter, window)),
);

const KEYS = ['lock', 'lock:2', '', '\0\xff\r\n', 'n', 'm', 'w', 'w2'];

/** The command as its script; anything else as it is. */
function scripted(words: readonly string[]): string[] {
  const [name = '', ...args] = words;
  const known = SCRIPTS[name];
  return known === undefined ? [...words] : ['EVAL', known[1], String(known[0]), ...args];
}

const title = `native commands do what their scripts do on redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable)(title, async () => {
  const [redis, ours] = [await startRedis(), await startOurs()];
  const oracle = await RespClient.connect(redis.endpoint);
  const client = await RespClient.connect(ours.endpoint);
  const bytes = (words: readonly string[]) => words.map((word) => Buffer.from(word, 'latin1'));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40 }), async (commands) => {
        await Promise.all([oracle.call('FLUSHALL'), client.call('FLUSHALL')]);
        const startMs = performance.now();
        for (const words of commands) {
          const expected = await oracle.raw(...bytes(scripted(words)));
          expect([words, await client.raw(...bytes(words))]).toEqual([words, expected]);
        }
        for (const key of KEYS) {
          const [value, expectedValue] = await Promise.all([
            client.raw('GET', ...bytes([key])),
            oracle.raw('GET', ...bytes([key])),
          ]);
          expect([key, value]).toEqual([key, expectedValue]);
          const [ttl, expectedTtl] = (await Promise.all([
            client.call('PTTL', ...bytes([key])),
            oracle.call('PTTL', ...bytes([key])),
          ])) as [number, number];
          const tookMs = performance.now() - startMs + 1;
          expect(Math.abs(ttl - expectedTtl), key).toBeLessThanOrEqual(expectedTtl < 0 ? 0 : tookMs);
        }
      }),
      { numRuns: 300 },
    );
  } finally {
    await Promise.all([oracle.close(), client.close()]);
    await Promise.all([redis.stop(), ours.stop()]);
  }
});
