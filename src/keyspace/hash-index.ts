// From a key to its slot: extendible hashing over small segments of open addressing, kept in the order of the hash.
//
// How it works. A directory, indexed by the top bits of the hash, names a segment. A segment is an array of pairs (hash,
// slot); a pair's home is given by the bits that follow the directory's, and pairs stand in ascending order of their hash
// at or after their home. So a search ends at the first larger hash, and a walk over all segments is a walk in hash order.
// Some places behind the last home let the end of a segment overflow without wrapping round; there are more when it takes more.
//
// Growth. A full segment splits in two by the next bit of its hashes; the directory doubles when it must. Each step moves
// fewer than two thousand pairs, so no insertion pauses for a rehash of everything. Segments that run empty are merged again.
//
// Walking (SCAN). The cursor is the next hash to look at. A key's hash never changes, so a key that is there from the
// first call to the last is returned exactly once, whatever grows, shrinks or is deleted meanwhile. Keys of equal hash are
// returned together, which is why a call can return a few more than asked.
//
// Limits: hashes have 31 bits. Keys of equal hash stand side by side and are searched one by one: with a secret seed, there
// are as many as chance makes. However many there are, none is lost.

import { HASH_BITS } from '../bytes/hash.ts';
import type { Key } from '../bytes/key.ts';
import type { Entries } from './entries.ts';

const HOME_BITS = 11;
const MAX_HOMES = 1 << HOME_BITS;
const FIRST_HOMES = 128;
/** Places behind the last home. A run this long hardly happens below the highest load; if it does, places are added. */
const OVERFLOW = 96;
/** At this depth a home is one single hash: splitting further could not part any two keys. */
const MAX_DEPTH = HASH_BITS - HOME_BITS;
const HASH_MASK = 2 ** HASH_BITS - 1;
/** How many places one call of `scan` may look at: enough for the whole of a small database, and some for each key asked for. */
const SCAN_PLACES = 512;
const SCAN_PLACES_PER_KEY = 10;
/** How often `random` draws a place before it counts pairs instead: most places are taken, unless a segment has run empty. */
const DRAWS = 32;

class Segment {
  /** Pairs (hash, slot); slot 0 marks an empty place. The last place is always empty: it ends the last run. */
  entries: Int32Array;
  readonly homes: number;
  /** How many leading bits of the hash all keys here share. */
  depth: number;
  count = 0;
  readonly #shift: number;

  constructor(homes: number, depth: number) {
    this.entries = new Int32Array((homes + OVERFLOW) * 2);
    this.homes = homes;
    this.depth = depth;
    this.#shift = HASH_BITS - (31 - Math.clz32(homes));
  }

  home(hash: number): number {
    return ((hash << this.depth) & HASH_MASK) >>> this.#shift;
  }

  /** So full that searches get long, and that it would help to split. */
  get isFull(): boolean {
    return this.count >= this.homes - (this.homes >>> 3) - (this.homes >>> 6) && this.depth < MAX_DEPTH;
  }

  get reservedBytes(): number {
    return this.entries.length * 4;
  }

  /** True when the last place but one is taken: there must be more places before the next pair comes. */
  get isAtEnd(): boolean {
    return this.entries[this.entries.length - 3] !== 0;
  }

  addPlaces(): void {
    const longer = new Int32Array(this.entries.length + (this.entries.length >>> 4) * 2 + OVERFLOW);
    longer.set(this.entries);
    this.entries = longer;
  }

  /** Puts a pair at the place its hash asks for, moving larger ones up. Must not be at its end. */
  insert(hash: number, slot: number): void {
    const { entries } = this;
    let at = this.home(hash) * 2;
    while (entries[at + 1] !== 0 && entries[at]! <= hash) at += 2;
    let end = at;
    while (entries[end + 1] !== 0) end += 2;
    entries.copyWithin(at + 2, at, end);
    entries[at] = hash;
    entries[at + 1] = slot;
    this.count++;
  }

  /** Appends a pair whose hash is not below any other's. */
  append(hash: number, slot: number, after: number): number {
    const at = Math.max(this.home(hash) * 2, after);
    if (at >= this.entries.length - 2) this.addPlaces();
    this.entries[at] = hash;
    this.entries[at + 1] = slot;
    this.count++;
    return at + 2;
  }

