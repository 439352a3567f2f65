// XXH3, 64 bits, seed 0, default secret: the digest of DIGEST, SET IFDEQ and DELEX IFDEQ (Redis 8.4).
//
// The algorithm is four: by length up to 16, to 128, to 240, and beyond, where eight accumulators take 64 bytes
// ("a stripe") at a time. The short ones, which is all that lock tokens ever need, are written in bigints, as the
// specification reads. The long loop works on 32-bit halves and allocates nothing: a megabyte takes milliseconds.

const U64 = (1n << 64n) - 1n;

const PRIME32_1 = 0x9e3779b1;
const PRIME64_1 = 0x9e3779b185ebca87n;
const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;

/** Arbitrary bytes of high entropy, fixed by the specification. */
const SECRET = Buffer.from(
  'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
    'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb' +
    '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
  'hex',
);
/** The 32-bit word at each offset of it, for the long loop. */
const SECRET_WORDS = Int32Array.from({ length: SECRET.length - 3 }, (_, offset) =>
  SECRET.readInt32LE(offset),
);

const STRIPE_BYTES = 64;
const STRIPES_A_BLOCK = 16;

/** The hash of `length` bytes from `start`, as Redis shows it: 16 lower-case hexadecimal digits. */
export function xxh3Hex(bytes: Uint8Array, start: number, length: number): string {
  return xxh3(bytes, start, length).toString(16).padStart(16, '0');
}

export function xxh3(bytes: Uint8Array, start: number, length: number): bigint {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset + start, length);
  if (length <= 3) return hashUpTo3(input);
  if (length <= 8) return hashUpTo8(input);
  if (length <= 16) return hashUpTo16(input);
  if (length <= 128) return hashUpTo128(input);
  if (length <= 240) return hashUpTo240(input);
  return hashLong(input);
}

function hashUpTo3(input: Buffer): bigint {
  const length = input.length;
  if (length === 0) return avalancheXxh64(secret64(56) ^ secret64(64));
  const [first, middle, last] = [input[0], input[length >> 1], input[length - 1]] as [number, number, number];
  const combined = (middle << 24) | (first << 16) | (length << 8) | last;
  return avalancheXxh64(BigInt((combined ^ SECRET.readInt32LE(0) ^ SECRET.readInt32LE(4)) >>> 0));
}

function hashUpTo8(input: Buffer): bigint {
  const length = input.length;
  const word = BigInt(input.readUInt32LE(length - 4)) + (BigInt(input.readUInt32LE(0)) << 32n);
  let hash = word ^ secret64(8) ^ secret64(16);
  hash ^= rotateLeft(hash, 49n) ^ rotateLeft(hash, 24n);
  hash = (hash * PRIME_MX2) & U64;
  hash ^= (hash >> 35n) + BigInt(length);
  hash = (hash * PRIME_MX2) & U64;
  return hash ^ (hash >> 28n);
}

function hashUpTo16(input: Buffer): bigint {
  const low = input.readBigUInt64LE(0) ^ secret64(24) ^ secret64(32);
  const high = input.readBigUInt64LE(input.length - 8) ^ secret64(40) ^ secret64(48);
  return avalanche(BigInt(input.length) + swapBytes(low) + high + foldedProduct(low, high));
}

/** From both ends towards the middle, 16 bytes each. */
function hashUpTo128(input: Buffer): bigint {
  let sum = BigInt(input.length) * PRIME64_1;
  const pairs = Math.ceil(input.length / 32);
  for (let i = 0; i < pairs; i++) {
    sum += mix16(input, 16 * i, 32 * i) + mix16(input, input.length - 16 * (i + 1), 32 * i + 16);
  }
  return avalanche(sum);
}

function hashUpTo240(input: Buffer): bigint {
  let sum = BigInt(input.length) * PRIME64_1;
  for (let i = 0; i < 8; i++) sum += mix16(input, 16 * i, 16 * i);
  sum = avalanche(sum);
  const rounds = Math.floor(input.length / 16);
  for (let i = 8; i < rounds; i++) sum += mix16(input, 16 * i, 16 * (i - 8) + 3);
  return avalanche(sum + mix16(input, input.length - 16, 136 - 17));
}

/** The accumulators at first, each as its low half and its high half; `lane` below is the index of the low one. */
const INITIAL = Int32Array.from([
  0xc2b2ae3d, 0, 0x85ebca87, 0x9e3779b1, 0x27d4eb4f, 0xc2b2ae3d, 0x9e3779f9, 0x165667b1, 0xc2b2ae63,
  0x85ebca77, 0x85ebca77, 0, 0x165667c5, 0x27d4eb2f, 0x9e3779b1, 0,
]);

