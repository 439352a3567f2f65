// One node of a big list: a listpack in a buffer of its own, with free room before or behind it.
//
// Guarantees: what is added or removed moves the shorter of the two sides. When that side has no room to move into, all
// free room goes there at once. So adding and taking at the ends cost little more than the element itself, and no edit
// costs more than the node.

import { type ByteView, copyBytes } from '../bytes/view.ts';
import { END, HEADER_BYTES, writeHeader } from './listpack-format.ts';
import { moveBytes } from './packed-value.ts';

const MIN_CAPACITY_BYTES = 256;
/** Header and end. */
export const EMPTY_LISTPACK_BYTES = HEADER_BYTES + 1;
/** What a new node shows until something is put in. Nobody writes to it. */
const EMPTY_LISTPACK = Buffer.from([EMPTY_LISTPACK_BYTES, 0, 0, 0, 0, 0, END]);

/** What a node costs beyond the bytes of its buffer: the objects, about. */
const OBJECT_BYTES = 256;

export class ListNode {
  previous: ListNode | undefined = undefined;
  next: ListNode | undefined = undefined;
  count = 0;
  readonly #firstBytes: number;
  #buffer: Buffer = EMPTY_LISTPACK;
  #start = 0;
  #length = EMPTY_LISTPACK_BYTES;

  /** The first buffer will have at least `firstBytes`. */
  constructor(firstBytes: number) {
    this.#firstBytes = Math.max(firstBytes, MIN_CAPACITY_BYTES);
  }

  /** Bytes of the listpack. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of the buffer. */
  get capacity(): number {
    return this.#buffer.length;
  }

  get usedBytes(): number {
    return this.#buffer.length + OBJECT_BYTES;
  }

  /** The buffer's memory. */
  get memory(): ArrayBufferLike {
    return this.#buffer.buffer;
  }

  /** The listpack, good until the next change of the node. */
  listpack(into: ByteView): ByteView {
    return into.set(this.#buffer, this.#start, this.#length);
  }

  /**
   * Puts `added` elements, encoded in `elements`, into the place of `removed` ones that take `removedBytes` from `at` on.
   * The buffer grows by doubling up to `fullBytes`, then to what is needed.
   */
  splice(
    at: number,
    removedBytes: number,
    removed: number,
    elements: ByteView,
    added: number,
    fullBytes: number,
  ): void {
    const behind = at + removedBytes;
    const change = elements.length - removedBytes;
    const length = this.#length + change;
    const movesHead = at < this.#length - behind;
    const headFits = this.#start >= change;
    const tailFits = this.#start + length <= this.#buffer.length;
    const keepsBuffer = (headFits || tailFits) && this.#buffer !== EMPTY_LISTPACK && !this.#isRoomy(length);
    if (!keepsBuffer || !(movesHead ? headFits : tailFits)) {
      this.#layOut(at, behind, length, movesHead, keepsBuffer ? this.#buffer : this.#room(length, fullBytes));
    } else if (movesHead) {
      moveBytes(this.#buffer, this.#start, this.#start - change, at);
      this.#start -= change;
    } else {
      const from = this.#start + behind;
      moveBytes(this.#buffer, from, from + change, this.#length - behind);
    }
    this.#length = length;
    this.count += added - removed;
    copyBytes(elements.buffer, elements.start, this.#buffer, this.#start + at, elements.length);
    writeHeader(this.#buffer, this.#start, length, this.count);
  }

  /** Gives up free room, if it is much: after more was removed than is likely to be added again. */
  fit(): void {
    const length = this.#length;
    if (length < this.#buffer.length * 0.75) {
      this.#layOut(length, length, length, false, Buffer.allocUnsafeSlow(length));
    }
  }

  /** Would a listpack of this length leave most of the buffer empty? */
  #isRoomy(length: number): boolean {
    return this.#buffer.length > MIN_CAPACITY_BYTES && length < this.#buffer.length >>> 3;
  }

  #room(length: number, fullBytes: number): Buffer {
    const least = this.#buffer === EMPTY_LISTPACK ? this.#firstBytes : MIN_CAPACITY_BYTES;
    const bytes = Math.min(fullBytes, Math.max(length * 2, least));
    return Buffer.allocUnsafeSlow(Math.max(length, bytes));
  }

  /** Moves what stands before `at`, and what stands from `behind` on, to one end of a buffer, which may be the same. */
  #layOut(at: number, behind: number, length: number, isRoomBefore: boolean, target: Buffer): void {
    const source = this.#buffer;
    const head = this.#start;
    const tail = head + behind;
    const tailBytes = this.#length - behind;
    const start = isRoomBefore ? target.length - length : 0;
    const tailStart = start + length - tailBytes;
    // The side that moves away from the other goes first: within one buffer neither is overwritten before it has moved.
    if (isRoomBefore) source.copy(target, tailStart, tail, tail + tailBytes);
    source.copy(target, start, head, head + at);
    if (!isRoomBefore) source.copy(target, tailStart, tail, tail + tailBytes);
    this.#buffer = target;
    this.#start = start;
  }
}
