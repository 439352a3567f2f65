// Where the bytes of keys and values live: large segments outside the JavaScript heap, cut into pages, and those into blocks.
//
// Guarantees: a block never moves and never crosses a page; allocating and freeing are O(1) and make no objects; growing
// adds a segment and copies no block. An address is a block's position in units of 8 bytes, so 31 bits reach 16 GiB;
// negative addresses are those of pieces beyond the largest class, which have a buffer each.
//
// Size classes go in steps of 8 bytes up to 256, then eight steps a doubling (at most 12.5 % lost) up to 8 KiB.
// A page serves one class at a time: its blocks come from its list of freed ones, threaded through the blocks themselves,
// or from its end that was never used. A class has a list of its pages with room. A page whose last block is freed goes
// back to the pool, where any class finds it (a class' only one at the latest when the pool is empty): when all values
// grow, the pages of the old size become those of the new.
//
// Every segment has 16 pages. The first segments are small, and so are their pages, so that a few keys of many sizes do
// not cost a large page each. A segment of full size that is empty goes back to the system, but for one that is kept.

const UNIT_BITS = 3;
const UNIT_BYTES = 1 << UNIT_BITS;
const SEGMENT_BYTES_BITS = 20;
const SEGMENT_UNITS_BITS = SEGMENT_BYTES_BITS - UNIT_BITS;
const SEGMENT_UNITS_MASK = (1 << SEGMENT_UNITS_BITS) - 1;
const SMALL_LIMIT_BYTES = 256;
const SMALL_CLASSES = SMALL_LIMIT_BYTES / UNIT_BYTES;

/** Segments and their pages come in levels, each twice as large as the one before: 8 KiB of 512-byte pages … 1 MiB of 64 KiB. */
const LEVELS = 8;
const LARGEST_LEVEL = LEVELS - 1;
const PAGES_BITS = 4;
const PAGES = 1 << PAGES_BITS;
const FIRST_PAGE_BYTES_BITS = SEGMENT_BYTES_BITS - PAGES_BITS - LARGEST_LEVEL;
const FIRST_PAGE_UNITS_BITS = FIRST_PAGE_BYTES_BITS - UNIT_BITS;

const MAX_SEGMENTS = 2 ** (31 - SEGMENT_UNITS_BITS);

/**
 * The largest block. A value that does not fit beside its key in one gets a buffer of its own.
 * So at least eight blocks fit on a full page, and at most 9 % of it is left over (19 % if blocks went up to 16 KiB),
 * while the few hundred bytes that a buffer costs beyond its content are little beside 8 KiB.
 */
export const MAX_BLOCK_BYTES = 1 << 13;

const CLASSES = SMALL_CLASSES + 8 * (13 - 8);

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
const NO_WORDS = new Int32Array(0);

// Records of eight words: first those that are the heads of lists, one a class and one a level, then one a page.
const RECORD_BITS = 3;
const NEXT = 0;
const PREVIOUS = 1;
/** Address of the first freed block, 0 if there is none. */
const FREED = 2;
/** Address of the first block that was never used; good while blocks are left. */
const UNUSED = 3;
/** Blocks handed out, and blocks that fit. */
const LIVE = 4;
const BLOCKS = 5;

const HEADS = CLASSES + LEVELS;

/** Heads of the list of a class' pages with room, and of the list of free pages of a level. */
const roomHead = (blockClass: number): number => blockClass << RECORD_BITS;
const poolHead = (level: number): number => (CLASSES + level) << RECORD_BITS;

const recordOfPage = (segment: number, page: number): number =>
  (HEADS + ((segment - 1) << PAGES_BITS) + page) << RECORD_BITS;
const pageNumber = (record: number): number => (record >>> RECORD_BITS) - HEADS;
const segmentOf = (page: number): number => (page >>> PAGES_BITS) + 1;

const pageUnits = (level: number): number => 1 << (level + FIRST_PAGE_UNITS_BITS);

/** The smallest level on whose pages a block of so many bytes fits. */
const levelFor = (bytes: number): number => Math.max(0, 32 - Math.clz32(bytes - 1) - FIRST_PAGE_BYTES_BITS);

