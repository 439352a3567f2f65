// The functions that scripts call by a global name, but for those that need the compiler (load.ts).

import type { Addresses } from '../addresses.ts';
import {
  checkAny,
  checkInt32,
  checkTable,
  checkText,
  checkWritable,
  isAbsent,
  optionalInt32,
  optionalText,
  toCString,
  toNumber,
  toText,
} from '../arguments.ts';
import { LuaError } from '../lua-error.ts';
import { formatNumber } from '../number.ts';
import { NO_SITE } from '../site.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import {
  isTrue,
  LightUserdata,
  type LuaFunction,
  type LuaResult,
  type LuaValue,
  NOTHING,
  several,
  typeName,
} from '../value.ts';
import { protectedCallFunctions } from './protected-call.ts';

type Arguments = readonly LuaValue[];
type Functions = Record<string, LuaValue>;

/** What Lua's stack of values holds. */
const MAX_STACK_VALUES = 8000;
/** The heap is not Lua's, and who asks twice should get the same answer: about what Redis has after its start. */
const HEAP_KIBIBYTES = 64;

/** `addresses` are what `tostring` shows of tables and functions. */
export function baseFunctions(state: LuaState, addresses: Addresses): Functions {
  return {
    ...errorFunctions(state),
    ...protectedCallFunctions(state),
    ...metatableFunctions(state),
    ...rawFunctions(state),
    ...walkFunctions(state),
    ...argumentFunctions(state),
    ...garbageFunctions(state),
    tonumber: (...args) => number(state, args),
    tostring: (...args) => text(state, addresses, args),
    type: (...args) => typeName(checkAny(state, args, 0)),
    _VERSION: 'Lua 5.1',
  };
}

function errorFunctions(state: LuaState): Functions {
  return {
    assert: (...args) => {
      if (isTrue(checkAny(state, args, 0))) return several(args);
      throw state.error(toCString(optionalText(state, args, 1, 'assertion failed!')));
    },
    error: (...args) => {
      const level = optionalInt32(state, args, 1, 1);
      const message = level > 0 ? toText(args[0]) : undefined;
      throw new LuaError(message === undefined ? args[0] : state.position(level) + message, state.at);
    },
  };
}

function metatableFunctions(state: LuaState): Functions {
  return {
    getmetatable: (...args) => {
      const metatable = state.metatableOf(checkAny(state, args, 0));
      return metatable?.getString('__metatable') ?? metatable;
    },
    setmetatable: (...args) => {
      const table = checkTable(state, args, 0);
      const metatable = args[1];
      const isGiven = args.length > 1 && (metatable === undefined || metatable instanceof LuaTable);
      if (!isGiven) throw state.argumentError(2, 'nil or table expected');
      if (state.metamethod(table, '__metatable') !== undefined)
        throw state.error('cannot change a protected metatable');
      checkWritable(state, table);
      table.metatable = metatable;
      return table;
    },
  };
}

function rawFunctions(state: LuaState): Functions {
  return {
    rawequal: (...args) => checkAny(state, args, 0) === checkAny(state, args, 1),
    rawget: (...args) => checkTable(state, args, 0).get(checkAny(state, args, 1)),
    rawset: (...args) => {
      const table = checkTable(state, args, 0);
      const key = checkAny(state, args, 1);
      const value = checkAny(state, args, 2);
      checkWritable(state, table);
      if (key === undefined) throw new LuaError('table index is nil', state.at);
      if (Number.isNaN(key)) throw new LuaError('table index is NaN', state.at);
      table.set(key, value);
      return table;
    },
  };
}

function walkFunctions(state: LuaState): Functions {
  // As in Lua, what `pairs` returns is not the global `next`, but always the same function.
  const [next, nextOfPairs] = [nextFunction(state), nextFunction(state)];
  const nextOfIpairs: LuaFunction = (...args) => {
    const i = (checkInt32(state, args, 1) + 1) | 0;
    const value = checkTable(state, args, 0).getNumber(i);
    return value === undefined ? NOTHING : several([i, value]);
  };
  state.walkers.set(next, 'fields').set(nextOfPairs, 'fields').set(nextOfIpairs, 'list');
  return {
    next,
    pairs: (...args) => several([nextOfPairs, checkTable(state, args, 0), undefined]),
    ipairs: (...args) => several([nextOfIpairs, checkTable(state, args, 0), 0]),
  };
}

