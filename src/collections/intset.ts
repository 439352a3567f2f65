// A set of integers as sorted numbers of one width, byte for byte as Redis has it, so that a set's bytes are those of DUMP:
//
//   width in bytes: 2, 4 or 8 (4, little endian) | members (4) | member …
//
// The width is the least that holds all members ever added: a member that needs more widens all, removing narrows none.
//
// Guarantees: looking up allocates nothing and is O(log n). An `Intset` is made once and opened on one set after another;
// what it tells is good until the next change of the database. Editing goes as with listpacks: first how long the set will
// be, then the keyspace's bytes of that length, in which the members move; `add` and `remove` do both.

import type { ByteView } from '../bytes/view.ts';
import {
  highWord,
  INT64_TEXT_BYTES,
  type Int64,
  isInt32,
  lowWord,
  readInt32,
  readInt64,
  writeInt32,
  writeInt64Text,
  writeWords,
} from './int64.ts';
import { moveBytes, type PackedValues } from './packed-value.ts';

const HEADER_BYTES = 8;

export class Intset {
  count = 0;
  /** Bytes a member takes. */
  width = 2;
  #buffer: Buffer = EMPTY;
  #start = 0;
  readonly #text = Buffer.allocUnsafeSlow(INT64_TEXT_BYTES);

  open(intset: ByteView): this {
    this.#buffer = intset.buffer;
    this.#start = intset.start;
    this.width = readInt32(intset.buffer, intset.start);
    this.count = readInt32(intset.buffer, intset.start + 4);
    return this;
  }

  // --- members, in ascending order

  at(index: number): Int64 {
    return readMember(this.#buffer, this.#members + index * this.width, this.width);
  }

  /** The decimal text of a member, good until the next one is asked for. */
  bytes(index: number, into: ByteView): ByteView {
    return into.set(this.#text, 0, writeInt64Text(this.#text, 0, this.at(index)));
  }

  /** A member, chosen by a random number in [0, 1). There must be one. */
  random(chance: number): Int64 {
    return this.at(Math.floor(chance * this.count));
  }

  /** The index of a member; of what is none, `-1 - i`, with the index `i` that it would have. */
  find(value: Int64): number {
    if (this.width === 8) return this.#findWords(highWord(value), lowWord(value) >>> 0);
    // Beyond 32 bits the sign alone tells that it is no member, and where it would be.
    return this.#findSmall(isInt32(value) ? (value as number) : value < 0 ? -WIDE : WIDE);
  }

  #findSmall(value: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const member = readSmallMember(this.#buffer, this.#members + middle * this.width, this.width);
      if (member === value) return middle;
      if (member < value) low = middle + 1;
      else high = middle;
    }
    return -1 - low;
  }

