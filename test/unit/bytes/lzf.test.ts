// LZF: what is compressed by hand, and what is damaged.

import { expect, test } from 'vitest';
import { lzfDecompress } from '../../../src/bytes/lzf.ts';

const decompressed = (bytes: readonly number[], length: number): string | undefined =>
  lzfDecompress(Uint8Array.from(bytes), length)?.toString('latin1');

test.each([
  ['nothing', [], 0, ''],
  ['literal bytes', [1, 0x61, 0x62], 2, 'ab'],
  ['a repetition of what it writes itself', [0, 0x61, 0x80, 0], 7, 'aaaaaaa'],
  ['a repetition from further back', [2, 0x61, 0x62, 0x63, 0x20, 2], 6, 'abcabc'],
  ['a repetition whose length needs a byte more', [0, 0x61, 0xe0, 1, 0], 11, 'aaaaaaaaaaa'],
])('%s', (_, bytes, length, text) => {
  expect(decompressed(bytes, length)).toBe(text);
});

test.each([
  ['fewer bytes than said', [1, 0x61], 2],
  ['more bytes than announced', [1, 0x61, 0x62], 1],
  ['fewer bytes than announced', [1, 0x61, 0x62], 3],
  ['a repetition of what was never written', [0, 0x61, 0x20, 1], 4],
  ['a repetition beyond the end', [0, 0x61, 0x80, 0], 6],
  ['a repetition cut short', [0, 0x61, 0x80], 7],
  ['a long repetition cut short', [0, 0x61, 0xe0], 10],
  ['a length that so few bytes cannot have', [0, 0x61], 1_000_000_000],
])('refuses %s', (_, bytes, length) => {
  expect(decompressed(bytes, length)).toBeUndefined();
});
