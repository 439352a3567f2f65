// Functions that run for long, as others see them; and libraries that move between our server and Redis'.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';
import { redisAvailable, startRedis } from '../../support/redis-server.ts';
import { RespClient } from '../../support/resp-client.ts';
import { type OurServer, startOurs } from '../../support/server.ts';

const LIBRARY = `#!lua name=long
redis.register_function('forever', function() while true do end end)
redis.register_function('write', function(keys) redis.call('SET', keys[1], 'v') while true do end end)
redis.register_function('held', function() local ok, e = pcall(function() while true do end end) return e end)`;
const BUSY_BY_FUNCTION =
  'BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.';

let server: OurServer;
let client: RespClient;
let other: RespClient;
beforeAll(async () => {
  server = await startOurs({ 'busy-reply-threshold': 10 });
  [client, other] = await Promise.all([
    RespClient.connect(server.endpoint),
    RespClient.connect(server.endpoint),
  ]);
  await client.call('FUNCTION', 'LOAD', LIBRARY);
});
afterAll(async () => {
  await Promise.all([client.close(), other.close()]);
  await server.stop();
});

/** Asks until the function makes others busy. */
async function untilBusy(): Promise<void> {
  for (;;) if ((await other.raw('PING')).startsWith('-BUSY')) return;
}

test('a function that runs for long is seen and killed', async () => {
  client.send('FCALL', 'forever', '1', 'k', 'a');
  await untilBusy();
  expect(await other.raw('PING')).toBe(`-${BUSY_BY_FUNCTION}\r\n`);
  expect(await other.raw('SCRIPT', 'KILL')).toBe(`-${BUSY_BY_FUNCTION}\r\n`);
  expect(await other.call('FUNCTION', 'STATS')).toEqual([
    'running_script',
    ['name', 'forever', 'command', ['FCALL', 'forever', '1', 'k', 'a'], 'duration_ms', expect.any(Number)],
    'engines',
    ['LUA', ['libraries_count', 1, 'functions_count', 3]],
  ]);
  expect(await other.raw('FUNCTION', 'KILL')).toBe('+OK\r\n');
  expect(await client.next()).toBe(
    '-ERR Script killed by user with SCRIPT KILL... script: forever, on @user_function:2.\r\n',
  );
  expect(await other.raw('PING')).toBe('+PONG\r\n');
});

test('a function cannot catch that it is killed, nor be killed once it has written', async () => {
  client.send('FCALL', 'held', '0');
  await untilBusy();
  await other.call('FUNCTION', 'KILL');
  expect(await client.next()).toMatch(/^-ERR Script killed by user/);
  expect(await other.raw('FUNCTION', 'KILL')).toBe('-NOTBUSY No scripts in execution right now.\r\n');
});

test('a script is no function', async () => {
  client.send('EVAL', 'while true do end', '0');
  await untilBusy();
  const busy = '-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n';
  expect(await other.raw('FUNCTION', 'KILL')).toBe(busy);
  expect(await other.raw('FUNCTION', 'STATS')).toBe(busy);
  expect(await other.raw('SCRIPT', 'KILL')).toBe('+OK\r\n');
  expect(await client.next()).toMatch(/^-ERR Script killed by user/);
});

test('a library that loads for too long is refused, and changes nothing', async () => {
  const source = "#!lua name=long\nredis.register_function('f', function() end) while true do end";
  const reply = await client.raw('FUNCTION', 'LOAD', 'REPLACE', source);
  expect(reply).toBe('-ERR Error registering functions: ERR FUNCTION LOAD timeout\r\n');
  expect(await client.raw('FCALL', 'f', '0')).toBe('-ERR Function not found\r\n');
  expect(await client.call('FUNCTION', 'LIST')).toHaveLength(1);
});

test('a function that has written is not killed', async () => {
  const own = await startOurs({ 'busy-reply-threshold': 10 });
  const [writer, killer] = await Promise.all([
    RespClient.connect(own.endpoint),
    RespClient.connect(own.endpoint),
  ]);
  await writer.call('FUNCTION', 'LOAD', LIBRARY);
  writer.send('FCALL', 'write', '1', 'k');
  let reply = '';
  while (!reply.startsWith('-UNKILLABLE')) reply = await killer.raw('FUNCTION', 'KILL');
  expect(await killer.raw('PING')).toBe(`-${BUSY_BY_FUNCTION}\r\n`);
  await Promise.all([writer.close(), killer.close()]);
  await own.stop();
});

test.skipIf(!redisAvailable)('libraries move to redis-server and back', async () => {
  const redis = await startRedis();
  const theirs = await RespClient.connect(redis.endpoint);
  const second = `#!lua name=other\n-- ${'again and again, '.repeat(2_000)}\nredis.register_function('f', function() return 1 end)`;
  await client.call('FUNCTION', 'LOAD', second);
  const payload = Buffer.from(payloadOf(await client.raw('FUNCTION', 'DUMP')), 'latin1');
  expect(await theirs.raw('FUNCTION', 'RESTORE', payload)).toBe('+OK\r\n');
  expect(await theirs.call('FCALL', 'f', '0')).toBe(1);
  const compressed = Buffer.from(payloadOf(await theirs.raw('FUNCTION', 'DUMP')), 'latin1');
  expect(compressed.length).toBeLessThan(payload.length / 10);
  const before = await client.call('FUNCTION', 'LIST', 'LIBRARYNAME', 'other', 'WITHCODE');
  expect(await client.raw('FUNCTION', 'RESTORE', compressed, 'FLUSH')).toBe('+OK\r\n');
  expect(await client.call('FUNCTION', 'LIST', 'LIBRARYNAME', 'other', 'WITHCODE')).toEqual(before);
  await theirs.close();
  await redis.stop();
});

/** Of a bulk string's bytes. */
const payloadOf = (raw: string): string => raw.slice(raw.indexOf('\n') + 1, -2);

test('CLIENT PAUSE WRITE holds back functions that may write', () => {
  const server = new InProcessServer();
  const register = (name: string, flags: string): string =>
    `redis.register_function{function_name='${name}', callback=function() return 1 end, flags={${flags}}}`;
  server.call(
    'FUNCTION',
    'LOAD',
    `#!lua name=lib\n${register('writes', '')}\n${register('reads', "'no-writes'")}`,
  );
  server.run('CLIENT PAUSE 1000 WRITE');
  expect(server.call('FCALL', 'reads', '0')).toBe(':1\r\n');
  expect(server.call('FCALL', 'writes', '0')).toBe('');
});
