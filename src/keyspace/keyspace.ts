// All databases of a server, and what concerns them together: swapping, flushing, time and memory.

import { Database, type KeyspaceSetting, NO_DEADLINE } from './database.ts';
import type { Budget } from './timing-wheel.ts';

export class Keyspace {
  readonly databases: Database[];
  readonly #setting: KeyspaceSetting;
  #turn = 0;

  constructor(count: number, setting: KeyspaceSetting) {
    this.#setting = setting;
    this.databases = Array.from({ length: count }, (_, id) => new Database(id, setting));
  }

  /** Swaps two databases in place; whoever watches a key there sees it change. GETL locks on their keys end. */
  swap(first: number, second: number): void {
    if (first === second) return;
    const a = this.databases[first]!;
    const b = this.databases[second]!;
    a.getl.unlockAll();
    b.getl.unlockAll();
    this.databases[first] = b;
    this.databases[second] = a;
    Database.exchangePlaces(a, b);
  }

  clear(): void {
    for (const database of this.databases) database.clear();
  }

  /** `advance` has nothing to do before this time. */
  get nextDueMs(): number {
    const { due, reclaimer, clock } = this.#setting;
    return reclaimer.isIdle ? due.atMs : clock.nowMs;
  }

  /** Removes what is due in all databases and frees what was flushed, until done (true) or the budget is spent (false). Each gets its turn to go first. */
  advance(budget: Budget): boolean {
    const isDone = this.#advanceAll(budget) && this.#setting.reclaimer.run(budget);
    let earliest = NO_DEADLINE;
    for (const database of this.databases) earliest = Math.min(earliest, database.nextDueMs);
    this.#setting.due.atMs = earliest;
    return isDone;
  }

  #advanceAll(budget: Budget): boolean {
    const { databases } = this;
    for (let i = 0; i < databases.length; i++) {
      const database = databases[(this.#turn + i) % databases.length]!;
      if (database.nextDueMs > this.#setting.clock.nowMs) continue;
      if (database.advance(budget)) continue;
      this.#turn = (this.#turn + i + 1) % databases.length;
      return false;
    }
    return true;
  }

  get usedBytes(): number {
    let bytes = 0;
    for (const database of this.databases) bytes += database.usedBytes;
    return bytes;
  }

  /** Changes to keys since the start. */
  get changes(): number {
    let changes = 0;
    for (const database of this.databases) changes += database.changes;
    return changes;
  }
}
