// Writing listpacks: elements are first encoded one behind the other, then they either are a listpack of their own or
// take the place of others in one that is there (a splice).
//
// A splice goes in three steps, because the bytes belong to the keyspace: `replace` says how long the listpack will be,
// the keyspace gives the value that length, `apply` moves what stays and fills in what is new; `applyTo` does the last two.
// Since the new elements are encoded before anything moves, they may come from anywhere, the same listpack included.
// Whether a listpack may grow so far (`canGrow`) is asked before.

import { ByteView, copyBytes } from '../bytes/view.ts';
import { type Int64, Int64Words } from './int64.ts';
import type { ListpackCursor } from './listpack.ts';
import {
  END,
  HEADER_BYTES,
  headerCount,
  MAX_BACK_LENGTH_BYTES,
  UNKNOWN_COUNT,
  walkCount,
  writeBackLength,
  writeHeader,
  writeInteger,
  writeStringStart,
} from './listpack-format.ts';
import { moveBytes, type PackedValues } from './packed-value.ts';

const FIRST_BUFFER_BYTES = 1024;
/** A buffer that became larger than this is not kept. */
const MAX_KEPT_BYTES = 1 << 16;

/** The most that an element takes beyond the bytes of its string, and all that an integer takes. */
const MAX_FRAME_BYTES = 9 + MAX_BACK_LENGTH_BYTES;

export class ListpackWriter {
  /** The encoded elements, with room for the header before them. */
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  #end = HEADER_BYTES;
  #count = 0;
  readonly #integer = new Int64Words();
  readonly #listpack = new ByteView();
  /** The splice: where in the listpack, what goes, how long the listpack was. */
  #at = 0;
  #removedCount = 0;
  #removedBytes = 0;
  #oldLength = 0;

  /** Forgets all elements. */
  clear(): this {
    if (this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
    this.#end = HEADER_BYTES;
    this.#count = 0;
    return this;
  }

  // --- elements

  /** Adds an element with these bytes: as an integer if they are the canonical text of an int64, as Redis does. */
  add(bytes: ByteView): this {
    if (this.#integer.parse(bytes)) return this.#addInteger();
    const { length } = bytes;
    this.#reserve(length + MAX_FRAME_BYTES);
    const start = writeStringStart(this.#buffer, this.#end, length);
    copyBytes(bytes.buffer, bytes.start, this.#buffer, start, length);
    return this.#finishElement(start + length);
  }

  addInteger(n: Int64): this {
    this.#integer.set(n);
    return this.#addInteger();
  }

  #addInteger(): this {
    this.#reserve(MAX_FRAME_BYTES);
    return this.#finishElement(writeInteger(this.#buffer, this.#end, this.#integer));
  }

  /** Adds copies of up to `count` elements of another listpack, from the cursor's on. The cursor moves behind them. */
  addElements(from: ListpackCursor, count: number): this {
    const { at } = from;
    this.#count += from.skip(count);
    const bytes = from.at - at;
    this.#reserve(bytes);
    copyBytes(from.buffer, from.listpackStart + at, this.#buffer, this.#end, bytes);
    this.#end += bytes;
    return this;
  }

  #finishElement(end: number): this {
    this.#end = writeBackLength(this.#buffer, end, end - this.#end);
    this.#count++;
    return this;
  }

  /** Makes room for so many more bytes, and for the end behind them. */
  #reserve(bytes: number): void {
    const needed = this.#end + bytes + 1;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }

  // --- a listpack of its own

  /** The elements as a listpack, good until the next `clear` or addition: `copy` makes a buffer of it. */
  listpack(): ByteView {
    this.#buffer[this.#end] = END;
    writeHeader(this.#buffer, 0, this.#end + 1, this.#count);
    return this.#listpack.set(this.#buffer, 0, this.#end + 1);
  }

  // --- a splice

  /**
   * The elements are to take the place of `removed` elements (or of as many as there are) from the cursor's on. Returns
   * the bytes the listpack will have. The cursor stays, and stands on the first of the new elements once it is reopened.
   */
  replace(cursor: ListpackCursor, removed: number): number {
    this.#at = cursor.at;
    this.#oldLength = cursor.listpackLength;
    this.#removedCount = cursor.skip(removed);
    this.#removedBytes = cursor.at - this.#at;
    cursor.moveTo(this.#at);
    return this.#newLength;
  }

  get #newLength(): number {
    return this.#oldLength - this.#removedBytes + this.#end - HEADER_BYTES;
  }

  /** Does what `replace` has planned. `bytes` begins with the listpack's and has room for the longer of old and new. */
  apply(bytes: ByteView): void {
    const { buffer, start } = bytes;
    const addedBytes = this.#end - HEADER_BYTES;
    const from = this.#at + this.#removedBytes;
    const to = this.#at + addedBytes;
    moveBytes(buffer, start + from, start + to, this.#oldLength - from);
    copyBytes(this.#buffer, HEADER_BYTES, buffer, start + this.#at, addedBytes);
    writeHeader(buffer, start, this.#newLength, this.#newCount(buffer, start));
  }

  /** A count that is unknown stays so until something is removed: then it may have become small enough. */
  #newCount(buffer: Buffer, start: number): number {
    const old = headerCount(buffer, start);
    if (old !== UNKNOWN_COUNT) return old - this.#removedCount + this.#count;
    return this.#removedCount === 0 ? UNKNOWN_COUNT : walkCount(buffer, start, this.#newLength);
  }

  /** Does what `replace` has planned with the listpack that is the value of a slot. */
  applyTo(values: PackedValues, slot: number): void {
    const newLength = this.#newLength;
    this.apply(values.resize(slot, Math.max(this.#oldLength, newLength), false));
    if (newLength < this.#oldLength) values.resize(slot, newLength, false);
  }
}
