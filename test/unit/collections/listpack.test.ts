// Listpacks: the bytes of every encoding and both sides of its limits, walking and finding in both directions, splices,
// and what the check refuses.

import { describe, expect, test } from 'vitest';
import { ByteView } from '../../../src/bytes/view.ts';
import { int64Of } from '../../../src/collections/int64.ts';
import { ListpackCursor } from '../../../src/collections/listpack.ts';
import { checkListpack } from '../../../src/collections/listpack-check.ts';
import { canGrow, countElements } from '../../../src/collections/listpack-format.ts';
import { ListpackWriter } from '../../../src/collections/listpack-writer.ts';
import { NO_DEADLINE } from '../../../src/keyspace/database.ts';
import { EVENT } from '../../../src/keyspace/key-event.ts';
import { DatabaseUnderTest } from '../../support/database.ts';
import { listpackOf, MovingValue, placed } from '../../support/packed.ts';
import { elementCases } from './listpack-cases.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const cursor = new ListpackCursor();
const view = new ByteView();
const text = (): string => cursor.bytes(view).toString();

function forwards(listpack: ByteView): string[] {
  const found: string[] = [];
  for (cursor.open(listpack); !cursor.isAtEnd; cursor.next()) found.push(text());
  return found;
}

function backwards(listpack: ByteView): string[] {
  const found: string[] = [];
  cursor.open(listpack).end();
  while (cursor.previous()) found.push(text());
  return found;
}