export class Arena {
  readonly #release: (memory: ArrayBuffer) => void;
  readonly #maxSegments: number;
  /** By segment number. Empty where a segment went back to the system, and at 0: address 0 means "none". */
  readonly #segments: Buffer[] = [EMPTY];
  readonly #words: Int32Array[] = [NO_WORDS];
  readonly #levels: number[] = [0];
  readonly #pagesInUse: number[] = [0];
  readonly #freeNumbers: number[] = [];
  /** The one empty segment of full size that is kept, so that coming and going around its brim costs nothing. */
  #spare = 0;
  #records = new Int32Array((HEADS + PAGES) << RECORD_BITS);
  /** Huge pieces, by the complement of their address, and places here whose piece was freed. */
  readonly #huge: Buffer[] = [];
  readonly #hugeFree: number[] = [];
  #reservedBytes = this.#records.byteLength;
  #usedBytes = 0;
  #freeBytes = 0;

  /** `release` takes the memory of empty segments, which nothing reads any more after the current change. */
  constructor(release: (memory: ArrayBuffer) => void = () => {}, maxSegments = MAX_SEGMENTS) {
    this.#release = release;
    this.#maxSegments = maxSegments;
    for (let head = 0; head < HEADS << RECORD_BITS; head += 1 << RECORD_BITS) {
      this.#records[head + NEXT] = head;
      this.#records[head + PREVIOUS] = head;
    }
  }

  /** Bytes in blocks handed out. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bytes taken from the system. */
  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** Bytes in free pages, which any class may use. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Less than an eighth of the address space is left: time to refuse what takes memory. Beyond it `allocate` throws. */
  get isFull(): boolean {
    return this.#segments.length - this.#freeNumbers.length > this.#maxSegments * 0.875;
  }

