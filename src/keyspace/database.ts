// One database: keys to values, their deadlines, and word of every change to whoever asked for it.
//
// The verbs say what is meant: `find` looks up (a key whose deadline has come is gone, and its end is announced), `put`
// stores, `resize` edits, `setDeadline` renews, `remove` deletes. Every change goes through `changed`: cas numbers, WATCH
// and keyspace events hang there, and nowhere else. What writes nothing feeds nothing.
//
// Memory is created at the first write and dropped whole by `clear`.

import type { HashSeed } from '../bytes/hash.ts';
import { Key } from '../bytes/key.ts';
import { ByteView } from '../bytes/view.ts';
import type { Clock } from './clock.ts';
import { Entries } from './entries.ts';
import { GetlLocks } from './getl-locks.ts';
import { HashIndex } from './hash-index.ts';
import { EVENT, type KeyEvent } from './key-event.ts';
import type { Reclaimer } from './reclaimer.ts';
import { GETL_LOCKED, HAS_CAS, INTEREST, RAW, SPECIAL, STRING, TYPE_MASK } from './slot-flags.ts';
import type { SlotTable } from './slot-table.ts';
import { type Budget, TimingWheel } from './timing-wheel.ts';

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
  /** No database has anything to do before this time: lowered here when a deadline is linked, found anew by `Keyspace.advance`. */
  readonly due: { atMs: number };
  /** Takes the memory of what was flushed. */
  readonly reclaimer: Reclaimer;
  /** The next cas number, server-wide and strictly increasing. */
  nextCas(): number;
}

/** Bytes by purpose, and the slots in the timing wheel. */
export interface DatabaseMemory {
  readonly arenaUsed: number;
  readonly arenaReserved: number;
  readonly arenaFree: number;
  readonly apart: number;
  readonly records: number;
  readonly index: number;
  readonly wheelEntries: number;
}

export const NO_MEMORY: DatabaseMemory = {
  arenaUsed: 0,
  arenaReserved: 0,
  arenaFree: 0,
  apart: 0,
  records: 0,
  index: 0,
  wheelEntries: 0,
};

export class Database {
  id: number;
  readonly setting: KeyspaceSetting;
  readonly #clock: Clock;
  #entries!: Entries;
  #slots!: SlotTable;
  #index!: HashIndex;
  #wheel!: TimingWheel;
  readonly getl: GetlLocks;
  /** Keys, there or not, that somebody watches. */
  readonly #interest = new Set<string>();
  #isOpen = false;
  #size = 0;
  #expires = 0;
  /**
   * Sum of all finite deadlines: with `expires` it tells the average time to live. Beyond 2^53 it is rounded, so it is
   * set to 0 when the last of them goes.
   */
  #deadlineSumMs = 0;
  /** Changes since the start. */
  changes = 0;
  readonly #key = new ByteView();
  /** Holds on to what `touchAhead` read, so that the reads are not optimised away. */
  #touched = 0;
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

