// Scripts that want more memory than there is for them end in an error, and leave nothing behind that another could find.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.ts';
import { RespClient } from '../support/resp-client.ts';

let server: RunningServer;
let client: RespClient;
beforeAll(async () => {
  server = await startServer({ port: 0, bind: ['127.0.0.1'], 'lua-memory-limit': 32 * 1024 * 1024 });
  client = await RespClient.connect({ port: server.port });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

test.each([
  ['a list', 'local t, i = {}, 0 while true do i = i + 1 t[i] = {} end'],
  ['tables in tables', 'local t = {} while true do t = {t} end'],
  ['fields', 'local t, i = {}, 0 while true do i = i + 1 t["k" .. i] = i end'],
  ['closures', 'local t, i = {}, 0 while true do i = i + 1 t[i] = function() return i end end'],
  ['coroutines', 'local t, i = {}, 0 while true do i = i + 1 t[i] = coroutine.create(function() end) end'],
  ['doubling', 'local s = "x" while true do s = s .. s end'],
  ['rep', 'return #string.rep("x", 500000000)'],
  ['long strings', 'local t, s = {}, string.rep("X", 1e6) for i = 1, 1e9 do t[i] = (s .. i):lower() end'],
  ['reversed strings', 'local t, s = {}, string.rep("X", 1e6) for i = 1, 1e9 do t[i] = s:reverse() end'],
  [
    'table.concat',
    'local t, s = {}, string.rep("x", 1e6) for i = 1, 400 do t[i] = s end return #table.concat(t)',
  ],
  ['gsub', 'return #string.gsub(string.rep("x", 1e5), "x", string.rep("y", 1e4))'],
  ['quoting', 'local t, s = {}, string.rep("\\0", 1e7) for i = 1, 1e9 do t[i] = string.format("%q", s) end'],
  ['cjson', 'local t = {} for i = 1, 40 do t = {t, t} end return #cjson.encode(t)'],
  ['a long constructor', `local t, i = {}, 0 while true do i = i + 1 t[i] = {${'{},'.repeat(240)}} end`],
])('too much of %s', async (_, script) => {
  const reply = await client.raw('EVAL', script, '0');
  expect(reply).toMatch(/^-ERR (user_script:\d+: )?not enough memory/);
  expect(await client.raw('EVAL', 'return 1', '0')).toBe(':1\r\n');
});

test.each([
  'local t = {} for i = 1, 40 do t = {t, t} end return t',
  'local t = {} for i = 1, 40 do t = {map = {a = t, b = t}} end return t',
  'local s = string.rep("x", 1e6) local t = {} for i = 1, 100 do t[i] = s end return t',
])('too long a reply: %s', async (script) => {
  const reply = await client.raw('EVAL', script, '0');
  expect(reply).toBe('-ERR reply of script is too long (lua-memory-limit)\r\n');
});

test('a text too long to be compiled soon is refused', async () => {
  const reply = await client.raw('EVAL', 'x = 1 '.repeat(100_000), '0');
  expect(reply).toBe('-ERR Error compiling script (new function): user_script:1: chunk is too long\r\n');
});
