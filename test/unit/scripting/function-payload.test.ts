// Payloads of libraries: there and back; the bytes themselves are compared with redis-server in the conformance tests.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLibraries, encodeLibraries } from '../../../src/scripting/function-payload.ts';

const bytesText = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
});

test('what is encoded is decoded', () => {
  fc.assert(
    fc.property(fc.array(bytesText), (sources) => {
      expect(decodeLibraries(encodeLibraries(sources))).toEqual(sources);
    }),
  );
});

test.each([0, 63, 64, 16_383, 16_384, 70_000])('a text of %i bytes', (length) => {
  const sources = ['x'.repeat(length), 'y'];
  expect(decodeLibraries(encodeLibraries(sources))).toEqual(sources);
});

test('a payload that was changed anywhere is refused', () => {
  const payload = encodeLibraries(['#!lua name=x\n']);
  for (let i = 0; i < payload.length; i++) {
    const changed = Buffer.from(payload);
    changed[i]! ^= 1;
    expect(decodeLibraries(changed)).toBe('ERR DUMP payload version or checksum are wrong');
  }
});