  /** Reads what looking up keys of these hashes will read, so that it is in the caches by then. */
  touchAhead(hashes: Int32Array, count: number): void {
    if (this.#size === 0) return;
    this.#index.touchAhead(hashes, count, hashes);
    this.#touched ^= this.#entries.touchAhead(hashes, count);
  }

  /** Keys, counting those whose deadline has come but that nobody has looked up since. */
  get size(): number {
    return this.#size;
  }

  /** The keys' part of the address space is nearly used up: no command may take more. */
  get isFull(): boolean {
    return this.#isOpen && this.#entries.arena.isFull;
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

  /** The bytes of a string, good until the next change of the database. The same view each time unless one is given. */
  value(slot: number, into?: ByteView): ByteView {
    return this.#entries.value(slot, into);
  }

  /** The key's bytes, good until the next change of the database. */
  keyView(slot: number, into: ByteView): ByteView {
    return this.#entries.key(slot, into);
  }

  keyString(slot: number): string {
    return this.#entries.key(slot, this.#key).toString();
  }

  /** Visits about `count` keys in hash order from `cursor`, leaving out those whose deadline has come. Returns the next cursor, 0 at the end. */
  scan(cursor: number, count: number, visit: (slot: number) => void): number {
    if (this.#size === 0) return 0;
    return this.#index.scan(cursor, count, (slot) => {
      if (this.#slots.deadline(slot) > this.#clock.nowMs) visit(slot);
    });
  }

  /** A key's slot (0 when empty), chosen by two random numbers in [0, 1). Its deadline may have come. */
  random(randomSegment: number, randomRank: number): number {
    return this.#size === 0 ? 0 : this.#index.random(randomSegment, randomRank);
  }

  hasEnded(slot: number): boolean {
    return this.#slots.deadline(slot) <= this.#clock.nowMs;
  }

  // --- how recently a key was used (OBJECT IDLETIME)

  touch(slot: number): void {
    const seconds = (this.#clock.nowMs / 1000) | 0;
    // Mostly it was used in this very second: a line of memory that is only read need not be written back.
    if (this.#slots.accessSeconds(slot) !== seconds) this.#slots.setAccessSeconds(slot, seconds);
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
    this.#entries.replaceValue(slot, value);
    this.#applyDeadline(slot, deadlineMs);
    this.touch(slot);
    this.changed(slot, event);
    return slot;
  }

  #create(key: Key, value: ByteView, deadlineMs: number, event: KeyEvent): number {
    if (!this.#isOpen) this.#open();
    const slots = this.#slots;
    const slot = this.#entries.create(key, value);
    slots.setDeadline(slot, NO_DEADLINE);
    slots.setNext(slot, 0);
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

  /**
   * Gives a string a new length and returns its bytes for writing: what was there stays, what is new is zero.
   * The caller writes, then calls `changed`. Deadline and key stay; the string counts as edited in place if `isRaw`.
   */
  resize(slot: number, length: number, isRaw: boolean): ByteView {
    return this.#entries.resize(slot, length, isRaw);
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
    else if (--this.#expires === 0) this.#deadlineSumMs = 0;
    this.#slots.setDeadline(slot, deadlineMs);
    // A later deadline is found out when the old bucket comes up; only an earlier one must be linked anew.
    if (deadlineMs > old) return;
    if (this.#wheel.isLinked(slot)) this.#wheel.unlink(slot);
    this.#wheel.link(slot, deadlineMs);
    const { due } = this.setting;
    if (this.#wheel.nextDueMs < due.atMs) due.atMs = this.#wheel.nextDueMs;
  }

  remove(slot: number, event: KeyEvent): void {
    this.changed(slot, event);
    this.#discard(slot);
  }

  /** Gives a key another name, which must be free. Value, deadline and idle time go along. */
  rename(slot: number, key: Key): void {
    const { observer } = this.setting;
    if ((observer.wantedEvents & EVENT.created.eventClass) !== 0)
      observer.event(this, EVENT.created, key.toString());
    this.changed(slot, EVENT.renameFrom);
    const slots = this.#slots;
    this.#index.remove(slots.hash(slot), slot);
    this.#entries.replaceKey(slot, key);
    this.#index.insert(key.hash, slot);
    const isWatched = this.#interest.size !== 0 && this.#interest.has(key.toString());
    slots.setMeta(slot, isWatched ? slots.meta(slot) | INTEREST : slots.meta(slot) & ~INTEREST);
    this.changed(slot, EVENT.renameTo);
  }

  /** Everything goes, at once and silently. The memory is given back bit by bit (reclaimer.ts). */
  clear(): void {
    for (const key of this.#interest) {
      if (this.#size !== 0 && this.#index.find(Key.from(ByteView.of(key), this.setting.seed)) !== 0) {
        this.setting.observer.touched(this, key);
      }
    }
    this.changes += this.#size;
    this.#size = 0;
    this.#expires = 0;
    this.#deadlineSumMs = 0;
    this.getl.clear();
    if (this.#isOpen) {
      const { reclaimer } = this.setting;
      reclaimer.add(this.#entries.arena.memory);
      reclaimer.add(this.#slots.memory);
      reclaimer.add(this.#index.memory);
    }
    this.#isOpen = false;
    this.#entries = undefined as never;
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
      this.#deadlineSumMs -= deadline;
      if (--this.#expires === 0) this.#deadlineSumMs = 0;
    }
    const meta = slots.meta(slot);
    if ((meta & (HAS_CAS | GETL_LOCKED)) !== 0) this.getl.forget(slot);
    this.#entries.free(slot);
    this.#size--;
  }

  #open(): void {
    this.#entries = new Entries((memory) => this.setting.reclaimer.add([memory]));
    this.#slots = this.#entries.slots;
    this.#index = new HashIndex(this.#entries);
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
    if (this.getl.holds(slot)) return true;
    this.clearFlag(slot, GETL_LOCKED);
    return false;
  }

  /** Puts a GETL lock on a key that has none. Returns the lock's cas. The key does not count as changed. */
  lock(slot: number, deadlineMs: number): number {
    this.setFlag(slot, GETL_LOCKED);
    return this.getl.lock(slot, deadlineMs);
  }

  unlock(slot: number): void {
    this.clearFlag(slot, GETL_LOCKED);
    this.getl.unlock(slot);
  }

  /** The key's cas number, which every change replaces from now on. Given at first sight. */
  cas(slot: number): number {
    this.setFlag(slot, HAS_CAS);
    return this.getl.cas(slot);
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
    const [watchedInA, watchedInB] = [[...a.#interest], [...b.#interest]];
    // What has ended unnoticed ends here, while its watchers still know it by the old number.
    for (const name of [...watchedInA, ...watchedInB]) {
      const key = Key.from(ByteView.of(name), a.setting.seed);
      a.find(key);
      b.find(key);
    }
    [a.id, b.id] = [b.id, a.id];
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

  /** Bytes in use for keys, values, records, index, cas numbers and GETL locks. */
  get usedBytes(): number {
    if (!this.#isOpen) return 0;
    return this.#entries.usedBytes + this.#index.reservedBytes + this.getl.usedBytes;
  }

  get memory(): DatabaseMemory {
    if (!this.#isOpen) return NO_MEMORY;
    const { arena, apartBytes } = this.#entries;
    return {
      arenaUsed: arena.usedBytes,
      arenaReserved: arena.reservedBytes,
      arenaFree: arena.freeBytes,
      apart: apartBytes,
      records: this.#slots.reservedBytes,
      index: this.#index.reservedBytes,
      wheelEntries: this.#wheel.count,
    };
  }

  /** What a key costs: what its slot holds, and its share of the index. */
  slotBytes(slot: number): number {
    return this.#entries.slotBytes(slot) + Math.min(Math.ceil(this.#index.reservedBytes / this.#size), 32);
  }
}
