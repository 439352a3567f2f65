// The timing wheel against a plain list of deadlines, over everything that may happen to a slot: linked, renewed (only
// written down), brought forward, made to live for ever, removed, while time goes by in steps from a millisecond to
// centuries and work is cut off at random places.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotTable } from '../../src/keyspace/slot-table.ts';
import { TimingWheel, WHEEL_SLOTS } from '../../src/keyspace/timing-wheel.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;
const ENDLESS = { isSpent: () => false };

class Model {
  readonly slots = new SlotTable(WHEEL_SLOTS);
  readonly wheel: TimingWheel;
  /** Deadline of each slot linked, Infinity for one that was made to live for ever since. */
  readonly deadlines = new Map<number, number>();
  /** From when on a slot must be handed out: its deadline, or the next millisecond if that had passed at linking. */
  readonly dueMs = new Map<number, number>();
  nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
    this.wheel = new TimingWheel(this.slots, nowMs);
  }

  add(afterMs: number): void {
    const slot = this.slots.allocate();
    this.slots.setNext(slot, 0);
    this.#link(slot, this.nowMs + afterMs);
  }

  #link(slot: number, deadlineMs: number): void {
    this.slots.setDeadline(slot, deadlineMs);
    this.wheel.link(slot, deadlineMs);
    expect(this.wheel.isLinked(slot)).toBe(true);
    this.deadlines.set(slot, deadlineMs);
    this.dueMs.set(slot, Math.max(deadlineMs, this.nowMs + 1));
  }

  pick(choice: number): number | undefined {
    return [...this.deadlines.keys()][choice % Math.max(1, this.deadlines.size)];
  }

  renew(slot: number, byMs: number): void {
    const deadlineMs = this.deadlines.get(slot)! + byMs;
    this.slots.setDeadline(slot, deadlineMs);
    this.deadlines.set(slot, deadlineMs);
    this.dueMs.set(slot, Math.max(deadlineMs, this.dueMs.get(slot)!));
  }

  bringForward(slot: number, afterMs: number): void {
    this.wheel.unlink(slot);
    this.#link(slot, this.nowMs + afterMs);
  }

  remove(slot: number): void {
    this.wheel.unlink(slot);
    expect(this.wheel.isLinked(slot)).toBe(false);
    this.#forget(slot);
  }

  #forget(slot: number): void {
    this.slots.free(slot);
    this.deadlines.delete(slot);
    this.dueMs.delete(slot);
  }

  /** Lets time pass and works in slices; `between` happens after each unfinished one. */
  advance(byMs: number, isSpent: () => boolean, between: () => void): void {
    this.nowMs += byMs;
    let last = 0;
    const due = (slot: number): void => {
      const deadlineMs = this.deadlines.get(slot);
      if (deadlineMs === undefined) throw new Error(`slot ${slot} was handed out, which is not in the wheel`);
      if (deadlineMs > this.nowMs) throw new Error(`handed out ${deadlineMs - this.nowMs} ms early`);
      if (this.wheel.isLinked(slot)) throw new Error('handed out while still linked');
      if (this.dueMs.get(slot) === deadlineMs && deadlineMs < last) throw new Error('out of order');
      last = Math.max(last, deadlineMs);
      this.#forget(slot);
    };
    while (!this.wheel.advance(this.nowMs, due, { isSpent })) {
      expect(this.wheel.nextDueMs).toBeLessThanOrEqual(this.nowMs);
      this.#forgetEndless();
      between();
    }
    this.#forgetEndless();
    for (const dueMs of this.dueMs.values()) {
      if (dueMs <= this.nowMs) throw new Error(`${this.nowMs - dueMs} ms late`);
    }
  }

  /** Slots that live for ever leave the wheel when their old bucket comes up, and are not handed out. */
  #forgetEndless(): void {
    for (const [slot, deadlineMs] of this.deadlines) {
      if (deadlineMs === Number.POSITIVE_INFINITY && !this.wheel.isLinked(slot)) this.#forget(slot);
    }
  }

  check(): void {
    expect(this.wheel.count).toBe(this.deadlines.size);
    expect(this.wheel.nextDueMs).toBeLessThanOrEqual(Math.min(...this.dueMs.values()));
    for (const slot of this.deadlines.keys()) expect(this.wheel.isLinked(slot)).toBe(true);
    if (this.deadlines.size === 0) expect(this.wheel.nextDueMs).toBe(Number.POSITIVE_INFINITY);
  }
}

