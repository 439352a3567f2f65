// Numbers as text and back. What is expected was answered by redis-server 7.0.15; test/property/lua-strings.test.ts
// compares many more.

import { describe, expect, test } from 'vitest';
import {
  formatExponential,
  formatFixed,
  formatGeneral,
  formatNumber,
  parseNumber,
} from '../../../src/lua/number.ts';

describe('a number as tostring gives it', () => {
  test.each<[number, string]>([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-1, '-1'],
    [99999999999999, '99999999999999'],
    [1e14, '1e+14'],
    [-1e15, '-1e+15'],
    [0.1, '0.1'],
    [-0.1, '-0.1'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.33333333333333'],
    [2 ** 53, '9.007199254741e+15'],
    [1e-4, '0.0001'],
    [1e-5, '1e-05'],
    [5e-324, '4.9406564584125e-324'],
    [Number.MAX_VALUE, '1.7976931348623e+308'],
    [1e100, '1e+100'],
    // Rounding carries to another power of ten.
    [9999999999999.99, '10000000000000'],
    [99999999999999.5, '1e+14'],
    [1e12 - 2 ** -13, '1000000000000'],
    // Ties go to the even digit.
    [1234567890123.25, '1234567890123.2'],
    [1234567890123.75, '1234567890123.8'],
    [12345678901234.5, '12345678901234'],
    [12345678901235.5, '12345678901236'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [NaN, '-nan'],
  ])('%d', (x, text) => {
    expect(formatNumber(x)).toBe(text);
  });
});

test.each<[text: string, expected: string]>([
  [formatGeneral(0.1, 17), '0.10000000000000001'],
  [formatGeneral(2 ** 53 + 2, 17), '9007199254740994'],
  [formatGeneral(1e17, 17), '1e+17'],
  [formatGeneral(12, 0), '1e+01'],
  [formatGeneral(2.5, 1), '2'],
  [formatGeneral(25, 1), '2e+01'],
  [formatGeneral(35, 1), '4e+01'],
  [formatGeneral(5e22, 1), '5e+22'],
  [formatGeneral(0, 3, true), '0.00'],
  [formatGeneral(9.999, 3, true), '10.0'],
  [formatGeneral(99.9, 2, true), '1.e+02'],
  [formatExponential(0, 2), '0.00e+00'],
  [formatExponential(12345, 3), '1.234e+04'],
  [formatExponential(12355, 3), '1.236e+04'],
  [formatExponential(1, 0, true), '1.e+00'],
  [formatFixed(0.5, 0), '0'],
  [formatFixed(1.5, 0), '2'],
  [formatFixed(0.125, 2), '0.12'],
  [formatFixed(0.375, 2), '0.38'],
  [formatFixed(9.5, 0, true), '10.'],
  [formatFixed(1e22, 1), '10000000000000000000000.0'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});

describe('a text as a number', () => {
  test.each<[string, number | undefined]>([
    ['0', 0],
    ['-0', -0],
    ['007', 7],
    ['123456789012345', 123456789012345],
    ['1234567890123456789', 1234567890123456800],
    [' \t\n\v\f\r1.5e1 \t\n\v\f\r', 15],
    ['+1', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['1e400', Infinity],
    ['-1e-400', -0],
    ['0x10', 16],
    ['-0XfF', -255],
    ['0x.8', 0.5],
    ['0x1.8p1', 3],
    ['0x1p4', 16],
    ['0xffffffffffffffffffff', 2 ** 80],
    // Rounded once, to even.
    ['0x20000000000001', 2 ** 53],
    ['0x20000000000003', 2 ** 53 + 4],
    ['0x1.8p-1074', 1e-323],
    ['0x1p-1075', 0],
    ['0x1.00001p-1075', 5e-324],
    ['0x1p1024', Infinity],
    ['0x1p99999999999999999999', Infinity],
    ['-0x1p-99999999999999999999', -0],
    ['0x0p99999', 0],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['nan', NaN],
    ['-NAN(a_1)', NaN],
    // A zero byte ends it.
    ['1\0x', 1],
    ['inf\0', Infinity],
  ])('%j', (text, x) => {
    expect(parseNumber(text)).toBe(x);
  });

  test.each([
    ...[
      '',
      ' ',
      '-',
      '.',
      'e1',
      '1e',
      '1e+',
      '- 1',
      '1 1',
      '1x',
      '0x',
      '0x.',
      '0x1p',
      '0x1p+',
      '0xg',
      '0b1',
      '0o7',
    ],
    ...['infinit', 'nan(', 'nan(-)', '1_0', '1,5', '\xa01', '1\xa0', '\0', '\x001'],
  ])('%j spells none', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  test('nothing takes longer than its length', () => {
    const long = '1'.repeat(1_000_000);
    expect(parseNumber(`${long}x`)).toBeUndefined();
    expect(parseNumber(`0x${long}`)).toBe(Infinity);
    expect(parseNumber(`0x${long}p-4000000`)).toBe(1 / 15);
  });
});
