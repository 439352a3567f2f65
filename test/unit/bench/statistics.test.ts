// The arithmetic under the benches' latency figures: ranks, omitted samples, and which pauses repeat.

import { expect, test } from 'vitest';
import { during, findPauses, repeatingPauses } from '../../../bench/support/pauses.ts';
import { median, percentile, withOmittedSamples } from '../../../bench/support/statistics.ts';

const oneToThousand = Float64Array.from({ length: 1000 }, (_, i) => i + 1);

test('percentiles are samples that were seen, by nearest rank', () => {
  expect(percentile(oneToThousand, 0.5)).toBe(500);
  expect(percentile(oneToThousand, 0.99)).toBe(990);
  expect(percentile(oneToThousand, 0.999)).toBe(999);
  expect(percentile(oneToThousand, 0.9999)).toBe(1000);
  expect(percentile(oneToThousand, 1)).toBe(1000);
  expect(percentile(Float64Array.of(7), 0.5)).toBe(7);
});

test('the median does not depend on order and sorts by number', () => {
  expect(median([10, 9, 100])).toBe(10);
});

test('a pause adds the pings that were due in it', () => {
  expect([...withOmittedSamples(Float64Array.of(0.2, 3.5, 0.1), 1)]).toEqual([0.2, 3.5, 2.5, 1.5, 0.5, 0.1]);
});

test('pings from a time on', () => {
  const pings = { sentAtMs: Float64Array.of(1, 2, 3), latencyMs: Float64Array.of(10, 20, 30) };
  expect([...during(pings, 2).latencyMs]).toEqual([20, 30]);
  expect([...during(pings, 4).latencyMs]).toEqual([]);
});

test('a pause knows how many locks had been acknowledged when it began', () => {
  const pings = { sentAtMs: Float64Array.of(5, 15, 25, 35), latencyMs: Float64Array.of(12, 1, 30, 10) };
  const progress = { atMs: Float64Array.of(10, 20, 30), acknowledged: Float64Array.of(100, 200, 300) };
  expect(findPauses(pings, progress, 10)).toEqual([
    { locks: 0, durationMs: 12 },
    { locks: 200, durationMs: 30 },
    { locks: 300, durationMs: 10 },
  ]);
});

test('a pause repeats if every run has one within a percent of its key count', () => {
  const at = (locks: number) => ({ locks, durationMs: 20 });
  const runs = [[at(1_000_000), at(2_000_000), at(3_000_000)], [at(1_010_000), at(2_030_000)], [at(995_000)]];
  expect(repeatingPauses(runs)).toEqual([at(1_000_000)]);
  expect(repeatingPauses(runs.slice(0, 1))).toEqual([]);
  expect(repeatingPauses([[at(1_000_000)], []])).toEqual([]);
});
