// How much happened a second: the counters' growth between the last two samples (INFO instantaneous_*).

import type { Stats } from './stats.ts';

interface Sample {
  readonly atMs: number;
  readonly commands: number;
  readonly inBytes: number;
  readonly outBytes: number;
}

export class Rates {
  #last: Sample;
  commandsPerSecond = 0;
  inBytesPerSecond = 0;
  outBytesPerSecond = 0;

  constructor(stats: Stats, nowMs: number) {
    this.#last = take(stats, nowMs);
  }

  /** Called about once a second. A clock that stands still has no rates: nothing changes then. */
  sample(stats: Stats, nowMs: number): void {
    const seconds = (nowMs - this.#last.atMs) / 1000;
    if (seconds <= 0) return;
    const now = take(stats, nowMs);
    // Counters that were reset since (CONFIG RESETSTAT) start at nothing.
    const rate = (after: number, before: number): number =>
      (after < before ? after : after - before) / seconds;
    this.commandsPerSecond = rate(now.commands, this.#last.commands);
    this.inBytesPerSecond = rate(now.inBytes, this.#last.inBytes);
    this.outBytesPerSecond = rate(now.outBytes, this.#last.outBytes);
    this.#last = now;
  }
}

function take(stats: Stats, atMs: number): Sample {
  return {
    atMs,
    commands: stats.commandsProcessed,
    inBytes: stats.networkInBytes,
    outBytes: stats.networkOutBytes,
  };
}
