// Integers: what is accepted, exactly, and how they are written; edges of 64 bits and of what a double holds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  digitCount,
  parseInt64,
  parseInteger,
  parseUint64,
  writeDigits,
} from '../../../src/bytes/integer.ts';
import { oracleInstalled, startOracle } from './redis-oracle.ts';

/** The text in the middle of other digits, which no parser may look at. */
function placed<T>(parse: (buffer: Buffer, start: number, length: number) => T, text: string): T {
  return parse(Buffer.from(`17${text}39`, 'latin1'), 2, Buffer.byteLength(text, 'latin1'));
}

const refused = [
  '',
  '-',
  '+1',
  ' 1',
  '1 ',
  '01',
  '-01',
  '-0',
  '00',
  '1.0',
  '1e3',
  '0x1',
  'a',
  '1\x00',
  '--1',
  '\xb9',
];

test('integers are refused in every form but one', () => {
  for (const text of refused) {
    expect([text, placed(parseInteger, text)]).toEqual([text, Number.NaN]);
    expect([text, placed(parseInt64, text)]).toEqual([text, undefined]);
  }
});

test('limits are exact', () => {
  expect(placed(parseInteger, '0')).toBe(0);
  expect(placed(parseInteger, '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(placed(parseInteger, '-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
  expect(placed(parseInteger, '9007199254740992')).toBeNaN();
  expect(placed(parseInteger, '9007199254740993')).toBeNaN();
  expect(placed(parseInteger, '-9007199254740992')).toBeNaN();
  expect(placed(parseInteger, '99999999999999999999999')).toBeNaN();
  expect(placed(parseInt64, '9223372036854775807')).toBe(2n ** 63n - 1n);
  expect(placed(parseInt64, '9223372036854775808')).toBeUndefined();
  expect(placed(parseInt64, '-9223372036854775808')).toBe(-(2n ** 63n));
  expect(placed(parseInt64, '-9223372036854775809')).toBeUndefined();
  expect(placed(parseInt64, '92233720368547758070')).toBeUndefined();
});

test('every int64 comes back, and a safe one as a number too', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (n) => {
      expect(placed(parseInt64, String(n))).toBe(n);
      const safe = Number.isSafeInteger(Number(n)) ? Number(n) : Number.NaN;
      expect(placed(parseInteger, String(n))).toBe(safe);
    }),
  );
});

test('any other text is no integer', () => {
  const almost = fc.string({ unit: fc.constantFrom(...'0019-+. '), maxLength: 6 });
  fc.assert(
    fc.property(almost, (text) => {
      const expected = /^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
      expect(placed(parseInteger, text)).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test('a safe integer is written in as many bytes as counted, and nothing beside it', () => {
  const nearPowers = fc
    .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: -2, max: 2 }))
    .map(([power, times, offset]) => Math.min(times * 10 ** power + offset, Number.MAX_SAFE_INTEGER));
  const nearBillions = fc
    .tuple(fc.integer({ min: 1, max: 9_007_199 }), fc.integer({ min: -2, max: 2 }))
    .map(([billions, offset]) => billions * 1e9 + offset);
  const anyInteger = fc.oneof(fc.maxSafeInteger(), fc.integer(), nearPowers, nearBillions);
  fc.assert(
    fc.property(anyInteger, fc.boolean(), (positive, negate) => {
      const n = negate ? -positive : positive;
      const buffer = Buffer.alloc(24, '.');
      const end = writeDigits(buffer, 3, n);
      const text = BigInt(n).toString();
      expect(buffer.toString('latin1')).toBe(`...${text}`.padEnd(24, '.'));
      expect(end).toBe(3 + text.length);
      expect(digitCount(n)).toBe(text.length);
    }),
    { numRuns: 20_000 },
  );
});

// What Redis 8.4's source says of a cursor. Version 7.0 differs in the two marked: " 1" refused, "" is 0, "-1" wraps.
const cursors: [string, bigint | undefined][] = [
  ['0', 0n],
  ['01', 1n],
  ['+1', 1n],
  ['-0', 0n],
  ['-01', 2n ** 64n - 1n],
  ['1\x002', 1n],
  ['18446744073709551615', 2n ** 64n - 1n],
  ['18446744073709551616', undefined],
  ['-18446744073709551615', 1n],
  ['-18446744073709551616', undefined],
  ['1 ', undefined],
  ['abc', undefined],
  ['0x10', undefined],
  ['--1', undefined],
  ['+-1', undefined],
];
const cursorsSince72: [string, bigint | undefined][] = [
  [' 1', 1n],
  ['\t\n\v\f\r1', 1n],
  ['', undefined],
  ['\x001', undefined],
  ['-1', undefined],
  ['-9223372036854775808', undefined],
];

test.each([...cursors, ...cursorsSince72])('cursor %j: %s', (text, expected) => {
  expect(placed(parseUint64, text)).toBe(expected);
});

test.runIf(oracleInstalled)('agrees with redis-server', async () => {
  const oracle = await startOracle();
  try {
    for (const [text, expected] of cursors) {
      const reply = await oracle.call('SCAN', Buffer.from(text, 'latin1'));
      expect([text, reply === '-ERR invalid cursor']).toEqual([text, expected === undefined]);
    }
    const almost = fc.string({ unit: fc.constantFrom(...'001239-+ \x00'), maxLength: 5 });
    const large = fc.bigInt(-(2n ** 64n), 2n ** 64n).map(String);
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost, large), async (text) => {
        await oracle.client.set('k', Buffer.from(text, 'latin1'));
        const taken =
          (await oracle.call('INCRBY', 'k', '0')) !== '-ERR value is not an integer or out of range';
        expect([text, placed(parseInt64, text) !== undefined]).toEqual([text, taken]);
      }),
      { numRuns: 2_000 },
    );
  } finally {
    await oracle.close();
  }
});
