// Keys and values as bytes, against a Map of Buffers: sizes on both sides of the largest block, keys beyond it, edits in
// place, and every view that was given out as its owner's must keep its bytes whatever happens to the entry later.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Key } from '../../src/bytes/key.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { MAX_BLOCK_BYTES } from '../../src/keyspace/arena.ts';
import { Entries } from '../../src/keyspace/entries.ts';
import { APART, RAW } from '../../src/keyspace/slot-flags.ts';
import { SLOT_BYTES } from '../../src/keyspace/slot-table.ts';

const SEED = { low: 1, high: 2 };

interface Expected {
  key: Buffer;
  value: Buffer;
  isRaw: boolean;
}

let filling = 0;
function bytesOf(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  filling = (filling + 1) % 251;
  for (let i = 0; i < length; i++) bytes[i] = (i + filling) % 251;
  return bytes;
}

function viewOf(bytes: Buffer, isOwned = false): ByteView {
  const view = new ByteView(bytes);
  view.isOwned = isOwned;
  return view;
}

const keyOf = (bytes: Buffer): Key => Key.from(viewOf(bytes), SEED);

class Model {
  readonly entries = new Entries();
  readonly expected = new Map<number, Expected>();
  /** Views given out as owned, and what they showed. */
  readonly givenOut: { readonly shown: Buffer; readonly copy: Buffer }[] = [];

  create(keyLength: number, valueLength: number, isOwned: boolean): void {
    const key = bytesOf(keyLength);
    const value = bytesOf(valueLength);
    const slot = this.entries.create(keyOf(key), viewOf(value, isOwned));
    expect(this.expected.has(slot)).toBe(false);
    this.expected.set(slot, { key, value: Buffer.from(value), isRaw: false });
  }

  pick(choice: number): number | undefined {
    return [...this.expected.keys()][choice % Math.max(1, this.expected.size)];
  }

  replaceValue(slot: number, length: number, isOwned: boolean): void {
    const value = bytesOf(length);
    this.entries.replaceValue(slot, viewOf(value, isOwned));
    Object.assign(this.expected.get(slot)!, { value: Buffer.from(value), isRaw: false });
  }

  replaceKey(slot: number, length: number): void {
    const key = bytesOf(length);
    this.entries.replaceKey(slot, keyOf(key));
    this.expected.get(slot)!.key = key;
  }

  /** APPEND and SETRANGE: a new length, then something written somewhere. */
  edit(slot: number, length: number): void {
    const expected = this.expected.get(slot)!;
    const value = Buffer.alloc(length);
    expected.value.copy(value);
    const view = this.entries.resize(slot, length, true);
    expect(view.length).toBe(length);
    const at = length >>> 1;
    if (length > 0) {
      view.buffer[view.start + at] = 0x99;
      value[at] = 0x99;
    }
    Object.assign(expected, { value, isRaw: true });
  }

  /** As a GET does that replies the value without copying it. */
  giveOut(slot: number): void {
    const view = this.entries.value(slot, new ByteView());
    if (!view.isOwned) return;
    const shown = view.buffer.subarray(view.start, view.start + view.length);
    this.givenOut.push({ shown, copy: Buffer.from(shown) });
  }

  free(slot: number): void {
    this.entries.free(slot);
    this.expected.delete(slot);
  }

  check(): void {
    const { entries } = this;
    for (const [slot, { key, value, isRaw }] of this.expected) {
      if (!entries.key(slot, new ByteView()).copy().equals(key)) throw new Error('a key has changed');
      if (!entries.hasKey(slot, keyOf(key))) throw new Error('a key is not its own');
      if (!entries.value(slot, new ByteView()).copy().equals(value)) throw new Error('a value has changed');
      expect((entries.slots.meta(slot) & RAW) !== 0).toBe(isRaw);
      const least = key.length + value.length + SLOT_BYTES;
      expect(entries.slotBytes(slot)).toBeGreaterThanOrEqual(least);
    }
    for (const { shown, copy } of this.givenOut) {
      if (!shown.equals(copy)) throw new Error('a value changed after it was given out');
    }
    const slotBytes = [...this.expected.keys()].reduce((sum, slot) => sum + entries.slotBytes(slot), 0);
    expect(entries.usedBytes).toBe(slotBytes);
  }
}

