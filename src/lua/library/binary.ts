// Numbers as bytes in strings, the way C on x86-64 keeps them: what `struct` and `cmsgpack` are made of.
//
// 64-bit integers are worked on in halves of 32 bits: no bigint is made, and each conversion to a double rounds once.
// All NaNs are written as the one that x86 computes (negative, quiet): JavaScript does not tell them apart.

const scratch = new DataView(new ArrayBuffer(8));
const MIN_INT64 = -(2 ** 63);
const QUIET_NAN_HIGH_32 = 0xfff80000;
const QUIET_NAN_32 = 0xffc00000;

/** The integer that a double becomes when cast to an unsigned one of 64 bits; negative for what wraps around. */
export function castToInt64(x: number): number {
  if (x >= 2 ** 64) return 0;
  return x > MIN_INT64 ? Math.trunc(x) : MIN_INT64; // NaN too
}

/** The upper half of an integer of 64 bits, -2^63 … 2^64-1. */
export const highHalf = (whole: number): number => Math.floor(whole / 2 ** 32) | 0;

/** The lower half. */
export const lowHalf = (whole: number): number => (whole - Math.floor(whole / 2 ** 32) * 2 ** 32) | 0;

export const unsignedOf = (high: number, low: number): number => (high >>> 0) * 2 ** 32 + (low >>> 0);

export const signedOf = (high: number, low: number): number => (high | 0) * 2 ** 32 + (low >>> 0);

export function bytesOfUint16(x: number): string {
  return String.fromCharCode((x >>> 8) & 0xff, x & 0xff);
}

export function bytesOfUint32(x: number): string {
  return String.fromCharCode(x >>> 24, (x >>> 16) & 0xff, (x >>> 8) & 0xff, x & 0xff);
}

/** Eight bytes, the highest first. */
export function bytesOfDouble(x: number): string {
  scratch.setFloat64(0, x);
  if (Number.isNaN(x)) return bytesOfUint32(QUIET_NAN_HIGH_32) + bytesOfUint32(0);
  return bytesOfUint32(scratch.getUint32(0)) + bytesOfUint32(scratch.getUint32(4));
}

/** The nearest double of 32 bits: four bytes, the highest first. */
export function bytesOfFloat(x: number): string {
  scratch.setFloat32(0, x);
  return bytesOfUint32(Number.isNaN(x) ? QUIET_NAN_32 : scratch.getUint32(0));
}

/** Four bytes of the text as a number of 32 bits, signed; the highest is first. */
export function uint32At(text: string, at: number): number {
  return (
    (text.charCodeAt(at) << 24) |
    (text.charCodeAt(at + 1) << 16) |
    (text.charCodeAt(at + 2) << 8) |
    text.charCodeAt(at + 3)
  );
}

export function doubleAt(text: string, at: number): number {
  scratch.setInt32(0, uint32At(text, at));
  scratch.setInt32(4, uint32At(text, at + 4));
  return scratch.getFloat64(0);
}

export function floatAt(text: string, at: number): number {
  scratch.setInt32(0, uint32At(text, at));
  return scratch.getFloat32(0);
}

/** The bytes in the opposite order. */
export function reversed(bytes: string): string {
  let out = '';
  for (let i = bytes.length - 1; i >= 0; i--) out += bytes[i];
  return out;
}
