// Makes time pass: wakes the keyspace when its next deadline comes, in slices short enough that nobody notices, ends a
// pause when it is over, and looks every second for idle clients and whether the calendar has stepped.

import { closeOverdue } from '../net/client-limits.ts';
import type { Server } from '../state/server.ts';

/** Longest time that one slice of expiring may hold the loop. */
const SLICE_MS = 0.5;
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
    const dueMs = this.#nextDueMs;
    if (dueMs >= this.#timerDueMs || this.#slice !== undefined || this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    const delayMs = Math.max(1, dueMs - this.#server.clock.nowMs);
    this.#timer = setTimeout(() => this.#wake(), Math.min(delayMs, LONGEST_DELAY_MS));
    this.#timer.unref();
  }

  get #nextDueMs(): number {
    const { expiresActively, keyspace, pause } = this.#server;
    return expiresActively ? Math.min(keyspace.nextDueMs, pause.endMs) : pause.endMs;
  }

  /** Does all that is due by now, for whoever moves the clock by hand. */
  tick(): void {
    const { clock, expiresActively, keyspace, pause } = this.#server;
    this.#checkCalendar();
    pause.endIfDue(clock.nowMs);
    if (expiresActively) keyspace.advance({ isSpent: () => false });
    closeOverdue(this.#server);
    this.#server.flushOutboxes();
    this.arm();
  }

  #wake(): void {
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    this.#advance();
  }

  #advance(): void {
    const { clock, expiresActively, keyspace, measurements, pause } = this.#server;
    this.#slice = undefined;
    clock.refresh();
    pause.endIfDue(clock.nowMs);
    if (!expiresActively) return this.arm();
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
    this.#checkCalendar();
    this.#server.everySecond();
    closeOverdue(this.#server);
  }

  #checkCalendar(): void {
    const stepMs = this.#server.clock.checkStep();
    if (stepMs !== 0) this.#onStep(stepMs);
  }
}
