// One database: keys to values, their deadlines, and word of every change to whoever asked for it.
//
// The verbs say what is meant: `find` looks up (a key whose deadline has come is gone, and its end is announced), `put`
// stores, `resize` edits, `setDeadline` renews, `remove` deletes. Every change goes through `changed`: cas numbers, WATCH
// and keyspace events hang there, and nowhere else. What writes nothing feeds nothing.
//
// Memory is created at the first write and dropped whole by `clear`.

import type { HashSeed } from '../bytes/hash.ts';
import { Key } from '../bytes/key.ts';
import { ByteView, copyBytes } from '../bytes/view.ts';
import { Arena, classBytes, MAX_BLOCK_BYTES, sizeClass } from './arena.ts';
import type { Clock } from './clock.ts';
import { GetlLocks } from './getl-locks.ts';
import { HashIndex } from './hash-index.ts';
import { EVENT, type KeyEvent } from './key-event.ts';
import { APART, GETL_LOCKED, HAS_CAS, INTEREST, RAW, SPECIAL, STRING, TYPE_MASK } from './slot-flags.ts';
import { SLOT_BYTES, SlotTable } from './slot-table.ts';
import { type Budget, TimingWheel, WHEEL_SLOTS } from './timing-wheel.ts';

/** Keeps a key for ever. */
export const NO_DEADLINE = Number.POSITIVE_INFINITY;

/** Who hears of changes. */
export interface KeyspaceObserver {
  /** Classes of events that anybody wants at all; the others are not even put into words. */
  readonly wantedEvents: number;
  event(database: Database, event: KeyEvent, key: string): void;
  /** A key that somebody watches has changed, come into being or gone. */
  touched(database: Database, key: string): void;
  expired(): void;
}

/** What all databases of a server share. */
export interface KeyspaceSetting {
  readonly clock: Clock;
  readonly seed: HashSeed;
  readonly observer: KeyspaceObserver;
  /** The next cas number, server-wide and strictly increasing. */
  nextCas(): number;
}

/** A value in a buffer of its own. Once a reply may still be reading from it, it is written to no more. */
interface ApartValue {
  buffer: Buffer;
  isShared: boolean;
}

export class Database {
  id: number;
  readonly setting: KeyspaceSetting;
  readonly #clock: Clock;
  #arena!: Arena;
  #slots!: SlotTable;
  #index!: HashIndex;
  #wheel!: TimingWheel;
  readonly #apart = new Map<number, ApartValue>();
  #apartBytes = 0;
  readonly getl: GetlLocks;
  /** Keys, there or not, that somebody watches. */
  readonly #interest = new Set<string>();
  #isOpen = false;
  #size = 0;
  #expires = 0;
  /** Sum of all finite deadlines: with `expires` it tells the average time to live. */
  #deadlineSumMs = 0;
  /** Changes since the start. */
  changes = 0;
  readonly #value = new ByteView();
  readonly #expireDue = (slot: number): void => this.#expire(slot);

  constructor(id: number, setting: KeyspaceSetting) {
    this.id = id;
    this.setting = setting;
    this.#clock = setting.clock;
    this.getl = new GetlLocks(setting);
  }

  // --- looking up

