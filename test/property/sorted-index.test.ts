// The order of a big sorted set against a sorted array: inserted and removed in every order, scores equal and not, ranks
// and bounds, walks both ways, thousands of entries and none.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Key } from '../../src/bytes/key.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { Dictionary } from '../../src/collections/dictionary.ts';
import { SortedIndex } from '../../src/collections/sorted-index.ts';

const SEED = { low: 3, high: 4 };

interface Entry {
  readonly slot: number;
  readonly member: string;
  score: number;
}

/** Latin1 text is ordered as its bytes are. */
const byOrder = (a: Entry, b: Entry): number =>
  a.score !== b.score ? (a.score < b.score ? -1 : 1) : a.member < b.member ? -1 : a.member > b.member ? 1 : 0;

class Model {
  readonly dictionary = new Dictionary();
  readonly index = new SortedIndex(this.dictionary);
  readonly entries = new Map<string, Entry>();

  set(member: string, score: number): void {
    const before = this.entries.get(member);
    if (before !== undefined) this.index.remove(before.slot, before.score);
    const slot = this.dictionary.put(Key.from(ByteView.of(member), SEED));
    this.index.insert(slot, score);
    this.entries.set(member, { slot, member, score });
  }

  remove(member: string): void {
    const entry = this.entries.get(member);
    if (entry === undefined) return;
    this.index.remove(entry.slot, entry.score);
    this.dictionary.remove(entry.slot);
    this.entries.delete(member);
  }

  removeAt(rank: number): void {
    const slot = this.index.removeAt(rank);
    const entry = this.sorted()[rank]!;
    expect(slot).toBe(entry.slot);
    this.dictionary.remove(slot);
    this.entries.delete(entry.member);
  }

  sorted(): Entry[] {
    return [...this.entries.values()].sort(byOrder);
  }

  /** The order, every rank, and what lies below and through each score. */
  check(): void {
    const { index } = this;
    const sorted = this.sorted();
    expect(index.count).toBe(sorted.length);
    const slots = sorted.map(({ slot }) => slot);
    expect(this.walk(0, sorted.length)).toEqual(slots);
    for (const [rank, { slot, score }] of sorted.entries()) {
      if (index.rank(slot, score) !== rank || index.select(rank) !== slot) {
        expect.fail(`slot ${slot} is not found at ${rank}`);
      }
    }
    expect(index.select(sorted.length)).toBe(0);
    expect(index.select(-1)).toBe(0);
  }

  checkBounds(score: number): void {
    const scores = [...this.entries.values()].map((entry) => entry.score);
    expect(this.index.countBelow(score)).toBe(scores.filter((each) => each < score).length);
    expect(this.index.countThrough(score)).toBe(scores.filter((each) => each <= score).length);
  }

  walk(from: number, to: number): number[] {
    const slots: number[] = [];
    const back: number[] = [];
    this.index.forEach(from, to, (slot) => slots.push(slot));
    this.index.forEachBackward(from, to, (slot) => back.push(slot));
    expect(back.toReversed()).toEqual(slots);
    return slots;
  }
}

const score = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, Infinity, -Infinity, Number.MIN_VALUE, 2 ** 53),
);
const member = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 400 }).map(String) },
  fc.constantFrom(
    '',
    '\0',
    '\0\0',
    'a',
    'a\0',
    'a\0b',
    '\xff',
    '\xff\xff',
    'x'.repeat(100),
    `${'x'.repeat(99)}y`,
  ),
  fc.constantFrom('h'.repeat(10_000), `${'h'.repeat(9999)}i`),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: member, score }) },
  fc.record({ remove: member }),
  fc.record({ removeAt: fc.nat() }),
);

test('it keeps the order of a sorted array', () => {
  const property = fc.property(
    fc.array(step, { maxLength: 500, size: 'max' }),
    fc.array(score),
    (steps, bounds) => {
      const model = new Model();
      for (const each of steps) {
        if ('set' in each) model.set(each.set, each.score);
        else if ('remove' in each) model.remove(each.remove);
        else if (model.index.count > 0) model.removeAt(each.removeAt % model.index.count);
      }
      model.check();
      for (const bound of bounds) model.checkBounds(bound);
    },
  );
  fc.assert(property, { numRuns: 60 });
});

/** A repeatable order of the numbers below `count`. */
const shuffled = (count: number): number[] => Array.from({ length: count }, (_, i) => (i * 7919) % count);

