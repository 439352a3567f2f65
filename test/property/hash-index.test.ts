// The index against a Map, with hashes as chance makes them and as it never would: all equal, crowded at the end of a
// segment, at the edges of the directory. No pair may be lost by growing, splitting, joining or removing.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Key } from '../../src/bytes/key.ts';
import { HashIndex } from '../../src/keyspace/hash-index.ts';

const HASHES = 2 ** 31;

/** A key whose hash is chosen by the test. */
class ChosenKey extends Key {
  readonly slot: number;
  constructor(hash: number, slot: number) {
    super();
    this.hash = hash;
    this.slot = slot;
  }
}

class Model {
  readonly index = new HashIndex({ hasKey: (slot, key) => (key as ChosenKey).slot === slot });
  readonly keys = new Map<number, ChosenKey>();
  #nextSlot = 1;

  add(hash: number): ChosenKey {
    const key = new ChosenKey(hash, this.#nextSlot++);
    this.index.insert(key.hash, key.slot);
    this.keys.set(key.slot, key);
    return key;
  }

  remove(key: ChosenKey): void {
    this.index.remove(key.hash, key.slot);
    this.keys.delete(key.slot);
  }

  check(): void {
    expect(this.index.count).toBe(this.keys.size);
    for (const key of this.keys.values()) {
      if (this.index.find(key) !== key.slot) throw new Error(`slot ${key.slot} of hash ${key.hash} was lost`);
      const absent = new ChosenKey(key.hash, -1);
      if (this.index.find(absent) !== 0) throw new Error('found what was never there');
    }
    expect(this.walk(10).toSorted((a, b) => a - b)).toEqual([...this.keys.keys()].toSorted((a, b) => a - b));
  }

  /** All slots as SCAN finds them, `between` calls. */
  walk(count: number, between: () => void = () => {}): number[] {
    const found: number[] = [];
    let cursor = 0;
    do {
      const next = this.index.scan(cursor, count, (slot) => found.push(slot));
      if (next !== 0 && next <= cursor) throw new Error(`the cursor went back from ${cursor} to ${next}`);
      cursor = next;
      between();
    } while (cursor !== 0);
    return found;
  }
}

/** A repeatable source of hashes. */
function chance(seed: number): () => number {
  let state = (seed % 0x7ffffffe) + 1;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return (state * 2 + (state & 1)) % HASHES;
  };
}

/** How the hashes of a batch lie. */
const layouts = {
  random: (seed: number) => chance(seed),
  equal: (seed: number) => () => (seed * 2654435761) % HASHES,
  lastOfAll: () => () => HASHES - 1,
  first: () => () => 0,
  /** In the last homes of whatever segment they fall in. */
  segmentEnd: (seed: number) => {
    const next = chance(seed);
    const segment = (seed % 8) * 2 ** 28;
    return () => segment + 2 ** 28 - 1 - (next() % 2 ** 18);
  },
  /** On both sides of the middle, where the first split goes through. */
  middle: (seed: number) => {
    const next = chance(seed);
    return () => 2 ** 30 - 60 + (next() % 120);
  },
  fewValues: (seed: number) => {
    const next = chance(seed);
    return () => (next() % 40) * 53687091;
  },
} as const;
const layout = fc.constantFrom(...(Object.keys(layouts) as (keyof typeof layouts)[]));

const step = fc.oneof(
  fc.record({ add: layout, seed: fc.nat({ max: 1e6 }), count: fc.constantFrom(1, 30, 120, 700, 2500) }),
  fc.record({ removeEvery: fc.integer({ min: 1, max: 5 }), count: fc.constantFrom(1, 100, 1000, 100_000) }),
);

test('no pair is lost and none is invented, however the hashes lie', () => {
  const property = fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
    const model = new Model();
    for (const each of steps) {
      if ('add' in each) {
        const next = layouts[each.add](each.seed);
        for (let i = 0; i < each.count; i++) model.add(next());
      } else {
        const gone = [...model.keys.values()].filter((_, i) => i % each.removeEvery === 0);
        for (const key of gone.slice(0, each.count)) model.remove(key);
      }
      model.check();
    }
    for (const key of [...model.keys.values()]) model.remove(key);
    model.check();
  });
  fc.assert(property, { numRuns: 20 });
});