  /** All memory taken from the system. */
  get memory(): ArrayBufferLike[] {
    const pieces = [...this.#segments, ...this.#huge].filter((piece) => piece.length > 0);
    return [this.#records, ...pieces].map(({ buffer }) => buffer);
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

  // --- blocks

  /** A block for `neededBytes`, whose class is `blockClass`. */
  allocate(blockClass: number, neededBytes: number): number {
    if (blockClass === HUGE) return this.#allocateHuge(neededBytes);
    const bytes = classBytes(blockClass);
    let page = this.#records[roomHead(blockClass) + NEXT]!;
    if (page === roomHead(blockClass)) page = this.#takePage(blockClass, bytes);
    const records = this.#records;
    let address = records[page + FREED]!;
    if (address !== 0) {
      records[page + FREED] =
        this.#words[address >>> SEGMENT_UNITS_BITS]![(address & SEGMENT_UNITS_MASK) << 1]!;
    } else {
      address = records[page + UNUSED]!;
      records[page + UNUSED] = address + (bytes >>> UNIT_BITS);
    }
    if (++records[page + LIVE]! === records[page + BLOCKS]) this.#unlink(page);
    this.#usedBytes += bytes;
    return address;
  }

  free(address: number, blockClass: number): void {
    if (blockClass === HUGE) return this.#freeHuge(~address);
    this.#usedBytes -= classBytes(blockClass);
    const segment = address >>> SEGMENT_UNITS_BITS;
    const units = address & SEGMENT_UNITS_MASK;
    const page = recordOfPage(segment, units >>> (this.#levels[segment]! + FIRST_PAGE_UNITS_BITS));
    const records = this.#records;
    this.#words[segment]![units << 1] = records[page + FREED]!;
    records[page + FREED] = address;
    const live = records[page + LIVE]!;
    records[page + LIVE] = live - 1;
    if (live === records[page + BLOCKS]) this.#link(roomHead(blockClass), page);
    // Alone in its list it stays there: a lock taken and released again and again costs no page each time.
    if (live === 1 && records[page + NEXT] !== records[page + PREVIOUS]) this.#returnPage(page);
  }

  // --- pages

  /** Gives a class another page: the smallest free one on which its blocks fit. */
  #takePage(blockClass: number, bytes: number): number {
    const level = levelFor(bytes);
    let page = this.#pageInPool(level);
    if (page === 0) {
      this.#collectEmptyPages();
      page = this.#pageInPool(level) || this.#addSegment(level);
    }
    const number = pageNumber(page);
    const segment = segmentOf(number);
    const units = pageUnits(this.#levels[segment]!);
    const records = this.#records;
    this.#unlink(page);
    this.#link(roomHead(blockClass), page);
    records[page + FREED] = 0;
    records[page + UNUSED] = (segment << SEGMENT_UNITS_BITS) + (number & (PAGES - 1)) * units;
    records[page + LIVE] = 0;
    records[page + BLOCKS] = ((units << UNIT_BITS) / bytes) | 0;
    this.#freeBytes -= units << UNIT_BITS;
    this.#pagesInUse[segment]!++;
    if (segment === this.#spare) this.#spare = 0;
    return page;
  }

  /** 0 if there is none: record 0 is a head. */
  #pageInPool(smallestLevel: number): number {
    for (let level = smallestLevel; level < LEVELS; level++) {
      const page = this.#records[poolHead(level) + NEXT]!;
      if (page !== poolHead(level)) return page;
    }
    return 0;
  }

  /** A class has one empty page at most, and then it is the last in its list: the others were put in before it. */
  #collectEmptyPages(): void {
    for (let blockClass = 0; blockClass < CLASSES; blockClass++) {
      const page = this.#records[roomHead(blockClass) + PREVIOUS]!;
      if (page !== roomHead(blockClass) && this.#records[page + LIVE] === 0) this.#returnPage(page);
    }
  }

  #returnPage(page: number): void {
    const segment = segmentOf(pageNumber(page));
    const level = this.#levels[segment]!;
    this.#unlink(page);
    this.#link(poolHead(level), page);
    this.#freeBytes += pageUnits(level) << UNIT_BITS;
    if (--this.#pagesInUse[segment]! > 0 || level < LARGEST_LEVEL) return;
    if (this.#spare === 0) this.#spare = segment;
    else this.#dropSegment(segment);
  }

  #link(head: number, page: number): void {
    const records = this.#records;
    const next = records[head + NEXT]!;
    records[page + NEXT] = next;
    records[page + PREVIOUS] = head;
    records[next + PREVIOUS] = page;
    records[head + NEXT] = page;
  }

  #unlink(page: number): void {
    const records = this.#records;
    const next = records[page + NEXT]!;
    const previous = records[page + PREVIOUS]!;
    records[previous + NEXT] = next;
    records[next + PREVIOUS] = previous;
  }

  // --- segments

  /** Puts the pages of a new segment into the pool and returns the first of them. */
  #addSegment(smallestLevel: number): number {
    const segment = this.#freeNumbers.pop() ?? this.#segments.length;
    if (segment >= this.#maxSegments)
      throw new RangeError('a database holds at most 16 GiB of keys and small values');
    const level = Math.max(smallestLevel, Math.min(segment - 1, LARGEST_LEVEL));
    const memory = new ArrayBuffer(PAGES << (level + FIRST_PAGE_BYTES_BITS));
    this.#segments[segment] = Buffer.from(memory);
    this.#words[segment] = new Int32Array(memory);
    this.#levels[segment] = level;
    this.#pagesInUse[segment] = 0;
    this.#reservedBytes += memory.byteLength;
    this.#freeBytes += memory.byteLength;
    if (recordOfPage(segment, PAGES) > this.#records.length) this.#growRecords();
    for (let page = PAGES - 1; page >= 0; page--) {
      this.#link(poolHead(level), recordOfPage(segment, page));
    }
    return recordOfPage(segment, 0);
  }

  #dropSegment(segment: number): void {
    for (let page = 0; page < PAGES; page++) this.#unlink(recordOfPage(segment, page));
    const memory = this.#words[segment]!.buffer as ArrayBuffer;
    this.#segments[segment] = EMPTY;
    this.#words[segment] = NO_WORDS;
    this.#freeNumbers.push(segment);
    this.#reservedBytes -= memory.byteLength;
    this.#freeBytes -= memory.byteLength;
    this.#release(memory);
  }

  /** Half a kilobyte of records goes with a mebibyte of blocks: copying them takes no time worth slicing. */
  #growRecords(): void {
    const records = new Int32Array(this.#records.length * 2);
    records.set(this.#records);
    this.#reservedBytes += records.byteLength - this.#records.byteLength;
    this.#records = records;
  }

  // --- pieces beyond the largest block

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
}
