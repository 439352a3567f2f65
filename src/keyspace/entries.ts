// Keys and their values as bytes: each slot's block in the arena holds the key with the value right behind it; a value
// too big for a block is kept in a buffer of its own (`APART`).
//
// Guarantees: replacing a value by one of about the same size writes in place; a buffer that a reply or another key may
// still be reading is never written to, but copied first; freeing a slot gives back all it held.
// Knows nothing of deadlines, indexes or who wants to hear of changes.

import type { Key } from '../bytes/key.ts';
import { ByteView, copyBytes, equalBytes } from '../bytes/view.ts';
import { Arena, MAX_BLOCK_BYTES, sizeClass } from './arena.ts';
import { APART, RAW, STRING, TYPE_MASK } from './slot-flags.ts';
import { SLOT_BYTES, SlotTable } from './slot-table.ts';
import { WHEEL_SLOTS } from './timing-wheel.ts';

/** A value in a buffer of its own. Once something else may be reading from it, it is written to no more. */
interface ApartValue {
  buffer: Buffer;
  isShared: boolean;
}

export class Entries {
  readonly slots: SlotTable;
  readonly #arena: Arena;
  readonly #apart = new Map<number, ApartValue>();
  #apartBytes = 0;
  readonly #value = new ByteView();

  /**
   * `release` takes memory that is needed no more: nothing reads it after the current change.
   * The records are a database's, with the heads of a timing wheel, unless a table is given.
   */
  constructor(release?: (memory: ArrayBuffer) => void, slots = new SlotTable(WHEEL_SLOTS)) {
    this.slots = slots;
    this.#arena = new Arena(release);
  }

  // --- reading

