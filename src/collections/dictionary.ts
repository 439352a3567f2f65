// A big dictionary of bytes: the fields and values of a hash, the members of a set, the members of a sorted set with
// their scores. It is a small keyspace without deadlines: the same index, records and arena (src/keyspace), so a million
// entries are some hundred objects to the garbage collector, and growing never copies more than a small part.
//
// Guarantees: an entry keeps its slot (a number above 0) until it is removed, so that other structures may refer to it;
// scanning gives what SCAN promises (hash-index.ts): what is there all along is visited exactly once.
// A new dictionary takes about 17 KiB: what fits in a few KiB is better kept packed.

import type { Key } from '../bytes/key.ts';
import { ByteView } from '../bytes/view.ts';
import type { Collection } from '../keyspace/collection.ts';
import { Entries } from '../keyspace/entries.ts';
import { HashIndex } from '../keyspace/hash-index.ts';
import { SlotTable } from '../keyspace/slot-table.ts';

const FIRST_SLOTS = 128;
/** Slot 0, which means "none". */
const RESERVED_SLOTS = 1;

const NOTHING = new ByteView();

export class Dictionary implements Collection {
  readonly #entries: Entries;
  readonly #slots: SlotTable;
  readonly #index: HashIndex;

  /** `release` takes memory that shrinking has freed: nothing reads it after the current change. */
  constructor(release?: (memory: ArrayBuffer) => void) {
    this.#slots = new SlotTable(RESERVED_SLOTS, FIRST_SLOTS);
    this.#entries = new Entries(release, this.#slots);
    this.#index = new HashIndex(this.#entries);
  }

  get count(): number {
    return this.#index.count;
  }

  /** The slot of a key, 0 if there is none. */
  find(key: Key): number {
    return this.#index.find(key);
  }

  /**
   * Stores a value under a key, whatever was there, and returns the slot. A new entry's number is 0; that of one that was
   * there stays. `slot` is what `find` said of the key, for those who have asked already.
   */
  put(key: Key, value: ByteView = NOTHING, slot: number = this.#index.find(key)): number {
    if (slot !== 0) {
      this.#entries.replaceValue(slot, value);
      return slot;
    }
    const created = this.#entries.create(key, value);
    this.#slots.setDeadline(created, 0);
    this.#index.insert(key.hash, created);
    return created;
  }

  remove(slot: number): void {
    this.#index.remove(this.#slots.hash(slot), slot);
    this.#entries.free(slot);
  }

  /** The bytes of a key, good until the next change. */
  key(slot: number, into: ByteView): ByteView {
    return this.#entries.key(slot, into);
  }

  /** The bytes of a value, good until the next change. */
  value(slot: number, into: ByteView): ByteView {
    return this.#entries.value(slot, into);
  }

  valueLength(slot: number): number {
    return this.#slots.valueLength(slot);
  }

  /** The number that goes with an entry: the score of a member, the deadline of a field. It has the place of a key's deadline. */
  number(slot: number): number {
    return this.#slots.deadline(slot);
  }

  setNumber(slot: number, number: number): void {
    this.#slots.setDeadline(slot, number);
  }

  /** Visits about `count` slots in hash order from `cursor` on and returns the next cursor, 0 at the end. `visit` must not change anything. */
  scan(cursor: number, count: number, visit: (slot: number) => void): number {
    return this.#index.scan(cursor, count, visit);
  }

  /** Visits all slots in hash order. `visit` must not change anything. */
  forEach(visit: (slot: number) => void): void {
    this.#index.scan(0, Number.POSITIVE_INFINITY, visit);
  }

  /** A slot (0 when empty), chosen by two random numbers in [0, 1). */
  random(randomSegment: number, randomRank: number): number {
    return this.#index.random(randomSegment, randomRank);
  }

  get usedBytes(): number {
    return this.#entries.usedBytes + this.#index.reservedBytes;
  }

  get memory(): ArrayBufferLike[] {
    return [...this.#entries.arena.memory, ...this.#slots.memory, ...this.#index.memory];
  }
}
