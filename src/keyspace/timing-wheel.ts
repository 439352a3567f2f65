// Hierarchical timing wheel: hands out the slots whose deadline has come, in order of their millisecond.
//
// Nine levels of 64 buckets. Level 0 has a bucket a millisecond, each higher level one for 64 of the level below; together
// they reach past 2^53 ms. A bucket is a circular list through the slots' own link words, and its head is a reserved slot,
// so linking and unlinking never branch and never allocate. A bitmap a level finds the next bucket with work at once, so
// that a jump over years costs no more than one over a millisecond.
//
// A renewal is the most frequent write of a lock server, so a *later* deadline is only written into the record. When the
// bucket that still holds the slot comes up, the slot moves on to where it belongs by then. Moving down a level, moving on
// after a renewal and falling due are therefore one operation: take a slot out of the bucket that has come, and look at
// its deadline.
//
// Guarantees: a slot is handed out at the first advance whose time is not before its deadline, never earlier. Work is cut
// into slices: when the budget is spent, advance returns and the next call goes on at the very slot.

import type { SlotTable } from './slot-table.ts';

const LEVEL_BITS = 6;
const BUCKETS = 1 << LEVEL_BITS;
const BUCKET_MASK = BUCKETS - 1;
const LEVELS = 9;

/** Heads are the slots from here on: not 0, which as a link means "in no list". */
const FIRST_HEAD = 1;

/** Slots that the wheel needs at the front of the table for the heads of its lists. */
export const WHEEL_SLOTS = FIRST_HEAD + LEVELS * BUCKETS;

/** How long a bucket of each level is, in ms, and its inverse (exact: powers of two). */
const SPAN_MS = Array.from({ length: LEVELS + 1 }, (_, level) => 2 ** (level * LEVEL_BITS));
const PER_MS = SPAN_MS.map((span) => 1 / span);

/** How many slots are looked at between two questions to the budget. */
const SLOTS_PER_CHECK = 16;

/** Says when a slice of work has taken long enough. */
export interface Budget {
  isSpent(): boolean;
}

export class TimingWheel {
  readonly #slots: SlotTable;
  readonly #occupied = new Int32Array(LEVELS * 2);
  /** Every bucket that starts at or before this time has been emptied, but for those of `#draining` and below. */
  #currentMs: number;
  #draining = -1;
  #count = 0;
  #earliestMs = Number.POSITIVE_INFINITY;

  constructor(slots: SlotTable, nowMs: number) {
    this.#slots = slots;
    this.#currentMs = nowMs;
    for (let head = FIRST_HEAD; head < WHEEL_SLOTS; head++) {
      slots.setNext(head, head);
      slots.setPrevious(head, head);
    }
  }

  /** Slots linked. */
  get count(): number {
    return this.#count;
  }

  /** The wheel has nothing to do before this time (it may have nothing to do then either). Infinity when empty. */
  get nextDueMs(): number {
    if (this.#draining >= 0) return this.#currentMs;
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    return this.#earliestMs;
  }

  isLinked(slot: number): boolean {
    return this.#slots.next(slot) !== 0;
  }

  link(slot: number, deadlineMs: number): void {
    const ahead = Math.max(deadlineMs, this.#currentMs + 1);
    const level = levelOf(ahead - this.#currentMs);
    const index = Math.floor(ahead * PER_MS[level]!);
    const startMs = index * SPAN_MS[level]!;
    if (startMs < this.#earliestMs) this.#earliestMs = startMs;
    const bucket = (level << LEVEL_BITS) | (index & BUCKET_MASK);
    this.#occupied[bucket >>> 5]! |= 1 << (bucket & 31);
    const head = FIRST_HEAD + bucket;
    const last = this.#slots.previous(head);
    this.#slots.setNext(last, slot);
    this.#slots.setPrevious(slot, last);
    this.#slots.setNext(slot, head);
    this.#slots.setPrevious(head, slot);
    this.#count++;
  }

  /** Slot must be linked. */
  unlink(slot: number): void {
    const next = this.#slots.next(slot);
    const previous = this.#slots.previous(slot);
    this.#slots.setNext(previous, next);
    this.#slots.setPrevious(next, previous);
    this.#slots.setNext(slot, 0);
    this.#slots.setPrevious(slot, 0);
    this.#count--;
  }

  /**
   * Moves on to `nowMs`, calling `due` for each slot (unlinked by then) whose deadline has come.
   * Returns false when the budget ran out first: call again to go on.
   */
  advance(nowMs: number, due: (slot: number) => void, budget: Budget): boolean {
    for (;;) {
      while (this.#draining >= 0) {
        if (!this.#drain(due, budget)) return false;
        this.#draining--;
      }
      const next = this.#nextOccupiedMs();
      if (next > nowMs) {
        if (nowMs > this.#currentMs) this.#currentMs = nowMs;
        this.#earliestMs = next;
        return true;
      }
      this.#currentMs = next;
      this.#draining = LEVELS - 1;
    }
  }

  /** Empties the bucket of level `#draining` that starts now; false when the budget ran out. */
  #drain(due: (slot: number) => void, budget: Budget): boolean {
    const level = this.#draining;
    const index = this.#currentMs * PER_MS[level]!;
    if (index !== Math.floor(index)) return true; // no bucket of this level starts now
    const bucket = (level << LEVEL_BITS) | (index & BUCKET_MASK);
    const head = FIRST_HEAD + bucket;
    let sinceCheck = 0;
    for (;;) {
      const slot = this.#slots.next(head);
      if (slot === head) break;
      this.unlink(slot);
      const deadline = this.#slots.deadline(slot);
      if (deadline <= this.#currentMs) due(slot);
      else if (deadline !== Number.POSITIVE_INFINITY) this.link(slot, deadline);
      if (++sinceCheck === SLOTS_PER_CHECK) {
        sinceCheck = 0;
        if (budget.isSpent()) return false;
      }
    }
    this.#occupied[bucket >>> 5]! &= ~(1 << (bucket & 31));
    return true;
  }

  /** Start of the next bucket with a slot in it, over all levels. A bucket emptied by unlink may still count: harmless. */
  #nextOccupiedMs(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (let level = 0; level < LEVELS; level++) {
      const low = this.#occupied[level * 2]!;
      const high = this.#occupied[level * 2 + 1]!;
      if ((low | high) === 0) continue;
      const index = Math.floor(this.#currentMs * PER_MS[level]!);
      const distance = nextBit(low, high, (index + 1) & BUCKET_MASK) + 1;
      earliest = Math.min(earliest, (index + distance) * SPAN_MS[level]!);
    }
    return earliest;
  }
}

/** The level whose buckets separate times `delta` ms apart (1 … 2^53). */
function levelOf(delta: number): number {
  if (delta < 0x40000000) return ((31 - Math.clz32(delta)) / LEVEL_BITS) | 0;
  let level = 5;
  while (delta >= SPAN_MS[level + 1]!) level++;
  return level;
}

/** How many places after `from` (cyclic, 0 … 63) the next bit is set in a map of 64 bits that is not empty. */
function nextBit(low: number, high: number, from: number): number {
  for (let step = 0; step < BUCKETS; ) {
    const at = (from + step) & BUCKET_MASK;
    const word = (at < 32 ? low : high) >>> (at & 31);
    if (word !== 0) return step + (31 - Math.clz32(word & -word));
    step += 32 - (at & 31);
  }
  throw new Error('invariant: a level without bits was asked for its next one');
}
