// LATENCY GRAPH: the samples of an event as a small picture of characters, older ones to the left.
//
// Each sample is a column. Its height is drawn in four rows of three steps each (`_`, `o`, `#`); under it stands, read
// downwards, how long ago it was.

import type { LatencyEvent, LatencySample } from '../state/latency-events.ts';

const ROWS = 4;
const STEPS = '_o#';
/** What a column below the top of a higher sample is filled with. */
const STEM = '|';

export function drawLatencyGraph(name: string, event: LatencyEvent, nowSeconds: number): string {
  const { samples, maxMilliseconds } = event;
  const values = samples.map(({ milliseconds }) => milliseconds);
  const [high, low] = [Math.max(...values), Math.min(...values)];
  const title = `${name} - high ${high} ms, low ${low} ms (all time high ${maxMilliseconds} ms)`;
  const heights = samples.map(({ milliseconds }) => heightOf(milliseconds, low, high));
  const picture = Array.from({ length: ROWS }, (_, row) => drawRow(heights, ROWS - 1 - row));
  return `${[title, '-'.repeat(80), ...picture, '', ...drawAges(samples, nowSeconds)].join('\n')}\n`;
}

/** 1 for the lowest sample, up to all steps of all rows for the highest. */
function heightOf(milliseconds: number, low: number, high: number): number {
  const share = high === low ? 0 : (milliseconds - low) / (high - low);
  return 1 + Math.round(share * (ROWS * STEPS.length - 1));
}

function drawRow(heights: readonly number[], row: number): string {
  return heights
    .map((height) => {
      const steps = height - row * STEPS.length;
      if (steps <= 0) return ' ';
      return steps > STEPS.length ? STEM : STEPS[steps - 1];
    })
    .join('');
}

function drawAges(samples: readonly LatencySample[], nowSeconds: number): string[] {
  const ages = samples.map(({ epochSeconds }) => ageOf(Math.max(0, nowSeconds - epochSeconds)));
  const rows = Math.max(...ages.map(({ length }) => length));
  return Array.from({ length: rows }, (_, row) => ages.map((age) => age[row] ?? ' ').join(''));
}

/** `7s`, `12m`, `3h`, `2d`. */
function ageOf(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
