// string.format. What is expected was answered by redis-server 7.0.15; test/property/lua-strings.test.ts compares many more.

import { describe, expect, test } from 'vitest';
import { format } from '../../../src/lua/format.ts';
import { LuaError } from '../../../src/lua/lua-error.ts';
import { LuaState } from '../../../src/lua/state.ts';
import type { LuaValue } from '../../../src/lua/value.ts';

const state = new LuaState();

/** The text, or the error's message. */
function outcome(args: readonly LuaValue[]): LuaValue {
  try {
    return format(state, args);
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    return error.value;
  }
}

const LONG = 'x'.repeat(100);

const CASES: Readonly<Record<string, readonly [expected: string, ...args: LuaValue[]][]>> = {
  'literal text': [
    ['', ''],
    ['a%b\0c', 'a%%b\0c'],
    ['100', 100],
    ['a', 'a', 'surplus'],
  ],
  integers: [
    ['-3 16 12', '%d %i %d', -3.9, '0x10', ' 12 '],
    ['   +5|5   |00005| 5', '%+5d|%-4d|%05d|% d', 5, 5, 5, 5],
    ['||  |  001|1    |+1', '%.0d|%.d|%2.0d|%05.3d|%-05d|%+ d', 0, 0, 0, 1, 1, 1],
    ['9007199254740992000', '%d', 9007199254740992000],
    ['4611686018427387904', '%d', 2 ** 62],
    ['-9223372036854775808', '%d', 2 ** 63],
    ['-9223372036854775808', '%d', NaN],
    ['ff FF 377 255', '%x %X %o %u', 255, 255, 255, 255],
    ['0xff 0XFF 0377 255', '%#x %#X %#o %#u', 255, 255, 255, 255],
    ['0 0 0 ', '%#x %#o %#.0o %#.0x', 0, 0, 0, 0],
    ['ffffffffffffffff 1777777777777777777777', '%x %o', -1, -1],
    ['9223372036854775808 18446744073709549568 0', '%u %u %u', 2 ** 63, 2 ** 64 - 2048, 2 ** 64],
    ['9223372036854775808 9223372036854775808', '%u %u', NaN, -(2 ** 70)],
  ],
  floats: [
    ['1.500000 1.5 1.500000e+00', '%f %g %e', 1.5, 1.5, 1.5],
    ['1.5E+00 1E+20', '%.1E %G', 1.5, 1e20],
    ['  1.50|1.50  |001.50|+1.50', '%6.2f|%-6.2f|%06.2f|%+.2f', 1.5, 1.5, 1.5, 1.5],
    ['-0.00 -0', '%.2f %g', -0.001, -0],
    ['1.00000 1. 1.e+00', '%#g %#.0f %#.0e', 1, 1, 1],
    ['-nan -NAN   inf +inf -inf', '%f %G %05f %+f %e', NaN, NaN, Infinity, Infinity, -Infinity],
  ],
  bytes: [
    ['A|    A|A    |    A', '%c|%5c|%-5c|%05c', 65, 65, 65, 65],
    ['|    |', '%c|%5c|%-5c', 0, 0, 0],
    ['AA', '%c%c%c', 65 + 256, -191, 2 ** 32 + 65],
  ],
  strings: [
    ['a|  a|a  |  a', '%s|%3s|%-3s|%03s', 'a', 'a', 'a', 'a'],
    ['ab||1.5', '%.2s|%.s|%s', 'abc', 'abc', 1.5],
    ['a| a', '%s|%2s', 'a\0b', 'a\0b'],
    [`${LONG}|x\0${LONG}|xx`, '%99s|%s|%.2s', LONG, `x\0${LONG}`, LONG],
    ['"a\\000b\\\n\\r\t\\"\\\\\xc8"', '%9.1q', 'a\0b\n\r\t"\\\xc8'],
  ],
  errors: [
    ["bad argument #1 to '?' (string expected, got no value)"],
    ["bad argument #2 to '?' (no value)", '%d'],
    ["bad argument #3 to '?' (no value)", '%d%d', 1],
    ["bad argument #2 to '?' (no value)", '%y'],
    ["bad argument #2 to '?' (number expected, got string)", '%d', 'x'],
    ["bad argument #2 to '?' (number expected, got nil)", '%d', undefined],
    ["bad argument #2 to '?' (string expected, got boolean)", '%s', true],
    ["invalid option '%y' to 'format'", '%y', 1],
    ["invalid option '%a' to 'format'", '%a', 1],
    ["invalid option '%F' to 'format'", '%F', 1],
    ["invalid option '%' to 'format'", 'a%', 1],
    ["invalid option '%' to 'format'", '%5\0d', 1],
    ["invalid option '%%' to 'format'", '%5%', 1],
    ['invalid format (repeated flags)', '%000000d', 1],
    ['invalid format (width or precision too long)', '%123d', 1],
    ['invalid format (width or precision too long)', '%.123d', 1],
    // What is right before it is looked at first.
    ["bad argument #2 to '?' (number expected, got boolean)", '%d%y', true, 1],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%j of %j', (expected, ...args) => {
    expect(outcome(args)).toBe(expected);
    expect(outcome(args)).toBe(expected); // from what is remembered
  });
});

test('a text too long is refused', () => {
  const small = new LuaState();
  small.maxStringBytes = 150;
  expect(() => format(small, ['%99d%99d', 1, 1])).toThrow(
    expect.objectContaining({ value: 'not enough memory' }),
  );
});
