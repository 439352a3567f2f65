// A script that turns out to take long is run a second time from its start, in a form that can be stopped. Nobody may
// notice: what it does happens once, and what it sees is the same.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.ts';
import { RespClient } from '../support/resp-client.ts';

let server: RunningServer;
let client: RespClient;
const logged: string[] = [];
beforeAll(async () => {
  const log = (line: string): number => logged.push(line);
  server = await startServer({ port: 0, bind: ['127.0.0.1'], 'busy-reply-threshold': 100, log });
  client = await RespClient.connect({ port: server.port });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

/** More turns than pass before a script starts over. */
const TURNS = 20_000_000;

test.each([
  [
    'time',
    "local a = redis.call('TIME') WAIT return a[1] .. a[2] .. '|' .. redis.call('GET', 'seen')",
    "redis.call('SET', 'seen', a[1] .. a[2])",
  ],
  [
    'random numbers',
    "local a = math.random() WAIT return tostring(a) .. '|' .. redis.call('GET', 'seen')",
    "redis.call('SET', 'seen', tostring(a))",
  ],
  [
    'addresses',
    "local a = tostring({}) WAIT return a .. '|' .. redis.call('GET', 'seen')",
    "redis.call('SET', 'seen', a)",
  ],
  [
    'os.clock',
    "local a = string.format('%.17g', os.clock()) WAIT return a .. '|' .. redis.call('GET', 'seen')",
    "redis.call('SET', 'seen', a)",
  ],
])('%s is the same again', async (_, script, note) => {
  const source = script.replace('WAIT', `${note} for i = 1, ${TURNS} do end`);
  const [first, second] = String(await client.call('EVAL', source, '0')).split('|');
  expect(first).toBe(second);
});

test('effects happen once, and replies that were changed come unchanged', async () => {
  const source = `
    redis.call('INCR', 'n') redis.call('SELECT', 3) redis.call('INCR', 'n') redis.setresp(3)
    local list = redis.call('MGET', 'n', 'none') list[1] = 'changed' list.x = 1
    local failure = redis.pcall('INCRBY', 'n', 'x') local text = failure.err failure.err = nil
    redis.log(redis.LOG_WARNING, 'said once')
    KEYS[1] = 'other' ARGV[1] = nil
    for i = 1, ${TURNS} do end
    return {list[1], tostring(list[2]), text, KEYS[1], tostring(ARGV[1]), redis.call('GET', 'n'), #redis.call('MGET', 'n')}`;
  expect(await client.call('EVAL', source, '1', 'key', 'arg')).toEqual([
    'changed',
    'nil',
    'ERR value is not an integer or out of range',
    'other',
    'nil',
    '1',
    1,
  ]);
  expect(await client.call('GET', 'n')).toBe('1');
  await client.call('SELECT', '3');
  expect(await client.call('GET', 'n')).toBe('1');
  await client.call('SELECT', '0');
  expect(logged.filter((line) => line.includes('said once'))).toHaveLength(1);
});
