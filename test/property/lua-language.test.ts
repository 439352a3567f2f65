// Lua as a language, against redis-server: random programs do and say the same, in both forms of our code, and `#` finds
// the same borders.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomes, showing } from '../support/lua-language.ts';
import { luaProgram } from '../support/lua-programs.ts';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

const PROGRAMS = 100;
const BATCH = 50;
/** Of the first program. */
const SEED = 71_000;

const withRedis = async (check: (redis: RespClient) => Promise<void>) => {
  const server = await startRedis();
  const redis = await RespClient.connect(server.endpoint);
  try {
    await check(redis);
  } finally {
    await redis.close();
    await server.stop();
  }
};

async function expectSame(redis: RespClient, scripts: readonly string[], label: string): Promise<void> {
  for (const script of scripts) redis.send('EVAL', script, '0');
  for (const [i, script] of scripts.entries()) {
    const theirs = contentOf(await redis.next());
    for (const ours of outcomes(script)) expect(ours, `${label} ${i}`).toBe(theirs);
  }
}

describe.skipIf(!redisAvailable)(`as on redis-server (installed: ${installedRedisVersion})`, () => {
  test('random programs do the same', { timeout: 60_000 }, () =>
    withRedis(async (redis) => {
      for (let seed = SEED; seed < SEED + PROGRAMS; seed += BATCH) {
        const programs = Array.from({ length: BATCH }, (_, i) => showing(luaProgram(seed + i)));
        await expectSame(redis, programs, `program ${seed} +`);
      }
    }),
  );

  test('lists with holes have the same border while they grow', () => {
    const key = fc.oneof(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constant('"x"'),
    );
    const growth = fc.record({ literal: fc.nat(20), keys: fc.array(key, { maxLength: 50 }) });
    const batch = fc.array(growth, { minLength: BATCH, maxLength: BATCH });
    return withRedis((redis) =>
      fc.assert(
        fc.asyncProperty(batch, (lists) => expectSame(redis, lists.map(growing), 'list')),
        { numRuns: 4 },
      ),
    );
  });
});

/** A script that tells the border of a list after each new key. */
function growing({ literal, keys }: { literal: number; keys: readonly (number | string)[] }): string {
  const steps = keys.map((key) => `t[${key}] = 1 r[#r + 1] = #t`);
  return showing(
    `local t, r = {${'1, '.repeat(literal)}}, {} ${steps.join(' ')} return table.concat(r, ' ')`,
  );
}

/** Of a bulk string. */
function contentOf(reply: string): string {
  return reply.slice(reply.indexOf('\r\n') + 2, -2);
}