describe('the format', () => {
  const cases: readonly [elements: string[], bytes: string][] = [
    [[], '07000000 0000 ff'],
    [['a', '1'], '0c000000 0200 8161 02 01 01 ff'],
    [['128', '-1', '-4096'], '10000000 0300 c080 02 dfff 02 d000 02 ff'],
    [['4096', '-32768'], '0f000000 0200 f10010 03 f10080 03 ff'],
    [['32768', '-8388608'], '11000000 0200 f2008000 04 f2000080 04 ff'],
    [['8388608', '-2147483648'], '13000000 0200 f300008000 05 f300000080 05 ff'],
    [['2147483648'], '11000000 0100 f40000008000000000 09 ff'],
    [['-9223372036854775808'], '11000000 0100 f40000000000000080 09 ff'],
    [['x'.repeat(64)], `4a000000 0100 e040 ${'78'.repeat(64)} 42 ff`],
    [['x'.repeat(300)], `37010000 0100 e12c ${'78'.repeat(300)} 02ae ff`],
    [['x'.repeat(4096)], `0e100000 0100 f000100000 ${'78'.repeat(4096)} 2085 ff`],
  ];

  test.each(cases)('%j', (elements, bytes) => {
    expect(listpackOf(elements)).toEqual(hex(bytes));
    expect(forwards(placed(hex(bytes)))).toEqual(elements);
    expect(checkListpack(placed(hex(bytes)))).toBe(true);
  });

  test.each(elementCases)('$encoding takes $bytes bytes', ({ text: element, bytes }) => {
    const listpack = placed(listpackOf(['a', element, 'z']));
    expect(listpack.length).toBe(7 + 3 + bytes + 3);
    expect(forwards(listpack)).toEqual(['a', element, 'z']);
    expect(backwards(listpack)).toEqual(['z', element, 'a']);
    expect(checkListpack(listpack)).toBe(true);
    const wanted = placed(Buffer.from(element, 'latin1'));
    expect(cursor.open(listpack).find(wanted)).toBe(true);
    const n = int64Of(wanted);
    expect([cursor.at, cursor.isInteger, text()]).toEqual([9, n !== undefined, element]);
    if (n !== undefined) expect(cursor.integer).toBe(n);
    cursor.end();
    expect([cursor.findBackwards(wanted), cursor.at]).toEqual([true, 9]);
  });

  test('the count of more than 65,534 elements is unknown until enough of them are gone', () => {
    const writer = new ListpackWriter();
    for (let i = 0; i < 65_534; i++) writer.addInteger(i % 100);
    const value = new MovingValue(writer.listpack().copy());
    const splice = (at: number, removed: number, added: number) => {
      cursor.open(value.view).seek(at);
      writer.clear();
      for (let i = 0; i < added; i++) writer.addInteger(7);
      writer.replace(cursor, removed);
      writer.applyTo(value, 0);
      const listpack = value.view;
      expect(checkListpack(listpack)).toBe(true);
      return [listpack.buffer.readUInt16LE(listpack.start + 4), countElements(listpack)];
    };
    expect(splice(0, 0, 0)).toEqual([65_534, 65_534]);
    expect(splice(65_534, 0, 1)).toEqual([65_535, 65_535]);
    expect(splice(0, 0, 2)).toEqual([65_535, 65_537]);
    expect(splice(-1, 1, 0)).toEqual([65_535, 65_536]);
    cursor.open(value.view);
    expect([cursor.seek(65_535), cursor.seek(65_536), cursor.seek(-65_536), cursor.seek(-65_537)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(splice(5, 2, 0)).toEqual([65_534, 65_534]);
  });

  test('a listpack grows to 1 GiB', () => {
    const listpack = placed(listpackOf(['a']));
    expect(canGrow(listpack, 2 ** 30 - 10)).toBe(true);
    expect(canGrow(listpack, 2 ** 30 - 9)).toBe(false);
  });
});

describe('a cursor', () => {
  const elements = ['name', '12', 'size', '12', '12', 'end'];
  const listpack = placed(listpackOf(elements));

  test('goes to the ends and stops there', () => {
    cursor.open(listpack);
    expect([cursor.previous(), text()]).toEqual([false, 'name']);
    expect([cursor.last(), text()]).toEqual([true, 'end']);
    expect([cursor.next(), cursor.isAtEnd, cursor.next()]).toEqual([false, true, false]);
    expect([cursor.first(), text()]).toEqual([true, 'name']);
    cursor.open(placed(listpackOf([])));
    expect([cursor.isAtEnd, cursor.first(), cursor.last(), cursor.next(), cursor.previous()]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('finds an index from either end, as an array does', () => {
    cursor.open(listpack);
    for (let index = -8; index <= 8; index++) {
      const expected = elements.at(index);
      expect([index, cursor.seek(index)]).toEqual([index, expected !== undefined]);
      if (expected !== undefined) expect(text()).toBe(expected);
      else expect(cursor.isAtEnd).toBe(true);
    }
  });

  test('skips as many as there are', () => {
    cursor.open(listpack);
    expect([cursor.skip(2), text(), cursor.skip(0), text()]).toEqual([2, 'size', 0, 'size']);
    expect([cursor.skip(9), cursor.isAtEnd]).toEqual([4, true]);
  });

  const at = (found: boolean): number | undefined => (found ? indexOf(cursor.at) : undefined);
  const indexOf = (offset: number): number => {
    const own = new ListpackCursor().open(listpack);
    let index = 0;
    for (; own.at !== offset; index++) own.next();
    return index;
  };

  test('finds each, every second, or from the tail', () => {
    const twelve = ByteView.of('12');
    expect(at(cursor.open(listpack).find(twelve))).toBe(1);
    cursor.next();
    expect(at(cursor.find(twelve))).toBe(3);
    expect(at(cursor.open(listpack).find(twelve, 2))).toBe(4);
    cursor.next();
    expect([at(cursor.find(twelve, 2)), cursor.isAtEnd]).toEqual([undefined, true]);
    expect(at(cursor.findBackwards(twelve))).toBe(4);
    cursor.previous();
    cursor.previous();
    expect(at(cursor.findBackwards(twelve))).toBe(1);
    cursor.previous();
    expect([at(cursor.findBackwards(twelve)), cursor.isAtEnd]).toEqual([undefined, true]);
    expect(at(cursor.open(listpack).find(ByteView.of('012')))).toBeUndefined();
    expect(cursor.equals(ByteView.of(''))).toBe(false);
  });

  test('takes integers in longer encodings and as strings for what they are', () => {
    // 5 as int13, int16, int32, int64, and as a string.
    const odd = placed(hex('1f000000 0500 c005 02 f10500 03 f305000000 05 f40500000000000000 09 8135 02 ff'));
    odd.buffer[odd.start] = odd.length;
    expect(checkListpack(odd)).toBe(true);
    expect(forwards(odd)).toEqual(['5', '5', '5', '5', '5']);
    const five = ByteView.of('5');
    for (cursor.open(odd); !cursor.isAtEnd; cursor.next()) expect(cursor.equals(five)).toBe(true);
  });
});

describe('a splice', () => {
  const writer = new ListpackWriter();
  const splice = (value: MovingValue, index: number, removed: number, added: readonly string[]) => {
    cursor.open(value.view).seek(index);
    writer.clear();
    for (const element of added) writer.add(ByteView.of(element));
    writer.replace(cursor, removed);
    writer.applyTo(value, 0);
    cursor.open(value.view, cursor.at);
  };

  const cases: readonly [index: number, removed: number, added: string[]][] = [
    [0, 0, ['new']],
    [9, 0, ['new', '1']],
    [1, 1, ['BB']],
    [1, 1, ['x'.repeat(70)]],
    [1, 2, []],
    [-2, 9, ['1', '2', '3']],
    [0, Number.POSITIVE_INFINITY, []],
    [2, 0, []],
  ];

  test.each(cases)('at %i: %i go, %j come', (index, removed, added) => {
    const elements = ['aa', 'bb', 'cc', 'dd'];
    const value = new MovingValue(listpackOf(elements));
    splice(value, index, removed, added);
    const behind = elements.slice(index).slice(removed);
    elements.splice(index, removed, ...added);
    expect(value.bytes).toEqual(listpackOf(elements));
    expect(cursor.isAtEnd ? undefined : text()).toBe([...added, ...behind][0]);
  });

  test('takes elements from the same listpack', () => {
    const value = new MovingValue(listpackOf(['a', 'x'.repeat(500), '12', '13']));
    cursor.open(value.view).seek(1);
    writer.clear().addElements(cursor, 2).add(cursor.bytes(view));
    expect(text()).toBe('13');
    cursor.first();
    expect(writer.replace(cursor, 1)).toBe(value.view.length - 3 + 504 + 2 + 2);
    writer.applyTo(value, 0);
    expect(value.bytes).toEqual(listpackOf(['x'.repeat(500), '12', '13', 'x'.repeat(500), '12', '13']));
  });

  test('changes the value of a key', () => {
    const { db, key } = new DatabaseUnderTest();
    const slot = db.putString(key('k'), 0, new ByteView(listpackOf(['f', '1'])), NO_DEADLINE, EVENT.set);
    for (const length of [5, 60, 9000, 3, 20_000, 0]) {
      cursor.open(db.value(slot)).find(ByteView.of('f'), 2);
      cursor.next();
      writer.clear().add(ByteView.of('v'.repeat(length)));
      writer.replace(cursor, 1);
      writer.applyTo(db, slot);
      expect(forwards(db.value(slot))).toEqual(['f', 'v'.repeat(length)]);
      expect(checkListpack(db.value(slot))).toBe(true);
    }
  });

  test('a writer forgets a buffer that became large', () => {
    writer.clear().add(ByteView.of('x'.repeat(100_000)));
    expect(writer.listpack().buffer.length).toBeGreaterThan(100_000);
    expect(writer.clear().listpack().buffer.length).toBeLessThan(10_000);
  });
});

describe('the check refuses', () => {
  const bad: readonly [what: string, bytes: string][] = [
    ['nothing', ''],
    ['a header only', '06000000 0000'],
    ['no end', '07000000 0000 00'],
    ['a wrong length', '08000000 0000 ff'],
    ['a wrong count', '0a000000 0200 8161 02 ff'],
    ['a count that is too small', '0a000000 0000 8161 02 ff'],
    ['a wrong back length', '0a000000 0100 8161 03 ff'],
    ['a back length that is marked', '0a000000 0100 8161 82 ff'],
    ['a string to the end', '0a000000 0100 8261 02 ff'],
    ['a string beyond the end', '0a000000 0100 bf61 02 ff'],
    ['a string of 4 GiB', '0d000000 0100 f0ffffffff 05 ff'],
    ['half a length of 12 bits', '08000000 0100 e1 ff'],
    ['half a length of 32 bits', '0a000000 0100 f00000 ff'],
    ['half an integer', '0a000000 0100 f40000 ff'],
    ['an encoding that is none', '0a000000 0100 f561 02 ff'],
    ['an end in the middle', '0b000000 0100 0001 ff 01 ff'],
    ['bytes behind the end', '09000000 0000 ff ff ff'],
    ['no back length at the end', '08000000 0100 00 ff'],
  ];

  test.each(bad)('%s', (_, bytes) => {
    expect(checkListpack(placed(hex(bytes)))).toBe(false);
  });

  test('but not an unknown count, however few there are', () => {
    expect(checkListpack(placed(hex('0a000000 ffff 8161 02 ff')))).toBe(true);
  });
});
