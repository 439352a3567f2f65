// The string commands against redis-server 7.0.15: random sequences over a few keys, every reply byte for byte.
// Small pools of values make the sequences meet: numbers at the edges, nearly numbers, growing strings.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InProcessServer } from '../support/in-process.ts';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

const key = fc.constantFrom('a', 'b', 'c', '', '\0\xff');
const integer = fc.constantFrom(
  ...['0', '1', '-1', '7', '9007199254740991', '-9007199254740992', '9223372036854775807'],
  ...['-9223372036854775808', '9223372036854775808', '01', '+1', '-0', ' 1', '1.5', 'x', ''],
);
const float = fc.constantFrom('0.1', '-0.2', '3.0', '1e17', '-1e-17', '0x1p4', 'inf', 'nan', '5e-324', '1,5');
const text = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
    maxLength: 70,
  }),
  fc.constantFrom(300, 5_000, 40_000, 90_000).map((length) => 'lorem '.repeat(length / 6)),
);
const value = fc.oneof(integer, float, text);
const offset = fc.constantFrom('0', '1', '-1', '5', '-3', '63', '64', '255', '4096', '70000', '-70000', 'x');
const mode = fc.constantFrom(
  'nx',
  'XX',
  'GET',
  'get',
  'KEEPTTL',
  'PERSIST',
  'EX',
  'px',
  'EXAT',
  'PXAT',
  '',
  'ZZ',
);
/** Far enough away that no sequence lives to see it end, or no time at all. */
const time = fc.constantFrom('4102444800', '5000', '0', '-5', 'x', '9223372036854775808');
const options = fc.array(fc.oneof({ weight: 3, arbitrary: mode }, { weight: 2, arbitrary: time }), {
  maxLength: 4,
});

const lcsOptions = fc.array(
  fc.constantFrom('LEN', 'IDX', 'IDX', 'minmatchlen', 'WITHMATCHLEN', '2', '0', 'x'),
  {
    maxLength: 4,
  },
);

const one = (...names: string[]) => fc.constantFrom(...names);
const command = fc.oneof(
  fc.tuple(one('GET', 'INCR', 'DECR', 'GETDEL', 'STRLEN', 'EXISTS'), key),
  fc.tuple(one('SET', 'SETNX', 'GETSET', 'APPEND'), key, value),
  fc.tuple(one('INCRBY', 'DECRBY', 'INCRBYFLOAT'), key, fc.oneof(integer, float)),
  fc.tuple(one('SETRANGE'), key, offset, value),
  fc.tuple(one('GETRANGE', 'SUBSTR'), key, offset, offset),
  fc.tuple(one('SETEX', 'PSETEX'), key, time, value),
  fc.tuple(one('SET'), key, value, options).map(([name, k, v, rest]) => [name, k, v, ...rest]),
  fc.tuple(one('GETEX'), key, options).map(([name, k, rest]) => [name, k, ...rest]),
  fc.array(key, { minLength: 1, maxLength: 4 }).map((keys) => ['MGET', ...keys]),
  fc.tuple(one('LCS'), key, key, lcsOptions).map(([name, k, l, rest]) => [name, k, l, ...rest]),
  fc
    .tuple(one('MSET', 'MSETNX'), fc.array(fc.oneof(key, value), { minLength: 2, maxLength: 5 }))
    .map(([name, rest]) => [name, ...rest]),
);

const title = `any sequence of string commands is answered as by redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable).each([2, 3] as const)(`${title}, RESP%i`, async (protocol) => {
  const oracle = await startRedis();
  const client = await RespClient.connect(oracle.endpoint);
  await client.call('HELLO', String(protocol));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40 }), async (commands) => {
        const ours = new InProcessServer({}, protocol);
        await client.call('FLUSHALL');
        for (const words of commands) {
          const expected = await client.raw(...words.map((word) => Buffer.from(word, 'latin1')));
          expect([words, ours.call(...words)]).toEqual([words, expected]);
        }
      }),
      { numRuns: 500 },
    );
  } finally {
    await client.close();
    await oracle.stop();
  }
});
