// What every lock library is put through, whatever its scripts look like: each is connected, in a file of its own, to
// the interface below, and must hold to this contract. The server's clock is moved by hand, so leases end when a test
// says so; what the libraries measure on their own clocks is far longer than any test.

import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HandClock } from '../support/hand-clock.ts';
import { RespClient } from '../support/resp-client.ts';
import type { Value } from '../support/resp-frame.ts';
import { type OurServer, startOurs } from '../support/server.ts';

export interface HeldLock {
  /** The lease is to end so much from now. False if the lock is not ours any more. */
  renew(leaseMs: number): Promise<boolean>;
  /** False if the lock was not ours any more; undefined from a library that does not say. */
  release(): Promise<boolean | undefined>;
}

/** One application with a connection of its own. */
export interface LockUser {
  /** One attempt. Undefined if somebody else has the lock. */
  tryAcquire(key: string, leaseMs: number): Promise<HeldLock | undefined>;
  close(): unknown;
}

export type ConnectLockUser = (port: number) => Promise<LockUser>;

/** Whole seconds: some libraries count in those. */
const LEASE_MS = 20_000;
const LONG_LEASE_MS = 60_000;
const RACES = 1000;
const LOCK = 'lock:{orders}';

interface Stage {
  readonly a: LockUser;
  readonly b: LockUser;
  readonly clock: HandClock;
  /** Where the library keeps the lock. */
  readonly key: string;
  /** Somebody who looks at the server, and meddles. */
  look(...command: string[]): Promise<Value>;
}

/** The prefix is what the library puts before the names of its locks. */
export function describeLockLibrary(name: string, connect: ConnectLockUser, prefix = ''): void {
  describe(name, () => {
    let server: OurServer;
    let stage: Stage;
    const closings: (() => unknown)[] = [];

    beforeAll(async () => {
      const clock = new HandClock();
      server = await startOurs({ time: clock });
      const observer = await RespClient.connect(server.endpoint);
      const [a, b] = [await connect(server.endpoint.port), await connect(server.endpoint.port)];
      closings.push(
        () => a.close(),
        () => b.close(),
        () => observer.close(),
      );
      stage = { a, b, clock, key: prefix + LOCK, look: (...command) => observer.call(...command) };
    });
    beforeEach(async () => {
      await stage.look('FLUSHALL');
    });
    afterAll(async () => {
      for (const close of closings) await close();
      await server.stop();
    });

    test('is held by one, then by the other', () => handOver(stage));
    test('is renewed by its holder', () => renewal(stage));
    test('is neither renewed nor released by whom it does not belong to', () => wrongOwner(stage));
    test('is free once its lease is over, and the late holder can do nothing to the next', () =>
      expiry(stage));
    test('goes on after SCRIPT FLUSH at every step', () => flushedScripts(stage));
    test(`never has two holders in ${RACES} races`, () => race(stage));
  });
}

async function acquire(user: LockUser, leaseMs = LEASE_MS): Promise<HeldLock> {
  const held = await user.tryAcquire(LOCK, leaseMs);
  if (held === undefined) throw new Error('a free lock was refused');
  return held;
}

/** Libraries that do not tell whether a release did anything are judged by what it did. */
async function release(held: HeldLock, expected: boolean): Promise<void> {
  const released = await held.release();
  if (released !== undefined) expect(released).toBe(expected);
}

async function handOver({ a, b, look, key }: Stage): Promise<void> {
  const first = await acquire(a);
  expect(await look('EXISTS', key)).toBe(1);
  expect(await b.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
  await release(first, true);
  expect(await look('DBSIZE')).toBe(0);
  const second = await acquire(b);
  expect(await a.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
  await release(second, true);
  expect(await look('DBSIZE')).toBe(0);
}

async function renewal({ a, b, clock, look, key }: Stage): Promise<void> {
  const held = await acquire(a);
  clock.pass(LEASE_MS - 1000);
  expect(await held.renew(LONG_LEASE_MS)).toBe(true);
  expect(await look('PTTL', key)).toBe(LONG_LEASE_MS);
  clock.pass(LONG_LEASE_MS - 1000);
  expect(await b.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
  await release(held, true);
  await acquire(b);
}

async function wrongOwner({ a, b, look, key }: Stage): Promise<void> {
  const held = await acquire(a);
  await look('SET', key, 'a thief', 'PX', String(LEASE_MS));
  expect(await held.renew(LONG_LEASE_MS)).toBe(false);
  expect(await look('PTTL', key)).toBe(LEASE_MS);
  await release(held, false);
  expect(await look('GET', key)).toBe('a thief');
  expect(await b.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
}

async function expiry({ a, b, clock, look, key }: Stage): Promise<void> {
  const late = await acquire(a);
  clock.pass(LEASE_MS - 1);
  expect(await b.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
  clock.pass(1);
  const next = await acquire(b);
  const token = await look('GET', key);
  expect(await late.renew(LONG_LEASE_MS)).toBe(false);
  await release(late, false);
  expect(await look('GET', key)).toBe(token);
  expect(await look('PTTL', key)).toBe(LEASE_MS);
  await release(next, true);
}

async function flushedScripts({ a, b, look }: Stage): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const held = await acquire(a);
    await look('SCRIPT', 'FLUSH');
    expect(await held.renew(LONG_LEASE_MS)).toBe(true);
    await look('SCRIPT', 'FLUSH', 'ASYNC');
    expect(await b.tryAcquire(LOCK, LEASE_MS)).toBeUndefined();
    await look('SCRIPT', 'FLUSH');
    await release(held, true);
    expect(await look('DBSIZE')).toBe(0);
    await look('SCRIPT', 'FLUSH', 'SYNC');
  }
}

/** Both try whenever they can; a holder keeps the lock for up to two turns of the event loop. */
async function race({ a, b }: Stage): Promise<void> {
  let holders = 0;
  let races = 0;
  let refusals = 0;
  const winners = new Set<LockUser>();
  const run = async (user: LockUser): Promise<void> => {
    while (races < RACES) {
      const held = await user.tryAcquire(LOCK, LEASE_MS);
      if (held === undefined) {
        refusals++;
        continue;
      }
      winners.add(user);
      expect(++holders).toBe(1);
      for (let turns = races++ % 3; turns > 0; turns--) await turn();
      expect(--holders).toBe(0);
      await release(held, true);
    }
  };
  await Promise.all([run(a), run(b)]);
  expect(refusals).toBeGreaterThan(0);
  expect(winners).toEqual(new Set([a, b]));
}
