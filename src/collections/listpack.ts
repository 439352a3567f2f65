// Reading a listpack where it lies: a cursor stands on one element and tells what it is, goes in both directions, and
// finds elements by their bytes. An integer-encoded element counts as its decimal text throughout.
//
// Guarantees: walking and finding allocate nothing; a cursor is made once and opened on one listpack after another. Its
// place is an offset from the listpack's start, which survives the bytes being moved: after a change of the database,
// `open(view, cursor.at)` goes on. Everything else a cursor tells is good until that change.

import { type ByteView, equalBytes } from '../bytes/view.ts';
import { INT64_TEXT_BYTES, type Int64, Int64Words, readInt32, writeInt64Text } from './int64.ts';
import {
  HEADER_BYTES,
  headerCount,
  INT_64,
  length12,
  length32,
  nextElement,
  previousElement,
  readInteger,
  readSmallInteger,
  STRING_32,
  UNKNOWN_COUNT,
} from './listpack-format.ts';

export class ListpackCursor {
  /** Offset of the element from the start of the listpack. */
  at = 0;
  isInteger = false;
  /** The bytes of a string element: `length` bytes of `buffer` from `start`. */
  buffer: Buffer = EMPTY;
  start = 0;
  length = 0;
  /** Where the listpack and its last byte are in `buffer`. */
  #base = 0;
  #end = 0;
  readonly #wanted = new Wanted();
  readonly #text = Buffer.allocUnsafeSlow(INT64_TEXT_BYTES);

  /** Stands on the first element, or on the one at `at`. */
  open(listpack: ByteView, at = HEADER_BYTES): this {
    this.buffer = listpack.buffer;
    this.#base = listpack.start;
    this.#end = listpack.start + listpack.length - 1;
    this.#stand(listpack.start + at);
    return this;
  }

  /** Behind the last element: there is none here. */
  get isAtEnd(): boolean {
    return this.#base + this.at === this.#end;
  }

  /** Where the listpack is in `buffer`. */
  get listpackStart(): number {
    return this.#base;
  }

  get listpackLength(): number {
    return this.#end + 1 - this.#base;
  }

  // --- moving: true when there is an element

  first(): boolean {
    this.#stand(this.#base + HEADER_BYTES);
    return !this.isAtEnd;
  }

  last(): boolean {
    this.end();
    return this.previous();
  }

  end(): void {
    this.#stand(this.#end);
  }

  /** To the next element, or behind the last one. */
  next(): boolean {
    if (this.isAtEnd) return false;
    this.#stand(nextElement(this.buffer, this.#base + this.at));
    return !this.isAtEnd;
  }

  /** To the element before. On the first one it stays. */
  previous(): boolean {
    if (this.at === HEADER_BYTES) return false;
    this.#stand(previousElement(this.buffer, this.#base + this.at));
    return true;
  }

  /** To the element at an index, from the nearer end; a negative one counts from the tail. Out of range it stands at the end. */
  seek(index: number): boolean {
    const count = headerCount(this.buffer, this.#base);
    const fromTail = index < 0 ? -index : count === UNKNOWN_COUNT ? Number.POSITIVE_INFINITY : count - index;
    const fromHead = index >= 0 ? index : count === UNKNOWN_COUNT ? Number.POSITIVE_INFINITY : count + index;
    this.#stand(
      fromHead < 0 || fromTail <= 0
        ? this.#end
        : fromHead < fromTail
          ? this.#ahead(fromHead)
          : this.#back(fromTail),
    );
    return !this.isAtEnd;
  }

  /** Passes up to `count` elements and tells how many there were. */
  skip(count: number): number {
    const end = this.#end;
    let position = this.#base + this.at;
    let passed = 0;
    for (; passed < count && position !== end; passed++) position = nextElement(this.buffer, position);
    this.#stand(position);
    return passed;
  }

  /** To the element at this offset (or the end), where the cursor was before. */
  moveTo(at: number): void {
    this.#stand(this.#base + at);
  }