const orders = {
  ascending: (count: number) => Array.from({ length: count }, (_, i) => i),
  descending: (count: number) => Array.from({ length: count }, (_, i) => count - i),
  shuffled,
  equal: (count: number) => Array.from({ length: count }, () => 7),
  few: (count: number) => shuffled(count).map((n) => n % 5),
} as const;

for (const [name, order] of Object.entries(orders)) {
  test(`ten thousand entries, scores ${name}: in order while they come and while they go`, () => {
    const model = new Model();
    const scores = order(10_000);
    for (const [i, each] of shuffled(10_000).entries()) model.set(`member ${each}`, scores[i]!);
    model.check();
    for (const bound of [-1, 0, 1, 4, 7, 5000, 9999, 10_001, Infinity, -Infinity]) model.checkBounds(bound);
    const reserved = model.index.usedBytes;
    for (const each of shuffled(10_000)) if (each % 10 !== 0) model.remove(`member ${each}`);
    model.check();
    for (let i = 0; i < 300; i++) model.index.removeAt(0);
    for (let i = 0; i < 300; i++) model.index.removeAt(model.index.count - 1);
    const left = model
      .sorted()
      .slice(300, -300)
      .map(({ slot }) => slot);
    expect(model.walk(0, Infinity)).toEqual(left);
    while (model.index.count > 0) model.index.removeAt(model.index.count >>> 1);
    expect(model.walk(0, 10)).toEqual([]);
    for (let i = 0; i < 9000; i++)
      model.index.insert(model.dictionary.put(Key.from(ByteView.of(`new ${i}`), SEED)), i);
    expect(model.index.usedBytes).toBeLessThanOrEqual(reserved);
  });
}

test('walks begin and end at any rank', () => {
  const model = new Model();
  for (const each of shuffled(5000)) model.set(`member ${each}`, each);
  const slots = model.sorted().map(({ slot }) => slot);
  const rank = fc.integer({ min: -10, max: 5010 });
  const property = fc.property(rank, rank, (from, to) => {
    expect(model.walk(from, to)).toEqual(slots.slice(Math.max(0, from), Math.max(0, to)));
  });
  fc.assert(property, { numRuns: 200 });
});

test('bounds by member, all scores equal', () => {
  const model = new Model();
  const members = ['', '\0', 'a', 'a\0', 'ab', 'b', '\xff', ...shuffled(300).map((n) => `m${n}`)];
  for (const each of members) model.set(each, 0);
  const bounds = [...members, 'A', 'aa', 'm', 'm1', 'm2999', 'zz', '\xff\xff', 'm'.repeat(80)];
  for (const bound of bounds) {
    const view = ByteView.of(bound);
    expect(model.index.countBelowMember(view)).toBe(members.filter((each) => each < bound).length);
    expect(model.index.countThroughMember(view)).toBe(members.filter((each) => each <= bound).length);
  }
});

test('entries filled in ascending order take little more than their bytes', () => {
  const model = new Model();
  for (let i = 0; i < 50_000; i++)
    model.index.insert(model.dictionary.put(Key.from(ByteView.of(`${i}`), SEED)), i);
  expect(model.index.usedBytes).toBeLessThan(50_000 * 16);
  const all = model.index.memory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(all).toBe(model.index.usedBytes);
});

test('nodes that run nearly empty are joined, and used again', () => {
  const model = new Model();
  for (const each of shuffled(10_000)) model.set(`member ${each}`, each);
  const reserved = model.index.usedBytes;
  for (let i = 0; i < 10_000; i++) if (i % 10 !== 0) model.remove(`member ${i}`);
  for (let i = 0; i < 7000; i++) model.set(`another ${i}`, 10_000 + i);
  model.check();
  expect(model.index.usedBytes).toBeLessThanOrEqual(reserved);
});

test('minus zero and zero are one score, and infinities the ends', () => {
  const model = new Model();
  for (const [each, score] of Object.entries({ b: -0, a: 0, c: 0, high: Infinity, low: -Infinity })) {
    model.set(each, score);
  }
  const view = new ByteView();
  const order: string[] = [];
  const scores: number[] = [];
  model.index.forEach(0, 5, (slot, score) => {
    order.push(model.dictionary.key(slot, view).toString());
    scores.push(score);
  });
  expect(order).toEqual(['low', 'a', 'b', 'c', 'high']);
  expect(scores).toEqual([-Infinity, 0, -0, 0, Infinity]);
  expect([model.index.countBelow(0), model.index.countThrough(-0)]).toEqual([1, 4]);
});
