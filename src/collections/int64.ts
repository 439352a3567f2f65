// Integers of 64 bits in packed bytes and as decimal text. One that a number holds exactly is a number, any other a
// bigint: so an ordinary integer costs no allocation, and every int64 is exact.
//
// Comparing and storing go by the two words of an int64: the high one signed, the low one as its 32 bits.

import { parseInt64, parseInteger, writeDigits } from '../bytes/integer.ts';
import type { ByteView } from '../bytes/view.ts';

/** A safe integer as a number, any other int64 as a bigint. */
export type Int64 = number | bigint;

/** "-9223372036854775808" */
export const INT64_TEXT_BYTES = 20;

/** The shortest text of an integer that a number does not hold exactly: "9007199254740992". */
const UNSAFE_TEXT_BYTES = 16;
const WORD = 2 ** 32;

/** The int64 that the bytes are the canonical text of, or undefined: what Redis stores as an integer. */
export function int64Of(bytes: ByteView): Int64 | undefined {
  const { buffer, start, length } = bytes;
  const n = parseInteger(buffer, start, length);
  if (!Number.isNaN(n)) return n;
  return length < UNSAFE_TEXT_BYTES ? undefined : parseInt64(buffer, start, length);
}

/** Writes `n` in decimal at `offset` and returns the offset behind it. */
export function writeInt64Text(buffer: Buffer, offset: number, n: Int64): number {
  if (typeof n === 'number') return writeDigits(buffer, offset, n);
  return offset + buffer.write(String(n), offset, 'latin1');
}

export function highWord(n: Int64): number {
  return typeof n === 'number' ? Math.floor(n / WORD) : Number(n >> 32n);
}

export function lowWord(n: Int64): number {
  return typeof n === 'number' ? n | 0 : Number(BigInt.asIntN(32, n));
}

export const isInt32 = (n: Int64): boolean => (typeof n === 'number' ? (n | 0) === n : false);

/** The int64 of eight bytes, little endian. */
export function readInt64(buffer: Buffer, offset: number): Int64 {
  const high = readInt32(buffer, offset + 4);
  const low = readInt32(buffer, offset) >>> 0;
  const n = high * WORD + low;
  return Number.isSafeInteger(n) ? n : (BigInt(high) << 32n) | BigInt(low);
}

export function writeInt64(buffer: Buffer, offset: number, n: Int64): void {
  writeInt32(buffer, offset, lowWord(n));
  writeInt32(buffer, offset + 4, highWord(n));
}

/** Four bytes, little endian, signed (`>>> 0` makes it unsigned). */
export function readInt32(buffer: Buffer, offset: number): number {
  return (
    buffer[offset]! | (buffer[offset + 1]! << 8) | (buffer[offset + 2]! << 16) | (buffer[offset + 3]! << 24)
  );
}

export function writeInt32(buffer: Buffer, offset: number, n: number): void {
  buffer[offset] = n;
  buffer[offset + 1] = n >> 8;
  buffer[offset + 2] = n >> 16;
  buffer[offset + 3] = n >> 24;
}
