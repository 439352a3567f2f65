// The clock under a time source that the test moves, also where a real one would not go.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Clock, type TimeSource } from '../../../src/keyspace/clock.ts';

class HandMoved implements TimeSource {
  monotonic: number;
  epoch: number;
  constructor(monotonic = 5000.75, epoch = 1_700_000_000_000) {
    this.monotonic = monotonic;
    this.epoch = epoch;
  }
  monotonicMs = (): number => this.monotonic;
  epochMs = (): number => this.epoch;
  pass(ms: number): void {
    this.monotonic += ms;
    this.epoch += ms;
  }
}

test('it starts at 1, counts whole milliseconds, and rounds down', () => {
  const time = new HandMoved();
  const clock = new Clock(time);
  expect(clock.nowMs).toBe(1);
  expect(clock.refresh()).toBe(1);
  time.pass(0.5);
  expect(clock.refresh()).toBe(1);
  time.pass(0.5);
  expect(clock.refresh()).toBe(2);
  time.pass(29_999.875);
  expect(clock.refresh()).toBe(30_001);
});

test('it stands still until refreshed', () => {
  const time = new HandMoved();
  const clock = new Clock(time);
  time.pass(100);
  expect(clock.nowMs).toBe(1);
  expect(clock.preciseMs()).toBe(time.monotonic);
  expect(clock.nowMs).toBe(1);
  expect(clock.refreshTo(clock.preciseMs())).toBe(101);
  expect(clock.nowMs).toBe(101);
});

test('it never goes back, whatever its source does', () => {
  const property = fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true })), (moves) => {
    const time = new HandMoved();
    const clock = new Clock(time);
    const start = time.monotonic;
    let highest = 1;
    for (const ms of moves) {
      time.monotonic += ms;
      highest = Math.max(highest, Math.floor(time.monotonic - (start - 1)));
      expect(clock.refresh()).toBe(highest);
      expect(clock.refreshTo(start)).toBe(highest);
    }
  });
  fc.assert(property);
});

test('a time of the calendar comes back as it was given', () => {
  const property = fc.property(
    fc.maxSafeNat().map((ms) => ms % 2 ** 51),
    fc.double({ min: 0, max: 1e9, noNaN: true }),
    (pxat, monotonic) => {
      const time = new HandMoved(monotonic, 1_700_000_000_000);
      const clock = new Clock(time);
      time.pass(12_345);
      clock.refresh();
      expect(clock.toEpochMs(clock.fromEpochMs(pxat))).toBe(pxat);
      expect(Number.isInteger(clock.fromEpochMs(pxat))).toBe(true);
    },
  );
  fc.assert(property);
});

test('its calendar agrees with the system, to the millisecond', () => {
  const time = new HandMoved();
  const clock = new Clock(time);
  expect(clock.epochMs).toBe(time.epoch);
  time.pass(1000);
  clock.refresh();
  expect(clock.epochMs).toBe(time.epoch);
});

for (const stepMs of [101, -101, 3_600_000, -86_400_000]) {
  test(`a step of the calendar by ${stepMs} ms is seen once and moves no deadline`, () => {
    const time = new HandMoved();
    const clock = new Clock(time);
    const deadlineMs = clock.nowMs + 30_000;
    const pexpiretime = clock.toEpochMs(deadlineMs);
    time.pass(10_000);
    time.epoch += stepMs;
    expect(clock.checkStep()).toBe(stepMs);
    expect(clock.nowMs).toBe(10_001);
    expect(deadlineMs - clock.nowMs).toBe(20_000);
    expect(clock.epochMs).toBe(time.epoch);
    expect(clock.toEpochMs(deadlineMs)).toBe(pexpiretime + stepMs);
    expect(clock.checkStep()).toBe(0);
    expect(clock.steps).toEqual({ count: 1, lastMs: stepMs });
  });
}

for (const jitterMs of [1, 100, -100]) {
  test(`a disagreement of ${jitterMs} ms is none`, () => {
    const time = new HandMoved();
    const clock = new Clock(time);
    const before = clock.toEpochMs(500);
    time.epoch += jitterMs;
    expect(clock.checkStep()).toBe(0);
    expect(clock.toEpochMs(500)).toBe(before);
    expect(clock.steps).toEqual({ count: 0, lastMs: 0 });
  });
}

test('slewing adds up until it is a step', () => {
  const time = new HandMoved();
  const clock = new Clock(time);
  const steps: number[] = [];
  for (let i = 0; i < 30; i++) {
    time.pass(1000);
    time.epoch += 10;
    steps.push(clock.checkStep());
  }
  expect(steps.filter((step) => step !== 0)).toEqual([110, 110]);
});
