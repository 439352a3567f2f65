// SLOWLOG: the last commands that took long, with what they were asked, shortened so that a huge argument is not kept.
// Arguments that are secrets never come here: whoever adds an entry has replaced them.

import Denque from 'denque';

export interface SlowCommand {
  readonly epochSeconds: number;
  readonly microseconds: number;
  readonly words: readonly string[];
  readonly peer: string;
  readonly clientName: string;
}

export interface SlowLogEntry extends SlowCommand {
  readonly id: number;
}

export class SlowLog {
  /** Newest first. */
  readonly #entries = new Denque<SlowLogEntry>();
  #nextId = 0;

  get length(): number {
    return this.#entries.length;
  }

  add(command: SlowCommand, maxEntries: number): void {
    this.#entries.unshift({ id: this.#nextId++, ...command });
    while (this.#entries.length > maxEntries) this.#entries.pop();
  }

  /** The newest entries, newest first. */
  newest(count: number): SlowLogEntry[] {
    const shown = Math.min(count, this.#entries.length);
    return Array.from({ length: shown }, (_, i) => this.#entries.peekAt(i)!);
  }

  /** Forgets the entries; ids go on. */
  clear(): void {
    this.#entries.clear();
  }
}
