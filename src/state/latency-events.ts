// What LATENCY tells: for each kind of event, the moments at which it took long, as Redis keeps them.
//
// An event keeps its last 160 samples; those of one second are one sample, the longest. Whoever measures compares with
// the threshold first (`latency-monitor-threshold`), so nothing here runs while nothing is slow.

export type LatencyEventName = 'command' | 'fast-command' | 'expire-cycle';

export interface LatencySample {
  readonly epochSeconds: number;
  readonly milliseconds: number;
}

const MAX_SAMPLES = 160;

export class LatencyEvent {
  /** Oldest first. */
  readonly samples: LatencySample[] = [];
  /** The longest since the last reset, longer ago than the samples reach perhaps. */
  maxMilliseconds = 0;

  get latest(): LatencySample {
    return this.samples[this.samples.length - 1]!;
  }

  add(epochSeconds: number, milliseconds: number): void {
    this.maxMilliseconds = Math.max(this.maxMilliseconds, milliseconds);
    const last = this.samples[this.samples.length - 1];
    if (last?.epochSeconds === epochSeconds) {
      if (milliseconds > last.milliseconds)
        this.samples[this.samples.length - 1] = { epochSeconds, milliseconds };
      return;
    }
    this.samples.push({ epochSeconds, milliseconds });
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
  }
}

export class LatencyEvents {
  readonly #events = new Map<string, LatencyEvent>();

  add(name: LatencyEventName, epochSeconds: number, milliseconds: number): void {
    const known = this.#events.get(name);
    const event = known ?? new LatencyEvent();
    event.add(epochSeconds, milliseconds);
    if (known === undefined) this.#events.set(name, event);
  }

  /** An event that has happened. */
  get(name: string): LatencyEvent | undefined {
    return this.#events.get(name);
  }

  entries(): [name: string, event: LatencyEvent][] {
    return [...this.#events];
  }

  /** Forgets these events, or all. Returns how many there were. */
  reset(names: readonly string[] = [...this.#events.keys()]): number {
    return names.filter((name) => this.#events.delete(name)).length;
  }
}
