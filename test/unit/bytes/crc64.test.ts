// CRC-64 against its published check value, and against the end of redis-server's own DUMP payloads.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc64 } from '../../../src/bytes/crc64.ts';
import { oracleInstalled, startOracle } from './redis-oracle.ts';

test('the published check value, and nothing', () => {
  expect(crc64(Buffer.from('123456789'), 0, 9)).toBe(0xe9c6d914c4b8d9can);
  expect(crc64(Buffer.from('xx123456789yy'), 2, 9)).toBe(0xe9c6d914c4b8d9can);
  expect(crc64(Buffer.alloc(0), 0, 0)).toBe(0n);
});

/** The polynomial's definition, a bit at a time. */
function crc64ByBits(bytes: Uint8Array): bigint {
  let crc = 0n;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0x95ac9329ac4bc9b5n : crc >> 1n;
  }
  return crc;
}

test('equals the division by the polynomial', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(crc64(bytes, 0, bytes.length)).toBe(crc64ByBits(bytes));
    }),
  );
});

// DUMP of the string "token", by redis-server 7.0.15.
const dumped = Buffer.from('0005746f6b656e0a00bbcaf55cf7deb80b', 'hex');

test('a recorded DUMP payload ends in its checksum', () => {
  expect(crc64(dumped, 0, dumped.length - 8)).toBe(dumped.readBigUInt64LE(dumped.length - 8));
});

test.runIf(oracleInstalled)('DUMP payloads of redis-server end in theirs', async () => {
  const oracle = await startOracle();
  try {
    await oracle.client.set('k', 'token');
    expect(await oracle.client.callBuffer('DUMP', 'k')).toEqual(dumped);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (value) => {
        await oracle.client.set('k', Buffer.from(value));
        const payload = (await oracle.client.callBuffer('DUMP', 'k')) as Buffer;
        expect(crc64(payload, 0, payload.length - 8)).toBe(payload.readBigUInt64LE(payload.length - 8));
      }),
      { numRuns: 200 },
    );
  } finally {
    await oracle.close();
  }
});
