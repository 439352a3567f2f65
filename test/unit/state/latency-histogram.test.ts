// The histogram against the plain list of what was recorded, and against what redis-server shows for the same buckets.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatencyHistogram } from '../../../src/state/latency-histogram.ts';

function recorded(microseconds: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const each of microseconds) histogram.record(each);
  return histogram;
}

/** From a nanosecond to a second. */
const durations = fc.array(fc.double({ min: 0.001, max: 1_000_000, noNaN: true }), { minLength: 1 });

test('a percentile is the duration at that place, or up to 1/128 more', () => {
  fc.assert(
    fc.property(durations, fc.integer({ min: 1, max: 100 }), (microseconds, percent) => {
      const sorted = microseconds.toSorted((a, b) => a - b);
      const place = Math.max(1, Math.round((percent / 100) * sorted.length)) - 1;
      const exact = Math.floor(sorted[place]! * 1000);
      const shown = recorded(microseconds).percentile(percent) * 1000;
      expect(shown).toBeGreaterThanOrEqual(exact - 1e-6);
      expect(shown).toBeLessThanOrEqual(exact + exact / 128 + 1);
    }),
  );
});

test('the steps rise, and the last one counts all', () => {
  fc.assert(
    fc.property(durations, (microseconds) => {
      const steps = recorded(microseconds).cumulative();
      expect(steps.at(-1)?.calls).toBe(microseconds.length);
      for (const [i, { microseconds: upTo, calls }] of steps.entries()) {
        const before = steps[i - 1];
        if (before !== undefined) {
          expect(calls).toBeGreaterThan(before.calls);
          expect(upTo).toBeGreaterThan(before.microseconds);
        }
      }
    }),
  );
});

test("steps have redis-server's names", () => {
  const microseconds = Array.from({ length: 15 }, (_, power) => 2 ** power);
  expect(
    recorded(microseconds)
      .cumulative()
      .map((step) => step.microseconds),
  ).toEqual([1, 2, 4, 8, 16, 33, 66, 132, 264, 528, 1056, 2113, 4227, 8454, 16908]);
});

test('a percentile has the digits that redis-server shows', () => {
  expect(recorded([12]).percentile(50)).toBe(12.031);
  expect(recorded([6]).percentile(99)).toBe(6.015);
});

test('what takes longer than a second counts as a second, and what takes no time as a nanosecond', () => {
  const histogram = recorded([5_000_000, 0, -1]);
  expect(histogram.total).toBe(3);
  expect(histogram.percentile(100)).toBeCloseTo(1_000_000, -5);
  expect(histogram.percentile(1)).toBe(0.001);
});
