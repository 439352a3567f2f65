// What struct answers, as recorded from redis-server 7.0.15; test/property/lua-data.test.ts compares at random.

import { describe, expect, test } from 'vitest';
import { structLibrary } from '../../../src/lua/library/struct.ts';
import { LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import type { LuaValue } from '../../../src/lua/value.ts';
import { callsOf } from '../../support/lua-builtins.ts';

const library = structLibrary(new LuaState());
const call = callsOf(library);

test('has the names that Redis lists', () => {
  expect([...library.entries()].map(([name]) => name).sort()).toEqual(['pack', 'size', 'unpack']);
});

const wrong = (argument: number, what: string) => `error: bad argument #${argument} to '?' (${what})`;
const TOO_SHORT = wrong(2, 'data string too short');
const UNFINISHED = 'error: unfinished string in data';
const NEEDS_SIZE = "error: format 'c0' needs a previous size";

test.each<[format: string, args: LuaValue[], expected: string]>([
  ['bBhH', [-1, 255, -2, 1], "'\\xff\\xff\\xfe\\xff\\x01\\x00'"],
  ['>iI', [-2, 2 ** 32 + 1], "'\\xff\\xff\\xff\\xfe\\x00\\x00\\x00\\x01'"],
  ['l', [2 ** 63], "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x80'"],
  ['L', [2 ** 64], "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'"],
  ['T', [-(2 ** 64)], "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x80'"],
  ['l', [Number.NaN], "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x80'"],
  ['>l', [2 ** 63 + 2 ** 20], "'\\x80\\x00\\x00\\x00\\x00\\x10\\x00\\x00'"],
  ['i9', [-1], "'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00'"],
  ['>i3', [-1.5], "'\\xff\\xff\\xff'"],
  ['i0', [7], "''"],
  ['f', [1e39], "'\\x00\\x00\\x80\\x7f'"],
  ['>f', [Number.NaN], "'\\xff\\xc0\\x00\\x00'"],
  ['>d', [0.1], "'?\\xb9\\x99\\x99\\x99\\x99\\x99\\x9a'"],
  ['d', [Number.NaN], "'\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\xff'"],
  ['s', ['a\0b'], "'a\\x00b\\x00'"],
  ['cc2c0', ['abc', 'def', 'ghi'], "'adeghi'"],
  ['xb x', [1], "'\\x00\\x01\\x00'"],
  ['!bd', [1, 2], "'\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00@'"],
  ['!2bi', [1, 2], "'\\x01\\x00\\x02\\x00\\x00\\x00'"],
  ['>!4b<i', [1, 2], "'\\x01\\x00\\x00\\x00\\x02\\x00\\x00\\x00'"],
  ['!bi3i', [1, 2, 3], "'\\x01\\x00\\x00\\x02\\x00\\x00\\x00\\x00\\x03\\x00\\x00\\x00'"],
  ['b\0z', [1], "'\\x01'"],
  ['b', ['7'], "'\\x07'"],
  ['s', [12], "'12\\x00'"],
  ['b', [], wrong(2, 'number expected, got nil')],
  ['bs', [1], wrong(3, 'string expected, got nil')],
  ['b', ['x'], wrong(2, 'number expected, got string')],
  ['bc5', [1, 'abc'], wrong(4, 'string too short')],
  ['z', [1], wrong(1, "invalid format option 'z'")],
  ['=h', [1], wrong(1, "invalid format option '='")],
  ['b5', [1], wrong(1, "invalid format option '5'")],
  ['!3b', [1], 'error: alignment 3 is not a power of 2'],
  ['i33', [1], 'error: integral size 33 is larger than limit of 32'],
  ['c2147483648', ['a'], 'error: integral size overflow'],
])('pack %j %#', (format, args, expected) => expect(call('pack', format, ...args)).toBe(expected));

const BYTES = '\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0\x01';

test.each<[format: string, data: string, offset: LuaValue, expected: string]>([
  ['bBhH', BYTES, 1, '-1 254 -771 64251 7'],
  ['>l', BYTES, 1, '-283686952306184 9'],
  ['L', BYTES, 1, '17940646550795321000 9'],
  ['i3', BYTES, 1, '-131329 4'],
  ['I7', BYTES, 1, '70363229389192960 8'],
  ['i9', BYTES, 1, '-1 10'],
  ['i16', BYTES, 1, '-506097522914230500 17'],
  ['>i9', BYTES, 1, '-9 10'],
  ['i0', '', 1, '0 1'],
  ['f', BYTES, 1, '-1.055058432344064e+37 5'],
  ['>d', '?\xb9\x99\x99\x99\x99\x99\x9a', 1, '0.1 9'],
  ['!bi', BYTES, 1, '-1 -117835013 9'],
  ['ss', 'ab\0\0', 1, "'ab' '' 5"],
  ['s', 'abc', 1, UNFINISHED],
  ['s', 'ab\0', 4, UNFINISHED],
  ['x', 'a', 1, '2'],
  ['', 'abc', 4, '4'],
  ['', 'abc', -1, '-1'],
  ['b', 'abc', '2', '98 3'],
  ['b', 'abc', 4, TOO_SHORT],
  ['b', 'abc', -1, TOO_SHORT],
  ['b', 'abc', 2 ** 62, TOO_SHORT],
  ['b', 'abc', 0, wrong(3, 'offset must be 1 or greater')],
  ['b', 'abc', 'x', wrong(3, 'number expected, got string')],
  ['c2147483647', 'abc', 1, TOO_SHORT],
  ['bc0', '\x03abcd', 1, "'abc' 5"],
  ['bc0', '\x05abcd', 1, TOO_SHORT],
  ['bc0', '\xffabcd', 1, TOO_SHORT],
  ['sc0', '0x2\0abcd', 1, "'ab' 7"],
  ['bbc0', '\x03\x02abcd', 1, "3 'ab' 5"],
  ['bxc0', '\x03\x02abcd', 1, "'abc' 6"],
  ['bc0c0', '\x012abcd', 1, "'ab' 5"],
  ['c0', 'abc', 1, NEEDS_SIZE],
  ['sc0', 'x\0abc', 1, NEEDS_SIZE],
  ['bc0c0', '\x03abcd', 1, NEEDS_SIZE],
  ['?', 'a', 1, wrong(1, "invalid format option '?'")],
])('unpack %j %j at %j', (format, data, offset, expected) => {
  expect(call('unpack', format, data, offset)).toBe(expected);
});

test.each<[format: string, expected: string]>([
  ['bhilTLfdx', '44'],
  ['!bi8', '16'],
  ['!64i32b', '33'],
  ['c2147483647c2147483647c2147483647', '6442450941'],
  ['i8z9', '8'],
  ['s', wrong(1, "option 's' has no fixed size")],
  ['c0', wrong(1, "option 'c0' has no fixed size")],
  ['?', wrong(1, "invalid format option '?'")],
])('size %j', (format, expected) => expect(call('size', format)).toBe(expected));

test.each<[name: string, args: LuaValue[], expected: string]>([
  ['pack', [], wrong(1, 'string expected, got no value')],
  ['pack', [5], wrong(1, "invalid format option '5'")],
  ['unpack', ['b'], wrong(2, 'string expected, got no value')],
  ['unpack', ['b', new LuaTable()], wrong(2, 'string expected, got table')],
  ['size', [undefined], wrong(1, 'string expected, got nil')],
])('%s without what it needs', (name, args, expected) => expect(call(name, ...args)).toBe(expected));

describe('limits', () => {
  test("results end where Lua's stack does", () => {
    const data = 'a'.repeat(8000);
    expect(call('unpack', 'b'.repeat(7997), data)).toMatch(/ 97 7998$/);
    expect(call('unpack', 'b'.repeat(7998), data)).toBe('error: stack overflow (too many results)');
    expect(call('unpack', 'b'.repeat(7997), data, 1)).toBe('error: stack overflow (too many results)');
    expect(call('unpack', 'x'.repeat(8000), data)).toBe('8001');
  });

  test('what is too long is refused, and long work asks whether it may go on', () => {
    const over = new Error('time is over');
    const limited = new LuaState(() => {
      throw over;
    });
    limited.maxStringBytes = 1000;
    const callLimited = callsOf(structLibrary(limited));
    expect(callLimited('pack', '!32bi32'.repeat(20), ...Array(40).fill(1))).toBe('error: not enough memory');
    limited.maxStringBytes = 1e6;
    expect(() => callLimited('pack', 'x'.repeat(20_000))).toThrow(over);
    expect(() => callLimited('unpack', 'x'.repeat(20_000), 'a'.repeat(20_000))).toThrow(over);
    expect(() => callLimited('size', 'x'.repeat(20_000))).toThrow(over);
  });
});
