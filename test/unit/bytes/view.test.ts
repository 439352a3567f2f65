// Views, copies and comparisons of bytes: short ones by loop, long ones by the runtime, all the same to the caller.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteView, compareViews, copyBytes, equalBytes, equalViews } from '../../../src/bytes/view.ts';

const length = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 60, max: 70 }),
  fc.integer({ min: 0, max: 500 }),
);
const padding = fc.nat({ max: 9 });

test('copying writes these bytes and no others', () => {
  const property = fc.property(length, padding, padding, (count, from, to) => {
    const source = Buffer.from(Array.from({ length: from + count + 3 }, (_, i) => (i * 7 + 1) & 0xff));
    const target = Buffer.alloc(to + count + 3, 0xee);
    copyBytes(source, from, target, to, count);
    expect(target.subarray(to, to + count)).toEqual(source.subarray(from, from + count));
    expect(target.subarray(0, to)).toEqual(Buffer.alloc(to, 0xee));
    expect(target.subarray(to + count)).toEqual(Buffer.alloc(3, 0xee));
  });
  fc.assert(property);
});

test('bytes are equal when each of them is', () => {
  const property = fc.property(length, padding, padding, fc.nat(), (count, a, b, at) => {
    const bytes = Buffer.from(Array.from({ length: count }, (_, i) => (i * 13) & 0xff));
    const first = Buffer.concat([Buffer.alloc(a, 1), bytes, Buffer.alloc(3, 1)]);
    const second = Buffer.concat([Buffer.alloc(b, 2), bytes, Buffer.alloc(3, 2)]);
    expect(equalBytes(first, a, second, b, count)).toBe(true);
    expect(equalViews(new ByteView(first, a, count), new ByteView(second, b, count))).toBe(true);
    expect(equalViews(new ByteView(first, a, count), new ByteView(second, b, count + 1))).toBe(false);
    if (count === 0) return;
    second[b + (at % count)]! ^= 0x80;
    expect(equalBytes(first, a, second, b, count)).toBe(false);
  });
  fc.assert(property);
});

test('views are ordered as memcmp orders their bytes, the shorter first', () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 3 });
  const property = fc.property(length, padding, padding, bytes, bytes, (count, a, b, endOfA, endOfB) => {
    const common = Buffer.alloc(count, 7);
    const first = Buffer.concat([Buffer.alloc(a, 9), common, Buffer.from(endOfA), Buffer.alloc(2, 9)]);
    const second = Buffer.concat([Buffer.alloc(b, 1), common, Buffer.from(endOfB), Buffer.alloc(2, 1)]);
    const order = compareViews(
      new ByteView(first, a, count + endOfA.length),
      new ByteView(second, b, count + endOfB.length),
    );
    expect(Math.sign(order)).toBe(Buffer.compare(Buffer.from(endOfA), Buffer.from(endOfB)));
  });
  fc.assert(property);
});

test('a view is its bytes, one character each', () => {
  const all = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));
  const view = ByteView.of(all);
  expect(view.toString()).toBe(all);
  expect(view.copy().toString('latin1')).toBe(all);
  expect(new ByteView().toString()).toBe('');
  expect(new ByteView(view.buffer, 0x41, 3).toString()).toBe('ABC');
});

test('a copy has memory of its own', () => {
  const buffer = Buffer.from('xhellox');
  const copy = new ByteView(buffer, 1, 5).copy();
  buffer.fill(0);
  expect(copy.toString()).toBe('hello');
  expect(copy.buffer.byteLength).toBe(5);
});

test('a view set anew is not the owner of what it shows', () => {
  const view = ByteView.of('a');
  view.isOwned = true;
  expect(view.set(Buffer.from('bcd'), 1, 2)).toBe(view);
  expect(view.isOwned).toBe(false);
  expect(view.toString()).toBe('cd');
});
