// Lua as a language, against redis-server: random programs do and say the same, in both forms of our code.

import { expect, test } from 'vitest';
import { outcomes, showing } from '../support/lua-language.ts';
import { luaProgram } from '../support/lua-programs.ts';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

const PROGRAMS = 200;
const BATCH = 50;
/** Of the first program. */
const SEED = 71_000;

const title = `random programs do as on redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable)(title, { timeout: 60_000 }, async () => {
  const server = await startRedis();
  const redis = await RespClient.connect(server.endpoint);
  try {
    for (let seed = SEED; seed < SEED + PROGRAMS; seed += BATCH) {
      const seeds = Array.from({ length: BATCH }, (_, i) => seed + i);
      const scripts = seeds.map((each) => showing(luaProgram(each)));
      for (const script of scripts) redis.send('EVAL', script, '0');
      for (const [i, script] of scripts.entries()) {
        const theirs = contentOf(await redis.next());
        for (const ours of outcomes(script)) expect(ours, `program ${seeds[i]}`).toBe(theirs);
      }
    }
  } finally {
    await redis.close();
    await server.stop();
  }
});

/** Of a bulk string. */
function contentOf(reply: string): string {
  return reply.slice(reply.indexOf('\r\n') + 2, -2);
}
