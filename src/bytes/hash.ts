// Keyed hash of a key's bytes: HalfSipHash-1-3 cut to 31 bits.
// Guarantee: without the seed nobody can choose keys that collide, so a flood of colliding keys cannot be made.
// 31 bits, because such a number is always a small integer to V8, in every comparison and shift.

/** Two 32-bit halves of the secret. */
export interface HashSeed {
  readonly low: number;
  readonly high: number;
}

export const HASH_BITS = 31;

/** Hash of `length` bytes from `start`, 0 … 2^31-1. */
export function hashBytes(bytes: Buffer, start: number, length: number, seed: HashSeed): number {
  let v0 = seed.low | 0;
  let v1 = seed.high | 0;
  let v2 = 0x6c796765 ^ seed.low;
  let v3 = 0x74656462 ^ seed.high;
  const end = start + (length & ~3);
  let at = start;
  // The tail (up to three bytes and the length) is one more word, then three rounds finish: one loop for all of it.
  for (let round = (length >>> 2) + 4; round > 0; round--) {
    let word = 0;
    if (at < end) {
      word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      at += 4;
    } else if (round === 4) {
      word = length << 24;
      const rest = length & 3;
      if (rest > 0) word |= bytes[at]!;
      if (rest > 1) word |= bytes[at + 1]! << 8;
      if (rest > 2) word |= bytes[at + 2]! << 16;
    } else if (round === 3) {
      v2 ^= 0xff;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return (v1 ^ v3) >>> 1;
}
