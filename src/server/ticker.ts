// Makes time pass: wakes the keyspace when its next deadline comes, in slices short enough that nobody notices, and looks
// now and then whether the calendar has stepped.

import type { Server } from '../state/server.ts';

/** Longest time that one slice of expiring may hold the loop. */
const SLICE_MS = 1;
const SECOND_MS = 1000;
/** setTimeout takes no longer delays. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export class Ticker {
  readonly #server: Server;
  #timer: NodeJS.Timeout | undefined = undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;
  #slice: NodeJS.Immediate | undefined = undefined;
  #second: NodeJS.Timeout | undefined = undefined;
  #isStopped = false;
  #sliceEndMs = 0;
  readonly #budget = { isSpent: (): boolean => this.#server.clock.preciseMs() >= this.#sliceEndMs };
  readonly #onStep: (stepMs: number) => void;

  /** `onStep` is told of each step of the calendar. */
  constructor(server: Server, onStep: (stepMs: number) => void) {
    this.#server = server;
    this.#onStep = onStep;
  }

  start(): void {
    this.#second = setInterval(() => this.#everySecond(), SECOND_MS);
    this.#second.unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#second);
    clearImmediate(this.#slice);
  }

  /** Deadlines may have come nearer: sees to it that the timer is not too late. Cheap when nothing changed. */
  arm(): void {
    const dueMs = this.#server.keyspace.nextDueMs;
    if (dueMs >= this.#timerDueMs || this.#slice !== undefined || this.#isStopped) return;
    if (!this.#server.expiresActively) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    const delayMs = Math.max(1, dueMs - this.#server.clock.nowMs);
    this.#timer = setTimeout(() => this.#wake(), Math.min(delayMs, LONGEST_DELAY_MS));
    this.#timer.unref();
  }

  /** Does all that is due by now, for whoever moves the clock by hand. */
  tick(): void {
    const { clock, keyspace } = this.#server;
    clock.checkStep();
    if (this.#server.expiresActively) keyspace.advance({ isSpent: () => false });
    this.#server.flushOutboxes();
    this.arm();
  }

  #wake(): void {
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    this.#advance();
  }

  #advance(): void {
    const { clock, keyspace, measurements } = this.#server;
    this.#slice = undefined;
    if (!this.#server.expiresActively) return;
    clock.refresh();
    const startMs = clock.preciseMs();
    this.#sliceEndMs = startMs + SLICE_MS;
    const isDone = keyspace.advance(this.#budget);
    measurements.addLatency('expire-cycle', clock.preciseMs() - startMs);
    this.#server.flushOutboxes();
    // What is left goes on after the loop has looked at its sockets.
    if (!isDone && !this.#isStopped) this.#slice = setImmediate(() => this.#advance());
    else this.arm();
  }

  #everySecond(): void {
    const stepMs = this.#server.clock.checkStep();
    this.#server.everySecond();
    if (stepMs !== 0) this.#onStep(stepMs);
  }
}
