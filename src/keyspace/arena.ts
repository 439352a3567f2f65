// Where the bytes of keys and values live: large segments outside the JavaScript heap, cut into blocks of fixed size classes.
//
// Guarantees: a block never moves and never crosses a segment; allocating and freeing are O(1); growing adds a segment and
// copies nothing; freed blocks are used again. An address is a block's position in units of 8 bytes, so 31 bits reach 16 GiB;
// negative addresses are those of pieces beyond the largest class, which have a buffer each.
//
// Size classes go in steps of 8 bytes up to 256, then eight steps a doubling (at most 12.5 % lost) up to 64 KiB.
// Each class has a list of its free blocks, threaded through the blocks themselves. When a class runs dry and a good part
// of the arena lies free in other classes, a larger free block is split before a new segment is taken.

const UNIT_BITS = 3;
const UNIT_BYTES = 1 << UNIT_BITS;
const SEGMENT_BYTES_BITS = 20;
const SEGMENT_UNITS_BITS = SEGMENT_BYTES_BITS - UNIT_BITS;
const SEGMENT_UNITS_MASK = (1 << SEGMENT_UNITS_BITS) - 1;
const SMALL_LIMIT_BYTES = 256;
const SMALL_CLASSES = SMALL_LIMIT_BYTES / UNIT_BYTES;

/** The first segments are small, so that a database with a few keys costs a few kilobytes. */
const FIRST_SEGMENT_BYTES = 1 << 14;
/** How many segments in a row are twice as large as the one before. */
const DOUBLINGS = 6;
const MAX_SEGMENTS = 2 ** (31 - SEGMENT_UNITS_BITS);

/** The largest block. A value that does not fit beside its key in one gets a buffer of its own. */
export const MAX_BLOCK_BYTES = 1 << 16;

const CLASSES = SMALL_CLASSES + 8 * (16 - 8);

/** The class of everything larger than a block (a very long key): each such piece is a buffer of its own. */
const HUGE = CLASSES;

/** The size class of a block that must hold `bytes` (1 or more). */
export function sizeClass(bytes: number): number {
  if (bytes <= SMALL_LIMIT_BYTES) return (bytes - 1) >>> UNIT_BITS;
  if (bytes > MAX_BLOCK_BYTES) return HUGE;
  const last = bytes - 1;
  const exponent = 31 - Math.clz32(last);
  return SMALL_CLASSES + (exponent - 8) * 8 + (last >>> (exponent - 3)) - 8;
}

/** How many bytes a block of a class holds. */
export function classBytes(blockClass: number): number {
  if (blockClass < SMALL_CLASSES) return (blockClass + 1) << UNIT_BITS;
  const above = blockClass - SMALL_CLASSES;
  return ((above & 7) + 9) << ((above >>> 3) + 8 - 3);
}

const EMPTY = Buffer.alloc(0);

export class Arena {
  readonly #segments: Buffer[] = [];
  readonly #words: Int32Array[] = [];
  readonly #freeHeads = new Int32Array(CLASSES);
  /** Huge pieces, by the complement of their address, and places here whose piece was freed. */
  readonly #huge: Buffer[] = [];
  readonly #hugeFree: number[] = [];
  /** The unused end of the newest segment, in units. */
  #bump = 0;
  #bumpEnd = 0;
  #reservedBytes = 0;
  #usedBytes = 0;
  #freeBytes = 0;

