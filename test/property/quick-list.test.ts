// A big list against an array: both ends, the middle, ranges, equal elements, walks in both directions, with nodes of a
// few elements, so that they split and join all the time, and with nodes as large as they are.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteView } from '../../src/bytes/view.ts';
import { ListpackCursor } from '../../src/collections/listpack.ts';
import { type NodeLimit, QuickList } from '../../src/collections/quick-list.ts';

const FULL: NodeLimit = { maxBytes: 8192, maxElements: Number.POSITIVE_INFINITY };

class Model {
  readonly released = new Set<ArrayBuffer>();
  readonly list: QuickList;
  readonly limit: NodeLimit;
  expected: string[] = [];

  constructor(limit: NodeLimit) {
    this.limit = limit;
    this.list = new QuickList(limit, (memory) => {
      expect(this.released.has(memory)).toBe(false);
      this.released.add(memory);
    });
  }

  removeMatching(wanted: string, limit: number, fromTail: boolean): void {
    const matches = this.expected.flatMap((each, i) => (each === wanted ? [i] : []));
    const gone = new Set(
      fromTail ? matches.slice(Math.max(0, matches.length - limit)) : matches.slice(0, limit),
    );
    expect(this.list.removeMatching(ByteView.of(wanted), limit, fromTail)).toBe(gone.size);
    this.expected = this.expected.filter((_, i) => !gone.has(i));
  }

  check(): void {
    const { list, expected } = this;
    expect(list.count).toBe(expected.length);
    expect(this.walk(0, expected.length)).toEqual(expected);
    this.#checkNodes();
    const { memory } = list;
    expect(memory.some((each) => this.released.has(each as ArrayBuffer))).toBe(false);
    const bytes = memory.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(list.usedBytes).toBe(bytes + 256 * memory.length);
    if (expected.length === 0) expect(bytes).toBe(0);
  }

  /** Each node is a listpack that says of itself what is true, and keeps to its limit. */
  #checkNodes(): void {
    const view = new ByteView();
    const found: string[] = [];
    this.list.forEachListpack((listpack, count) => {
      expect(listpack.buffer.readUInt32LE(listpack.start)).toBe(listpack.length);
      expect(listpack.buffer.readUInt16LE(listpack.start + 4)).toBe(count);
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(this.limit.maxElements);
      expect(count === 1 || listpack.length <= this.limit.maxBytes).toBe(true);
      const cursor = new ListpackCursor().open(listpack);
      for (; !cursor.isAtEnd; cursor.next()) found.push(cursor.bytes(view).toString());
    });
    expect(found).toEqual(this.expected);
  }

  walk(from: number, to: number): string[] {
    const there: string[] = [];
    const back: string[] = [];
    this.list.forEach(from, to, (bytes, index) => {
      there.push(bytes.toString());
      expect(index).toBe(Math.max(0, from) + there.length - 1);
    });
    this.list.forEachBackward(from, to, (bytes) => back.push(bytes.toString()));
    expect(back.toReversed()).toEqual(there);
    return there;
  }

  matches(wanted: string, from: number, to: number, atMost: number): void {
    const indexes = this.expected.flatMap((each, i) => (each === wanted && i >= from && i < to ? [i] : []));
    const found: number[] = [];
    const back: number[] = [];
    const view = ByteView.of(wanted);
    this.list.forEachMatch(view, from, to, (index) => found.push(index) < atMost);
    this.list.forEachMatchBackward(view, from, to, (index) => back.push(index) < atMost);
    expect(found).toEqual(indexes.slice(0, atMost));
    expect(back).toEqual(indexes.toReversed().slice(0, atMost));
  }

  /** Both to the list and to the array. */
  apply(step: Step): void {
    const { list, expected } = this;
    const count = expected.length;
    if ('pushHead' in step) {
      for (let i = 0; i < step.times; i++) list.pushHead(ByteView.of(step.pushHead));
      expected.unshift(...Array.from({ length: step.times }, () => step.pushHead));
    } else if ('pushTail' in step) {
      for (let i = 0; i < step.times; i++) list.pushTail(ByteView.of(step.pushTail));
      expected.push(...Array.from({ length: step.times }, () => step.pushTail));
    } else if ('insert' in step) {
      const index = step.at % (count + 1);
      list.insert(index, ByteView.of(step.insert));
      expected.splice(index, 0, step.insert);
    } else if ('set' in step) {
      const index = step.at % (count + 1);
      expect(list.set(index, ByteView.of(step.set))).toBe(index < count);
      if (index < count) expected[index] = step.set;
    } else if ('removeAll' in step) {
      this.removeMatching(step.removeAll, step.limit, step.fromTail);
    } else {
      const index = step.remove % (count + 1);
      list.removeRange(index, step.count);
      expected.splice(index, step.count);
    }
  }
}

