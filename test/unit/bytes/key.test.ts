// A key carries the hash of its bytes.

import { expect, test } from 'vitest';
import { hashBytes } from '../../../src/bytes/hash.ts';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';

const SEED = { low: 12, high: -34 };

test('it shows the bytes pointed at, and knows their hash', () => {
  const buffer = Buffer.from('--lock:1--');
  const key = new Key().point(buffer, 2, 6, SEED);
  expect(key.toString()).toBe('lock:1');
  expect(key.hash).toBe(hashBytes(Buffer.from('lock:1'), 0, 6, SEED));
});

test('pointed elsewhere it is another key', () => {
  const key = Key.from(ByteView.of('first'), SEED);
  const { hash } = key;
  expect(key.point(Buffer.from('second'), 0, 6, SEED)).toBe(key);
  expect(key.hash).not.toBe(hash);
  expect(key.hash).toBe(Key.from(ByteView.of('second'), SEED).hash);
});

test('the empty key is a key', () => {
  const key = Key.from(ByteView.of(''), SEED);
  expect(key.length).toBe(0);
  expect(key.hash).toBe(hashBytes(Buffer.alloc(0), 0, 0, SEED));
});
