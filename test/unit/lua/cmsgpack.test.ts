// What cmsgpack answers, as recorded from redis-server 7.0.15; test/property/lua-data.test.ts compares at random.

import { describe, expect, test } from 'vitest';
import { CJSON_NULL } from '../../../src/lua/library/cjson-decode.ts';
import { cmsgpackLibrary } from '../../../src/lua/library/cmsgpack.ts';
import { LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import type { LuaFunction, LuaValue } from '../../../src/lua/value.ts';
import { callsOf, resultsOf, show, tableOf, tableWith } from '../../support/lua-builtins.ts';

const library = cmsgpackLibrary(new LuaState());
const call = callsOf(library);

const wrong = (argument: number, what: string) => `error: bad argument #${argument} to '?' (${what})`;
const packed = (...values: LuaValue[]) => resultsOf(library.get('pack') as LuaFunction, values)[0] as string;
const hexOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex');

const MISSING = 'error: Missing bytes in input.';
const BAD_FORMAT = 'error: Bad data format in input.';

test('has the names that Redis lists', () => {
  expect([...library.entries()].map(([name]) => name).sort()).toEqual([
    ...['_COPYRIGHT', '_DESCRIPTION', '_NAME', '_VERSION', 'pack', 'unpack', 'unpack_limit', 'unpack_one'],
  ]);
});

test.each<[number, string]>([
  [0, '00'],
  [-0, '00'],
  [127, '7f'],
  [128, 'cc80'],
  [256, 'cd0100'],
  [65536, 'ce00010000'],
  [2 ** 32 - 1, 'ceffffffff'],
  [2 ** 32, 'cf0000000100000000'],
  [2 ** 62, 'cf4000000000000000'],
  [2 ** 63, 'ca5f000000'],
  [-1, 'ff'],
  [-32, 'e0'],
  [-33, 'd0df'],
  [-128, 'd080'],
  [-129, 'd1ff7f'],
  [-32769, 'd2ffff7fff'],
  [-(2 ** 31) - 1, 'd3ffffffff7fffffff'],
  [-(2 ** 63), 'd38000000000000000'],
  [-(2 ** 63) - 2048, 'cbc3e0000000000001'],
  [0.5, 'ca3f000000'],
  [0.1, 'cb3fb999999999999a'],
  [2 ** -149, 'ca00000001'],
  [2 ** -150, 'cb3690000000000000'],
  [3.5e38, 'cb47f074f8c4d3cd7b'],
  [Number.POSITIVE_INFINITY, 'ca7f800000'],
  [Number.NaN, 'cbfff8000000000000'],
])('packs the number %d as %s', (x, expected) => {
  expect(hexOf(packed(x))).toBe(expected);
});

const someFunction: LuaFunction = () => undefined;

test.each<[LuaValue[], string]>([
  [[undefined], "'\\xc0'"],
  [[1, undefined, 'a', true, false], "'\\x01\\xc0\\xa1a\\xc3\\xc2'"],
  [[CJSON_NULL, someFunction], "'\\xc0\\xc0'"],
  [[new LuaTable()], "'\\x90'"],
  [[tableOf([1, ['x']])], "'\\x92\\x01\\x91\\xa1x'"],
  [[tableOf({ a: 1 })], "'\\x81\\xa1a\\x01'"],
  [[new LuaTable([1, undefined, 3])], "'\\x82\\x01\\x01\\x03\\x03'"],
  [[new LuaTable([1, 2, undefined])], "'\\x92\\x01\\x02'"],
  [[tableWith('1', 1)], "'\\x81\\xa11\\x01'"],
  [[tableWith(2, 2)], "'\\x81\\x02\\x02'"],
  [[tableWith(0, 2)], "'\\x81\\x00\\x02'"],
  [[tableWith(true, false)], "'\\x81\\xc3\\xc2'"],
  [[tableWith(2 ** 32 + 1, 1)], "'\\x81\\xcf\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x01\\x01'"],
  [[], wrong(0, 'MessagePack pack needs input.')],
  [Array(4000).fill(1), `'${'\\x01'.repeat(4000)}'`],
  [Array(4001).fill(1), wrong(0, 'Too many arguments for MessagePack pack.')],
])('pack %#', (values, expected) => expect(call('pack', ...values)).toBe(expected));

test.each<[what: string, value: LuaValue, head: string]>([
  ['31 bytes', 'a'.repeat(31), 'bf61'],
  ['32 bytes', 'a'.repeat(32), 'd92061'],
  ['256 bytes', 'a'.repeat(256), 'da010061'],
  ['65536 bytes', 'a'.repeat(65536), 'db0001000061'],
  ['15 items', new LuaTable(Array(15).fill(1)), '9f01'],
  ['16 items', new LuaTable(Array(16).fill(1)), 'dc001001'],
  ['65536 items', new LuaTable(Array(65536).fill(1)), 'dd0001000001'],
  [
    '16 fields',
    tableOf(Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, 1]))),
    'de0010a26b30',
  ],
])('%s, there and back', (_, value, head) => {
  expect(hexOf(packed(value)).slice(0, head.length)).toBe(head);
  expect(call('unpack', packed(value))).toBe(show(value));
});