const length = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: 600 }),
  fc.integer({ min: MAX_BLOCK_BYTES - 50, max: MAX_BLOCK_BYTES + 50 }),
  fc.integer({ min: 0, max: 3 * MAX_BLOCK_BYTES }),
);
const keyLength = fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 50 }) }, { weight: 1, arbitrary: length });
const choice = fc.nat({ max: 100 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), keyLength, length, isOwned: fc.boolean() }),
  fc.record({ kind: fc.constant('replaceValue' as const), choice, length, isOwned: fc.boolean() }),
  fc.record({ kind: fc.constant('replaceKey' as const), choice, keyLength }),
  fc.record({ kind: fc.constant('edit' as const), choice, length }),
  fc.record({ kind: fc.constant('giveOut' as const), choice }),
  fc.record({ kind: fc.constant('free' as const), choice }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(model: Model, doing: Step): void {
  if (doing.kind === 'create') return model.create(doing.keyLength, doing.length, doing.isOwned);
  const slot = model.pick(doing.choice);
  if (slot === undefined) return;
  if (doing.kind === 'replaceValue') model.replaceValue(slot, doing.length, doing.isOwned);
  else if (doing.kind === 'replaceKey') model.replaceKey(slot, doing.keyLength);
  else if (doing.kind === 'edit') model.edit(slot, doing.length);
  else if (doing.kind === 'giveOut') model.giveOut(slot);
  else model.free(slot);
}

test('keys and values are what was stored last, and all memory is accounted for', () => {
  const property = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const model = new Model();
    for (const each of steps) {
      act(model, each);
      model.check();
    }
    for (const slot of [...model.expected.keys()]) model.free(slot);
    model.check();
    expect(model.entries.usedBytes).toBe(0);
    expect(model.entries.apartBytes).toBe(0);
  });
  fc.assert(property, { numRuns: 150 });
});

test('a big value that is owned is adopted, any other is copied', () => {
  const entries = new Entries();
  const big = bytesOf(100_000);
  const adopted = entries.create(keyOf(Buffer.from('a')), viewOf(big, true));
  expect(entries.value(adopted, new ByteView()).buffer).toBe(big);
  const copied = entries.create(keyOf(Buffer.from('b')), viewOf(big));
  expect(entries.value(copied, new ByteView()).buffer).not.toBe(big);
  const small = bytesOf(1000);
  const inArena = entries.create(keyOf(Buffer.from('c')), viewOf(small, true));
  expect(entries.value(inArena, new ByteView()).buffer).not.toBe(small);
  expect(entries.slots.meta(inArena) & APART).toBe(0);
});

test('an adopted buffer is not written to: somebody gave it, and may read it yet', () => {
  const entries = new Entries();
  const big = bytesOf(100_000);
  const before = Buffer.from(big);
  const slot = entries.create(keyOf(Buffer.from('a')), viewOf(big, true));
  const view = entries.resize(slot, 100_000, true);
  view.buffer.fill(0, view.start, view.start + view.length);
  expect(big.equals(before)).toBe(true);
});

test('appending to a big value again and again does not copy it each time', () => {
  const entries = new Entries();
  const slot = entries.create(keyOf(Buffer.from('a')), viewOf(bytesOf(70_000)));
  const buffers = new Set<Buffer>();
  for (let length = 70_001; length <= 80_000; length++)
    buffers.add(entries.resize(slot, length, true).buffer);
  expect(buffers.size).toBeLessThanOrEqual(2);
});
