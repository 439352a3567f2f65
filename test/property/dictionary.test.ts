// A big dictionary against a Map: fields and values of every size, empty ones, ones with zeros in them, growth to
// thousands and shrinking to none.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Key } from '../../src/bytes/key.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { Dictionary } from '../../src/collections/dictionary.ts';

const SEED = { low: 3, high: 4 };
const keyOf = (text: string): Key => Key.from(ByteView.of(text), SEED);

class Model {
  readonly dictionary = new Dictionary();
  readonly expected = new Map<string, { readonly slot: number; value: string; number: number }>();
  readonly #view = new ByteView();

  put(key: string, value: string): void {
    const slot = this.dictionary.put(keyOf(key), ByteView.of(value));
    const before = this.expected.get(key);
    if (before === undefined)
      expect([...this.expected.values()].some((each) => each.slot === slot)).toBe(false);
    else expect(slot).toBe(before.slot);
    this.expected.set(key, { slot, value, number: before?.number ?? 0 });
  }

  setNumber(key: string, number: number): void {
    const entry = this.expected.get(key);
    if (entry === undefined) return;
    this.dictionary.setNumber(entry.slot, number);
    entry.number = number;
  }

  remove(key: string): void {
    const slot = this.dictionary.find(keyOf(key));
    expect(slot).toBe(this.expected.get(key)?.slot ?? 0);
    if (slot !== 0) this.dictionary.remove(slot);
    this.expected.delete(key);
  }

  check(): void {
    const { dictionary } = this;
    expect(dictionary.count).toBe(this.expected.size);
    const found = new Map<string, { slot: number; value: string; number: number }>();
    dictionary.forEach((slot) => {
      const key = dictionary.key(slot, this.#view).toString();
      const value = dictionary.value(slot, this.#view).toString();
      expect(dictionary.valueLength(slot)).toBe(value.length);
      found.set(key, { slot, value, number: dictionary.number(slot) });
    });
    expect(new Map([...found].toSorted())).toEqual(new Map([...this.expected].toSorted()));
    const all = dictionary.memory.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(dictionary.usedBytes).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(0);
  }
}

const name = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 60 }).map((n) => `field\0${n}`) },
  fc.constantFrom('', '\0', '\0\0', '\xff', 'x'.repeat(300), 'y'.repeat(9000)),
);
const content = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }) },
  fc.constantFrom('', 'z'.repeat(200), 'z'.repeat(8192), 'z'.repeat(100_000)),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: name, content }) },
  fc.record({ remove: name }),
  fc.record({ number: fc.oneof(fc.double(), fc.constant(-0)), of: name }),
);

test('it holds what a map holds, and every entry keeps its slot', () => {
  const property = fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
    const model = new Model();
    for (const each of steps) {
      if ('put' in each) model.put(each.put, each.content);
      else if ('remove' in each) model.remove(each.remove);
      else model.setNumber(each.of, each.number);
    }
    model.check();
    for (const key of [...model.expected.keys()]) model.remove(key);
    model.check();
  });
  fc.assert(property, { numRuns: 100 });
});

test('twenty thousand fields come, change, and go again', () => {
  const dictionary = new Dictionary();
  const view = new ByteView();
  const field = (i: number): Key => keyOf(`field:${i}`);
  const slots = Array.from({ length: 20_000 }, (_, i) => dictionary.put(field(i), ByteView.of(`value ${i}`)));
  expect(new Set(slots).size).toBe(20_000);
  for (let i = 0; i < 20_000; i += 3)
    dictionary.put(field(i), ByteView.of(`another value of ${i}`), slots[i]);
  for (let i = 1; i < 20_000; i += 3) dictionary.remove(slots[i]!);
  const wrong = slots.filter((slot, i) => {
    if (dictionary.find(field(i)) !== (i % 3 === 1 ? 0 : slot)) return true;
    if (i % 3 === 1) return false;
    return dictionary.value(slot, view).toString() !== (i % 3 === 0 ? `another value of ${i}` : `value ${i}`);
  });
  expect(wrong).toEqual([]);
  for (const [i, slot] of slots.entries()) if (i % 3 !== 1) dictionary.remove(slot);
  expect(dictionary.count).toBe(0);
  expect(dictionary.random(0.5, 0.5)).toBe(0);
});

test('a scan visits what stays exactly once while the rest comes and goes', () => {
  const dictionary = new Dictionary();
  const put = (text: string): number => dictionary.put(keyOf(text));
  const stays = new Set(Array.from({ length: 400 }, (_, i) => put(`stays ${i}`)));
  const seen: number[] = [];
  let cursor = 0;
  let round = 0;
  do {
    cursor = dictionary.scan(cursor, 10, (slot) => {
      if (stays.has(slot)) seen.push(slot);
    });
    if (round % 2 === 0) for (let i = 0; i < 300; i++) put(`guest ${round} ${i}`);
    else for (let i = 0; i < 300; i++) dictionary.remove(dictionary.find(keyOf(`guest ${round - 1} ${i}`)));
    round++;
  } while (cursor !== 0);
  expect(seen.length).toBe(400);
  expect(new Set(seen)).toEqual(stays);
});

test('a new entry has the number 0, wherever it lies', () => {
  const dictionary = new Dictionary();
  const old = dictionary.put(keyOf('old'));
  dictionary.setNumber(old, 5);
  expect(dictionary.put(keyOf('old'), ByteView.of('another value'))).toBe(old);
  expect(dictionary.number(old)).toBe(5);
  dictionary.remove(old);
  const slot = dictionary.put(keyOf('new'));
  expect([slot, dictionary.number(slot)]).toEqual([old, 0]);
});

test('chance reaches every entry', () => {
  const dictionary = new Dictionary();
  const slots = new Set(Array.from({ length: 50 }, (_, i) => dictionary.put(keyOf(`member ${i}`))));
  const chosen = new Set(Array.from({ length: 1000 }, (_, i) => dictionary.random((i % 7) / 7, i / 1000)));
  expect(chosen).toEqual(slots);
});

test('two hundred entries cost a few KiB more than their bytes and records', () => {
  const dictionary = new Dictionary();
  for (let i = 0; i < 200; i++) dictionary.put(keyOf(`field ${i}`), ByteView.of('a value of some length'));
  const reserved = dictionary.memory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(dictionary.usedBytes).toBeLessThan(200 * 90);
  expect(reserved).toBeLessThan(32 * 1024);
});

test('what big values leave behind goes back while the dictionary lives', () => {
  const released: ArrayBuffer[] = [];
  const dictionary = new Dictionary((memory) => released.push(memory));
  const value = ByteView.of('v'.repeat(4000));
  for (let i = 0; i < 2000; i++) dictionary.put(keyOf(`field ${i}`), value);
  for (let i = 0; i < 2000; i++) dictionary.remove(dictionary.find(keyOf(`field ${i}`)));
  expect(released.length).toBeGreaterThan(4);
  expect(dictionary.memory.some((each) => released.includes(each as ArrayBuffer))).toBe(false);
});
