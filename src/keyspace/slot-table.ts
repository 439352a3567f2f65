// The records of the keyspace: one slot (a small integer) a key, its fields side by side in 40 bytes.
//
// Guarantees: a slot never moves while its key lives, so the index and the timing wheel may hold on to it; growing adds a
// chunk and copies nothing beyond the first; the whole table is a handful of objects to the garbage collector.
// Chunks, and not one resizable buffer: the buffer was slower (1.5x on Node 24, measured), ends at 4 GiB on Node 20, and
// gives its memory back in one long pause.
//
// In a database the first slots are the heads of the timing wheel's lists; they hold no key. Slot 0 is never handed out:
// 0 means "no slot". The dictionaries of big collections (src/collections) are kept in tables of this kind too.

const WORDS = 10;
const CHUNK_BITS = 14;
const CHUNK_SLOTS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_SLOTS - 1;
const FIRST_CHUNK_SLOTS = 1024;

const HASH = 0;
const ADDRESS = 1;
const KEY_LENGTH = 2;
const VALUE_LENGTH = 3;
const META = 4;
const NEXT = 5;
const PREVIOUS = 6;
const ACCESS_SECONDS = 7;
const DEADLINE = 4; // in doubles

export const SLOT_BYTES = WORDS * 4;

export class SlotTable {
  readonly #words: Int32Array[] = [];
  readonly #doubles: Float64Array[] = [];
  #capacity = 0;
  #unused: number;
  #freeHead = 0;
  #count = 0;

  /** `reserved` slots (1 or more) at the front are never handed out. There is room for `firstSlots` before the table grows. */
  constructor(reserved: number, firstSlots = Math.max(FIRST_CHUNK_SLOTS, reserved * 2)) {
    this.#unused = reserved;
    this.#grow(firstSlots);
  }

  /** Slots handed out. */
  get count(): number {
    return this.#count;
  }

  get reservedBytes(): number {
    return this.#capacity * SLOT_BYTES;
  }

  /** All memory taken from the system. */
  get memory(): ArrayBufferLike[] {
    return this.#words.map((words) => words.buffer);
  }

  allocate(): number {
    this.#count++;
    const free = this.#freeHead;
    if (free !== 0) {
      this.#freeHead = this.next(free);
      return free;
    }
    if (this.#unused === this.#capacity) this.#grow();
    return this.#unused++;
  }

  free(slot: number): void {
    this.#count--;
    this.setMeta(slot, 0);
    this.setNext(slot, this.#freeHead);
    this.#freeHead = slot;
  }

  #grow(slots = this.#capacity * 2): void {
    if (this.#capacity < CHUNK_SLOTS) {
      const words = new Int32Array(Math.min(slots, CHUNK_SLOTS) * WORDS);
      if (this.#words.length > 0) words.set(this.#words[0]!);
      this.#words[0] = words;
      this.#doubles[0] = new Float64Array(words.buffer);
      this.#capacity = words.length / WORDS;
      return;
    }
    const words = new Int32Array(CHUNK_SLOTS * WORDS);
    this.#words.push(words);
    this.#doubles.push(new Float64Array(words.buffer));
    this.#capacity += CHUNK_SLOTS;
  }

  #get(slot: number, field: number): number {
    return this.#words[slot >>> CHUNK_BITS]![(slot & CHUNK_MASK) * WORDS + field]!;
  }

  #set(slot: number, field: number, value: number): void {
    this.#words[slot >>> CHUNK_BITS]![(slot & CHUNK_MASK) * WORDS + field] = value;
  }

  hash(slot: number): number {
    return this.#get(slot, HASH);
  }

  setHash(slot: number, hash: number): void {
    this.#set(slot, HASH, hash);
  }

  /** Arena address of the block with the key, and the value behind it unless that has a buffer of its own. */
  address(slot: number): number {
    return this.#get(slot, ADDRESS);
  }

  setAddress(slot: number, address: number): void {
    this.#set(slot, ADDRESS, address);
  }

  keyLength(slot: number): number {
    return this.#get(slot, KEY_LENGTH);
  }

  setKeyLength(slot: number, length: number): void {
    this.#set(slot, KEY_LENGTH, length);
  }

  valueLength(slot: number): number {
    return this.#get(slot, VALUE_LENGTH);
  }

  setValueLength(slot: number, length: number): void {
    this.#set(slot, VALUE_LENGTH, length);
  }

  /** Type, encoding and flags in one word (slot-flags.ts). */
  meta(slot: number): number {
    return this.#get(slot, META);
  }

  setMeta(slot: number, meta: number): void {
    this.#set(slot, META, meta);
  }

  next(slot: number): number {
    return this.#get(slot, NEXT);
  }

  setNext(slot: number, next: number): void {
    this.#set(slot, NEXT, next);
  }

  previous(slot: number): number {
    return this.#get(slot, PREVIOUS);
  }

  setPrevious(slot: number, previous: number): void {
    this.#set(slot, PREVIOUS, previous);
  }

  /** When the key was last used, in seconds of the keyspace's clock. */
  accessSeconds(slot: number): number {
    return this.#get(slot, ACCESS_SECONDS);
  }

  setAccessSeconds(slot: number, seconds: number): void {
    this.#set(slot, ACCESS_SECONDS, seconds);
  }

  /** When the key ends, in whole milliseconds of the keyspace's clock; Infinity for never. */
  deadline(slot: number): number {
    return this.#doubles[slot >>> CHUNK_BITS]![(slot & CHUNK_MASK) * (WORDS / 2) + DEADLINE]!;
  }

  setDeadline(slot: number, deadlineMs: number): void {
    this.#doubles[slot >>> CHUNK_BITS]![(slot & CHUNK_MASK) * (WORDS / 2) + DEADLINE] = deadlineMs;
  }
}
