// The side tables of GETL (spec/membase-getl): cas numbers, and the locks that hold on keys.
// Few keys have either, so neither costs an ordinary key anything; a flag in the slot says that there is something here.
//
// A lock holds while now < deadline. It has a cas of its own, a credential that nothing lists; the cas from before comes
// back by itself when the lock ends, because the lock never replaced it.

import type { KeyspaceSetting } from './database.ts';

interface GetlLock {
  readonly cas: number;
  readonly deadlineMs: number;
}

export class GetlLocks {
  readonly #setting: KeyspaceSetting;
  readonly #cas = new Map<number, number>();
  readonly #locks = new Map<number, GetlLock>();

  constructor(setting: KeyspaceSetting) {
    this.#setting = setting;
  }

  /** True when no key of the database has been locked since it last had none: the ordinary path asks only this. */
  get isEmpty(): boolean {
    return this.#locks.size === 0;
  }

  /** Locks that hold now. Those that ran out are forgotten on the way. */
  count(): number {
    for (const [slot, lock] of this.#locks) {
      if (lock.deadlineMs <= this.#setting.clock.nowMs) this.#locks.delete(slot);
    }
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
    const cas = this.#setting.nextCas();
    this.#locks.set(slot, { cas, deadlineMs });
    return cas;
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

  forget(slot: number): void {
    this.#cas.delete(slot);
    this.#locks.delete(slot);
  }

  clear(): void {
    this.#cas.clear();
    this.#locks.clear();
  }
}
