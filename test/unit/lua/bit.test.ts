// What bit answers, as recorded from redis-server 7.0.15; test/property/lua-data.test.ts compares at random.

import { expect, test } from 'vitest';
import { bitLibrary } from '../../../src/lua/library/bit.ts';
import { LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import type { LuaValue } from '../../../src/lua/value.ts';
import { callsOf } from '../../support/lua-builtins.ts';

const library = bitLibrary(new LuaState());
const call = callsOf(library);

test('has the names that Redis lists', () => {
  expect([...library.entries()].map(([name]) => name).sort()).toEqual([
    ...[
      'arshift',
      'band',
      'bnot',
      'bor',
      'bswap',
      'bxor',
      'lshift',
      'rol',
      'ror',
      'rshift',
      'tobit',
      'tohex',
    ],
  ]);
});

const expectedNumber = (argument: number, got: string) =>
  `error: bad argument #${argument} to '?' (number expected, got ${got})`;

test.each<[number | string, number]>([
  [0.5, 0],
  [1.5, 2],
  [2.5, 2],
  [-0.5, 0],
  [-1.5, -2],
  [-0, 0],
  [2 ** 31, -(2 ** 31)],
  [2 ** 32 + 1, 1],
  [-(2 ** 51) - 1, -2],
  [2 ** 53 + 2, 1],
  [1e15 + 0.5, -1530494976],
  [1e300, -2013235812],
  [Number.POSITIVE_INFINITY, 0],
  [Number.NaN, 0],
  ['0x10', 16],
])('%s is %i modulo 2^32', (value, expected) => expect(call('tobit', value)).toBe(String(expected)));

test.each<[name: string, args: LuaValue[], expected: string]>([
  ['bnot', [0], '-1'],
  ['band', [0xdeadbeef], '-559038737'],
  ['band', [0xff, 0x0f, 5], '5'],
  ['bor', [1, 2, 4], '7'],
  ['bxor', [0xdeadbeef, 5], '-559038742'],
  ['lshift', [1, 31], '-2147483648'],
  ['lshift', [0xdeadbeef, 37], '-709370400'],
  ['rshift', [0xdeadbeef, 5], '116747767'],
  ['rshift', [-1, 0], '-1'],
  ['arshift', [0xdeadbeef, 5], '-17469961'],
  ['rol', [0xdeadbeef, 5], '-709370373'],
  ['rol', [0xdeadbeef, 0], '-559038737'],
  ['ror', [0xdeadbeef, 37], '2130013687'],
  ['ror', [0xdeadbeef, -1], '-1118077473'],
  ['bswap', [0x12345678], '2018915346'],
  ['tohex', [0xabcdef12], "'abcdef12'"],
  ['tohex', [1], "'00000001'"],
  ['tohex', [0xabcdef12, 3], "'f12'"],
  ['tohex', [0xabcdef12, -3], "'F12'"],
  ['tohex', [0xabcdef12, 0], "''"],
  ['tohex', [0xabcdef12, -(2 ** 31)], "'ABCDEF12'"],
  ['tohex', [0xabcdef12, 99], "'abcdef12'"],
  ['tohex', [1, undefined], expectedNumber(2, 'nil')],
  ['tobit', [], expectedNumber(1, 'no value')],
  ['tobit', ['x'], expectedNumber(1, 'string')],
  ['lshift', [1], expectedNumber(2, 'no value')],
  ['band', ['x', 2, true], expectedNumber(1, 'string')],
  ['band', [1, 'x', new LuaTable()], expectedNumber(3, 'table')],
])('%s %j', (name, args, expected) => expect(call(name, ...args)).toBe(expected));