  /** The bytes of a value, good until the next change. The same view each time unless one is given. */
  value(slot: number, into: ByteView = this.#value): ByteView {
    const { slots } = this;
    if ((slots.meta(slot) & APART) !== 0) {
      const apart = this.#apart.get(slot)!;
      apart.isShared = true;
      into.set(apart.buffer, 0, slots.valueLength(slot));
      into.isOwned = true;
      return into;
    }
    const address = slots.address(slot);
    const start = this.#arena.offset(address) + slots.keyLength(slot);
    return into.set(this.#arena.segment(address), start, slots.valueLength(slot));
  }

  /** The bytes of a key, good until the next change. */
  key(slot: number, into: ByteView): ByteView {
    const address = this.slots.address(slot);
    return into.set(this.#arena.segment(address), this.#arena.offset(address), this.slots.keyLength(slot));
  }

  /** Reads the records of these slots, then their blocks, for the caches' sake. The result means nothing. */
  touchAhead(slots: Int32Array, count: number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      if (slots[i] !== 0) slots[i] = this.slots.address(slots[i]!);
    }
    for (let i = 0; i < count; i++) {
      const address = slots[i]!;
      if (address > 0) sum ^= this.#arena.segment(address)[this.#arena.offset(address)]!;
    }
    return sum;
  }

  hasKey(slot: number, key: Key): boolean {
    if (this.slots.keyLength(slot) !== key.length) return false;
    const address = this.slots.address(slot);
    const segment = this.#arena.segment(address);
    return equalBytes(segment, this.#arena.offset(address), key.buffer, key.start, key.length);
  }

  // --- changing

  /** A new slot with this key and value. */
  create(key: Key, value: ByteView): number {
    const { slots } = this;
    const slot = slots.allocate();
    slots.setHash(slot, key.hash);
    slots.setMeta(slot, STRING);
    this.#place(slot, key, value);
    return slot;
  }

  free(slot: number): void {
    this.#arena.free(this.slots.address(slot), this.#blockClass(slot));
    if ((this.slots.meta(slot) & APART) !== 0) this.#dropApart(slot);
    this.slots.free(slot);
  }

  /** Puts another string in the place of whatever the slot holds. */
  replaceValue(slot: number, value: ByteView): void {
    const { slots } = this;
    const meta = slots.meta(slot);
    const keyLength = slots.keyLength(slot);
    const blockClass = this.#blockClass(slot);
    slots.setMeta(slot, meta & ~(RAW | TYPE_MASK));
    const isInline = (meta & APART) === 0 && keyLength + value.length <= MAX_BLOCK_BYTES;
    if (isInline && sizeClass(blockSize(keyLength, value.length)) === blockClass) {
      const address = slots.address(slot);
      const start = this.#arena.offset(address) + keyLength;
      copyBytes(value.buffer, value.start, this.#arena.segment(address), start, value.length);
      slots.setValueLength(slot, value.length);
      return;
    }
    const oldAddress = slots.address(slot);
    const key = this.key(slot, new ByteView());
    if ((meta & APART) !== 0) this.#dropApart(slot);
    this.#place(slot, key, value);
    this.#arena.free(oldAddress, blockClass);
  }

  /** Gives a slot another key; the value stays. */
  replaceKey(slot: number, key: Key): void {
    const { slots } = this;
    const oldAddress = slots.address(slot);
    const oldClass = this.#blockClass(slot);
    const isApart = (slots.meta(slot) & APART) !== 0;
    if (isApart) this.#placeKey(slot, key, 0);
    else this.#place(slot, key, this.value(slot, new ByteView()));
    slots.setHash(slot, key.hash);
    this.#arena.free(oldAddress, oldClass);
  }

  /**
   * Gives a string a new length and returns its bytes for writing: what was there stays, what is new is zero.
   * `isRaw` says whether the string now counts as edited in place.
   */
  resize(slot: number, length: number, isRaw: boolean): ByteView {
    const { slots } = this;
    const oldLength = slots.valueLength(slot);
    const keyLength = slots.keyLength(slot);
    const isApart = (slots.meta(slot) & APART) !== 0;
    if (isApart || keyLength + length > MAX_BLOCK_BYTES) {
      this.#resizeApart(slot, length);
    } else {
      const blockClass = this.#blockClass(slot);
      const wanted = sizeClass(blockSize(keyLength, length));
      if (wanted !== blockClass)
        this.#moveBlock(slot, blockClass, wanted, keyLength + Math.min(oldLength, length));
      slots.setValueLength(slot, length);
    }
    slots.setMeta(slot, isRaw ? slots.meta(slot) | RAW : slots.meta(slot) & ~RAW);
    const apart = this.#apart.get(slot);
    const view = apart ? this.#value.set(apart.buffer, 0, length) : this.value(slot);
    if (length > oldLength) view.buffer.fill(0, view.start + oldLength, view.start + length);
    return view;
  }

  /** Writes key and value into a fresh block, or the value into a buffer of its own when it is big. */
  #place(slot: number, key: ByteView, value: ByteView): void {
    const isInline = key.length + value.length <= MAX_BLOCK_BYTES;
    const address = this.#placeKey(slot, key, isInline ? value.length : 0);
    this.slots.setValueLength(slot, value.length);
    if (isInline) {
      const start = this.#arena.offset(address) + key.length;
      copyBytes(value.buffer, value.start, this.#arena.segment(address), start, value.length);
    } else {
      this.#keepApart(slot, value.isOwned ? value.buffer : value.copy(), value.isOwned);
    }
  }

  /** Writes a key into a fresh block with room for `valueLength` bytes behind it. */
  #placeKey(slot: number, key: ByteView, valueLength: number): number {
    const bytes = blockSize(key.length, valueLength);
    const address = this.#arena.allocate(sizeClass(bytes), bytes);
    copyBytes(key.buffer, key.start, this.#arena.segment(address), this.#arena.offset(address), key.length);
    this.slots.setAddress(slot, address);
    this.slots.setKeyLength(slot, key.length);
    return address;
  }

  #moveBlock(slot: number, fromClass: number, toClass: number, bytes: number): void {
    const arena = this.#arena;
    const from = this.slots.address(slot);
    const to = arena.allocate(toClass, bytes);
    copyBytes(arena.segment(from), arena.offset(from), arena.segment(to), arena.offset(to), bytes);
    arena.free(from, fromClass);
    this.slots.setAddress(slot, to);
  }

  /** A value of its own buffer grows by doubling; one that something else may read is copied first. */
  #resizeApart(slot: number, length: number): void {
    const { slots } = this;
    const oldLength = slots.valueLength(slot);
    const apart = this.#apart.get(slot);
    if (apart === undefined || apart.isShared || apart.buffer.length < length) {
      const capacity = apart !== undefined && length > oldLength ? Math.max(length, oldLength * 2) : length;
      const buffer = Buffer.allocUnsafeSlow(capacity);
      const old = apart ? this.#value.set(apart.buffer, 0, oldLength) : this.value(slot);
      copyBytes(old.buffer, old.start, buffer, 0, Math.min(oldLength, length));
      const blockClass = this.#blockClass(slot);
      if (apart !== undefined) this.#dropApart(slot);
      this.#keepApart(slot, buffer, false);
      const wanted = this.#blockClass(slot);
      if (wanted !== blockClass) this.#moveBlock(slot, blockClass, wanted, slots.keyLength(slot));
    }
    slots.setValueLength(slot, length);
  }

  #keepApart(slot: number, buffer: Buffer, isShared: boolean): void {
    this.#apart.set(slot, { buffer, isShared });
    this.#apartBytes += buffer.length;
    this.slots.setMeta(slot, this.slots.meta(slot) | APART);
  }

  #dropApart(slot: number): void {
    this.#apartBytes -= this.#apart.get(slot)!.buffer.length;
    this.#apart.delete(slot);
    this.slots.setMeta(slot, this.slots.meta(slot) & ~APART);
  }

  #blockClass(slot: number): number {
    const { slots } = this;
    const inlineLength = (slots.meta(slot) & APART) !== 0 ? 0 : slots.valueLength(slot);
    return sizeClass(blockSize(slots.keyLength(slot), inlineLength));
  }

  // --- memory

  /** Bytes in use: blocks, big values, records. */
  get usedBytes(): number {
    return this.#arena.usedBytes + this.#apartBytes + this.slots.count * SLOT_BYTES;
  }

  get arena(): Arena {
    return this.#arena;
  }

  get apartBytes(): number {
    return this.#apartBytes;
  }

  /** Bytes one slot holds: its block, its big value, its record. */
  slotBytes(slot: number): number {
    const apart = this.#apart.get(slot)?.buffer.length ?? 0;
    const block = this.#arena.blockBytes(this.slots.address(slot), this.#blockClass(slot));
    return block + apart + SLOT_BYTES;
  }
}

/** A block holds at least one byte: an empty key with an empty value is a key all the same. */
function blockSize(keyLength: number, valueLength: number): number {
  return keyLength + valueLength || 1;
}
