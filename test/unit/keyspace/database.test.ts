// What a database costs while it is small and after it was large, and its accounts of deadlines.
// What its verbs do is compared with Maps in test/property/database.test.ts.

import { expect, test } from 'vitest';
import { ByteView } from '../../../src/bytes/view.ts';
import { type Database, NO_DEADLINE } from '../../../src/keyspace/database.ts';
import { EVENT } from '../../../src/keyspace/key-event.ts';
import { DatabaseUnderTest } from '../../support/database.ts';

function put(under: DatabaseUnderTest, name: string, value: string, deadlineMs = NO_DEADLINE): void {
  const key = under.key(name);
  under.db.putString(key, under.db.find(key), ByteView.of(value), deadlineMs, EVENT.set);
}

function remove(under: DatabaseUnderTest, name: string): void {
  const slot = under.db.find(under.key(name));
  expect(slot).not.toBe(0);
  under.db.remove(slot, EVENT.del);
}

const reserved = ({ memory }: Database): number => memory.arenaReserved + memory.records + memory.index;

test('a few keys take less than 64 KiB with all that belongs to them', () => {
  const under = new DatabaseUnderTest();
  expect(reserved(under.db)).toBe(0);
  for (let i = 0; i < 12; i++) put(under, `lock:${i}`, 'x'.repeat(i * 8));
  expect(reserved(under.db)).toBeLessThan(64 * 1024);
});

test('a database whose keys went one by one gives its memory back, and takes keys again', () => {
  const under = new DatabaseUnderTest();
  const names = Array.from({ length: 2000 }, (_, i) => `key:${i}`);
  const fill = (): void => {
    for (const name of names) put(under, name, name.repeat(1000).slice(0, 4000));
  };
  fill();
  const atMost = under.db.memory.arenaReserved;
  for (const name of names) remove(under, name);
  expect(under.db.memory).toMatchObject({ arenaUsed: 0, apart: 0, wheelEntries: 0 });
  expect(under.db.memory.arenaReserved).toBeLessThan(atMost / 2);
  // The pieces of memory are emptied at the next tick, and are nobody's any more.
  under.tick();
  fill();
  under.tick();
  for (const name of names) {
    const value = under.db.value(under.db.find(under.key(name)));
    if (value.toString() !== name.repeat(1000).slice(0, 4000)) expect.fail(`${name} has lost its value`);
  }
  expect(under.db.memory.arenaReserved).toBeLessThanOrEqual(atMost);
});

test('the average time to live is not off for ever once very far deadlines were summed', () => {
  const under = new DatabaseUnderTest();
  for (let i = 0; i < 100; i++) put(under, `far:${i}`, 'v', 2 ** 53 - 1 - i * 3);
  for (let i = 0; i < 100; i++) remove(under, `far:${i}`);
  expect(under.db.averageTtlMs).toBe(0);
  put(under, 'near', 'v', under.clock.nowMs + 1000);
  expect(under.db.averageTtlMs).toBe(1000);
  put(under, 'near', 'v');
  expect([under.db.expires, under.db.averageTtlMs]).toEqual([0, 0]);
});
