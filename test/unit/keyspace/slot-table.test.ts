// Records: each slot its own, none moved or changed by growth, freed ones used again.

import { expect, test } from 'vitest';
import { SLOT_BYTES, SlotTable } from '../../../src/keyspace/slot-table.ts';

const RESERVED = 577;
/** More than a few chunks. */
const MANY = 70_000;

test('slots are handed out once each, after the reserved ones', () => {
  const table = new SlotTable(RESERVED);
  const slots = new Set<number>();
  for (let i = 0; i < MANY; i++) slots.add(table.allocate());
  expect(slots.size).toBe(MANY);
  expect(Math.min(...slots)).toBe(RESERVED);
  expect(table.count).toBe(MANY);
  expect(table.reservedBytes).toBeGreaterThanOrEqual((MANY + RESERVED) * SLOT_BYTES);
  expect(table.memory.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(table.reservedBytes);
});

test('each field of each record keeps what was written, whatever is written elsewhere and however the table grows', () => {
  const table = new SlotTable(RESERVED);
  const slots = Array.from({ length: MANY }, (_, i) => {
    const slot = table.allocate();
    table.setHash(slot, 0x7fffffff - i);
    table.setAddress(slot, -i);
    table.setKeyLength(slot, i + 1);
    table.setValueLength(slot, i + 2);
    table.setMeta(slot, i + 3);
    table.setNext(slot, i + 4);
    table.setPrevious(slot, i + 5);
    table.setAccessSeconds(slot, i + 6);
    table.setDeadline(slot, i % 3 === 0 ? Number.POSITIVE_INFINITY : 2 ** 53 - i);
    return slot;
  });
  for (const [i, slot] of slots.entries()) {
    const fields = [
      table.hash(slot),
      table.address(slot),
      table.keyLength(slot),
      table.valueLength(slot),
      table.meta(slot),
      table.next(slot),
      table.previous(slot),
      table.accessSeconds(slot),
      table.deadline(slot),
    ];
    const deadline = i % 3 === 0 ? Number.POSITIVE_INFINITY : 2 ** 53 - i;
    const expected = [0x7fffffff - i, -i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, deadline];
    if (fields.some((field, at) => field !== expected[at] && field + expected[at]! !== 0)) {
      expect.fail(`slot ${slot}: ${fields}, not ${expected}`);
    }
  }
});

test('freed slots are used again before the table grows', () => {
  const table = new SlotTable(RESERVED);
  const slots = Array.from({ length: 5000 }, () => table.allocate());
  const reserved = table.reservedBytes;
  for (const slot of slots) table.free(slot);
  expect(table.count).toBe(0);
  const again = new Set(Array.from({ length: 5000 }, () => table.allocate()));
  expect([...again].toSorted((a, b) => a - b)).toEqual(slots);
  expect(table.reservedBytes).toBe(reserved);
});

test('a table with a few keys takes under 64 KiB', () => {
  const table = new SlotTable(RESERVED);
  table.allocate();
  expect(table.reservedBytes).toBeLessThan(64 * 1024);
});
