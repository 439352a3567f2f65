// Long doubles and doubles: recorded answers of redis-server, and thousands of random ones live where it is installed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addLongDoubles,
  compareLongDoubles,
  formatDouble,
  formatDouble17,
  formatLongDouble,
  LONG_DOUBLE_MAX,
  type LongDouble,
  negateLongDouble,
  parseDouble,
  parseLongDouble,
} from '../../../src/bytes/double.ts';
import { oracleInstalled, startOracle } from './redis-oracle.ts';

const NOT_A_FLOAT = '-ERR value is not a valid float';
const OVERFLOW = '-ERR increment would produce NaN or Infinity';

/** What INCRBYFLOAT answers. */
function increment(valueText: string, incrementText: string): string {
  const value = parseLongDouble(valueText);
  const step = parseLongDouble(incrementText);
  if (value === undefined || step === undefined) return NOT_A_FLOAT;
  const sum = addLongDoubles(value, step);
  return sum === undefined ? OVERFLOW : formatLongDouble(sum);
}

// Recorded from redis-server 7.0.15 on x86-64.
const sums: [string, string, string][] = [
  ['0.1', '0.2', '0.3'],
  ['10.50', '0.1', '10.6'],
  ['5.0e3', '2.0e2', '5200'],
  ['3.0e3', '200', '3200'],
  ['1e20', '1', '100000000000000000000'],
  ['1e19', '0.5', '10000000000000000000'],
  ['18446744073709551615', '1', '18446744073709551616'],
  ['18446744073709551616', '1', '18446744073709551616'],
  ['18446744073709551616', '3', '18446744073709551620'],
  ['123456789012345678901234567890', '0', '123456789012345678899921813504'],
  ['5.0e-324', '0', '0'],
  ['1e-17', '0', '0.00000000000000001'],
  ['5e-18', '0', '0'],
  ['-1e-18', '0', '0'],
  ['-0', '-0', '0'],
  ['1', '-1', '0'],
  ['0x10', '0x1.8p1', '19'],
  ['+1', '-.5', '0.5'],
  ['5.', '1E+2', '105'],
  ['00012', '0', '12'],
  ['1e-400', '0', '0'],
  ['0e99999999999999', '1', '1'],
  ['3.6e-4951', '0', '0'],
  ['1e-4951', '0', NOT_A_FLOAT],
  ['1e4933', '0', NOT_A_FLOAT],
  ['-1e999999999999999999999', '0', NOT_A_FLOAT],
  ['0x1p16384', '0', NOT_A_FLOAT],
  ['1e4932', '1e4932', OVERFLOW],
  ['inf', '0', OVERFLOW],
  ['inf', '-INFINITY', OVERFLOW],
  ['nan', '0', NOT_A_FLOAT],
  ['1', '0', '1'],
  [`${'0'.repeat(5118)}1`, '0', '1'],
  [`${'0'.repeat(5119)}1`, '0', NOT_A_FLOAT],
  ...[
    '',
    '.',
    '-',
    '+',
    ' 1',
    '1 ',
    '\t1',
    '1e',
    '1e+',
    '0x',
    '0xg',
    '0x1p',
    '1p3',
    '1f',
    '1d5',
    '1_0',
    '1\x00',
  ]
    .concat(['infinit', 'nan(1)', '--1', '+-1', 'e5', '.e5', '0x.', '1.2.3', '1\n'])
    .map((text): [string, string, string] => [text, '0', NOT_A_FLOAT]),
];

test.each(sums)('%j + %j is %j', (value, step, expected) => {
  expect(increment(value, step)).toBe(expected);
});

test('the largest long double has all its 4,933 digits', () => {
  const largest = increment('0x1.fffffffffffffffep16383', '0');
  expect(largest).toHaveLength(4933);
  expect(largest).toBe(String((2n ** 64n - 1n) * 2n ** 16320n));
  expect(increment('0x1.ffffffffffffffffp16383', '0')).toBe(NOT_A_FLOAT);
});

test('a sum of doubles is exact where 64 bits hold it', () => {
  const quarters = fc.integer({ min: -(2 ** 50), max: 2 ** 50 }).map((n) => n / 4);
  fc.assert(
    fc.property(quarters, quarters, (a, b) => {
      expect(increment(String(a), String(b))).toBe(String(a + b));
    }),
  );
});

// Scores, as ZSCORE shows them: the text given, in Redis 7.2 and later (from its source), in 7.0.15 (recorded).
const scores: [string, string, string][] = [
  ['0', '0', '0'],
  ['1', '1', '1'],
  ['-5', '-5', '-5'],
  ['0.1', '0.1', '0.10000000000000001'],
  ['3.3', '3.3', '3.2999999999999998'],
  ['100', '100', '100'],
  ['1e16', '10000000000000000', '10000000000000000'],
  ['1e17', '100000000000000000', '1e+17'],
  ['123456789012345680', '123456789012345680', '1.2345678901234568e+17'],
  ['1e18', '1000000000000000000', '1e+18'],
  ['4611686018427387904', '4611686018427387904', '4.6116860184273879e+18'],
  ['9223372036854775807', '9223372036854776000', '9.2233720368547758e+18'],
  ['1e19', '1e+19', '1e+19'],
  ['1e22', '1e+22', '1e+22'],
  ['1.5e300', '1.5e+300', '1.5000000000000001e+300'],
  ['1e-5', '0.00001', '1.0000000000000001e-05'],
  ['1e-6', '0.000001', '9.9999999999999995e-07'],
  ['1e-7', '1e-7', '9.9999999999999995e-08'],
  ['1.5e-7', '1.5e-7', '1.4999999999999999e-07'],
  ['5e-324', '5e-324', '4.9406564584124654e-324'],
  ['1e-310', '1e-310', '9.9999999999999694e-311'],
  ['0.30000000000000004', '0.30000000000000004', '0.30000000000000004'],
  ['1234567.125', '1234567.125', '1234567.125'],
  ['1.00000762939453125', '1.0000076293945312', '1.0000076293945312'],
  ['1.00002288818359375', '1.0000228881835938', '1.0000228881835938'],
  ['-0x1p-3', '-0.125', '-0.125'],
  ['0x1.00000000000008p0', '1', '1'],
  ['inf', 'inf', 'inf'],
  ['-Infinity', '-inf', '-inf'],
];

