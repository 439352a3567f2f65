// Integers of 64 bits from their text, as numbers and bigints and as words, against the parser that makes bigints.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInt64 } from '../../../src/bytes/integer.ts';
import {
  Int64Words,
  int64Of,
  readInt64,
  writeInt64Text,
  writeWords,
} from '../../../src/collections/int64.ts';
import { placed } from '../../support/packed.ts';

const words = new Int64Words();

/** All that is told of a text agrees with what `parseInt64` says. */
function check(text: string): void {
  const bytes = placed(Buffer.from(text, 'latin1'));
  const expected = parseInt64(bytes.buffer, bytes.start, bytes.length);
  const isSafe = expected !== undefined && Number.isSafeInteger(Number(expected));
  const n = isSafe ? Number(expected) : expected;
  expect([text, int64Of(bytes)]).toEqual([text, n]);
  expect([text, words.parse(bytes)]).toEqual([text, n !== undefined]);
  if (n === undefined) return;
  expect([text, (BigInt(words.high) << 32n) | BigInt(words.low >>> 0)]).toEqual([text, expected]);
  const { high, low } = words;
  expect([text, words.set(n).high, words.low]).toEqual([text, high, low]);
  expect([text, words.isInt32]).toEqual([text, BigInt.asIntN(32, expected!) === expected]);
  const packed = Buffer.alloc(8);
  writeWords(packed, 0, high, low);
  expect([text, packed.readBigInt64LE()]).toEqual([text, expected]);
  expect([text, readInt64(packed, 0)]).toEqual([text, n]);
  const written = Buffer.alloc(20);
  expect([text, written.toString('latin1', 0, writeInt64Text(written, 0, n))]).toEqual([text, text]);
}

test('every power of two, up to 2^64, and its neighbours', () => {
  for (let exponent = 0n; exponent <= 64n; exponent++) {
    for (const offset of [-1n, 0n, 1n]) {
      check(String(2n ** exponent + offset));
      check(String(-(2n ** exponent) + offset));
    }
  }
});

test('digits in any number, and what only looks like an integer', () => {
  const digits = fc
    .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 21 })
    .map((each) => each.join(''));
  const odd = fc
    .tuple(digits, fc.nat(21), fc.constantFrom('', '-', ' ', '/', ':', 'e', '.'))
    .map(([text, at, byte]) => text.slice(0, at) + byte + text.slice(at));
  fc.assert(
    fc.property(
      fc.oneof(
        digits,
        digits.map((text) => `-${text}`),
        odd,
      ),
      check,
    ),
    { numRuns: 5000 },
  );
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String), check), {
    numRuns: 5000,
  });
});
