// Measures how long commands take, without asking the clock for each: a reading costs a quarter of a GET (75 ns, measured).
//
// Brief commands (of constant time, with small arguments) that follow each other share one reading, at most SHARED of
// them, and each is booked an equal part. Every other command is timed alone, and so is everything while somebody wants to
// know of times that a few brief commands could add up to. The keyspace's clock moves with each reading.

import type { Command } from '../commands/define.ts';
import type { Clock } from '../keyspace/clock.ts';
import type { Measurements } from '../state/measurements.ts';

const SHARED = 16;
/** How long one connection's requests may hold the loop before the others get their turn. */
const TURN_MS = 1;
/** Below this, times are wanted exactly. Sixteen brief commands stay far below it. */
const EXACT_BELOW_MICROSECONDS = 1000;

export class CommandTimer {
  readonly #clock: Clock;
  readonly #measurements: Measurements;
  readonly #waiting: Command[] = [];
  #markMs = 0;
  #turnEndMs = 0;

  constructor(clock: Clock, measurements: Measurements) {
    this.#clock = clock;
    this.#measurements = measurements;
  }

  /** Time starts to count now. */
  start(): void {
    this.#markMs = this.#clock.preciseMs();
    this.#turnEndMs = this.#markMs + TURN_MS;
    this.#clock.refreshTo(this.#markMs);
  }

  /** True once `TURN_MS` have passed since `start`, as far as the clock has been read. */
  get isTurnOver(): boolean {
    return this.#markMs >= this.#turnEndMs;
  }

  /** True if the time of what ran since the last reading must be booked before something else runs. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** A command has run. True if it must be settled now: it counts alone, or enough have gathered. */
  add(command: Command, isBrief: boolean): boolean {
    this.#waiting.push(command);
    if (!isBrief || this.#waiting.length >= SHARED) return true;
    return this.#measurements.remarkableMicroseconds < EXACT_BELOW_MICROSECONDS;
  }

  /** Reads the clock and books the time since the last reading. Returns all of it, in microseconds. */
  settle(): number {
    const endMs = this.#clock.preciseMs();
    const microseconds = (endMs - this.#markMs) * 1000;
    const share = microseconds / this.#waiting.length;
    this.#book(share);
    this.#markMs = endMs;
    this.#clock.refreshTo(endMs);
    return microseconds;
  }

  #book(share: number): void {
    const { tracksLatency } = this.#measurements;
    const waiting = this.#waiting;
    for (let first = 0; first < waiting.length; ) {
      let next = first + 1;
      while (next < waiting.length && waiting[next] === waiting[first]) next++;
      waiting[first]!.book(share, next - first, tracksLatency);
      first = next;
    }
    waiting.length = 0;
  }
}
