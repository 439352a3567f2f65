// All databases together: whose turn it is when time is short, when there is something to do, and swapping and flushing.

import { expect, test } from 'vitest';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import { Clock } from '../../../src/keyspace/clock.ts';
import type { Database, KeyspaceObserver } from '../../../src/keyspace/database.ts';
import { EVENT } from '../../../src/keyspace/key-event.ts';
import { Keyspace } from '../../../src/keyspace/keyspace.ts';
import { Reclaimer } from '../../../src/keyspace/reclaimer.ts';

const SEED = { low: 3, high: 4 };
const ENDLESS = { isSpent: () => false };

class Fixture {
  #ms = 0;
  readonly clock = new Clock({ monotonicMs: () => this.#ms, epochMs: () => 1e12 + this.#ms });
  /** Numbers of the databases whose keys ended, in order. */
  readonly ended: number[] = [];
  readonly #observer: KeyspaceObserver = {
    wantedEvents: EVENT.expired.eventClass,
    event: (database) => void this.ended.push(database.id),
    touched: () => {},
    expired: () => {},
  };
  readonly keyspace = new Keyspace(4, {
    clock: this.clock,
    seed: SEED,
    observer: this.#observer,
    due: { atMs: Number.POSITIVE_INFINITY },
    reclaimer: new Reclaimer(),
    nextCas: () => 1,
  });

  pass(ms: number): void {
    this.#ms += ms;
    this.clock.refresh();
  }

  database(id: number): Database {
    return this.keyspace.databases[id]!;
  }

  put(id: number, name: string, lifeMs: number): void {
    const database = this.database(id);
    const key = Key.from(ByteView.of(name), SEED);
    database.putString(key, database.find(key), ByteView.of('v'), this.clock.nowMs + lifeMs, EVENT.set);
  }
}

test('it knows when there is something to do, in whichever database', () => {
  const fixture = new Fixture();
  const { keyspace } = fixture;
  expect(keyspace.nextDueMs).toBe(Number.POSITIVE_INFINITY);
  fixture.put(2, 'a', 50);
  fixture.put(1, 'b', 20);
  expect(keyspace.nextDueMs).toBeLessThanOrEqual(21);
  fixture.pass(20);
  expect(keyspace.advance(ENDLESS)).toBe(true);
  expect(fixture.ended).toEqual([1]);
  expect(keyspace.nextDueMs).toBeLessThanOrEqual(51);
  fixture.pass(30);
  expect(keyspace.advance(ENDLESS)).toBe(true);
  expect(fixture.ended).toEqual([1, 2]);
  expect(keyspace.nextDueMs).toBe(Number.POSITIVE_INFINITY);
});

test('when each slice is too short for one database, the others get their turn all the same', () => {
  const fixture = new Fixture();
  for (let id = 0; id < 4; id++) for (let i = 0; i < 100; i++) fixture.put(id, `key:${i}`, 1000);
  fixture.pass(1000);
  let slices = 0;
  while (!fixture.keyspace.advance({ isSpent: () => true })) {
    slices++;
    expect(fixture.keyspace.nextDueMs).toBeLessThanOrEqual(fixture.clock.nowMs);
  }
  expect(slices).toBeGreaterThan(4);
  expect(new Set(fixture.ended.slice(0, 64))).toEqual(new Set([0, 1, 2, 3]));
  expect(fixture.ended).toHaveLength(400);
});

test('swapped databases keep their keys, their deadlines and the number of their place', () => {
  const fixture = new Fixture();
  fixture.put(0, 'a', 100);
  fixture.keyspace.swap(0, 3);
  expect(fixture.keyspace.databases.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
  expect([fixture.database(0).size, fixture.database(3).size]).toEqual([0, 1]);
  fixture.pass(100);
  fixture.keyspace.advance(ENDLESS);
  expect(fixture.ended).toEqual([3]);
});

test('a flushed keyspace is empty, and works again', () => {
  const fixture = new Fixture();
  for (let i = 0; i < 3000; i++) fixture.put(i % 4, `key:${i}`, 1000);
  expect(fixture.keyspace.usedBytes).toBeGreaterThan(3000 * 40);
  fixture.keyspace.clear();
  expect(fixture.keyspace.usedBytes).toBe(0);
  fixture.pass(2000);
  expect(fixture.keyspace.advance(ENDLESS)).toBe(true);
  expect(fixture.ended).toEqual([]);
  fixture.put(0, 'key:0', 5);
  expect(fixture.database(0).size).toBe(1);
  fixture.pass(5);
  fixture.keyspace.advance(ENDLESS);
  expect(fixture.ended).toEqual([0]);
});
