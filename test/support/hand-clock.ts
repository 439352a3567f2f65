// Time for a server under test that passes only when told to.

import type { TimeSource } from '../../src/index.ts';

export class HandClock implements TimeSource {
  #passedMs = 0;
  readonly #startMs = Date.now();
  monotonicMs = (): number => this.#passedMs;
  epochMs = (): number => this.#startMs + this.#passedMs;

  pass(ms: number): void {
    this.#passedMs += ms;
  }
}
