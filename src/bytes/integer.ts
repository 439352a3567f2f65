// Integers as bytes: strict parsing of what a client or a value holds, and writing of what a reply says.
//
// Guarantees: exactly the forms that Redis takes for an integer (no leading zero, plus sign, space or "-0"; int64),
// every int64 exact, and no allocation on the way of ordinary numbers: a bigint is made only where one is asked for.

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** "-9223372036854775808" */
const INT64_MAX_BYTES = 20;
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** "-9007199254740991" */
const SAFE_MAX_BYTES = 17;

/** The integer in the given bytes; NaN if they hold none, or one that a number cannot hold exactly. */
export function parseInteger(buffer: Uint8Array, start: number, length: number): number {
  if (length > SAFE_MAX_BYTES || !isInteger(buffer, start, length)) return Number.NaN;
  const negative = buffer[start] === MINUS;
  const end = start + length;
  let n = 0;
  for (let i = negative ? start + 1 : start; i < end; i++) n = n * 10 + ((buffer[i] as number) - ZERO);
  // Sixteen digits may exceed 2^53, but the first integer that is rounded is already an unsafe one.
  if (n > Number.MAX_SAFE_INTEGER) return Number.NaN;
  return negative ? -n : n;
}

/** The int64 in the given bytes, whatever its size. */
export function parseInt64(buffer: Uint8Array, start: number, length: number): bigint | undefined {
  if (length > INT64_MAX_BYTES || !isInteger(buffer, start, length)) return undefined;
  const n = BigInt(latin1(buffer, start, length));
  return n >= INT64_MIN && n <= INT64_MAX ? n : undefined;
}

/**
 * A uint64 as Redis 7.2 and later read SCAN cursors and the halves of a stream id: the canonical form first, in which
 * a negative number is refused, then C's strtoull, which takes leading space, zeros and a sign (and wraps by it: "-01"
 * is 2^64 - 1), and stops at a NUL byte.
 */
export function parseUint64(buffer: Uint8Array, start: number, length: number): bigint | undefined {
  const text = latin1(buffer, start, length).replace(/\0.*/s, '');
  if (/^-[1-9]\d{0,18}$/.test(text) && BigInt(text) >= INT64_MIN) return undefined;
  const [, sign, digits] = /^[ \t-\r]*([+-]?)(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const n = BigInt(digits);
  if (n > UINT64_MAX) return undefined;
  return sign === '-' ? BigInt.asUintN(64, -n) : n;
}

/** How many bytes `writeDigits` writes for the safe integer `n`. */
export function digitCount(n: number): number {
  if (n < 0) return 1 + digitCount(-n);
  if (n >= 1e9) return 9 + digitCount(Math.floor(n / 1e9));
  if (n < 1e4) return n < 100 ? (n < 10 ? 1 : 2) : n < 1000 ? 3 : 4;
  return n < 1e6 ? (n < 1e5 ? 5 : 6) : n < 1e8 ? (n < 1e7 ? 7 : 8) : 9;
}

/** Writes the safe integer `n` in decimal at `offset` and returns the offset behind it. */
export function writeDigits(buffer: Uint8Array, offset: number, n: number): number {
  if (n < 0) {
    buffer[offset] = MINUS;
    return writeDigits(buffer, offset + 1, -n);
  }
  if (n < 1e9) return writePadded(buffer, offset, n, digitCount(n));
  // Below 2^53 this quotient is off by less than 1e-9, too little to reach the next integer.
  const high = Math.floor(n / 1e9);
  return writePadded(buffer, writeDigits(buffer, offset, high), n - high * 1e9, 9);
}

/** `n` below 1e9, so that the divisions are those of 32-bit integers. */
function writePadded(buffer: Uint8Array, offset: number, n: number, width: number): number {
  for (let i = offset + width - 1; i >= offset; i--) {
    const tenth = (n / 10) | 0;
    buffer[i] = ZERO + n - tenth * 10;
    n = tenth;
  }
  return offset + width;
}

/** Is it "0", or an optional minus and digits of which the first is not zero? */
function isInteger(buffer: Uint8Array, start: number, length: number): boolean {
  const end = start + length;
  const first = buffer[start] === MINUS ? start + 1 : start;
  if (first >= end) return false;
  if (buffer[first] === ZERO) return length === 1;
  for (let i = first; i < end; i++) {
    const byte = buffer[i] as number;
    if (byte < ZERO || byte > NINE) return false;
  }
  return true;
}

function latin1(buffer: Uint8Array, start: number, length: number): string {
  return Buffer.from(buffer.buffer, buffer.byteOffset + start, length).toString('latin1');
}
