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
const MAX_DIGITS = 19;
const MINUS = 0x2d;
const ZERO = 0x30;
const HALF_WORD = 2 ** 16;
const WORD = 2 ** 32;

/** The int64 that the bytes are the canonical text of, or undefined: what Redis stores as an integer. */
export function int64Of(bytes: ByteView): Int64 | undefined {
  const { buffer, start, length } = bytes;
  const n = parseInteger(buffer, start, length);
  if (!Number.isNaN(n)) return n;
  return length < UNSAFE_TEXT_BYTES ? undefined : parseInt64(buffer, start, length);
}

/** One int64 as its words, also where a number does not hold it: for the ids of 18 and 19 digits that many keys have, a bigint costs too much. */
export class Int64Words {
  high = 0;
  low = 0;

  set(n: Int64): this {
    this.high = highWord(n);
    this.low = lowWord(n);
    return this;
  }

  /** Takes the int64 that the bytes are the canonical text of. False if there is none. */
  parse(bytes: ByteView): boolean {
    const { buffer, start, length } = bytes;
    const n = parseInteger(buffer, start, length);
    if (Number.isNaN(n)) return length >= UNSAFE_TEXT_BYTES && this.#parseLong(buffer, start, start + length);
    this.high = Math.floor(n / WORD);
    this.low = n | 0;
    return true;
  }

  #parseLong(buffer: Buffer, start: number, end: number): boolean {
    const isNegative = buffer[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    if (end - first > MAX_DIGITS || buffer[first] === ZERO) return false;
    // In two decimal parts, the upper one in two halves: so each product stays exact.
    const upper = digits(buffer, first, end - 9);
    const lower = digits(buffer, end - 9, end);
    if (Number.isNaN(upper + lower)) return false;
    const highProduct = Math.floor(upper / HALF_WORD) * 1e9;
    const rest = (upper % HALF_WORD) * 1e9 + lower + (highProduct % HALF_WORD) * HALF_WORD;
    const high = Math.floor(highProduct / HALF_WORD) + Math.floor(rest / WORD);
    const low = (rest % WORD) | 0;
    if (high > MAX_HIGH && !(isNegative && high === MAX_HIGH + 1 && low === 0)) return false;
    this.low = isNegative ? -low | 0 : low;
    this.high = isNegative ? (low === 0 ? -high : -high - 1) : high;
    return true;
  }

  get isInt32(): boolean {
    return this.low >> 31 === this.high;
  }
}

const MAX_HIGH = 2 ** 31 - 1;

/** The number of these decimal digits, at most ten; NaN if one is none. */
function digits(buffer: Buffer, start: number, end: number): number {
  let n = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    n = n * 10 + digit;
  }
  return n;
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

/** Writes an int64 as eight bytes, little endian. */
export function writeWords(buffer: Buffer, offset: number, high: number, low: number): void {
  writeInt32(buffer, offset, low);
  writeInt32(buffer, offset + 4, high);
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