test('tables deeper than 16 are nil, and so cycles end', () => {
  const cycle = new LuaTable();
  cycle.set(1, cycle);
  expect(hexOf(packed(cycle))).toBe(`${'91'.repeat(16)}c0`);
});

test.each<[input: string, expected: string]>([
  ['', ''],
  ['\x01\x02\xff\xe0', '1 2 -1 -32'],
  ['\xc0', 'nil'],
  ['\xc2\xc3', 'false true'],
  ['\x93\x01\xc0\x03', '{[1]=1,[3]=3}'],
  ['\x82\x01\x01\xa1x\x90', "{['x']={},[1]=1}"],
  ['\x81\x01\xc0', '{}'],
  ['\x82\x01\x01\x01\x02', '{[1]=2}'],
  ['\x81\x91\x01\x91\x02', '{[{[1]=1}]={[1]=2}}'],
  ['\xdc\x00\x01\x05', '{[1]=5}'],
  ['\xdd\x00\x00\x00\x01\x05', '{[1]=5}'],
  ['\xde\x00\x01\x05\x06', '{[5]=6}'],
  ['\xdf\x00\x00\x00\x01\x05\x06', '{[5]=6}'],
  ['\xa2ab\xd9\x01c\xda\x00\x01d\xdb\x00\x00\x00\x01e', "'ab' 'c' 'd' 'e'"],
  ['\xcc\xff\xcd\xff\xff\xce\xff\xff\xff\xff', '255 65535 4294967295'],
  ['\xd0\xff\xd1\xff\xfe\xd2\xff\xff\xff\xfd', '-1 -2 -3'],
  ['\xcf\xff\xff\xff\xff\xff\xff\xff\xff', '-1'],
  ['\xcf\x00\x20\x00\x00\x00\x00\x00\x01', '9007199254740992'],
  ['\xd3\x80\x00\x00\x00\x00\x00\x00\x00', '-9223372036854776000'],
  ['\xca\x3f\x00\x00\x00\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a', '0.5 0.1'],
  ['\x01\xcc', MISSING],
  ['\x92\x01', MISSING],
  ['\x81\xc0', MISSING],
  ['\xdd\xff\xff\xff\xff\x01', MISSING],
  ['\xdb\xff\xff\xff\xff', MISSING],
  ['\x01\xc1', BAD_FORMAT],
  ['\xc4\x01a', BAD_FORMAT],
  ['\xd4\x01a', BAD_FORMAT],
  ['\x81\xc0\x01', 'error: table index is nil'],
  ['\x81\xcb\xff\xf8\x00\x00\x00\x00\x00\x00\x01', 'error: table index is NaN'],
])('unpack %j', (input, expected) => expect(call('unpack', input)).toBe(expected));

