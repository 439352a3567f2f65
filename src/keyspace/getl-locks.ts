// The side tables of GETL (spec/membase-getl): cas numbers, and the locks that hold on keys.
// Few keys have either, so neither costs an ordinary key anything; a flag in the slot says that there is something here
// (slot-flags.ts; the database sets it).
//
// A lock holds while now < deadline. It has a cas of its own, a credential that nothing lists; the cas from before is
// valid again by itself when the lock ends, because the lock never replaced it. Locks that have run out are forgotten
// without a timer: all at once when the last of them is over, and some whenever a new one comes.

import type { KeyspaceSetting } from './database.ts';

interface GetlLock {
  readonly cas: number;
  readonly deadlineMs: number;
}

/** What an entry costs (measured on Node 24): these tables are not in the arena, but `maxmemory` counts them. */
const CAS_BYTES = 48;
const LOCK_BYTES = 104;

/** Locks looked at when a new one comes, from the oldest on. More than one, so that those that are over become fewer. */
const LOOKED_AT_PER_LOCK = 2;

export class GetlLocks {
  readonly #setting: KeyspaceSetting;
  readonly #cas = new Map<number, number>();
  /** In the order in which they were taken. */
  readonly #locks = new Map<number, GetlLock>();
  /** No lock holds from this time on. */
  #lastDeadlineMs = 0;

  constructor(setting: KeyspaceSetting) {
    this.#setting = setting;
  }

  /** True when no key of the database can be locked: the ordinary path asks only this. */
  get isEmpty(): boolean {
    if (this.#locks.size === 0) return true;
    if (this.#setting.clock.nowMs < this.#lastDeadlineMs) return false;
    this.unlockAll();
    return true;
  }

  /** Locks that hold now. */
  count(): number {
    for (const slot of this.#locks.keys()) this.holds(slot);
    return this.#locks.size;
  }

  holds(slot: number): boolean {
    const lock = this.#locks.get(slot);
    if (lock === undefined) return false;
    if (this.#setting.clock.nowMs < lock.deadlineMs) return true;
    this.#locks.delete(slot);
    return false;
  }

  /** Locks a key until `deadlineMs` and returns the lock's cas. The caller has seen that no lock holds. */
  lock(slot: number, deadlineMs: number): number {
    this.#forgetSomeThatAreOver();
    const cas = this.#setting.nextCas();
    this.#locks.set(slot, { cas, deadlineMs });
    this.#lastDeadlineMs = Math.max(this.#lastDeadlineMs, deadlineMs);
    return cas;
  }

  #forgetSomeThatAreOver(): void {
    let left = LOOKED_AT_PER_LOCK;
    for (const slot of this.#locks.keys()) if (this.holds(slot) || --left === 0) return;
  }

  /** The cas of the lock that holds. */
  lockCas(slot: number): number {
    return this.#locks.get(slot)!.cas;
  }

  unlock(slot: number): void {
    this.#locks.delete(slot);
  }

  /** Ends all locks; cas numbers stay. */
  unlockAll(): void {
    this.#locks.clear();
    this.#lastDeadlineMs = 0;
  }

  /** The key's cas (not its lock's), given at first sight. */
  cas(slot: number): number {
    return this.#cas.get(slot) ?? this.bumpCas(slot);
  }

  bumpCas(slot: number): number {
    const cas = this.#setting.nextCas();
    this.#cas.set(slot, cas);
    return cas;
  }

  /** The key is gone, and all that was known of it. */
  forget(slot: number): void {
    this.#cas.delete(slot);
    this.#locks.delete(slot);
  }

  clear(): void {
    this.#cas.clear();
    this.unlockAll();
  }

  get usedBytes(): number {
    return this.#cas.size * CAS_BYTES + this.#locks.size * LOCK_BYTES;
  }
}
