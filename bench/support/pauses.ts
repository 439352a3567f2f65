// Ties slow pings to the number of requests acknowledged when they were sent, and finds the pauses that every run
// has at the same number: those are the server's own, because the machine's do not know how many keys there are.

import type { Progress } from './load-task.ts';
import type { PingResult } from './ping-task.ts';

const SAME_COUNT_FRACTION = 0.01;

export interface Pause {
  /** Locks acknowledged when the pause began. */
  locks: number;
  durationMs: number;
}

/** The pings from a time on. */
export function during({ sentAtMs, latencyMs }: PingResult, fromMs: number): PingResult {
  const found = sentAtMs.findIndex((atMs) => atMs >= fromMs);
  const first = found < 0 ? sentAtMs.length : found;
  return { sentAtMs: sentAtMs.subarray(first), latencyMs: latencyMs.subarray(first) };
}

export function findPauses(pings: PingResult, progress: Progress, pauseMs: number): Pause[] {
  const pauses: Pause[] = [];
  for (const [i, durationMs] of pings.latencyMs.entries()) {
    const sentAtMs = pings.sentAtMs[i] ?? 0;
    if (durationMs >= pauseMs) pauses.push({ locks: acknowledgedAt(progress, sentAtMs), durationMs });
  }
  return pauses;
}

/** By the last progress point before that time. */
function acknowledgedAt(progress: Progress, atMs: number): number {
  const before = progress.atMs.findLastIndex((pointMs) => pointMs <= atMs);
  return progress.acknowledged[before] ?? 0;
}

/** The pauses of the first run that every other run has at the same key count. */
export function repeatingPauses(runs: readonly (readonly Pause[])[]): Pause[] {
  const [first = [], ...others] = runs;
  if (others.length === 0) return [];
  const near = (a: Pause, b: Pause) => Math.abs(a.locks - b.locks) <= a.locks * SAME_COUNT_FRACTION;
  return first.filter((pause) => others.every((run) => run.some((other) => near(pause, other))));
}