  /** Bytes in blocks handed out. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bytes taken from the system. */
  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** Bytes in blocks that were freed and wait to be used again. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** All memory taken from the system. */
  get memory(): ArrayBufferLike[] {
    const pieces = this.#huge.filter((piece) => piece.length > 0);
    return [...this.#segments, ...pieces].map(({ buffer }) => buffer);
  }

  /** The buffer that holds the block at `address`. */
  segment(address: number): Buffer {
    return address < 0 ? this.#huge[~address]! : this.#segments[address >>> SEGMENT_UNITS_BITS]!;
  }

  /** Where in `segment(address)` the block starts. */
  offset(address: number): number {
    return address < 0 ? 0 : (address & SEGMENT_UNITS_MASK) << UNIT_BITS;
  }

  /** How many bytes the block at `address` takes. */
  blockBytes(address: number, blockClass: number): number {
    return address < 0 ? this.#huge[~address]!.length : classBytes(blockClass);
  }

  /** A block for `neededBytes`, whose class is `blockClass`. */
  allocate(blockClass: number, neededBytes: number): number {
    if (blockClass === HUGE) return this.#allocateHuge(neededBytes);
    const bytes = classBytes(blockClass);
    const head = this.#freeHeads[blockClass]!;
    if (head !== 0) {
      this.#usedBytes += bytes;
      this.#freeBytes -= bytes;
      this.#freeHeads[blockClass] = this.#next(head);
      return head;
    }
    const units = bytes >>> UNIT_BITS;
    if (this.#bump + units > this.#bumpEnd) {
      const split = this.#splitLarger(blockClass, units);
      if (split !== 0) {
        this.#usedBytes += bytes;
        return split;
      }
      this.#addSegment(bytes);
    }
    const address = this.#bump;
    this.#bump += units;
    this.#usedBytes += bytes;
    return address;
  }

  free(address: number, blockClass: number): void {
    if (blockClass === HUGE) return this.#freeHuge(~address);
    const bytes = classBytes(blockClass);
    this.#usedBytes -= bytes;
    this.#pushFree(address, blockClass, bytes);
  }

  #pushFree(address: number, blockClass: number, bytes: number): void {
    this.#freeBytes += bytes;
    this.#words[address >>> SEGMENT_UNITS_BITS]![(address & SEGMENT_UNITS_MASK) << 1] =
      this.#freeHeads[blockClass]!;
    this.#freeHeads[blockClass] = address;
  }

  #next(address: number): number {
    return this.#words[address >>> SEGMENT_UNITS_BITS]![(address & SEGMENT_UNITS_MASK) << 1]!;
  }

  /** Takes a block out of a larger free one, when enough lies free to make that better than growing. 0 if not. */
  #splitLarger(blockClass: number, units: number): number {
    if (this.#freeBytes < this.#reservedBytes >>> 3) return 0;
    for (let larger = blockClass + 1; larger < CLASSES; larger++) {
      const address = this.#freeHeads[larger]!;
      if (address === 0) continue;
      const bytes = classBytes(larger);
      this.#freeHeads[larger] = this.#next(address);
      this.#freeBytes -= bytes;
      this.#freeRange(address + units, (bytes >>> UNIT_BITS) - units);
      return address;
    }
    return 0;
  }

  /** Puts a stretch of units on the free lists, as the largest blocks that fit. */
  #freeRange(address: number, units: number): void {
    let at = address;
    let left = units;
    while (left > 0) {
      const bytes = Math.min(left << UNIT_BITS, MAX_BLOCK_BYTES);
      let blockClass = sizeClass(bytes);
      if (classBytes(blockClass) > bytes) blockClass--;
      const taken = classBytes(blockClass);
      this.#pushFree(at, blockClass, taken);
      at += taken >>> UNIT_BITS;
      left -= taken >>> UNIT_BITS;
    }
  }

  #allocateHuge(bytes: number): number {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    const place = this.#hugeFree.pop() ?? this.#huge.length;
    this.#huge[place] = buffer;
    this.#reservedBytes += bytes;
    this.#usedBytes += bytes;
    return ~place;
  }

  #freeHuge(place: number): void {
    const bytes = this.#huge[place]!.length;
    this.#reservedBytes -= bytes;
    this.#usedBytes -= bytes;
    this.#huge[place] = EMPTY;
    this.#hugeFree.push(place);
  }

  #addSegment(neededBytes: number): void {
    const number = this.#segments.length;
    if (number === MAX_SEGMENTS)
      throw new RangeError('a database holds at most 16 GiB of keys and small values');
    if (this.#bump < this.#bumpEnd) this.#freeRange(this.#bump, this.#bumpEnd - this.#bump);
    const doubled = FIRST_SEGMENT_BYTES << Math.min(number, DOUBLINGS);
    // One unit more than asked: the very first is never handed out, since address 0 means "none".
    const bytes = Math.max(doubled, neededBytes + UNIT_BYTES);
    const memory = new ArrayBuffer(bytes);
    const base = number << SEGMENT_UNITS_BITS;
    this.#segments.push(Buffer.from(memory));
    this.#words.push(new Int32Array(memory));
    this.#reservedBytes += bytes;
    this.#bump = number === 0 ? 1 : base;
    this.#bumpEnd = base + (bytes >>> UNIT_BITS);
  }
}