const element = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 12 }).map(String) },
  { weight: 3, arbitrary: fc.constantFrom('', '\0', 'a\0b', 'x'.repeat(30), 'y'.repeat(63), 'y'.repeat(64)) },
  fc.constantFrom('00', '-0', '4095', '-4097', '123456789012', '9223372036854775807', '\xff'.repeat(300)),
  fc.constantFrom('big'.repeat(1500), 'bigger'.repeat(4000)),
);
const times = fc.constantFrom(1, 1, 2, 20, 300);
const step = fc.oneof(
  fc.record({ pushHead: element, times }),
  fc.record({ pushTail: element, times }),
  fc.record({ insert: element, at: fc.nat() }),
  fc.record({ set: element, at: fc.nat() }),
  fc.record({ remove: fc.nat(), count: fc.constantFrom<number[]>(0, 1, 1, 3, 50, 400) }),
  fc.record({ removeAll: element, limit: fc.constantFrom(0, 1, 2, 1000), fromTail: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const limits: readonly NodeLimit[] = [
  { maxBytes: 40, maxElements: 5 },
  { maxBytes: 300, maxElements: Number.POSITIVE_INFINITY },
  { maxBytes: 8192, maxElements: 3 },
  { maxBytes: 8192, maxElements: 1 },
  FULL,
];

test('it holds what an array holds', () => {
  const range = fc.integer({ min: -5, max: 700 });
  const property = fc.property(
    fc.constantFrom(...limits),
    fc.array(step, { maxLength: 40, size: 'max' }),
    fc.array(fc.tuple(element, range, range, fc.constantFrom(1, 2, 1000)), { maxLength: 4 }),
    (limit, steps, lookups) => {
      const model = new Model(limit);
      for (const each of steps) model.apply(each);
      model.check();
      for (const [wanted, from, to, atMost] of lookups) {
        model.matches(wanted, from, to, atMost);
        expect(model.walk(from, to)).toEqual(model.expected.slice(Math.max(0, from), Math.max(0, to)));
      }
    },
  );
  fc.assert(property, { numRuns: 150 });
});

test('every single step keeps it whole', () => {
  const property = fc.property(
    fc.constantFrom(...limits),
    fc.array(step, { minLength: 1, maxLength: 12 }),
    (limit, steps) => {
      const model = new Model(limit);
      for (const each of steps) {
        model.apply(each);
        model.check();
      }
    },
  );
  fc.assert(property, { numRuns: 60 });
});

test('every index is found, and none beyond', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 5000; i++) model.apply({ pushTail: `element ${i}`, times: 1 });
  const view = new ByteView();
  for (const [i, each] of model.expected.entries()) {
    if (model.list.get(i, view)?.toString() !== each) expect.fail(`element ${i} was not found`);
  }
  expect(model.list.get(5000, view)).toBeUndefined();
  expect(model.list.get(-1, view)).toBeUndefined();
});

test('an element may be put elsewhere in its own list', () => {
  const list = new QuickList({ maxBytes: 60, maxElements: 10 });
  for (let i = 0; i < 30; i++) list.pushTail(ByteView.of(i % 2 === 0 ? `text ${i}` : `${i}`));
  const view = new ByteView();
  list.pushHead(list.get(29, view)!);
  list.pushTail(list.get(1, view)!);
  list.insert(15, list.get(14, view)!);
  list.set(0, list.get(20, view)!);
  const all: string[] = [];
  list.forEach(0, 100, (bytes) => all.push(bytes.toString()));
  expect([all[0], all[15], all[14], all.at(-1)]).toEqual(['text 18', '13', '13', 'text 0']);
});

for (const fromHead of [true, false]) {
  test(`a queue of a hundred thousand, in at the ${fromHead ? 'head' : 'tail'}, out at the other end`, () => {
    const { list, released } = new Model(FULL);
    const view = new ByteView();
    let next = 0;
    const push = (i: number): void => {
      const value = ByteView.of(`job:${i}`);
      if (fromHead) list.pushHead(value);
      else list.pushTail(value);
    };
    for (let i = 0; i < 100_000; i++) {
      push(i);
      if (i % 4 !== 0 && i > 20_000) continue;
      const out = fromHead ? list.count - 1 : 0;
      if (list.get(out, view)?.toString() !== `job:${next}`) expect.fail(`job ${next} is not the next`);
      list.removeRange(out, 1);
      next++;
    }
    expect(list.count).toBe(100_000 - next);
    expect(list.usedBytes).toBeLessThan(list.count * 14 + 20_000);
    expect(released.size).toBeGreaterThan(20);
    list.removeRange(0, list.count);
    expect([list.count, list.usedBytes, list.memory]).toEqual([0, 0, []]);
  });
}

test('removing every other element halves the memory', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 20_000; i++) model.apply({ pushTail: i % 2 === 0 ? 'it stays' : 'it goes', times: 1 });
  const before = model.list.usedBytes;
  model.removeMatching('it goes', Number.POSITIVE_INFINITY, false);
  model.check();
  expect(model.list.usedBytes).toBeLessThan(before * 0.6);
});