for (const [name, make] of Object.entries(layouts)) {
  test(`thousands of keys, hashes ${name}: all found, all removed`, () => {
    const model = new Model();
    const next = make(12345);
    for (let i = 0; i < 3000; i++) model.add(next());
    model.check();
    for (const [i, key] of [...model.keys.values()].entries()) if (i % 3 !== 0) model.remove(key);
    model.check();
  });
}

test('a hundred thousand keys: growth and shrinking in small steps, and the memory comes back', () => {
  const model = new Model();
  const next = chance(7);
  for (let i = 0; i < 100_000; i++) model.add(next());
  model.check();
  expect(model.index.reservedBytes).toBeLessThan(100_000 * 24);
  for (const key of [...model.keys.values()]) model.remove(key);
  expect(model.index.reservedBytes).toBeLessThan(20_000);
  expect(model.index.scan(0, 10, () => expect.fail('it is empty'))).toBe(0);
});

test('a walk finds what was there all along exactly once, whatever comes, goes, grows and shrinks meanwhile', () => {
  const property = fc.property(
    fc.nat({ max: 1e6 }),
    fc.integer({ min: 1, max: 500 }),
    fc.boolean(),
    (seed, count, grows) => {
      const model = new Model();
      const next = chance(seed);
      const stays = Array.from({ length: 500 }, () => model.add(next()));
      const others = Array.from({ length: grows ? 0 : 6000 }, () => model.add(next()));
      const found = model.walk(count, () => {
        if (grows) for (let i = 0; i < 200 && model.keys.size < 20_000; i++) others.push(model.add(next()));
        else for (let i = 0; i < 200; i++) if (others.length > 0) model.remove(others.pop()!);
      });
      const times = new Map<number, number>();
      for (const slot of found) times.set(slot, (times.get(slot) ?? 0) + 1);
      for (const { slot } of stays) expect(times.get(slot)).toBe(1);
      expect(Math.max(...times.values())).toBe(1);
    },
  );
  fc.assert(property, { numRuns: 30 });
});

test('a call of scan visits about as many as asked, but always all keys of one hash', () => {
  const model = new Model();
  const next = chance(3);
  for (let i = 0; i < 20_000; i++) model.add(next());
  let visited = 0;
  model.index.scan(0, 10, () => visited++);
  expect(visited).toBe(10);
  const equal = new Model();
  for (let i = 0; i < 300; i++) equal.add(1000);
  visited = 0;
  expect(equal.index.scan(0, 10, () => visited++)).toBe(0);
  expect(visited).toBe(300);
});

test('any number may be a cursor', () => {
  const model = new Model();
  const next = chance(11);
  for (let i = 0; i < 5000; i++) model.add(next());
  const above = (from: number): number => [...model.keys.values()].filter(({ hash }) => hash >= from).length;
  const cursor = fc.oneof(
    fc.double({ noNaN: false }),
    fc.integer({ min: 0, max: HASHES - 1 }),
    fc.maxSafeNat(),
  );
  const edges = [
    HASHES - 1,
    HASHES - 0.5,
    HASHES,
    2 ** 32,
    2 ** 53,
    2 ** 64,
    -1,
    0.5,
    Number.POSITIVE_INFINITY,
  ];
  const property = fc.property(cursor, (from) => {
    let visited = 0;
    let at = from;
    do at = model.index.scan(at, 1000, () => visited++);
    while (at !== 0);
    expect(visited).toBe(Number.isNaN(from) ? 0 : above(from));
  });
  fc.assert(property, { examples: edges.map((each) => [each]), numRuns: 100 });
});

test('a random key is any of them, about as likely', () => {
  const model = new Model();
  const next = chance(5);
  for (let i = 0; i < 4000; i++) model.add(next());
  const draw = chance(99);
  const times = new Map<number, number>();
  for (let i = 0; i < 80_000; i++) {
    const slot = model.index.random(draw() / HASHES, draw() / HASHES);
    times.set(slot, (times.get(slot) ?? 0) + 1);
  }
  // 20 times each is expected; among 4000 keys chance alone spreads that to some 5 to 40.
  expect(times.size).toBe(4000);
  expect(Math.max(...times.values())).toBeLessThan(50);
  expect(new Model().index.random(0.5, 0.5)).toBe(0);
  const one = new Model();
  const { slot } = one.add(HASHES - 1);
  for (const place of [0, 0.5, 1 - 2 ** -32]) expect(one.index.random(place, place)).toBe(slot);
});
