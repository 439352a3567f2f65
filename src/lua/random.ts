// The random numbers of scripts: the 48-bit linear congruential generator of `drand48`, of which the upper 31 bits count.
//
// Guarantees: the same numbers as Redis in the same order, from the same seed. The sequence goes on from script to script,
// so a run that starts over must put back the `state` that it found.

const HALF = 2 ** 24;
const MULTIPLIER_HIGH = 0x5de;
const MULTIPLIER_LOW = 0xece66d;
const INCREMENT = 0xb;
/** What stands below the 32 bits of a seed. */
const SEED_LOW_BITS = 0x330e;
/** As if nobody had called `randomseed`. */
const UNSEEDED = 0x1234abcd330e;
const MAX_INT32 = 2 ** 31 - 1;

export class ScriptRandom {
  /** An integer of 48 bits. */
  state = UNSEEDED;

  /** `number` is taken as 32 bits. */
  seed(number: number): void {
    this.state = (number >>> 0) * 2 ** 16 + SEED_LOW_BITS;
  }

  /** A number from 0 up to but not including 1. */
  next(): number {
    // In halves of 24 bits: a product of two of them is exact in a double, and what passes 48 bits is dropped.
    const high = Math.floor(this.state / HALF);
    const low = this.state % HALF;
    const lowProduct = low * MULTIPLIER_LOW + INCREMENT;
    const carry = Math.floor(lowProduct / HALF);
    const highProduct = high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH + carry;
    this.state = (highProduct % HALF) * HALF + (lowProduct % HALF);
    const drawn = Math.floor(this.state / 2 ** 17);
    return (drawn % MAX_INT32) / MAX_INT32;
  }
}
