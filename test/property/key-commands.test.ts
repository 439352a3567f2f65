// The commands about keys of any type against redis-server 7.0.15: random sequences over a few keys in a few databases,
// every reply byte for byte. Times are absolute or in the past, since two servers do not read one clock.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InProcessServer } from '../support/in-process.ts';
import { installedRedisVersion, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

const key = fc.constantFrom('a', 'b', 'c', '', '\0\xff');
const keys = fc.array(key, { minLength: 1, maxLength: 4 });
const value = fc.constantFrom(
  '1',
  '-0',
  'text',
  '',
  '9223372036854775807',
  'x'.repeat(45),
  'y'.repeat(90_000),
);
const database = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('0', '1', '2') },
  { weight: 1, arbitrary: fc.constantFrom('16', '-1', 'x', '', '01', '4294967296', '9223372036854775808') },
);
const seconds = fc.constantFrom(
  '4102444800',
  '4102444801',
  '4133980800',
  '0',
  '-1',
  '-9223372036854776',
  'x',
  '1.5',
);
const milliseconds = fc.constantFrom(
  '4102444800000',
  '4102444800499',
  '4102444800500',
  '0',
  '-1',
  'x',
  '01',
  '',
);
const past = fc.constantFrom('0', '-1', '-9223372036854775', '-9223372036854776', '9223372036854775807', 'x');
const conditions = fc.array(fc.constantFrom('NX', 'xx', 'GT', 'lt', 'GT', 'LT', 'ZZ', ''), { maxLength: 2 });
const copyOptions = fc.array(
  fc.oneof(
    fc.constantFrom(['REPLACE'], ['replace'], ['DB'], ['ZZ']),
    database.map((n) => ['DB', n]),
  ),
  { maxLength: 2 },
);

const one = (...names: string[]) => fc.constantFrom(...names);
const command = fc.oneof(
  fc.tuple(one('SET', 'APPEND', 'GETSET'), key, value),
  fc.tuple(one('DEL', 'UNLINK', 'EXISTS', 'TOUCH', 'MGET'), keys).map(([name, rest]) => [name, ...rest]),
  fc.tuple(one('TYPE', 'PERSIST', 'EXPIRETIME', 'PEXPIRETIME', 'GET'), key),
  fc.tuple(one('RENAME', 'RENAMENX'), key, key),
  fc.tuple(key, key, copyOptions).map(([from, to, rest]) => ['COPY', from, to, ...rest.flat()]),
  fc.tuple(one('MOVE'), key, database),
  fc
    .tuple(one('EXPIREAT'), key, seconds, conditions)
    .map(([name, k, time, rest]) => [name, k, time, ...rest]),
  fc
    .tuple(one('PEXPIREAT'), key, milliseconds, conditions)
    .map(([name, k, time, rest]) => [name, k, time, ...rest]),
  fc
    .tuple(one('EXPIRE', 'PEXPIRE'), key, past, conditions)
    .map(([name, k, time, rest]) => [name, k, time, ...rest]),
  fc.tuple(one('OBJECT'), one('ENCODING', 'encoding', 'FREQ', 'WRONG'), key),
  fc.tuple(one('SELECT'), fc.constantFrom('0', '1', '2')),
  fc.tuple(one('SWAPDB'), database, database),
  fc.constantFrom(['DBSIZE'], ['FLUSHDB', 'ASYNC'], ['FLUSHDB', 'ZZ'], ['WAIT', '0', '0']),
);

const title = `any sequence of commands about keys is answered as by redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable).each([2, 3] as const)(`${title}, RESP%i`, async (protocol) => {
  const oracle = await startRedis();
  const client = await RespClient.connect(oracle.endpoint);
  await client.call('HELLO', String(protocol));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40 }), async (commands) => {
        const ours = new InProcessServer({}, protocol);
        await client.call('FLUSHALL');
        await client.call('SELECT', '0');
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
