// Intsets: the bytes of each width, both sides of its limits, looking up between and beyond the members, and what the
// check refuses.

import { describe, expect, test } from 'vitest';
import { ByteView } from '../../../src/bytes/view.ts';
import type { Int64 } from '../../../src/collections/int64.ts';
import { checkIntset, Intset, packIntset } from '../../../src/collections/intset.ts';
import { MovingValue, placed } from '../../support/packed.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const intset = new Intset();
const members = (bytes: ByteView): Int64[] => {
  intset.open(bytes);
  return Array.from({ length: intset.count }, (_, i) => intset.at(i));
};

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const cases: readonly [width: number, members: Int64[], bytes: string][] = [
  [2, [0], '02000000 01000000 0000'],
  [2, [-32768, -1, 32767], '02000000 03000000 0080 ffff ff7f'],
  [4, [-32769, 1], '04000000 02000000 ff7fffff 01000000'],
  [4, [1, 32768], '04000000 02000000 01000000 00800000'],
  [4, [-(2 ** 31), 2 ** 31 - 1], '04000000 02000000 00000080 ffffff7f'],
  [8, [-1, 2 ** 31], '08000000 02000000 ffffffffffffffff 0000008000000000'],
  [8, [-(2 ** 31) - 1], '08000000 01000000 ffffff7fffffffff'],
  [8, [2 ** 53 - 1, 2n ** 53n], '08000000 02000000 ffffffffffff1f00 0000000000002000'],
  [8, [INT64_MIN, INT64_MAX], '08000000 02000000 0000000000000080 ffffffffffffff7f'],
];

describe('the format', () => {
  test.each(cases)('width %i: %s', (width, expected, bytes) => {
    expect(packIntset([...expected].reverse().concat(expected))).toEqual(hex(bytes));
    expect(members(placed(hex(bytes)))).toEqual(expected);
    expect(intset.width).toBe(width);
    expect(checkIntset(placed(hex(bytes)))).toBe(true);
    const view = new ByteView();
    expect(expected.map((_, i) => intset.bytes(i, view).toString())).toEqual(expected.map(String));
    expect(expected.map((member) => intset.find(member))).toEqual(expected.map((_, i) => i));
  });
});

test('what is no member is found where it would be, whatever its width', () => {
  const wanted: readonly Int64[] = [
    INT64_MIN,
    -(2 ** 40),
    -(2 ** 31),
    -40_000,
    -5,
    5,
    40_000,
    2 ** 31,
    INT64_MAX,
  ];
  for (const wide of [[], [100_000], [2 ** 33]]) {
    intset.open(placed(packIntset([-10, 0, 10, ...wide])));
    const behind = wide.map((member) => wanted.filter((each) => each > member).length)[0] ?? 0;
    expect(wanted.map((member) => -1 - intset.find(member))).toEqual([
      ...[0, 0, 0, 0, 1, 2],
      ...[3, 3, 3].map((place, i) => place + (i >= 3 - behind ? 1 : 0)),
    ]);
  }
});

test('a random member is each with the same chance', () => {
  intset.open(placed(packIntset([1, 2, 3])));
  expect([0, 0.33, 0.34, 0.66, 0.67, 0.999].map((chance) => intset.random(chance))).toEqual([
    1, 1, 2, 2, 3, 3,
  ]);
});

test('a wider member widens all, and removing it narrows none', () => {
  const value = new MovingValue(packIntset([5, 7]));
  const steps: readonly [Int64, Int64[], number][] = [
    [6, [5, 6, 7], 2],
    [-40_000, [-40_000, 5, 6, 7], 4],
    [40_000, [-40_000, 5, 6, 7, 40_000], 4],
    [INT64_MAX, [-40_000, 5, 6, 7, 40_000, INT64_MAX], 8],
    [INT64_MIN, [INT64_MIN, -40_000, 5, 6, 7, 40_000, INT64_MAX], 8],
  ];
  for (const [added, expected, width] of steps) {
    expect(intset.open(value.view).add(value, 0, added)).toBe(true);
    expect(value.bytes).toEqual(packIntset(expected));
    expect([intset.width, intset.count]).toEqual([width, expected.length]);
    expect(intset.add(value, 0, added)).toBe(false);
  }
  for (const removed of [INT64_MIN, 5, INT64_MAX, -40_000, 40_000]) {
    expect(intset.open(value.view).remove(value, 0, removed)).toBe(true);
    expect(intset.remove(value, 0, removed)).toBe(false);
  }
  expect(value.bytes).toEqual(hex('08000000 02000000 0600000000000000 0700000000000000'));
});

test('two steps widen at once', () => {
  for (const added of [2 ** 40, -(2 ** 40)]) {
    const value = new MovingValue(packIntset([1, 2]));
    intset.open(value.view).add(value, 0, added);
    expect(value.bytes).toEqual(packIntset([1, 2, added]));
  }
});

describe('the check refuses', () => {
  const bad: readonly [what: string, bytes: string][] = [
    ['nothing', ''],
    ['half a header', '02000000 0100'],
    ['no members', '02000000 00000000'],
    ['another width', '03000000 01000000 000000'],
    ['more members than there are', '02000000 02000000 0000'],
    ['bytes behind the members', '02000000 01000000 0000 00'],
    ['a count that overflows', '02000000 01000080 0000'],
    ['one member twice', '02000000 02000000 0000 0000'],
    ['a wrong order', '02000000 02000000 0000 ffff'],
    ['a wrong order of 64 bits', '08000000 02000000 0000000000000000 ffffffffffffffff'],
  ];

  test.each(bad)('%s', (_, bytes) => {
    expect(checkIntset(placed(hex(bytes)))).toBe(false);
  });
});