  #findWords(highPart: number, lowPart: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#members + middle * 8;
      const difference =
        readInt32(this.#buffer, at + 4) - highPart || (readInt32(this.#buffer, at) >>> 0) - lowPart;
      if (difference === 0) return middle;
      if (difference < 0) low = middle + 1;
      else high = middle;
    }
    return -1 - low;
  }

  get #members(): number {
    return this.#start + HEADER_BYTES;
  }

  // --- editing

  /** The bytes this set will have with one member more. */
  lengthWith(value: Int64): number {
    return HEADER_BYTES + (this.count + 1) * Math.max(this.width, widthOf(value));
  }

  /** Adds what `find` did not find. `bytes` begins with those of the set and has the length that `lengthWith` told. */
  insert(bytes: ByteView, value: Int64): void {
    const { count, width } = this.open(bytes);
    const index = -1 - this.find(value);
    const wider = widthOf(value);
    const at = this.#members + index * Math.max(width, wider);
    if (wider > width) this.#widen(wider, index === 0 ? 1 : 0);
    else moveBytes(this.#buffer, at, at + width, (count - index) * width);
    writeMember(this.#buffer, at, this.width, value);
    this.#setCount(count + 1);
  }

  /** Rewrites all members, from the last to the first, `shift` places further on. */
  #widen(width: number, shift: number): void {
    const narrow = this.width;
    for (let i = this.count - 1; i >= 0; i--) {
      const member = readSmallMember(this.#buffer, this.#members + i * narrow, narrow);
      writeMember(this.#buffer, this.#members + (i + shift) * width, width, member);
    }
    this.width = width;
    writeInt32(this.#buffer, this.#start, width);
  }

  /** Closes the gap in the set's bytes and returns how many are left. */
  removeAt(bytes: ByteView, index: number): number {
    const { count, width } = this.open(bytes);
    const at = this.#members + index * width;
    moveBytes(this.#buffer, at + width, at, (count - 1 - index) * width);
    this.#setCount(count - 1);
    return HEADER_BYTES + (count - 1) * width;
  }

  #setCount(count: number): void {
    this.count = count;
    writeInt32(this.#buffer, this.#start + 4, count);
  }

  /** Adds to the open set, which is the value of a slot. False if the member was there. */
  add(values: PackedValues, slot: number, value: Int64): boolean {
    if (this.find(value) >= 0) return false;
    this.insert(values.resize(slot, this.lengthWith(value), false), value);
    return true;
  }

  /** Removes from the open set, which is the value of a slot. False if there was no such member. */
  remove(values: PackedValues, slot: number, value: Int64): boolean {
    const index = this.find(value);
    if (index < 0) return false;
    const length = this.removeAt(values.resize(slot, HEADER_BYTES + this.count * this.width, false), index);
    this.open(values.resize(slot, length, false));
    return true;
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
/** Any number beyond 32 bits. */
const WIDE = 2 ** 32;

/** A set of these members, in any order, each as often as it likes. */
export function packIntset(members: Iterable<Int64>): Buffer {
  const sorted = [...new Set(members)].sort((a, b) => (a < b ? -1 : 1));
  const width = sorted.reduce((widest: number, member) => Math.max(widest, widthOf(member)), 2);
  const buffer = Buffer.allocUnsafeSlow(HEADER_BYTES + sorted.length * width);
  writeInt32(buffer, 0, width);
  writeInt32(buffer, 4, sorted.length);
  for (const [i, member] of sorted.entries()) writeMember(buffer, HEADER_BYTES + i * width, width, member);
  return buffer;
}

/** Is this really an intset, not empty, ascending? Asked of bytes from outside (RESTORE) before anything reads them. */
export function checkIntset(intset: ByteView): boolean {
  const { buffer, start, length } = intset;
  if (length <= HEADER_BYTES) return false;
  const width = readInt32(buffer, start);
  const count = readInt32(buffer, start + 4) >>> 0;
  if (width !== 2 && width !== 4 && width !== 8) return false;
  if (length !== HEADER_BYTES + count * width) return false;
  const opened = new Intset().open(intset);
  for (let i = 1; i < count; i++) if (opened.at(i - 1) >= opened.at(i)) return false;
  return true;
}

// --- members as bytes

function widthOf(value: Int64): number {
  if (!isInt32(value)) return 8;
  return ((value as number) << 16) >> 16 === value ? 2 : 4;
}

function readSmallMember(buffer: Buffer, at: number, width: number): number {
  return width === 2 ? ((buffer[at]! << 16) | (buffer[at + 1]! << 24)) >> 16 : readInt32(buffer, at);
}

function readMember(buffer: Buffer, at: number, width: number): Int64 {
  return width === 8 ? readInt64(buffer, at) : readSmallMember(buffer, at, width);
}

function writeMember(buffer: Buffer, at: number, width: number, value: Int64): void {
  if (width === 8) {
    writeWords(buffer, at, highWord(value), lowWord(value));
  } else if (width === 4) {
    writeInt32(buffer, at, value as number);
  } else {
    buffer[at] = value as number;
    buffer[at + 1] = (value as number) >> 8;
  }
}
