// Which chunks go straight on, throughout: whatever is not on the list of what may be done must be able to breathe.

import { expect, test } from 'vitest';
import { parse } from '../../../src/lua/parser.ts';
import { isStraightThroughout } from '../../../src/lua/straight.ts';

const isStraight = (source: string): boolean => isStraightThroughout(parse(source, 'test'), source);

test.each([
  'return 1',
  "register('f', function(keys) return redis.call('GET', keys[1]) end)",
  'local function g(x) return x end local function f(x) return g(x) + g(2) end register(f)',
  'local function f(x) if x then return tonumber(x) else return {cjson.decode(x)} end end',
])('is straight: %s', (source) => {
  expect(isStraight(source)).toBe(true);
});

test.each([
  'while true do end',
  'local function f() return f() end',
  'local f f = function() return f() end',
  'local function f(g) return g() end',
  'local t = {} t.f()',
  'local t = {} t:f()',
  "local s = 'x' return s:gsub('.', register)",
  "string.gsub('x', '.', function() end)",
  'string[x]()',
  'pcall(function() end)',
  'setmetatable({}, {})',
  "loadstring('')()",
  'local p = _G.pcall',
  'return f()()',
])('may not be: %s', (source) => {
  expect(isStraight(source)).toBe(false);
});

test('calls that multiply are not few', () => {
  const doubling = (count: number): string =>
    Array.from({ length: count }, (_, i) => `local function f${i + 1}() f${i}() f${i}() end`).join(' ');
  expect(isStraight(`local function f0() redis.call() end ${doubling(5)}`)).toBe(true);
  expect(isStraight(`local function f0() redis.call() end ${doubling(12)}`)).toBe(false);
});
