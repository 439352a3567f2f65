// The `bit` library: logic and shifts on 32 bits. Numbers come in modulo 2^32, results are signed.

import { type Args, toNumber, wrongType } from '../arguments.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';

/** Added to a double, it leaves the rounded integer in the low bits of the sum's mantissa. */
const ROUNDING_BIAS = 2 ** 52 + 2 ** 51;
const sum = new DataView(new ArrayBuffer(8));

type Binary = (a: number, b: number) => number;

/** An argument modulo 2^32, fractions rounded half to even; beyond 2^51 what the bias makes of it, which is no sense. */
function bitsAt(state: LuaState, args: Args, index: number): number {
  const x = toNumber(args[index]);
  if (x === undefined) throw wrongType(state, args, index, 'number');
  const bits = x | 0;
  if (bits === x) return bits;
  sum.setFloat64(0, x + ROUNDING_BIAS);
  return sum.getInt32(4);
}

/** One operation over all arguments. The first is checked first, then the others from the last to the second. */
function folding(state: LuaState, operation: Binary) {
  return (...args: Args) => {
    let bits = bitsAt(state, args, 0);
    for (let i = args.length - 1; i > 0; i--) bits = operation(bits, bitsAt(state, args, i));
    return bits;
  };
}

/** A number, and how far to move it, modulo 32. */
function shifting(state: LuaState, operation: Binary) {
  return (...args: Args) => {
    const bits = bitsAt(state, args, 0);
    return operation(bits, bitsAt(state, args, 1) & 31) | 0;
  };
}

function swapBytes(x: number): number {
  return (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);
}

/** The lowest hexadecimal digits, as many as asked for: lower case, or upper case for a negative number of them. */
function toHex(bits: number, digits: number): string {
  const all = (bits >>> 0).toString(16).padStart(8, '0');
  const shown = all.slice(8 - Math.min(8, Math.abs(digits)));
  return digits < 0 ? shown.toUpperCase() : shown;
}

export function bitLibrary(state: LuaState): LuaTable {
  return LuaTable.from({
    tobit: (...args) => bitsAt(state, args, 0),
    bnot: (...args) => ~bitsAt(state, args, 0),
    band: folding(state, (a, b) => a & b),
    bor: folding(state, (a, b) => a | b),
    bxor: folding(state, (a, b) => a ^ b),
    lshift: shifting(state, (bits, by) => bits << by),
    rshift: shifting(state, (bits, by) => bits >>> by),
    arshift: shifting(state, (bits, by) => bits >> by),
    rol: shifting(state, (bits, by) => (bits << by) | (bits >>> (32 - by))),
    ror: shifting(state, (bits, by) => (bits >>> by) | (bits << (32 - by))),
    bswap: (...args) => swapBytes(bitsAt(state, args, 0)),
    tohex: (...args) => {
      const bits = bitsAt(state, args, 0);
      return toHex(bits, args.length > 1 ? bitsAt(state, args, 1) : 8);
    },
  });
}
