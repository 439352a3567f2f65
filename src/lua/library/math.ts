// The library `math`. Where C's functions and JavaScript's differ in a last digit, these are JavaScript's.

import { checkInt32, checkNumber } from '../arguments.ts';
import { fractionAndExponent, power, scale } from '../float.ts';
import type { ScriptRandom } from '../random.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaFunction, type LuaValue, NOTHING, several } from '../value.ts';

const RADIANS_PER_DEGREE = Math.PI / 180;

const UNARY: Readonly<Record<string, (x: number) => number>> = {
  abs: Math.abs,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  deg: (x) => x / RADIANS_PER_DEGREE,
  exp: Math.exp,
  floor: Math.floor,
  log: Math.log,
  log10: Math.log10,
  rad: (x) => x * RADIANS_PER_DEGREE,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
};

/** `random` is what `math.random` draws from. */
export function mathLibrary(state: LuaState, random: ScriptRandom): LuaTable {
  const fields: Record<string, LuaValue> = {};
  for (const [name, compute] of Object.entries(UNARY)) fields[name] = unary(state, compute);
  const fmod = binary(state, (x, y) => x % y);
  return LuaTable.from({
    ...fields,
    atan2: binary(state, Math.atan2),
    fmod,
    mod: fmod,
    pow: binary(state, power),
    frexp: (...args) => several(fractionAndExponent(checkNumber(state, args, 0))),
    ldexp: (...args) => scale(checkNumber(state, args, 0), checkInt32(state, args, 1)),
    modf: (...args) => {
      const x = checkNumber(state, args, 0);
      return several([Math.trunc(x), Number.isFinite(x) ? x % 1 : 1 / x]);
    },
    max: extreme(state, (x, best) => x > best),
    min: extreme(state, (x, best) => x < best),
    huge: Infinity,
    pi: Math.PI,
    random: (...args) => draw(state, random, args),
    randomseed: (...args) => {
      random.seed(checkInt32(state, args, 0));
      return NOTHING;
    },
  });
}

function unary(state: LuaState, compute: (x: number) => number): LuaFunction {
  return (...args) => compute(checkNumber(state, args, 0));
}

function binary(state: LuaState, compute: (x: number, y: number) => number): LuaFunction {
  return (...args) => compute(checkNumber(state, args, 0), checkNumber(state, args, 1));
}

function extreme(state: LuaState, isBetter: (x: number, best: number) => boolean): LuaFunction {
  return (...args) => {
    let best = checkNumber(state, args, 0);
    for (let i = 1; i < args.length; i++) {
      const x = checkNumber(state, args, i);
      if (isBetter(x, best)) best = x;
    }
    return best;
  };
}

/** The integers wrap around at 32 bits, as C's do. */
function draw(state: LuaState, random: ScriptRandom, args: readonly LuaValue[]): number {
  const drawn = random.next();
  if (args.length === 0) return drawn;
  if (args.length > 2) throw state.error('wrong number of arguments');
  const low = args.length === 1 ? 1 : checkInt32(state, args, 0);
  const high = checkInt32(state, args, args.length - 1);
  if (low > high) throw state.argumentError(args.length, 'interval is empty');
  return Math.floor(drawn * ((high - low + 1) | 0)) + low;
}
