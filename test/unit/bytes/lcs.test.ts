// Longest common subsequences, against a plain reference and against redis-server where it is installed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lcsTableBytes, longestCommonSubsequence } from '../../../src/bytes/lcs.ts';
import { oracleInstalled, startOracle } from './redis-oracle.ts';

function lcs(a: string, b: string): [string, number[][]] {
  const { bytes, ranges } = longestCommonSubsequence(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
  return [bytes.toString('latin1'), ranges.map((r) => [r.aStart, r.aEnd, r.bStart, r.bEnd])];
}

// Recorded from redis-server 7.0.15: the subsequence, and [a's start, end, b's start, end] of its ranges.
const recorded: [string, string, string, number[][]][] = [
  [
    'ohmytext',
    'mynewtext',
    'mytext',
    [
      [4, 7, 5, 8],
      [2, 3, 0, 1],
    ],
  ],
  ['', '', '', []],
  ['', 'abc', '', []],
  ['abc', 'xyz', '', []],
  ['abc', 'abc', 'abc', [[0, 2, 0, 2]]],
  ['a', 'aaa', 'a', [[0, 0, 2, 2]]],
  ['abcab', 'ab', 'ab', [[3, 4, 0, 1]]],
  ['ab', 'ba', 'b', [[1, 1, 0, 0]]],
  [
    '\xff\x00\xff',
    '\x00\xff\xff',
    '\x00\xff',
    [
      [2, 2, 2, 2],
      [1, 1, 0, 0],
    ],
  ],
];

test.each(recorded)('%j and %j share %j', (a, b, subsequence, ranges) => {
  expect(lcs(a, b)).toEqual([subsequence, ranges]);
});

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\xff'), maxLength: 24 });

test('a subsequence of both, made of its ranges, and none is longer', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [subsequence, ranges] = lcs(a, b);
      const parts = ranges.toReversed() as [number, number, number, number][];
      expect(parts.map(([start, end]) => a.slice(start, end + 1)).join('')).toBe(subsequence);
      expect(parts.map(([, , start, end]) => b.slice(start, end + 1)).join('')).toBe(subsequence);
      expect(subsequence).toHaveLength(longest(a, b));
    }),
  );
});

/** The length by the definition, from the front and remembering nothing but what was asked. */
function longest(a: string, b: string, known = new Map<string, number>()): number {
  if (a === '' || b === '') return 0;
  const question = `${a.length} ${b.length}`;
  const answer =
    known.get(question) ??
    (a[0] === b[0]
      ? 1 + longest(a.slice(1), b.slice(1), known)
      : Math.max(longest(a.slice(1), b, known), longest(a, b.slice(1), known)));
  known.set(question, answer);
  return answer;
}

test('the table is 4 bytes for each pair of prefixes', () => {
  expect(lcsTableBytes(0, 0)).toBe(4);
  expect(lcsTableBytes(511, 1023)).toBe(2 ** 21);
});

test.runIf(oracleInstalled)('agrees with redis-server, and on the size that is too large', async () => {
  const oracle = await startOracle();
  const redisLcs = async (a: string, b: string): Promise<[string, number[][]]> => {
    await oracle.client.mset('a', Buffer.from(a, 'latin1'), 'b', Buffer.from(b, 'latin1'));
    const bytes = (await oracle.client.callBuffer('LCS', 'a', 'b')) as Buffer;
    const idx = (await oracle.call('LCS', 'a', 'b', 'IDX')) as [string, number[][][], string, number];
    return [bytes.toString('latin1'), idx[1].map((range) => range.flat())];
  };
  try {
    for (const [a, b, ...expected] of recorded) expect(await redisLcs(a, b)).toEqual(expected);
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        expect(lcs(a, b)).toEqual(await redisLcs(a, b));
      }),
      { numRuns: 1_500 },
    );
    const limit = 2 ** 20; // the smallest that Redis takes
    await oracle.client.config('SET', 'proto-max-bulk-len', limit);
    for (const [aLength, bLength] of [
      [1023, 255],
      [1023, 256],
      [511, 511],
      [512, 511],
    ] as const) {
      await oracle.client.mset('a', 'x'.repeat(aLength), 'b', 'y'.repeat(bLength));
      const refused = (await oracle.call('LCS', 'a', 'b', 'LEN')) !== 0;
      expect([aLength, bLength, lcsTableBytes(aLength, bLength) > limit]).toEqual([
        aLength,
        bLength,
        refused,
      ]);
    }
  } finally {
    await oracle.close();
  }
});
