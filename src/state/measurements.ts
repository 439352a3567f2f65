// What is measured while commands run, beyond plain counters: slow commands, latency events, rates.
//
// The dispatcher compares each command's time with one number, `remarkableMicroseconds`, and calls nothing here for
// an ordinary one.

import type { Config } from '../config/config.ts';
import type { Clock } from '../keyspace/clock.ts';
import { type LatencyEventName, LatencyEvents } from './latency-events.ts';
import { Rates } from './rates.ts';
import { SlowLog } from './slow-log.ts';
import type { Stats } from './stats.ts';

export class Measurements {
  readonly slowLog = new SlowLog();
  readonly latencyEvents = new LatencyEvents();
  readonly rates: Rates;
  /** Keep a histogram of each command's time (latency-tracking). */
  tracksLatency = true;
  /** A command that took so long, or longer, is slow or late. */
  remarkableMicroseconds = Number.POSITIVE_INFINITY;
  /** From here on a command enters SLOWLOG. */
  slowMicroseconds = Number.POSITIVE_INFINITY;
  /** From here on an event enters LATENCY. */
  lateMilliseconds = Number.POSITIVE_INFINITY;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(config: Config, clock: Clock, stats: Stats) {
    this.#config = config;
    this.#clock = clock;
    this.rates = new Rates(stats, clock.nowMs);
    const follow = (): void => this.#follow();
    config.onChange('latency-tracking', follow);
    config.onChange('slowlog-log-slower-than', follow);
    config.onChange('latency-monitor-threshold', follow);
    follow();
  }

  #follow(): void {
    const { values } = this.#config;
    const slower = values['slowlog-log-slower-than'];
    const threshold = values['latency-monitor-threshold'];
    this.tracksLatency = values['latency-tracking'];
    this.slowMicroseconds = slower < 0 ? Number.POSITIVE_INFINITY : slower;
    this.lateMilliseconds = threshold === 0 ? Number.POSITIVE_INFINITY : threshold;
    this.remarkableMicroseconds = Math.min(this.slowMicroseconds, this.lateMilliseconds * 1000);
  }

  /** Something took so long; it is kept if that is late. */
  addLatency(name: LatencyEventName, milliseconds: number): void {
    if (milliseconds < this.lateMilliseconds) return;
    this.latencyEvents.add(name, Math.floor(this.#clock.epochMs / 1000), Math.floor(milliseconds));
  }
}