/** Times of every order of magnitude, often at the edges of the wheel's buckets. */
const span = fc.oneof(
  fc.nat({ max: 70 }),
  fc.integer({ min: 0, max: 53 }).chain((bits) => fc.maxSafeNat().map((n) => n % 2 ** Math.min(bits, 44))),
  fc
    .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 64 }), fc.integer({ min: -1, max: 1 }))
    .map(([level, times, off]) => Math.max(0, times * 64 ** level + off)),
  fc.integer({ min: 0, max: 500 }).map((years) => years * YEAR_MS),
);
const choice = fc.nat({ max: 1000 });
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('add' as const), span, times: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew' as const), choice, span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bringForward' as const), choice, span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('persist' as const), choice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), choice }) },
);
const step = fc.oneof(
  { weight: 3, arbitrary: action },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      span,
      spent: fc.array(fc.boolean(), { maxLength: 8 }),
      between: action,
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

function act(model: Model, doing: Action): void {
  if (doing.kind === 'add') {
    for (let i = 0; i < doing.times; i++) model.add(doing.span);
    return;
  }
  const slot = model.pick(doing.choice);
  if (slot === undefined) return;
  if (doing.kind === 'renew') model.renew(slot, doing.span);
  else if (doing.kind === 'bringForward') model.bringForward(slot, doing.span);
  else if (doing.kind === 'persist') model.renew(slot, Number.POSITIVE_INFINITY);
  else model.remove(slot);
}

test('slots are handed out at their deadline: none early, none late, none twice, none lost', () => {
  const start = fc.oneof(fc.nat({ max: 200 }), span);
  const property = fc.property(start, fc.array(step, { maxLength: 60 }), (startMs, steps) => {
    const model = new Model(startMs + 1);
    for (const each of steps) {
      if (each.kind === 'advance') {
        const spent = [...each.spent];
        const isSpent = (): boolean => spent.shift() ?? false;
        model.advance(each.span, isSpent, () => act(model, each.between));
      } else act(model, each);
      model.check();
    }
    // At the end of time nothing is left, but what was renewed to beyond even that.
    model.advance(
      2 ** 52,
      () => false,
      () => {},
    );
    model.check();
    if (Math.max(0, ...model.deadlines.values()) < 2 ** 52) expect(model.wheel.count).toBe(0);
  });
  fc.assert(property, { numRuns: 400 });
});

test('a slot is linked in whichever bucket it stands, and can be taken out of each', () => {
  const slots = new SlotTable(WHEEL_SLOTS);
  const wheel = new TimingWheel(slots, 1);
  for (let level = 0; level < 9; level++) {
    for (let place = 1; place <= 64; place++) {
      const slot = slots.allocate();
      slots.setNext(slot, 0);
      const deadlineMs = 1 + place * 64 ** level;
      slots.setDeadline(slot, deadlineMs);
      wheel.link(slot, deadlineMs);
      expect(wheel.isLinked(slot), `level ${level}, ${place} spans ahead`).toBe(true);
      wheel.unlink(slot);
      expect(wheel.isLinked(slot)).toBe(false);
      slots.free(slot);
    }
  }
  expect(wheel.count).toBe(0);
  wheel.advance(2 ** 53, () => expect.fail('the wheel is empty'), ENDLESS);
});

/** Counts how often a link is followed: the wheel's measure of work. */
class CountingSlots extends SlotTable {
  steps = 0;
  override next(slot: number): number {
    this.steps++;
    return super.next(slot);
  }
}

test('a jump over a thousand years costs a few steps for each slot on the way, and none for the years', () => {
  const slots = new CountingSlots(WHEEL_SLOTS);
  const wheel = new TimingWheel(slots, 1);
  const count = 1000;
  for (let i = 0; i < count; i++) {
    const slot = slots.allocate();
    const deadlineMs = 1 + i * i * 31_000_000;
    slots.setDeadline(slot, deadlineMs);
    wheel.link(slot, deadlineMs);
  }
  slots.steps = 0;
  let handedOut = 0;
  const due = (): void => void handedOut++;
  wheel.advance(1000 * YEAR_MS, due, ENDLESS);
  expect(handedOut).toBe(count);
  // At most once a level, each time a look, an unlink, and the end of its bucket's list in up to nine levels.
  expect(slots.steps).toBeLessThan(count * 9 * 12);
  slots.steps = 0;
  wheel.advance(2000 * YEAR_MS, due, ENDLESS);
  expect(slots.steps).toBe(0);
});

test('a slice ends soon after the budget does, and the next one goes on at the very slot', () => {
  const slots = new SlotTable(WHEEL_SLOTS);
  const wheel = new TimingWheel(slots, 1);
  for (let i = 0; i < 1000; i++) {
    const slot = slots.allocate();
    slots.setDeadline(slot, 5000);
    wheel.link(slot, 5000);
  }
  let handedOut = 0;
  let slices = 1;
  let mostASlice = 0;
  let before = 0;
  while (!wheel.advance(6000, () => handedOut++, { isSpent: () => true })) {
    mostASlice = Math.max(mostASlice, handedOut - before);
    before = handedOut;
    slices++;
  }
  expect(handedOut).toBe(1000);
  expect(mostASlice).toBeLessThanOrEqual(16);
  expect(slices).toBeGreaterThan(1000 / 16);
});