  /** Closes the gap at `at` by moving back the pairs behind it that do not stand at home. */
  removeAt(at: number): void {
    const { entries } = this;
    let gap = at;
    let next = at + 2;
    while (entries[next + 1] !== 0 && this.home(entries[next]!) * 2 < next) {
      entries[gap] = entries[next]!;
      entries[gap + 1] = entries[next + 1]!;
      gap = next;
      next += 2;
    }
    entries[gap] = 0;
    entries[gap + 1] = 0;
    this.count--;
  }
}

export class HashIndex {
  readonly #entries: Pick<Entries, 'hasKey'>;
  #directory: Segment[] = [new Segment(FIRST_HOMES, 0)];
  #depth = 0;
  #count = 0;
  #reservedBytes = (FIRST_HOMES + OVERFLOW) * 8;

  constructor(entries: Pick<Entries, 'hasKey'>) {
    this.#entries = entries;
  }

  get count(): number {
    return this.#count;
  }

  get reservedBytes(): number {
    return this.#reservedBytes + this.#directory.length * 8;
  }

  /** All memory taken from the system. */
  get memory(): ArrayBufferLike[] {
    return [...new Set(this.#directory)].map((segment) => segment.entries.buffer);
  }

  /** Reads where each hash would be found, for the caches' sake, and gives a slot of that hash (0 if there is none). */
  touchAhead(hashes: Int32Array, count: number, slots: Int32Array): void {
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]!;
      const segment = this.#directory[this.#place(hash)]!;
      const { entries } = segment;
      let at = segment.home(hash) * 2;
      while (entries[at]! < hash && entries[at + 1] !== 0) at += 2;
      slots[i] = entries[at] === hash ? entries[at + 1]! : 0;
    }
  }