test.each<[name: string, args: LuaValue[], expected: string]>([
  ['unpack', [], wrong(1, 'string expected, got no value')],
  ['unpack', [5], '53'],
  ['unpack_one', ['\x01\x02\x03'], '1 1'],
  ['unpack_one', ['\x01\x02\x03', 1], '2 2'],
  ['unpack_one', ['\x01\x02\x03', 2], '-1 3'],
  ['unpack_one', ['\x01\x02\x03', '3'], '-1'],
  ['unpack_one', ['\x01\x02\x03', 4], 'error: Start offset 4 greater than input length 3.'],
  ['unpack_one', ['\x01', 2 ** 32], 'error: Start offset 0 greater than input length 1.'],
  ['unpack_one', ['\x01', -1], 'error: Invalid request to unpack with offset of -1 and limit of 1.'],
  ['unpack_one', ['\x01', 'z'], wrong(2, 'number expected, got string')],
  ['unpack_limit', ['\x01\x02\x03', 2], '2 1 2'],
  ['unpack_limit', ['\x01\x02\x03', 2, 1], '-1 2 3'],
  ['unpack_limit', ['\x01\x02\x03', 0], '1 2 3'],
  ['unpack_limit', ['\x01\x02\x03', 0, 1], '1'],
  ['unpack_limit', ['\x01\xcc', 1], '1 1'],
  ['unpack_limit', ['', 5], '-1'],
  ['unpack_limit', ['\x01\x02', -1], 'error: Invalid request to unpack with offset of 0 and limit of 2.'],
  ['unpack_limit', ['\x01'], wrong(2, 'number expected, got no value')],
])('%s %j', (name, args, expected) => expect(call(name, ...args)).toBe(expected));

describe("results end where Lua's stack does", () => {
  const overflow = (what: string) => `error: stack overflow (${what})`;
  const TOO_MANY = overflow('too many return values at once; use unpack_one or unpack_limit instead.');

  test.each<[fits: string, toTooMuch: string, name: string, limit: LuaValue[], expected: string]>([
    ['\x01'.repeat(7999), '\x01', 'unpack', [], TOO_MANY],
    ['\x01'.repeat(7998), '\x01', 'unpack_limit', [9000], overflow('in function mp_unpack_full')],
    [`${'\x91'.repeat(3999)}\x01`, '\x91', 'unpack', [], overflow('in function mp_decode_to_lua_array')],
    [`${'\x81\x01'.repeat(3999)}\x01`, '\x81\x01', 'unpack', [], TOO_MANY],
    [`${'\x81'.repeat(7997)}${'\x01'.repeat(7998)}`, '\x81', 'unpack', [], TOO_MANY],
  ])('%#', (fits, toTooMuch, name, limit, expected) => {
    const results = resultsOf(library.get(name) as LuaFunction, [fits, ...limit]);
    expect(results.length).toBeGreaterThan(0);
    expect(call(name, toTooMuch + fits, ...limit)).toBe(expected);
  });
});

describe('limits', () => {
  /** 10^16 leaves, were it packed. */
  const explosive = new LuaTable();
  for (let i = 1; i <= 10; i++) explosive.set(i, explosive);

  test('what is too long is refused', () => {
    const small = new LuaState();
    small.maxStringBytes = 1000;
    expect(callsOf(cmsgpackLibrary(small))('pack', explosive)).toBe('error: not enough memory');
  });

  test('long work asks whether it may go on', () => {
    const over = new Error('time is over');
    const limited = new LuaState(() => {
      throw over;
    });
    const callLimited = callsOf(cmsgpackLibrary(limited));
    expect(() => callLimited('pack', explosive)).toThrow(over);
    expect(() => callLimited('unpack', `\xdd\x00\x00\xff\xff${'\x01'.repeat(0xffff)}`)).toThrow(over);
  });
});
