// Scripts of random commands against redis-server 7.0.15's EVAL: what each command answers to the script, in both of its
// protocols, and what the script's result looks like to a client of either. Byte for byte, over sequences on a few keys.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteBytes } from '../../src/protocol/quoting.ts';
import { InProcessServer } from '../support/in-process.ts';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

/** As Lua writes them. Numbers that Redis 7.0 and later spell alike. */
const key = fc.constantFrom('KEYS[1]', 'KEYS[2]', '"c"', '""', '7');
const value = fc.oneof(
  fc.constantFrom(
    'ARGV[1]',
    '"x"',
    '""',
    '1',
    '-7',
    '1.5',
    '2^53',
    '"9223372036854775807"',
    '"a\\0\\255\\r\\n"',
  ),
  fc.constantFrom('nil', 'true', '{}', 'redis.call', '#KEYS', 'KEYS[3]'),
);
const time = fc.constantFrom('4102444800', '5000', '"0"', '-5', '"x"', '1.5');
const word = fc.constantFrom('"nx"', '"XX"', '"GET"', '"KEEPTTL"', '"EX"', '"PERSIST"', '"zz"');

const command = fc.oneof(
  fc.tuple(
    fc.constantFrom('get', 'GETDEL', 'strlen', 'incr', 'type', 'persist', 'ttl', 'nope', 'watch'),
    key,
  ),
  fc.tuple(
    fc.constantFrom('set', 'SetNX', 'append', 'getset', 'incrby', 'incrbyfloat', 'mget', 'del'),
    key,
    value,
  ),
  fc.tuple(fc.constantFrom('set', 'getex', 'getrange'), key, value, word),
  fc.tuple(fc.constantFrom('set'), key, value, word, time),
  fc.tuple(fc.constantFrom('setex', 'mset', 'setrange'), key, time, value),
  fc.tuple(fc.constantFrom('expireat', 'pexpireat', 'object', 'exists'), key, time),
  fc.tuple(fc.constantFrom('dbsize', 'ping', 'get', 'multi', 'publish')),
);

/** What is done with what the command answers: returned, looked at, or kept from being an error. */
const frame = fc.constantFrom(
  'return redis.call(ARGS)',
  'return redis.pcall(ARGS)',
  'return {redis.pcall(ARGS), redis.call("get", KEYS[1])}',
  'redis.setresp(3) return redis.call(ARGS)',
  'redis.setresp(3) return {redis.pcall(ARGS)}',
  'local ok, answer = pcall(redis.call, ARGS) return {ok, answer}',
  'local answer = redis.pcall(ARGS)\nreturn type(answer) == "table" and (answer.err or answer.ok or #answer) or tostring(answer)',
  'for i = 1, 3 do redis.call(ARGS) end\nreturn redis.call("dbsize")',
  'local answer = redis.call(ARGS)\nif answer == ARGV[1] then return 1 else return 0 end',
);

const script = fc
  .tuple(frame, command)
  .map(([body, [name, ...args]]) => body.replace('ARGS', () => [`"${name}"`, ...args].join(', ')));

test.skipIf(!redisAvailable)(
  `scripts of random commands answer as those of redis-server ${installedRedisVersion}`,
  async () => {
    const redis = await startRedis();
    try {
      const oracle = await RespClient.connect(redis.endpoint);
      const sequence = fc.array(fc.tuple(script, fc.boolean()), { minLength: 1, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(sequence, async (scripts) => {
          const server = new InProcessServer();
          await oracle.call('FLUSHALL');
          for (const [text, isResp3] of scripts) {
            const hello = ['HELLO', isResp3 ? '3' : '2'];
            await oracle.raw(...hello);
            server.call(...hello);
            const words = ['EVAL', text, '2', 'a', 'b', 'x'];
            expect(server.call(...words), quoteBytes(text)).toBe(await oracle.raw(...words));
          }
        }),
        { numRuns: 60, seed: 20_261_201 },
      );
      await oracle.close();
    } finally {
      await redis.stop();
    }
  },
);