  /** The slot of a key, 0 if there is none. */
  find(key: Key): number {
    const hash = key.hash;
    const segment = this.#directory[this.#place(hash)]!;
    const entries = segment.entries;
    for (let at = segment.home(hash) * 2; ; at += 2) {
      const slot = entries[at + 1]!;
      if (slot === 0) return 0;
      const found = entries[at]!;
      if (found < hash) continue;
      if (found > hash) return 0;
      if (this.#entries.hasKey(slot, key)) return slot;
    }
  }

  /** The key must not be there yet. */
  insert(hash: number, slot: number): void {
    this.#count++;
    for (;;) {
      const segment = this.#directory[this.#place(hash)]!;
      if (segment.isFull) this.#growSegment(segment, hash);
      else {
        if (segment.isAtEnd) this.#addPlaces(segment);
        return segment.insert(hash, slot);
      }
    }
  }

  remove(hash: number, slot: number): void {
    const segment = this.#directory[this.#place(hash)]!;
    const entries = segment.entries;
    let at = segment.home(hash) * 2;
    while (entries[at + 1] !== slot) at += 2;
    segment.removeAt(at);
    this.#count--;
    this.#mergeSegment(segment, hash);
  }

  /**
   * Visits slots in hash order from `cursor` on: `count` of them, and always all of one hash. Fewer when too many empty
   * places lie between them, so that the work of a call is bounded. Returns the next cursor, 0 at the end.
   * `visit` must not change the index.
   */
  scan(cursor: number, count: number, visit: (slot: number) => void): number {
    if (!(cursor <= HASH_MASK)) return 0;
    let keysLeft = count;
    let placesLeft = SCAN_PLACES + count * SCAN_PLACES_PER_KEY;
    let from = Math.max(0, Math.ceil(cursor));
    for (;;) {
      const segment = this.#directory[this.#place(from)]!;
      const { entries } = segment;
      let last = from; // a key right at the cursor is always visited: the cursor moves on with every call
      for (let at = segment.home(from) * 2; at < entries.length; at += 2) {
        placesLeft--;
        const slot = entries[at + 1]!;
        const hash = entries[at]!;
        if (slot === 0 || hash < from) continue;
        if ((keysLeft <= 0 || placesLeft <= 0) && hash !== last) return hash;
        visit(slot);
        keysLeft--;
        last = hash;
      }
      const next = this.#endOf(segment, from);
      if (next > HASH_MASK) return 0;
      if (keysLeft <= 0 || placesLeft <= 0) return next;
      from = next;
    }
  }

  /** A slot chosen by two random numbers in [0, 1): a segment in proportion to its share of all hashes, then any of its keys. */
  random(randomSegment: number, randomPlace: number): number {
    if (this.#count === 0) return 0;
    const { length } = this.#directory;
    let place = Math.floor(randomSegment * length);
    while (this.#directory[place]!.count === 0) place = (place + 1) % length;
    const { entries, count } = this.#directory[place]!;
    for (let i = 0, draw = randomPlace; i < DRAWS; i++, draw = (draw * 7919 + 0.618) % 1) {
      const slot = entries[Math.floor((draw * entries.length) / 2) * 2 + 1]!;
      if (slot !== 0) return slot;
    }
    let rank = Math.floor(randomPlace * count);
    for (let at = 1; ; at += 2) if (entries[at] !== 0 && rank-- === 0) return entries[at]!;
  }

  #place(hash: number): number {
    return hash >>> (HASH_BITS - this.#depth);
  }

  /** The first hash that belongs to the segment after the one that `hash` is in. */
  #endOf(segment: Segment, hash: number): number {
    const span = 2 ** (HASH_BITS - segment.depth);
    return (Math.floor(hash / span) + 1) * span;
  }

  #replace(hash: number, depth: number, make: (half: number) => Segment): void {
    const span = 2 ** (this.#depth - depth);
    const first = Math.floor(this.#place(hash) / span) * span;
    for (let i = 0; i < span; i++) this.#directory[first + i] = make(i < span / 2 ? 0 : 1);
  }

  #growSegment(segment: Segment, hash: number): void {
    const { depth, homes } = segment;
    if (homes < MAX_HOMES) {
      const larger = new Segment(homes * 2, depth);
      appendAll(segment, larger, 0);
      this.#reservedBytes += larger.reservedBytes - segment.reservedBytes;
      this.#replace(hash, depth, () => larger);
      return;
    }
    if (depth === this.#depth) {
      this.#directory = this.#directory.flatMap((each) => [each, each]);
      this.#depth++;
    }
    const low = new Segment(homes, depth + 1);
    const high = new Segment(homes, depth + 1);
    const span = 2 ** (HASH_BITS - depth);
    movePairs(segment, low, high, Math.floor(hash / span) * span + span / 2);
    this.#reservedBytes += low.reservedBytes + high.reservedBytes - segment.reservedBytes;
    this.#replace(hash, depth, (half) => (half === 0 ? low : high));
  }

  #addPlaces(segment: Segment): void {
    this.#reservedBytes -= segment.reservedBytes;
    segment.addPlaces();
    this.#reservedBytes += segment.reservedBytes;
  }

  /** Joins a nearly empty segment with the other half it was once split from, if both fit well. */
  #mergeSegment(segment: Segment, hash: number): void {
    const { depth } = segment;
    if (depth === 0 || segment.count >= segment.homes >>> 3) return;
    const buddy = this.#directory[this.#place(hash ^ (1 << (HASH_BITS - depth)))]!;
    if (buddy.depth !== depth || segment.count + buddy.count > MAX_HOMES >>> 1) return;
    const joined = new Segment(MAX_HOMES, depth - 1);
    const isHigh = (hash & (1 << (HASH_BITS - depth))) !== 0;
    const after = appendAll(isHigh ? buddy : segment, joined, 0);
    appendAll(isHigh ? segment : buddy, joined, after);
    this.#reservedBytes += joined.reservedBytes - segment.reservedBytes - buddy.reservedBytes;
    this.#replace(hash, depth - 1, () => joined);
    while (this.#depth > 0 && this.#directory.every((each) => each.depth < this.#depth)) {
      this.#directory = this.#directory.filter((_, place) => place % 2 === 0);
      this.#depth--;
    }
  }
}

/** Moves all pairs, in order: those below `boundary` to `low`, the others to `high`. */
function movePairs(from: Segment, low: Segment, high: Segment, boundary: number): void {
  const { entries } = from;
  let lowEnd = 0;
  let highEnd = 0;
  for (let at = 0; at < entries.length; at += 2) {
    const slot = entries[at + 1]!;
    if (slot === 0) continue;
    const hash = entries[at]!;
    if (hash < boundary) lowEnd = low.append(hash, slot, lowEnd);
    else highEnd = high.append(hash, slot, highEnd);
  }
}

function appendAll(from: Segment, to: Segment, after: number): number {
  const { entries } = from;
  let end = after;
  for (let at = 0; at < entries.length; at += 2) {
    if (entries[at + 1] !== 0) end = to.append(entries[at]!, entries[at + 1]!, end);
  }
  return end;
}