function hashLong(input: Buffer): bigint {
  const lanes = Int32Array.from(INITIAL);
  const last = input.length - STRIPE_BYTES;
  // The last stripe is always the last 64 bytes, so a stripe that ends the input is not taken in the loop.
  for (let offset = 0, inBlock = 0; offset + STRIPE_BYTES < input.length; offset += STRIPE_BYTES) {
    accumulate(lanes, input, offset, 8 * inBlock);
    if (++inBlock === STRIPES_A_BLOCK) {
      inBlock = 0;
      scramble(lanes);
    }
  }
  accumulate(lanes, input, last, SECRET.length - STRIPE_BYTES - 7);
  return merge(lanes, BigInt(input.length) * PRIME64_1);
}

/** One stripe: each lane takes the product of the halves of its keyed word, and its neighbour the word itself. */
function accumulate(lanes: Int32Array, input: Buffer, offset: number, secretOffset: number): void {
  for (let lane = 0; lane < 16; lane += 2) {
    const low = readInt32(input, offset + 4 * lane);
    const high = readInt32(input, offset + 4 * lane + 4);
    const a = low ^ (SECRET_WORDS[secretOffset + 4 * lane] as number);
    const b = high ^ (SECRET_WORDS[secretOffset + 4 * lane + 4] as number);
    add64(lanes, lane ^ 2, low, high);
    add64(lanes, lane, Math.imul(a, b), multiplyHigh(a, b));
  }
}

/** After each block, so that the lanes do not lose what came first: shift, key and multiply. */
function scramble(lanes: Int32Array): void {
  for (let lane = 0; lane < 16; lane += 2) {
    const secretOffset = SECRET.length - STRIPE_BYTES + 4 * lane;
    const low = lanes[lane] as number;
    const high = lanes[lane + 1] as number;
    const a = low ^ (high >>> 15) ^ (SECRET_WORDS[secretOffset] as number);
    const b = high ^ (SECRET_WORDS[secretOffset + 4] as number);
    lanes[lane] = Math.imul(a, PRIME32_1);
    lanes[lane + 1] = multiplyHigh(a, PRIME32_1) + Math.imul(b, PRIME32_1);
  }
}

function merge(lanes: Int32Array, initial: bigint): bigint {
  const words = new BigUint64Array(lanes.buffer);
  let sum = initial;
  for (let i = 0; i < 8; i += 2) {
    const secretOffset = 11 + 8 * i;
    const even = (words[i] as bigint) ^ secret64(secretOffset);
    const odd = (words[i + 1] as bigint) ^ secret64(secretOffset + 8);
    sum += foldedProduct(even, odd);
  }
  return avalanche(sum);
}

function mix16(input: Buffer, offset: number, secretOffset: number): bigint {
  const low = input.readBigUInt64LE(offset) ^ secret64(secretOffset);
  const high = input.readBigUInt64LE(offset + 8) ^ secret64(secretOffset + 8);
  return foldedProduct(low, high);
}

/** The 128-bit product, its halves xored. */
function foldedProduct(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & U64) ^ (product >> 64n);
}

function avalanche(sum: bigint): bigint {
  let hash = sum & U64;
  hash ^= hash >> 37n;
  hash = (hash * PRIME_MX1) & U64;
  return hash ^ (hash >> 32n);
}

function avalancheXxh64(keyed: bigint): bigint {
  let hash = keyed ^ (keyed >> 33n);
  hash = (hash * PRIME64_2) & U64;
  hash ^= hash >> 29n;
  hash = (hash * PRIME64_3) & U64;
  return hash ^ (hash >> 32n);
}

function secret64(offset: number): bigint {
  return SECRET.readBigUInt64LE(offset);
}

function rotateLeft(n: bigint, bits: bigint): bigint {
  return ((n << bits) & U64) | (n >> (64n - bits));
}

const swapBuffer = Buffer.alloc(8);

function swapBytes(n: bigint): bigint {
  swapBuffer.writeBigUInt64LE(n);
  return swapBuffer.readBigUInt64BE();
}

function readInt32(bytes: Buffer, offset: number): number {
  const [b0, b1] = [bytes[offset] as number, bytes[offset + 1] as number];
  return b0 | (b1 << 8) | ((bytes[offset + 2] as number) << 16) | ((bytes[offset + 3] as number) << 24);
}

function add64(lanes: Int32Array, lane: number, low: number, high: number): void {
  const sum = ((lanes[lane] as number) + low) | 0;
  const carry = sum >>> 0 < low >>> 0 ? 1 : 0;
  lanes[lane] = sum;
  lanes[lane + 1] = (lanes[lane + 1] as number) + high + carry;
}

/** The upper 32 bits of the unsigned product of two 32-bit words, by four 16-bit ones. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + ((middle & 0xffff) + aLow * bHigh) / 0x10000) | 0;
}
