// Patched digits must give the same bytes as encoding each request by itself.

import { expect, test } from 'vitest';
import { encodeRequest } from '../../../bench/support/client.ts';
import { DEADLINE, KEY, MAX_BATCH, RequestTemplate } from '../../../bench/support/request-template.ts';

test.each([
  [0, 3],
  [95, 10],
  [9_999_990, MAX_BATCH],
  [999_999_999_999, 1],
])('a batch from key %i of %i requests', (firstKey, count) => {
  const template = new RequestTemplate(['SET', KEY, 'token', 'PXAT', DEADLINE]);
  const expected = Array.from({ length: count }, (_, i) => {
    const key = `lock:${String(firstKey + i).padStart(12, '0')}`;
    return encodeRequest(['SET', key, 'token', 'PXAT', '1893456000123']);
  });
  expect(template.encode(firstKey, count, 1_893_456_000_123).toString('latin1')).toBe(expected.join(''));
});

test('a request without key and deadline is only repeated', () => {
  expect(new RequestTemplate(['PING']).encode(5, 2, 0).toString('latin1')).toBe(
    encodeRequest(['PING']).repeat(2),
  );
});

test('batches do not share bytes', () => {
  const template = new RequestTemplate(['GET', KEY]);
  const first = template.encode(1, 1, 0);
  template.encode(2, 1, 0);
  expect(first.toString('latin1')).toContain('lock:000000000001');
});