  #ahead(elements: number): number {
    const end = this.#end;
    let position = this.#base + HEADER_BYTES;
    for (; elements > 0 && position !== end; elements--) position = nextElement(this.buffer, position);
    return position;
  }

  #back(elements: number): number {
    const first = this.#base + HEADER_BYTES;
    let position = this.#end;
    for (; elements > 0; elements--) {
      if (position === first) return this.#end;
      position = previousElement(this.buffer, position);
    }
    return position;
  }

  // --- finding

  /**
   * To the next element with these bytes, beginning with the one it stands on; only every `stride`th counts (2: the
   * fields of a hash, the members of a sorted set). If there is none, it stands at the end.
   */
  find(bytes: ByteView, stride = 1): boolean {
    const wanted = this.#wanted.set(bytes);
    const { buffer } = this;
    const end = this.#end;
    let position = this.#base + this.at;
    while (position !== end && !wanted.isAt(buffer, position)) {
      for (let i = stride; i > 0 && position !== end; i--) position = nextElement(buffer, position);
    }
    this.#stand(position);
    return position !== end;
  }

  /** The same towards the head. If there is none, it stands at the end too. */
  findBackwards(bytes: ByteView): boolean {
    const wanted = this.#wanted.set(bytes);
    const { buffer } = this;
    const first = this.#base + HEADER_BYTES;
    let position = this.#base + this.at;
    while (position === this.#end || !wanted.isAt(buffer, position)) {
      if (position === first) {
        this.end();
        return false;
      }
      position = previousElement(buffer, position);
    }
    this.#stand(position);
    return true;
  }

  /** Has the element these bytes? */
  equals(bytes: ByteView): boolean {
    return !this.isAtEnd && this.#wanted.set(bytes).isAt(this.buffer, this.#base + this.at);
  }

  // --- the element

  /** The value of an integer element. */
  get integer(): Int64 {
    return readInteger(this.buffer, this.#base + this.at);
  }

  /** The element's bytes, those of an integer written down here: good until the cursor writes the next one, too. */
  bytes(into: ByteView): ByteView {
    if (!this.isInteger) return into.set(this.buffer, this.start, this.length);
    return into.set(this.#text, 0, writeInt64Text(this.#text, 0, this.integer));
  }

  #stand(position: number): void {
    const { buffer } = this;
    this.at = position - this.#base;
    const first = buffer[position]!;
    if (first >= 0x80 && first < 0xc0) this.#isString(position + 1, first & 0x3f);
    else if (first >= 0xe0 && first < 0xf0) this.#isString(position + 2, length12(buffer, position));
    else if (first === STRING_32) this.#isString(position + 5, length32(buffer, position));
    else {
      this.isInteger = first <= INT_64;
      this.length = 0;
    }
  }

  #isString(start: number, length: number): void {
    this.isInteger = false;
    this.start = start;
    this.length = length;
  }
}

const EMPTY: Buffer = Buffer.alloc(0);

/** What is being looked for, as bytes and, if they are an integer's text, as words to compare an encoded integer with. */
class Wanted {
  #buffer: Buffer = EMPTY;
  #start = 0;
  #length = 0;
  /** The last byte: names that begin alike are told apart by it. */
  #last: number | undefined = undefined;
  /** Undefined, which nothing equals, unless the bytes are the text of an int32, or of an int64. */
  #small: number | undefined = undefined;
  #high: number | undefined = undefined;
  #low: number | undefined = undefined;
  readonly #integer = new Int64Words();

  set(bytes: ByteView): this {
    this.#buffer = bytes.buffer;
    this.#start = bytes.start;
    this.#length = bytes.length;
    this.#last = bytes.buffer[bytes.start + bytes.length - 1];
    const integer = this.#integer.parse(bytes) ? this.#integer : undefined;
    this.#small = integer?.isInt32 ? integer.low : undefined;
    this.#high = integer?.high;
    this.#low = integer?.low;
    return this;
  }

  /** Is the element at this position what is wanted? */
  isAt(buffer: Buffer, position: number): boolean {
    const first = buffer[position]!;
    if (first < 0x80) return first === this.#small;
    if (first < 0xc0) return (first & 0x3f) === this.#length && this.#isTextAt(buffer, position + 1);
    if (first < 0xe0) return readSmallInteger(buffer, position) === this.#small;
    if (first < 0xf0)
      return length12(buffer, position) === this.#length && this.#isTextAt(buffer, position + 2);
    if (first === STRING_32)
      return length32(buffer, position) === this.#length && this.#isTextAt(buffer, position + 5);
    if (first !== INT_64) return readSmallInteger(buffer, position) === this.#small;
    return readInt32(buffer, position + 1) === this.#low && readInt32(buffer, position + 5) === this.#high;
  }

  #isTextAt(buffer: Buffer, start: number): boolean {
    if (this.#length > 0 && buffer[start + this.#length - 1] !== this.#last) return false;
    return equalBytes(buffer, start, this.#buffer, this.#start, this.#length);
  }
}
