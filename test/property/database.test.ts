// Two databases against Maps, through every verb that changes something, with keys and values from nothing to far beyond a
// block of the arena, while time passes. Nothing may be lost, mixed up or kept too long, what was handed out as a value
// must not change under its reader, and when all keys are gone so is all they held.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteView } from '../../src/bytes/view.ts';
import { MAX_BLOCK_BYTES } from '../../src/keyspace/arena.ts';
import { type Database, NO_DEADLINE } from '../../src/keyspace/database.ts';
import { EVENT } from '../../src/keyspace/key-event.ts';
import { DatabaseUnderTest } from '../support/database.ts';

interface Entry {
  value: Buffer;
  deadlineMs: number;
}

const KEYS = { empty: '', binary: 'lock:\0\xff', long: 'c'.repeat(300), huge: 'd'.repeat(70_000) };
type Name = keyof typeof KEYS;
const NAMES = Object.keys(KEYS) as Name[];

const at = fc.record({ place: fc.nat(1), name: fc.constantFrom(...NAMES) });
const size = fc.oneof(
  { weight: 4, arbitrary: fc.nat(80) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 5000 }) },
  { weight: 2, arbitrary: fc.integer({ min: MAX_BLOCK_BYTES - 350, max: MAX_BLOCK_BYTES + 50 }) },
  { weight: 3, arbitrary: fc.integer({ min: 70_000, max: 100_000 }) },
);
const ttl = fc.oneof(
  fc.constant(NO_DEADLINE),
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 1, max: 1e6 }),
);

const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), at, size, ttl }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('resize' as const), at, size }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), at, to: fc.constantFrom(...NAMES) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('copy' as const), at, to: at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('setDeadline' as const), at, ttl }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(100), fc.nat(1e5)) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), place: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('exchange' as const) }) },
);
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never;
type At = { readonly place: number; readonly name: Name };

class Comparison {
  readonly under = new DatabaseUnderTest(2);
  readonly models: [Map<Name, Entry>, Map<Name, Entry>] = [new Map(), new Map()];
  /** Values as they were handed out, and what they said. */
  readonly #readers: { readonly view: ByteView; readonly said: Buffer }[] = [];
  #written = 0;

  apply(change: Change): void {
    switch (change.kind) {
      case 'put':
        return this.#put(change.at, this.#bytes(change.size), this.#deadline(change.ttl));
      case 'resize':
        return this.#resize(change.at, change.size);
      case 'rename':
        return this.#rename(change.at, change.to);
      case 'copy':
        return this.#copy(change.at, change.to);
      case 'remove':
        return this.#remove(change.at);
      case 'setDeadline':
        return this.#setDeadline(change.at, this.#deadline(change.ttl));
      case 'read':
        return this.#read(change.at);
      case 'pass':
        return this.#pass(change.ms);
      case 'clear':
        this.#db(change.place).clear();
        return this.models[change.place]!.clear();
      case 'exchange':
        this.under.keyspace.swap(0, 1);
        this.models.reverse();
    }
  }

