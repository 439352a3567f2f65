// The side tables of GETL: cas numbers and locks by slot, under a clock that the test moves.

import { expect, test } from 'vitest';
import { Clock } from '../../../src/keyspace/clock.ts';
import type { KeyspaceSetting } from '../../../src/keyspace/database.ts';
import { GetlLocks } from '../../../src/keyspace/getl-locks.ts';

const SLOT = 600;

function locksAndClock(): { locks: GetlLocks; clock: Clock; pass: (ms: number) => void } {
  let ms = 0;
  let cas = 0;
  const clock = new Clock({ monotonicMs: () => ms, epochMs: () => ms });
  const setting = { clock, nextCas: () => ++cas } as unknown as KeyspaceSetting;
  const pass = (byMs: number): void => {
    ms += byMs;
    clock.refresh();
  };
  return { locks: new GetlLocks(setting), clock, pass };
}

test('a lock holds until its deadline, not at it', () => {
  const { locks, clock, pass } = locksAndClock();
  locks.lock(SLOT, clock.nowMs + 15_000);
  pass(14_999);
  expect(locks.holds(SLOT)).toBe(true);
  pass(1);
  expect(locks.holds(SLOT)).toBe(false);
  expect(locks.isEmpty).toBe(true);
});

test('the cas from before the lock is valid again when the lock ends, and the one of the lock is another', () => {
  const { locks, clock, pass } = locksAndClock();
  const before = locks.cas(SLOT);
  const lockCas = locks.lock(SLOT, clock.nowMs + 100);
  expect(lockCas).toBeGreaterThan(before);
  expect(locks.lockCas(SLOT)).toBe(lockCas);
  expect(locks.cas(SLOT)).toBe(before);
  locks.unlock(SLOT);
  expect(locks.cas(SLOT)).toBe(before);
  locks.lock(SLOT, clock.nowMs + 100);
  pass(100);
  expect(locks.holds(SLOT)).toBe(false);
  expect(locks.cas(SLOT)).toBe(before);
});

test('each write gives a new cas', () => {
  const { locks } = locksAndClock();
  const first = locks.cas(SLOT);
  expect(locks.cas(SLOT)).toBe(first);
  const second = locks.bumpCas(SLOT);
  expect(second).toBeGreaterThan(first);
  expect(locks.cas(SLOT)).toBe(second);
});

test('count leaves out locks that ran out', () => {
  const { locks, clock, pass } = locksAndClock();
  for (let i = 0; i < 10; i++) locks.lock(SLOT + i, clock.nowMs + 10 * (i + 1));
  expect(locks.count()).toBe(10);
  pass(35);
  expect(locks.count()).toBe(7);
  locks.unlockAll();
  expect(locks.count()).toBe(0);
  expect(locks.isEmpty).toBe(true);
});

test('of a slot that is freed nothing stays for the next key in it', () => {
  const { locks, clock } = locksAndClock();
  const cas = locks.cas(SLOT);
  locks.lock(SLOT, clock.nowMs + 1000);
  locks.forget(SLOT);
  expect(locks.holds(SLOT)).toBe(false);
  expect(locks.cas(SLOT)).toBeGreaterThan(cas);
  locks.clear();
  expect(locks.isEmpty).toBe(true);
});