  /** The slot of a key, or 0. A key whose deadline has come is removed first. */
  find(key: Key): number {
    if (this.#size === 0) return 0;
    const slot = this.#index.find(key);
    if (slot !== 0 && this.#slots.deadline(slot) <= this.#clock.nowMs) {
      this.#expire(slot);
      return 0;
    }
    return slot;
  }

  /** Keys, counting those whose deadline has come but that nobody has looked up since. */
  get size(): number {
    return this.#size;
  }

  /** Keys with a deadline. */
  get expires(): number {
    return this.#expires;
  }

  get averageTtlMs(): number {
    if (this.#expires === 0) return 0;
    return Math.max(0, Math.round(this.#deadlineSumMs / this.#expires - this.#clock.nowMs));
  }

  type(slot: number): number {
    return this.#slots.meta(slot) & TYPE_MASK;
  }

  isString(slot: number): boolean {
    return (this.#slots.meta(slot) & TYPE_MASK) === STRING;
  }

  /** A string edited in place since it was set (OBJECT ENCODING). */
  isRaw(slot: number): boolean {
    return (this.#slots.meta(slot) & RAW) !== 0;
  }

  deadline(slot: number): number {
    return this.#slots.deadline(slot);
  }

  valueLength(slot: number): number {
    return this.#slots.valueLength(slot);
  }

  /** The bytes of a string. The view is good until the next change of the database; it is the same object each time unless one is given. */
  value(slot: number, into: ByteView = this.#value): ByteView {
    const slots = this.#slots;
    if ((slots.meta(slot) & APART) !== 0) {
      const apart = this.#apart.get(slot)!;
      apart.isShared = true;
      into.set(apart.buffer, 0, slots.valueLength(slot));
      into.isOwned = true;
      return into;
    }
    const address = slots.address(slot);
    return into.set(
      this.#arena.segment(address),
      this.#arena.offset(address) + slots.keyLength(slot),
      slots.valueLength(slot),
    );
  }

  keyString(slot: number): string {
    const address = this.#slots.address(slot);
    const start = this.#arena.offset(address);
    return this.#arena.segment(address).toString('latin1', start, start + this.#slots.keyLength(slot));
  }

  /** The key's bytes, good until the next change of the database. */
  keyView(slot: number, into: ByteView): ByteView {
    const address = this.#slots.address(slot);
    return into.set(this.#arena.segment(address), this.#arena.offset(address), this.#slots.keyLength(slot));
  }

  /** Visits keys in hash order from `cursor`; returns the next cursor, 0 at the end. Keys whose deadline has come are left out. */
  scan(cursor: number, count: number, visit: (slot: number) => void): number {
    if (this.#size === 0) return 0;
    return this.#index.scan(cursor, count, (slot) => {
      if (this.#slots.deadline(slot) > this.#clock.nowMs) visit(slot);
    });
  }

  /** A random key's slot (0 when empty). Its deadline may have come. */
  random(randomSegment: number, randomPlace: number): number {
    return this.#size === 0 ? 0 : this.#index.random(randomSegment, randomPlace);
  }

  hasEnded(slot: number): boolean {
    return this.#slots.deadline(slot) <= this.#clock.nowMs;
  }

  // --- how recently a key was used (OBJECT IDLETIME)

  touch(slot: number): void {
    this.#slots.setAccessSeconds(slot, (this.#clock.nowMs / 1000) | 0);
  }

  idleSeconds(slot: number): number {
    return Math.max(0, ((this.#clock.nowMs / 1000) | 0) - this.#slots.accessSeconds(slot));
  }

  setIdleSeconds(slot: number, seconds: number): void {
    this.#slots.setAccessSeconds(slot, ((this.#clock.nowMs / 1000) | 0) - seconds);
  }

  // --- changing

  /**
   * Stores a string under a key, whatever was there. `slot` is what `find` said of the key.
   * The deadline is absolute, on the keyspace's clock. Returns the slot.
   */
  putString(key: Key, slot: number, value: ByteView, deadlineMs: number, event: KeyEvent): number {
    if (slot === 0) return this.#create(key, value, deadlineMs, event);
    this.#store(slot, value);
    this.#applyDeadline(slot, deadlineMs);
    this.touch(slot);
    this.changed(slot, event);
    return slot;
  }

  #create(key: Key, value: ByteView, deadlineMs: number, event: KeyEvent): number {
    if (!this.#isOpen) this.#open();
    const slots = this.#slots;
    const slot = slots.allocate();
    slots.setHash(slot, key.hash);
    slots.setKeyLength(slot, key.length);
    slots.setMeta(slot, STRING);
    slots.setDeadline(slot, NO_DEADLINE);
    slots.setNext(slot, 0);
    slots.setAddress(slot, 0);
    this.#place(slot, key, value);
    this.#index.insert(key.hash, slot);
    this.#size++;
    this.touch(slot);
    if (deadlineMs !== NO_DEADLINE) this.#applyDeadline(slot, deadlineMs);
    if (this.#interest.size !== 0 && this.#interest.has(key.toString())) {
      slots.setMeta(slot, slots.meta(slot) | INTEREST);
    }
    if ((this.setting.observer.wantedEvents & EVENT.created.eventClass) !== 0)
      this.#announce(slot, EVENT.created);
    this.changed(slot, event);
    return slot;
  }

  /** Writes key and value into a fresh block, or the value into a buffer of its own when it is big. */
  #place(slot: number, key: ByteView, value: ByteView): void {
    const slots = this.#slots;
    const inline = key.length + value.length <= MAX_BLOCK_BYTES;
    const blockBytes = blockSize(key.length, inline ? value.length : 0);
    const address = this.#arena.allocate(sizeClass(blockBytes), blockBytes);
    const segment = this.#arena.segment(address);
    const offset = this.#arena.offset(address);
    copyBytes(key.buffer, key.start, segment, offset, key.length);
    slots.setAddress(slot, address);
    slots.setValueLength(slot, value.length);
    if (inline) copyBytes(value.buffer, value.start, segment, offset + key.length, value.length);
    else this.#keepApart(slot, value.isOwned ? value.buffer : value.copy(), value.isOwned);
  }

  #keepApart(slot: number, buffer: Buffer, isShared: boolean): void {
    this.#apart.set(slot, { buffer, isShared });
    this.#apartBytes += buffer.length;
    this.#slots.setMeta(slot, this.#slots.meta(slot) | APART);
  }

  #dropApart(slot: number): void {
    const apart = this.#apart.get(slot)!;
    this.#apartBytes -= apart.buffer.length;
    this.#apart.delete(slot);
    this.#slots.setMeta(slot, this.#slots.meta(slot) & ~APART);
  }

  /** Replaces the value of a slot: in place when the block still fits. */
  #store(slot: number, value: ByteView): void {
    const slots = this.#slots;
    const keyLength = slots.keyLength(slot);
    const meta = slots.meta(slot);
    const address = slots.address(slot);
    const blockClass = this.#blockClass(slot);
    const fits = keyLength + value.length <= MAX_BLOCK_BYTES && (meta & APART) === 0;
    slots.setMeta(slot, meta & ~(RAW | TYPE_MASK));
    if (fits && sizeClass(blockSize(keyLength, value.length)) === blockClass) {
      copyBytes(
        value.buffer,
        value.start,
        this.#arena.segment(address),
        this.#arena.offset(address) + keyLength,
        value.length,
      );
      slots.setValueLength(slot, value.length);
      return;
    }
    const key = this.keyView(slot, new ByteView());
    if ((meta & APART) !== 0) this.#dropApart(slot);
    this.#place(slot, key, value);
    this.#arena.free(address, blockClass);
  }

  #blockClass(slot: number): number {
    const slots = this.#slots;
    const inlineLength = (slots.meta(slot) & APART) !== 0 ? 0 : slots.valueLength(slot);
    return sizeClass(blockSize(slots.keyLength(slot), inlineLength));
  }

  /**
   * Gives a string a new length and returns its bytes for writing: what was there stays, what is new is zero.
   * The caller writes, then calls `changed`. Deadline and key stay; the string counts as edited (`RAW`) if `isRaw`.
   */
  resize(slot: number, length: number, isRaw: boolean): ByteView {
    const slots = this.#slots;
    const oldLength = slots.valueLength(slot);
    const keyLength = slots.keyLength(slot);
    const wasApart = (slots.meta(slot) & APART) !== 0;
    if (wasApart || keyLength + length > MAX_BLOCK_BYTES) {
      this.#resizeApart(slot, length, wasApart);
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

  #moveBlock(slot: number, fromClass: number, toClass: number, bytes: number): void {
    const from = this.#slots.address(slot);
    const to = this.#arena.allocate(toClass, bytes);
    copyBytes(
      this.#arena.segment(from),
      this.#arena.offset(from),
      this.#arena.segment(to),
      this.#arena.offset(to),
      bytes,
    );
    this.#arena.free(from, fromClass);
    this.#slots.setAddress(slot, to);
  }

  /** A value of its own buffer grows by doubling; one that a reply may still read is copied first. */
  #resizeApart(slot: number, length: number, wasApart: boolean): void {
    const slots = this.#slots;
    const oldLength = slots.valueLength(slot);
    const apart = this.#apart.get(slot);
    if (apart === undefined || apart.isShared || apart.buffer.length < length) {
      const grown = length > oldLength && apart !== undefined ? Math.max(length, oldLength * 2) : length;
      const buffer = Buffer.allocUnsafeSlow(grown);
      const old = apart ? this.#value.set(apart.buffer, 0, oldLength) : this.value(slot);
      copyBytes(old.buffer, old.start, buffer, 0, Math.min(oldLength, length));
      const blockClass = this.#blockClass(slot);
      if (wasApart) this.#dropApart(slot);
      this.#keepApart(slot, buffer, false);
      const wanted = this.#blockClass(slot);
      if (wanted !== blockClass) this.#moveBlock(slot, blockClass, wanted, slots.keyLength(slot));
    }
    slots.setValueLength(slot, length);
  }

  /** Sets or takes away (NO_DEADLINE) a key's deadline. One that has come already is the caller's affair: use `remove`. */
  setDeadline(slot: number, deadlineMs: number, event: KeyEvent): void {
    this.#applyDeadline(slot, deadlineMs);
    this.changed(slot, event);
  }

  #applyDeadline(slot: number, deadlineMs: number): void {
    const old = this.#slots.deadline(slot);
    if (deadlineMs === old) return;
    if (old !== NO_DEADLINE) this.#deadlineSumMs -= old;
    else this.#expires++;
    if (deadlineMs !== NO_DEADLINE) this.#deadlineSumMs += deadlineMs;
    else this.#expires--;
    this.#slots.setDeadline(slot, deadlineMs);
    // A later deadline is found out when the old bucket comes up; only an earlier one must be linked anew.
    if (deadlineMs > old) return;
    if (this.#wheel.isLinked(slot)) this.#wheel.unlink(slot);
    this.#wheel.link(slot, deadlineMs);
  }

  remove(slot: number, event: KeyEvent): void {
    this.changed(slot, event);
    this.#discard(slot);
  }

  /** Gives a key another name, which must be free. Value, deadline and idle time go along. */
  rename(slot: number, key: Key): void {
    this.changed(slot, EVENT.renameFrom);
    const slots = this.#slots;
    const oldBlock = slots.address(slot);
    const oldClass = this.#blockClass(slot);
    this.#index.remove(slots.hash(slot), slot);
    const isApart = (slots.meta(slot) & APART) !== 0;
    const value = isApart ? new ByteView() : this.value(slot, new ByteView());
    const valueLength = slots.valueLength(slot);
    if (!isApart && key.length + value.length > MAX_BLOCK_BYTES) {
      this.#place(slot, key, value);
    } else {
      const blockBytes = blockSize(key.length, value.length);
      const address = this.#arena.allocate(sizeClass(blockBytes), blockBytes);
      const segment = this.#arena.segment(address);
      const offset = this.#arena.offset(address);
      copyBytes(key.buffer, key.start, segment, offset, key.length);
      copyBytes(value.buffer, value.start, segment, offset + key.length, value.length);
      slots.setAddress(slot, address);
      slots.setValueLength(slot, valueLength);
    }
    slots.setKeyLength(slot, key.length);
    slots.setHash(slot, key.hash);
    this.#arena.free(oldBlock, oldClass);
    this.#index.insert(key.hash, slot);
    const isWatched = this.#interest.size !== 0 && this.#interest.has(key.toString());
    slots.setMeta(slot, isWatched ? slots.meta(slot) | INTEREST : slots.meta(slot) & ~INTEREST);
    this.changed(slot, EVENT.renameTo);
  }

  /** Everything goes, at once and silently. The memory is given back by the garbage collector, a chunk at a time. */
  clear(): void {
    for (const key of this.#interest) {
      if (this.#size !== 0 && this.#index.find(Key.from(ByteView.of(key), this.setting.seed)) !== 0) {
        this.setting.observer.touched(this, key);
      }
    }
    this.changes += this.#size;
    this.#isOpen = false;
    this.#size = 0;
    this.#expires = 0;
    this.#deadlineSumMs = 0;
    this.#apart.clear();
    this.#apartBytes = 0;
    this.getl.clear();
    this.#arena = undefined as never;
    this.#slots = undefined as never;
    this.#index = undefined as never;
    this.#wheel = undefined as never;
  }

  /** The one place that every change passes. Call it after an edit through `resize`; the other verbs do it themselves. */
  changed(slot: number, event: KeyEvent): void {
    this.changes++;
    const meta = this.#slots.meta(slot);
    if ((meta & SPECIAL) !== 0) {
      if ((meta & HAS_CAS) !== 0) this.getl.bumpCas(slot);
      if ((meta & INTEREST) !== 0) this.setting.observer.touched(this, this.keyString(slot));
    }
    if ((this.setting.observer.wantedEvents & event.eventClass) !== 0) this.#announce(slot, event);
  }

  /** A further event of a change already made (a SET with a deadline is a `set` and an `expire`). */
  alsoAnnounce(slot: number, event: KeyEvent): void {
    if ((this.setting.observer.wantedEvents & event.eventClass) !== 0) this.#announce(slot, event);
  }

  #announce(slot: number, event: KeyEvent): void {
    this.setting.observer.event(this, event, this.keyString(slot));
  }

  #expire(slot: number): void {
    this.setting.observer.expired();
    this.remove(slot, EVENT.expired);
  }

  #discard(slot: number): void {
    const slots = this.#slots;
    this.#index.remove(slots.hash(slot), slot);
    if (this.#wheel.isLinked(slot)) this.#wheel.unlink(slot);
    const deadline = slots.deadline(slot);
    if (deadline !== NO_DEADLINE) {
      this.#expires--;
      this.#deadlineSumMs -= deadline;
    }
    this.#arena.free(slots.address(slot), this.#blockClass(slot));
    const meta = slots.meta(slot);
    if ((meta & APART) !== 0) this.#dropApart(slot);
    if ((meta & (HAS_CAS | GETL_LOCKED)) !== 0) this.getl.forget(slot);
    slots.free(slot);
    this.#size--;
  }

  #open(): void {
    this.#arena = new Arena();
    this.#slots = new SlotTable(WHEEL_SLOTS);
    this.#index = new HashIndex(this.#slots, this.#arena);
    this.#wheel = new TimingWheel(this.#slots, this.#clock.nowMs);
    this.#isOpen = true;
  }

  // --- special keys

  setFlag(slot: number, flag: number): void {
    this.#slots.setMeta(slot, this.#slots.meta(slot) | flag);
  }

  clearFlag(slot: number, flag: number): void {
    this.#slots.setMeta(slot, this.#slots.meta(slot) & ~flag);
  }

  hasFlag(slot: number, flag: number): boolean {
    return (this.#slots.meta(slot) & flag) !== 0;
  }

  /** True while a GETL lock holds on the key. */
  isLocked(slot: number): boolean {
    if ((this.#slots.meta(slot) & GETL_LOCKED) === 0) return false;
    return this.getl.holds(slot);
  }

  /** Reports changes of this key, there or not, to the observer from now on. */
  addInterest(key: Key): void {
    this.#interest.add(key.toString());
    const slot = this.find(key);
    if (slot !== 0) this.setFlag(slot, INTEREST);
  }

  dropInterest(name: string): void {
    this.#interest.delete(name);
    if (this.#size === 0) return;
    const slot = this.#index.find(Key.from(ByteView.of(name), this.setting.seed));
    if (slot !== 0) this.clearFlag(slot, INTEREST);
  }

  /**
   * Two databases have changed places: the numbers, and the interest in keys (which belongs to the place), change back.
   * A watched key counts as touched if it is there on either side.
   */
  static exchangePlaces(a: Database, b: Database): void {
    [a.id, b.id] = [b.id, a.id];
    const [watchedInA, watchedInB] = [[...a.#interest], [...b.#interest]];
    for (const name of watchedInA) a.#leave(name, b);
    for (const name of watchedInB) b.#leave(name, a);
    for (const name of watchedInA) b.addInterest(Key.from(ByteView.of(name), b.setting.seed));
    for (const name of watchedInB) a.addInterest(Key.from(ByteView.of(name), a.setting.seed));
  }

  /** Forgets the interest in a key, whose place is taken by `other`, after telling of the change. */
  #leave(name: string, other: Database): void {
    const key = Key.from(ByteView.of(name), this.setting.seed);
    this.dropInterest(name);
    if (this.find(key) !== 0 || other.find(key) !== 0) this.setting.observer.touched(other, name);
  }

  // --- time

  /** Nothing to do for `advance` before this time. */
  get nextDueMs(): number {
    return this.#isOpen ? this.#wheel.nextDueMs : NO_DEADLINE;
  }

  /** Removes keys whose deadline has come, until done (true) or the budget is spent (false). */
  advance(budget: Budget): boolean {
    return !this.#isOpen || this.#wheel.advance(this.#clock.nowMs, this.#expireDue, budget);
  }

  // --- memory

  /** Bytes in use for keys, values, records and index. */
  get usedBytes(): number {
    if (!this.#isOpen) return 0;
    return (
      this.#arena.usedBytes + this.#apartBytes + this.#slots.count * SLOT_BYTES + this.#index.reservedBytes
    );
  }

  get memory(): {
    arenaUsed: number;
    arenaReserved: number;
    arenaFree: number;
    apart: number;
    records: number;
    index: number;
    wheelEntries: number;
  } {
    if (!this.#isOpen) {
      return {
        arenaUsed: 0,
        arenaReserved: 0,
        arenaFree: 0,
        apart: 0,
        records: 0,
        index: 0,
        wheelEntries: 0,
      };
    }
    return {
      arenaUsed: this.#arena.usedBytes,
      arenaReserved: this.#arena.reservedBytes,
      arenaFree: this.#arena.freeBytes,
      apart: this.#apartBytes,
      records: this.#slots.reservedBytes,
      index: this.#index.reservedBytes,
      wheelEntries: this.#wheel.count,
    };
  }

  /** What a key costs: its block, its record, its place in the index. */
  slotBytes(slot: number): number {
    const apart = (this.#slots.meta(slot) & APART) !== 0 ? this.#apart.get(slot)!.buffer.length : 0;
    const indexBytes = Math.ceil(this.#index.reservedBytes / this.#size);
    return classBytes(this.#blockClass(slot)) + apart + SLOT_BYTES + Math.min(indexBytes, 32);
  }
}

/** A block holds at least one byte: an empty key with an empty value is a key all the same. */
function blockSize(keyLength: number, valueLength: number): number {
  return keyLength + valueLength || 1;
}
