// The one clock of the server: whole milliseconds that never go back, and their distance to the calendar.
//
// `nowMs` is a plain field, read as often as anyone likes; it moves only when somebody calls `refresh` (once a read event,
// every so many commands, and at each tick), so that one command sees one time. Deadlines are kept on this clock: a step
// of the calendar moves no running lease. The offset to the calendar is kept too, and replaced only when it has become
// wrong by more than a step's worth, so that PEXPIRETIME gives back what PXAT set.

/** Where time comes from. Tests put their own in. */
export interface TimeSource {
  /** Milliseconds that never go back, with fractions. */
  monotonicMs(): number;
  /** Milliseconds since 1970. */
  epochMs(): number;
}

const systemTime: TimeSource = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
};

/** A smaller disagreement with the calendar is jitter or slewing, not a step. */
const STEP_MS = 100;

export class Clock {
  readonly #source: TimeSource;
  readonly #originMs: number;
  /** Whole milliseconds since the clock was made, rounded down. Starts at 1, so that 0 can mean "never". */
  nowMs = 1;
  /** Time stands still for the keyspace: a script is suspended, and what it found must stay. `preciseMs` goes on. */
  isStopped = false;
  #offsetMs: number;
  #steps = 0;
  #lastStepMs = 0;

  constructor(source: TimeSource = systemTime) {
    this.#source = source;
    this.#originMs = source.monotonicMs() - 1;
    this.#offsetMs = Math.round(source.epochMs()) - this.nowMs;
  }

  /** Reads the time anew. */
  refresh(): number {
    return this.refreshTo(this.#source.monotonicMs());
  }

  /** As `refresh`, with a time that was just read by `preciseMs`. */
  refreshTo(preciseMs: number): number {
    const now = Math.floor(preciseMs - this.#originMs);
    if (now > this.nowMs && !this.isStopped) this.nowMs = now;
    return this.nowMs;
  }

  /** Milliseconds with fractions, read now: for measuring how long something took. */
  preciseMs(): number {
    return this.#source.monotonicMs();
  }

  /** Notices a step of the calendar. Returns its size in ms, 0 if there was none. */
  checkStep(): number {
    if (this.isStopped) return 0;
    const offset = Math.round(this.#source.epochMs()) - this.refresh();
    const step = offset - this.#offsetMs;
    if (Math.abs(step) <= STEP_MS) return 0;
    this.#offsetMs = offset;
    this.#steps++;
    this.#lastStepMs = step;
    return step;
  }

  /** How many steps of the calendar were seen, and the last one's size in ms. */
  get steps(): { count: number; lastMs: number } {
    return { count: this.#steps, lastMs: this.#lastStepMs };
  }

  /** The calendar's time of a time of this clock, in ms since 1970. */
  toEpochMs(ms: number): number {
    return ms + this.#offsetMs;
  }

  /** The time of this clock of a calendar time. */
  fromEpochMs(epochMs: number): number {
    return epochMs - this.#offsetMs;
  }

  get epochMs(): number {
    return this.nowMs + this.#offsetMs;
  }

  /** Microseconds since 1970, read now: for telling the time, not for deciding. */
  readEpochMicroseconds(): number {
    return Math.floor((this.#source.monotonicMs() - this.#originMs + this.#offsetMs) * 1000);
  }
}
