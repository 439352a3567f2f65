// The hash of keys against HalfSipHash-1-3 as a C program computes it, whose 2-4 form gives the published vectors.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HASH_BITS, type HashSeed, hashBytes } from '../../../src/bytes/hash.ts';

/** 32 bits of HalfSipHash-1-3 over the bytes 0, 1, 2 … (0 to 64 of them), key 00 01 … 07. */
const ASCENDING: readonly number[] = [
  1477757078, 3890767050, 3159035440, 22255929, 2114297510, 2296633499, 2684881765, 2637748694, 1467586993,
  3359230701, 3841602255, 2509391598, 1797785964, 1725799638, 375753340, 3492117252, 2335298817, 723308619,
  108077881, 1378536039, 2434512389, 2426822414, 4163301243, 1649487339, 1460996823, 1564947719, 516191298,
  2875502547, 172032208, 1831659090, 590460579, 148404506, 3161315981, 3774269748, 2959417395, 2610450892,
  2085026687, 1932241099, 4047673722, 4241074715, 87195314, 3775927068, 4192593856, 2815887526, 293165745,
  1701254681, 2673868689, 3634123367, 7832555, 2507563587, 2875429474, 2625508240, 3278429606, 954057813,
  4195603321, 2543756520, 1408030590, 786957911, 870037098, 2923365751, 2293548236, 1048528907, 1958865912,
  2266465028, 545842571,
];
/** Over the bytes 255, 252, 249 …, with a key whose halves have their top bits set. */
const DESCENDING: readonly number[] = [
  4032655445, 4019980437, 3765955133, 4102111318, 803072185, 3740300318, 3604932827, 2856386335, 505770170,
  2841277592, 4072507082, 3693298046, 1435686965, 3533291219, 2313841220, 126941922, 742908879, 1133872619,
  898540511, 4218896817, 3183295279, 2184132486, 105624739, 2507195844, 2741628648, 3470112157, 2035117684,
  1503675025, 651660737, 4257407538, 2091606673, 3717745366, 1164521528, 3834214582, 3343180963, 1712600792,
  1557856379, 1782070478, 1984714927, 2320959125, 927780126, 934552724, 1555606563, 32632737, 3126418222,
  3128603332, 2264814253, 19704222, 2845833220, 2938537048, 5652966, 3795540808, 127093324, 2658867496,
  2511843691, 811219628, 4090796046, 1402900889, 3605639536, 495337145, 1579579406, 654779141, 1705253119,
  193331832, 3818524745,
];

const SEED: HashSeed = { low: 0x03020100, high: 0x07060504 };
const seed = fc.record({ low: fc.integer(), high: fc.integer() });

test('it is HalfSipHash-1-3 without its last bit, for every length and alignment', () => {
  const signed: HashSeed = { low: 0xdeadbeef | 0, high: 0xfffefdfc | 0 };
  for (let length = 0; length <= 64; length++) {
    for (const start of [0, 1, 2, 3, 7]) {
      const up = Buffer.alloc(100, 0xaa);
      const down = Buffer.alloc(100, 0xaa);
      for (let i = 0; i < length; i++) up[start + i] = i;
      for (let i = 0; i < length; i++) down[start + i] = 255 - 3 * i;
      expect(hashBytes(up, start, length, SEED)).toBe(ASCENDING[length]! >>> 1);
      expect(hashBytes(down, start, length, signed)).toBe(DESCENDING[length]! >>> 1);
    }
  }
});

test('a hash is an integer of 31 bits, and only the bytes given decide it', () => {
  const property = fc.property(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat({ max: 20 }),
    seed,
    (bytes, start, secret) => {
      const hash = hashBytes(Buffer.from(bytes), 0, bytes.length, secret);
      expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** HASH_BITS).toBe(true);
      const elsewhere = Buffer.concat([Buffer.alloc(start, 0xff), bytes, Buffer.alloc(5, 0xff)]);
      expect(hashBytes(elsewhere, start, bytes.length, secret)).toBe(hash);
    },
  );
  fc.assert(property);
});

test('keys that collide under one seed do not under another', () => {
  // Some 12 of these pairs are equal in their first 16 bits; hardly one of them is with another seed.
  const hashes = (secret: HashSeed): number[] =>
    Array.from(
      { length: 1300 },
      (_, i) => hashBytes(Buffer.from(`lock:${i}`), 0, `lock:${i}`.length, secret) >>> 15,
    );
  const [first, second] = [hashes(SEED), hashes({ low: SEED.low, high: SEED.high ^ 1 })];
  let both = 0;
  let one = 0;
  for (let i = 0; i < first.length; i++) {
    for (let j = 0; j < i; j++) {
      if (first[i] !== first[j]) continue;
      one++;
      if (second[i] === second[j]) both++;
    }
  }
  expect(one).toBeGreaterThan(2);
  expect(both).toBeLessThanOrEqual(1);
});

test('hashes of ordinary keys are spread evenly over their top bits and over their low ones', () => {
  const keys = 64_000;
  const top = new Int32Array(64);
  const low = new Int32Array(64);
  for (let i = 0; i < keys; i++) {
    const bytes = Buffer.from(`lock:order:${i}`);
    const hash = hashBytes(bytes, 0, bytes.length, SEED);
    top[hash >>> (HASH_BITS - 6)]!++;
    low[hash & 63]!++;
  }
  // Chi squared with 63 degrees of freedom: beyond 120 once in a hundred thousand.
  for (const counts of [top, low]) {
    const chi = counts.reduce((sum, count) => sum + (count - keys / 64) ** 2 / (keys / 64), 0);
    expect(chi).toBeLessThan(120);
  }
});