function nextFunction(state: LuaState): LuaFunction {
  return (...args) => {
    const entry = checkTable(state, args, 0).next(args[1]);
    if (entry === false) throw new LuaError("invalid key to 'next'", state.at);
    return entry === undefined ? undefined : several(entry);
  };
}

function argumentFunctions(state: LuaState): Functions {
  return {
    select: (...args) => {
      const [which] = args;
      if (typeof which === 'string' && which.startsWith('#')) return args.length - 1;
      const position = checkInt32(state, args, 0);
      const start = position < 0 ? args.length + position : Math.min(position, args.length);
      if (start < 1) throw state.argumentError(1, 'index out of range');
      state.spend(args.length - start);
      return several(args.slice(start));
    },
    unpack: (...args) => unpack(state, args),
  };
}

function unpack(state: LuaState, args: Arguments): LuaResult {
  const table = checkTable(state, args, 0);
  const start = optionalInt32(state, args, 1, 1);
  const end = isAbsent(args, 2) ? table.length : checkInt32(state, args, 2);
  if (start > end) return NOTHING;
  const count = end - start + 1;
  if (count + args.length > MAX_STACK_VALUES) throw state.error('too many results to unpack');
  state.spend(count);
  if (start === 1 && end <= table.list.length) return several(table.list.slice(0, end));
  return several(Array.from({ length: count }, (_, i) => table.getNumber(start + i)));
}

// --- conversions

const DIGITS = /^[ \t-\r]*([+-]?)([\da-z]+)[ \t-\r]*$/i;
/** A number of 64 bits has at most so many digits, leading zeros aside. */
const MAX_DIGITS = 64;
const MAX_UINT64 = 2n ** 64n - 1n;

function number(state: LuaState, args: Arguments): number | undefined {
  const base = optionalInt32(state, args, 1, 10);
  if (base === 10) return toNumber(checkAny(state, args, 0));
  const spelled = checkText(state, args, 0);
  if (base < 2 || base > 36) throw state.argumentError(2, 'base out of range');
  return parseUnsigned(toCString(spelled), base);
}

/** As C's `strtoul`, with which the whole must be a number: beyond 64 bits it is the greatest, and signs wrap around. */
function parseUnsigned(spelled: string, base: number): number | undefined {
  const [, sign, digits = ''] = DIGITS.exec(spelled) ?? [];
  const significant = digits.replace(base === 16 ? /^(?:0x(?=[\da-f]))?0*/i : /^0*/, '');
  if (sign === undefined) return undefined;
  let value = 0n;
  for (let i = 0; i < significant.length; i++) {
    const digit = Number.parseInt(significant.charAt(i), 36);
    if (digit >= base) return undefined;
    if (i <= MAX_DIGITS) value = value * BigInt(base) + BigInt(digit);
  }
  if (value > MAX_UINT64) return Number(MAX_UINT64);
  return Number(sign === '-' ? BigInt.asUintN(64, -value) : value);
}

function text(state: LuaState, addresses: Addresses, args: Arguments): LuaResult {
  const value = checkAny(state, args, 0);
  const handler = state.metamethod(value, '__tostring');
  if (handler !== undefined) return state.callForOne(handler, [value], NO_SITE);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (value === undefined) return 'nil';
  if (typeof value === 'boolean') return String(value);
  if (value instanceof LightUserdata) return `userdata: ${value.name}`;
  return `${typeName(value)}: ${addresses.of(value)}`;
}

// --- garbage

function garbageFunctions(state: LuaState): Functions {
  const settings = new Map([
    ['setpause', 200],
    ['setstepmul', 200],
  ]);
  return {
    gcinfo: () => HEAP_KIBIBYTES,
    collectgarbage: (...args) => {
      const option = toCString(optionalText(state, args, 0, 'collect'));
      if (!GARBAGE_OPTIONS.includes(option)) throw state.argumentError(1, `invalid option '${option}'`);
      const value = optionalInt32(state, args, 1, 0);
      if (option === 'count') return HEAP_KIBIBYTES;
      // True: the cycle has come to its end. So who waits for that need not wait.
      if (option === 'step') return true;
      const setting = settings.get(option);
      if (setting !== undefined) settings.set(option, value);
      return setting ?? 0;
    },
  };
}

const GARBAGE_OPTIONS = ['stop', 'restart', 'collect', 'count', 'step', 'setpause', 'setstepmul'];
