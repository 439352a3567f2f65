// XXH3 against vectors of the reference library, for every length class.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { xxh3, xxh3Hex } from '../../../src/bytes/xxh3.ts';

// Length of the input, and its XXH3_64bits by libxxhash 0.8.1: every length to 300, and those around the ends of
// stripes and blocks beyond. The input is the beginning of the stream below.
const vectors: Record<string, string> = JSON.parse(
  readFileSync(new URL('./xxh3.vectors.json', import.meta.url), 'utf8'),
);
const input = xorshiftBytes(2 ** 20);

function xorshiftBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x9e3779b9;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}

test('every class of length hashes as by the reference library', () => {
  const ours = Object.keys(vectors).map((length) => [length, xxh3Hex(input, 0, Number(length))]);
  expect(Object.fromEntries(ours)).toEqual(vectors);
  expect(Object.keys(vectors)).toHaveLength(317);
});

test('the same bytes hash the same wherever they stand', () => {
  for (const length of [0, 2, 7, 15, 100, 200, 2000]) {
    for (let start = 1; start < 9; start++) {
      const moved = Buffer.alloc(length + 20, 0xee);
      input.copy(moved, start, 0, length);
      expect(xxh3Hex(new Uint8Array(moved), start, length)).toBe(
        vectors[length] ?? xxh3Hex(input, 0, length),
      );
      expect(xxh3Hex(moved.subarray(1), start - 1, length)).toBe(xxh3Hex(input, 0, length));
    }
  }
});

test('always sixteen digits', () => {
  // The first of the stream's prefixes whose hash begins with a zero.
  const short = Object.entries(vectors).find(([, hex]) => hex.startsWith('0')) as [string, string];
  expect(xxh3Hex(input, 0, Number(short[0]))).toBe(short[1]);
  expect(xxh3(input, 0, Number(short[0]))).toBe(BigInt(`0x${short[1]}`));
  expect(short[1]).toHaveLength(16);
});
