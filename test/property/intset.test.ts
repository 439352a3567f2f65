// Intsets against a sorted array of integers, and against redis-server: what DUMP holds of sets of integers, and what
// RESTORE refuses.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteView } from '../../src/bytes/view.ts';
import { type Int64, int64Of } from '../../src/collections/int64.ts';
import { checkIntset, Intset, packIntset } from '../../src/collections/intset.ts';
import { dumped, MovingValue, payloadOf, placed, RDB_TYPE } from '../support/packed.ts';
import { redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

const INT64_MAX = 2n ** 63n - 1n;
const clamped = (n: bigint): bigint => (n > INT64_MAX ? INT64_MAX : n < -INT64_MAX ? -INT64_MAX - 1n : n);

/** Around zero and every power of two up to `maxExponent`, and as int64Of makes it of its text. */
const member = (maxExponent: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: maxExponent }), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
    .map(([exponent, offset, isNegative]) => (isNegative ? -1n : 1n) * (2n ** BigInt(exponent) + offset))
    .map((n) => int64Of(ByteView.of(String(clamped(n))))!);

/** Members to be added (true) or removed, of sets that stay narrow, become wide, or are wide. */
const edits = fc
  .constantFrom(8, 15, 16, 31, 32, 52, 53, 63)
  .chain((maxExponent) => fc.array(fc.tuple(fc.boolean(), member(maxExponent)), { maxLength: 40 }));

/** What a width is once it was reached. */
class Model {
  readonly members = new Set<Int64>();
  widest: Int64 = 0;

  edit(isAdded: boolean, value: Int64): boolean {
    if (!isAdded) return this.members.delete(value);
    if (this.members.has(value)) return false;
    this.members.add(value);
    const magnitude = (n: Int64) => (n < 0 ? -BigInt(n) - 1n : BigInt(n));
    if (magnitude(value) > magnitude(this.widest)) this.widest = value;
    return true;
  }

  get sorted(): Int64[] {
    return [...this.members].sort((a, b) => (a < b ? -1 : 1));
  }
}

const intset = new Intset();
const view = new ByteView();

function editBoth(value: MovingValue, model: Model, isAdded: boolean, member: Int64): void {
  intset.open(value.view);
  const isChanged = isAdded ? intset.add(value, 0, member) : intset.remove(value, 0, member);
  expect(isChanged).toBe(model.edit(isAdded, member));
}

test('a sorted array is what an intset is, whatever is added and removed', () => {
  fc.assert(
    fc.property(edits, (list) => {
      const model = new Model();
      const value = new MovingValue(packIntset([]));
      for (const [isAdded, each] of list) editBoth(value, model, isAdded, each);
      const { sorted } = model;
      intset.open(value.view);
      expect(intset.width).toBe(new Intset().open(placed(packIntset([model.widest]))).width);
      expect(sorted.map((_, i) => intset.at(i))).toEqual(sorted);
      expect(sorted.map((_, i) => intset.bytes(i, view).toString())).toEqual(sorted.map(String));
      for (const [, each] of list) {
        const place = sorted.findIndex((other) => other >= each);
        const insertion = place < 0 ? sorted.length : place;
        expect(intset.find(each)).toBe(model.members.has(each) ? place : -1 - insertion);
      }
      expect(checkIntset(value.view)).toBe(sorted.length > 0);
    }),
    { numRuns: 2000 },
  );
});

test('packing at once and adding one by one come to the same', () => {
  fc.assert(
    fc.property(fc.array(member(63), { maxLength: 30 }), (members) => {
      const value = new MovingValue(packIntset([]));
      for (const each of members) intset.open(value.view).add(value, 0, each);
      expect(value.bytes.toString('hex')).toBe(packIntset(members).toString('hex'));
    }),
  );
});

test.runIf(redisAvailable)('redis-server has these bytes, and refuses what the check refuses', async () => {
  const oracle = await startRedis(['--rdbcompression', 'no', '--sanitize-dump-payload', 'yes']);
  const client = await RespClient.connect(oracle.endpoint);
  try {
    await fc.assert(
      fc.asyncProperty(
        edits,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
        async (list, changes) => {
          const model = new Model();
          const value = new MovingValue(packIntset([]));
          client.send('DEL', 'k');
          for (const [isAdded, each] of list) {
            // A set that is empty is gone, and begins anew when something is added.
            if (model.members.size === 0) value.view = new MovingValue(packIntset([])).view;
            editBoth(value, model, isAdded, each);
            client.send(isAdded ? 'SADD' : 'SREM', 'k', String(each));
          }
          for (let i = 0; i <= list.length; i++) await client.next();
          if (model.members.size === 0) return;
          const { type, bytes } = await dumped(client, 'k');
          expect([type, bytes.toString('hex')]).toEqual([RDB_TYPE.intset, value.bytes.toString('hex')]);
          for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
          const restored = await client.raw(
            'RESTORE',
            'b',
            '0',
            payloadOf(RDB_TYPE.intset, bytes),
            'REPLACE',
          );
          expect(checkIntset(placed(bytes))).toBe(restored === '+OK\r\n');
        },
      ),
      { numRuns: 2000 },
    );
  } finally {
    await client.close();
    await oracle.stop();
  }
});
