// SCAN's guarantee, over a whole database that changes between the calls: a key that is there from the first call to the
// last is returned exactly once, however many others come, go, end or are renamed meanwhile.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../../src/bytes/key.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { NO_DEADLINE } from '../../src/keyspace/database.ts';
import { EVENT } from '../../src/keyspace/key-event.ts';
import { DatabaseUnderTest } from '../support/database.ts';

const VALUE = ByteView.of('v');

/** What happens between two calls: `many` keys of a numbered batch come or go, or time passes. */
const meanwhile = fc.oneof(
  fc.record({ kind: fc.constantFrom('add', 'remove', 'rename'), batch: fc.nat(5), many: fc.nat(3000) }),
  fc.record({ kind: fc.constant('pass'), batch: fc.constant(0), many: fc.nat(100) }),
);

/** How many keys stay, and how many come and go: enough for several segments, and for none. */
const scenario = fc.record({
  staying: fc.nat(4000),
  before: fc.nat(6000),
  count: fc.integer({ min: 1, max: 700 }),
  between: fc.array(meanwhile, { maxLength: 30 }),
});

test('returns every key that stays exactly once', () => {
  fc.assert(
    fc.property(scenario, ({ staying, before, count, between }) => {
      const under = new DatabaseUnderTest();
      for (let i = 0; i < staying; i++) put(under, `stays:${i}`);
      for (let i = 0; i < before; i++) put(under, `batch:${i % 6}:${i}`, i % 3 === 0 ? 50 + i : NO_DEADLINE);
      const seen = new Map<string, number>();
      let cursor = 0;
      let step = 0;
      do {
        const previous = cursor;
        cursor = under.db.scan(cursor, count, (slot) => {
          const name = under.db.keyString(slot);
          seen.set(name, (seen.get(name) ?? 0) + 1);
        });
        expect(cursor === 0 || cursor > previous).toBe(true);
        if (step < between.length) happen(under, between[step++]!);
      } while (cursor !== 0);
      const wrong = Array.from({ length: staying }, (_, i) => `stays:${i}`).filter(
        (name) => seen.get(name) !== 1,
      );
      expect(wrong).toEqual([]);
      // What is returned was there at some time, and not twice either: a name's place in the order never changes.
      expect([...seen.values()].every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('looks at a bounded part of the index in a call, and gives a small database at once', () => {
  const under = new DatabaseUnderTest();
  for (let i = 0; i < 10; i++) put(under, `key:${i}`);
  let seen = 0;
  expect(under.db.scan(0, 10, () => seen++)).toBe(0);
  expect(seen).toBe(10);
  for (let i = 0; i < 20_000; i++) put(under, `other:${i}`);
  seen = 0;
  expect(under.db.scan(0, 10, () => seen++)).toBeGreaterThan(0);
  expect(seen).toBe(10);
});

function put({ db, key }: DatabaseUnderTest, name: string, deadlineMs = NO_DEADLINE): void {
  const at = key(name);
  db.putString(at, db.find(at), VALUE, deadlineMs, EVENT.set);
}

function happen(under: DatabaseUnderTest, change: { kind: string; batch: number; many: number }): void {
  const { db, key } = under;
  if (change.kind === 'pass') return under.pass(change.many);
  for (let i = 0; i < change.many; i++) {
    const name = `batch:${change.batch}:${i}`;
    if (change.kind === 'add') {
      put(under, name);
      continue;
    }
    const slot = db.find(key(name));
    if (slot === 0) continue;
    const renamed: Key = key(`renamed:${change.batch}:${i}`);
    if (change.kind === 'remove') db.remove(slot, EVENT.del);
    else if (db.find(renamed) === 0) db.rename(slot, renamed);
  }
}