test('nodes that run nearly empty are joined', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 20_000; i++) model.apply({ pushTail: i % 50 === 0 ? 'stays' : 'goes', times: 1 });
  const before = model.list.usedBytes;
  model.removeMatching('goes', 15_000, false);
  model.removeMatching('goes', Number.POSITIVE_INFINITY, true);
  model.check();
  expect(model.list.count).toBe(400);
  expect(model.list.usedBytes).toBeLessThan(before / 8);
  expect(model.list.memory.length).toBeLessThan(10);
});

test('removing ranges joins what is left on both sides', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 20_000; i++) model.apply({ pushTail: `element ${i}`, times: 1 });
  for (let i = 1; i <= 40; i++) model.apply({ remove: i * 5, count: 490 });
  model.check();
  expect(model.list.memory.length).toBeLessThan(5);
});

test('a head that runs nearly empty joins what is behind, and gives its room back', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 800; i++) model.apply({ pushTail: `element ${i}`, times: 1 });
  expect(model.list.memory.length).toBe(2);
  model.apply({ remove: 0, count: 500 });
  model.apply({ remove: 100, count: 200 });
  model.check();
  expect(model.list.memory.length).toBe(1);
  for (let i = 0; i < 97; i++) model.apply({ remove: 0, count: 1 });
  model.check();
  expect(model.list.usedBytes).toBeLessThan(1024);
});

test('nodes split by insertion in the middle are filled again', () => {
  const model = new Model(FULL);
  for (let i = 0; i < 10_000; i++) model.apply({ insert: `element ${i}`, at: model.list.count >>> 1 });
  model.check();
  expect(model.list.usedBytes).toBeLessThan(10_000 * 15 * 2.5);
});