  #db(place: number): Database {
    return this.under.keyspace.databases[place]!;
  }

  /** The slot, which must be there if the model has the key. */
  #find({ place, name }: At): number {
    const slot = this.#db(place).find(this.under.key(KEYS[name]));
    expect(slot !== 0).toBe(this.models[place]!.has(name));
    return slot;
  }

  /** Bytes unlike those of any other value. */
  #bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length, ++this.#written);
    if (length >= 4) bytes.writeInt32LE(this.#written, length - 4);
    return bytes;
  }

  #deadline(ttlMs: number): number {
    return this.under.clock.nowMs + ttlMs;
  }

  #put(at: At, value: Buffer, deadlineMs: number): void {
    const view = new ByteView(Buffer.from(value));
    view.isOwned = value.length > MAX_BLOCK_BYTES + 500; // a big value is read into a buffer of its own
    this.#db(at.place).putString(this.under.key(KEYS[at.name]), this.#find(at), view, deadlineMs, EVENT.set);
    this.models[at.place]!.set(at.name, { value, deadlineMs });
  }

  /** As SETRANGE or APPEND: what was there stays, what is new is zero, and then the last byte is written. */
  #resize(at: At, length: number): void {
    const slot = this.#find(at);
    if (slot === 0) return;
    const entry = this.models[at.place]!.get(at.name)!;
    const grown = Buffer.alloc(length);
    entry.value.copy(grown);
    const view = this.#db(at.place).resize(slot, length, true);
    expect(view.copy().equals(grown)).toBe(true);
    if (length > 0) {
      grown[length - 1] = 0xaa;
      view.buffer[view.start + length - 1] = 0xaa;
    }
    this.#db(at.place).changed(slot, EVENT.setrange);
    entry.value = grown;
  }

  #rename(from: At, name: Name): void {
    const to = { place: from.place, name };
    const [slot, taken] = [this.#find(from), this.#find(to)];
    if (slot === 0 || slot === taken) return;
    if (taken !== 0) this.#db(from.place).remove(taken, EVENT.silent);
    this.#db(from.place).rename(slot, this.under.key(KEYS[name]));
    const model = this.models[from.place]!;
    model.set(name, model.get(from.name)!);
    model.delete(from.name);
  }

  /** The value's own view is stored again, as COPY and MOVE do, so that big ones come to share a buffer. */
  #copy(from: At, to: At): void {
    const [slot, taken] = [this.#find(from), this.#find(to)];
    if (slot === 0 || slot === taken) return;
    const { value, deadlineMs } = this.models[from.place]!.get(from.name)!;
    const source = this.#db(from.place);
    this.#db(to.place).putString(
      this.under.key(KEYS[to.name]),
      taken,
      source.value(slot),
      deadlineMs,
      EVENT.copyTo,
    );
    this.models[to.place]!.set(to.name, { value, deadlineMs });
  }

  #remove(at: At): void {
    const slot = this.#find(at);
    if (slot === 0) return;
    this.#db(at.place).remove(slot, EVENT.del);
    this.models[at.place]!.delete(at.name);
  }

  #setDeadline(at: At, deadlineMs: number): void {
    const slot = this.#find(at);
    if (slot === 0) return;
    this.#db(at.place).setDeadline(slot, deadlineMs, EVENT.expire);
    this.models[at.place]!.get(at.name)!.deadlineMs = deadlineMs;
  }

  /** A reply that is still being sent: an owned buffer is read later. */
  #read(at: At): void {
    const slot = this.#find(at);
    if (slot === 0) return;
    const view = this.#db(at.place).value(slot, new ByteView());
    if (view.isOwned) this.#readers.push({ view, said: view.copy() });
  }

  #pass(ms: number): void {
    this.under.pass(ms);
    for (const model of this.models) {
      for (const [name, { deadlineMs }] of model) {
        if (deadlineMs <= this.under.clock.nowMs) model.delete(name);
      }
    }
    // Half of the time keys end when they are looked up, half of the time by the wheel.
    if (ms % 2 === 0) this.under.tick();
  }

  check(): void {
    for (const [place, model] of this.models.entries()) {
      const db = this.#db(place);
      expect(db.id).toBe(place);
      for (const name of NAMES) {
        const slot = this.#find({ place, name });
        if (slot === 0) continue;
        const { value, deadlineMs } = model.get(name)!;
        expect(db.keyString(slot) === KEYS[name]).toBe(true);
        expect(db.value(slot, new ByteView()).copy().equals(value)).toBe(true);
        expect(db.valueLength(slot)).toBe(value.length);
        expect(db.deadline(slot)).toBe(deadlineMs);
      }
      // Looking all of them up has removed what had ended.
      expect(db.size).toBe(model.size);
      const left = [...model.values()].flatMap(({ deadlineMs }) =>
        deadlineMs === NO_DEADLINE ? [] : [deadlineMs - this.under.clock.nowMs],
      );
      expect(db.expires).toBe(left.length);
      expect(db.averageTtlMs).toBe(Math.round(left.reduce((sum, ms) => sum + ms, 0) / left.length || 0));
    }
    for (const { view, said } of this.#readers) expect(view.copy().equals(said)).toBe(true);
  }

  checkEmptied(): void {
    for (const [place, model] of this.models.entries()) {
      for (const name of [...model.keys()]) this.#remove({ place, name });
      const { memory, size, expires, averageTtlMs } = this.#db(place);
      expect({ size, expires, averageTtlMs }).toEqual({ size: 0, expires: 0, averageTtlMs: 0 });
      expect(memory).toMatchObject({ arenaUsed: 0, apart: 0, wheelEntries: 0 });
    }
  }
}

test('does what Maps do, and gives everything back', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60, size: 'max' }), (changes) => {
      const comparison = new Comparison();
      for (const each of changes) {
        comparison.apply(each);
        comparison.check();
      }
      comparison.checkEmptied();
    }),
    { numRuns: 200 },
  );
});
