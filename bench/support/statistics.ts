// Order statistics over latency samples, and the pauses among them.
// Percentiles are nearest-rank: each reported value is one that was really seen.

/** Wall-independent time shared by all processes of this machine (CLOCK_MONOTONIC), in milliseconds. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

/** `sorted` must be; `fraction` is above 0 and at most 1. */
export function percentile(sorted: Float64Array, fraction: number): number {
  const rank = Math.max(1, Math.ceil(sorted.length * fraction));
  return sorted[rank - 1] ?? Number.NaN;
}

/**
 * One PING at a time means that a pause of 50 ms is one bad sample, though 50 pings were due in it.
 * This adds those: they would have waited 49 ms, 48 ms, and so on.
 */
export function withOmittedSamples(latenciesMs: Float64Array, intervalMs: number): Float64Array {
  const all: number[] = [];
  for (const latencyMs of latenciesMs) {
    for (let waitedMs = latencyMs; waitedMs > 0; waitedMs -= intervalMs) all.push(waitedMs);
  }
  return Float64Array.from(all);
}

/** The columns every PING measurement reports. `p99.9*` counts also the pings that a pause kept from being sent. */
export function latencyColumns(latenciesMs: Float64Array): Record<string, number> {
  const sorted = latenciesMs.slice().sort();
  return {
    pings: sorted.length,
    'p50 ms': percentile(sorted, 0.5),
    'p99 ms': percentile(sorted, 0.99),
    'p99.9 ms': percentile(sorted, 0.999),
    'p99.99 ms': percentile(sorted, 0.9999),
    'max ms': percentile(sorted, 1),
    'p99.9* ms': percentile(withOmittedSamples(latenciesMs, 1).sort(), 0.999),
  };
}

export const CORRECTION_NOTE = 'p99.9*: corrected for the pings that a pause kept from being sent';