test.each(scores)('the score %j is %j, or %j', (text, shortest, seventeen) => {
  const score = parseDouble(text) as number;
  expect(formatDouble(score)).toBe(shortest);
  expect(formatDouble17(score)).toBe(seventeen);
});

test('zeros and NaN', () => {
  expect([
    formatDouble(-0),
    formatDouble17(-0),
    formatDouble(Number.NaN),
    formatDouble17(Number.NaN),
  ]).toEqual(['-0', '-0', 'nan', 'nan']);
  expect(parseDouble('-0')).toBe(-0);
  expect(parseDouble('-0x0')).toBe(-0);
});

const notDoubles = [
  '',
  'nan',
  ' 1',
  '1 ',
  '1e400',
  '-1e400',
  '1e-400',
  '0x1p1024',
  '0x1p-1076',
  '1e',
  '0x',
  '1\x00',
];

test.each(notDoubles)('%j is no double', (text) => {
  expect(parseDouble(text)).toBeUndefined();
});

test('doubles survive both forms', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (x) => {
      expect(parseDouble(formatDouble(x))).toBe(x);
      expect(parseDouble(formatDouble17(x))).toBe(x);
    }),
    { numRuns: 5_000 },
  );
});

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 });
const sign = fc.constantFrom('', '-', '+');
const decimal = fc
  .tuple(sign, digits, fc.constantFrom('', '.'), digits, fc.option(fc.integer({ min: -40, max: 40 })))
  .map(([s, a, point, b, e]) => `${s}${a}${point}${b}${e === null ? '' : `e${e}`}`);
const extreme = fc
  .tuple(sign, digits, fc.integer({ min: -5000, max: 4950 }))
  .map(([s, a, e]) => `${s}${a}e${e}`);
const hexadecimal = fc
  .tuple(sign, fc.bigInt(0n, 2n ** 70n), fc.bigInt(0n, 2n ** 20n), fc.integer({ min: -150, max: 80 }))
  .map(([s, a, b, e]) => `${s}0x${a.toString(16)}.${b.toString(16)}p${e}`);
const double = fc.double().map(String);
const almost = fc.string({ unit: fc.constantFrom(...'01.eExXpP+- infa\x00'), maxLength: 6 });
const anyText = fc.oneof(decimal, extreme, hexadecimal, double, almost);

test.runIf(oracleInstalled)('INCRBYFLOAT agrees with redis-server in every digit', async () => {
  const oracle = await startOracle();
  const redisIncrement = async (value: string, step: string) => {
    await oracle.client.set('k', Buffer.from(value, 'latin1'));
    return oracle.call('INCRBYFLOAT', 'k', Buffer.from(step, 'latin1'));
  };
  try {
    for (const [value, step, expected] of sums) {
      expect([value, step, await redisIncrement(value, step)]).toEqual([value, step, expected]);
    }
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (value, step) => {
        expect(increment(value, step)).toBe(await redisIncrement(value, step));
      }),
      { numRuns: 8_000 },
    );
  } finally {
    await oracle.close();
  }
});

test.runIf(oracleInstalled)('scores are parsed and written as by redis-server 7.0', async () => {
  const oracle = await startOracle();
  const redisScore = async (text: string) => {
    await oracle.client.del('z');
    const added = await oracle.call('ZADD', 'z', Buffer.from(text, 'latin1'), 'm');
    return added === 1 ? oracle.call('ZSCORE', 'z', 'm') : added;
  };
  try {
    for (const [text, , seventeen] of scores)
      expect([text, await redisScore(text)]).toEqual([text, seventeen]);
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        fc.pre(!/^[xn]x/i.test(text)); // ZADD's options
        const score = parseDouble(text);
        // A small sorted set keeps -0 as the integer 0.
        const ours = score === undefined ? NOT_A_FLOAT : formatDouble17(score === 0 ? 0 : score);
        expect([text, ours]).toEqual([text, await redisScore(text)]);
      }),
      { numRuns: 4_000 },
    );
  } finally {
    await oracle.close();
  }
});

test('long doubles are ordered by value, whatever their exponents', () => {
  const ascending = ['-inf', '-1e4932', '-2.5', '-2', '0', '1e-4950', '0.5', '2', '2.5', '1e4932', 'inf'];
  const values = ascending.map((text) => parseLongDouble(text) as LongDouble);
  for (const [i, a] of values.entries()) {
    for (const [j, b] of values.entries()) {
      expect([ascending[i], ascending[j], Math.sign(compareLongDoubles(a, b))]).toEqual([
        ascending[i],
        ascending[j],
        Math.sign(i - j),
      ]);
    }
  }
});

test('the largest long double is as large as can be, and its opposite is its opposite', () => {
  const { mantissa, exponent } = LONG_DOUBLE_MAX;
  const lastPlace = { mantissa: 1n, exponent };
  expect(addLongDoubles(LONG_DOUBLE_MAX, lastPlace)).toBeUndefined();
  expect(addLongDoubles(LONG_DOUBLE_MAX, negateLongDouble(lastPlace))).toEqual({
    mantissa: mantissa - 1n,
    exponent,
  });
});
