// How long the calls of one command took: counts by duration, in buckets that are 1/128 wide or narrower.
//
// Buckets, and the values that stand for them, are those of Redis (an HDR histogram of nanoseconds with two significant
// digits, up to a second), so that percentiles and LATENCY HISTOGRAM read alike. Recording allocates nothing.

/** Buckets of one octave, each as wide as the octave's start divided by this. */
const BUCKETS_BITS = 7;
const BUCKETS = 1 << BUCKETS_BITS;
/** Longer calls count as this long. */
const MAX_NANOSECONDS = 1_000_000_000;
const SIZE = bucketOf(MAX_NANOSECONDS) + 1;
const FIRST_OCTAVE_NANOSECONDS = 1024;

export class LatencyHistogram {
  // Doubles, because 32 bits would be full after an hour or so of hard work.
  readonly #counts = new Float64Array(SIZE);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** `calls` calls took so long each. */
  record(microseconds: number, calls = 1): void {
    const nanoseconds = Math.min(microseconds * 1000, MAX_NANOSECONDS) | 0;
    this.#counts[bucketOf(nanoseconds > 0 ? nanoseconds : 1)]! += calls;
    this.#total += calls;
  }

  /** The duration in microseconds that so many percent of the calls did not exceed. */
  percentile(percent: number): number {
    const wanted = Math.max(1, Math.round((Math.min(percent, 100) / 100) * this.#total));
    let seen = 0;
    for (let bucket = 0; bucket < SIZE; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= wanted) return highestOf(bucket) / 1000;
    }
    return 0;
  }

  /** How many calls took up to 1, 2, 4 … microseconds, leaving out steps where nothing is added. */
  cumulative(): { readonly microseconds: number; readonly calls: number }[] {
    const steps: { microseconds: number; calls: number }[] = [];
    let seen = 0;
    let bucket = 0;
    for (let octave = FIRST_OCTAVE_NANOSECONDS; seen < this.#total; octave *= 2) {
      const before = seen;
      const last = Math.min(bucketOf(octave), SIZE - 1);
      for (; bucket <= last; bucket++) seen += this.#counts[bucket]!;
      if (seen !== before) {
        steps.push({ microseconds: Math.floor(highestOf(bucketOf(octave)) / 1000), calls: seen });
      }
    }
    return steps;
  }
}

/** The first two octaves' worth of nanoseconds have a bucket each; from there on an octave has 128. */
function bucketOf(nanoseconds: number): number {
  const octave = Math.max(0, 31 - Math.clz32(nanoseconds) - BUCKETS_BITS);
  return octave * BUCKETS + (nanoseconds >>> octave);
}

/** The longest duration in nanoseconds that falls into a bucket. */
function highestOf(bucket: number): number {
  const octave = Math.max(0, (bucket >>> BUCKETS_BITS) - 1);
  const position = bucket - octave * BUCKETS;
  return (position + 1) * 2 ** octave - 1;
}
