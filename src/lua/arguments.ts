// Arguments of builtins: what was given, checked and converted, with Lua's own complaints. Indices count from 0.

import { LuaError } from './lua-error.ts';
import { formatNumber, parseNumber } from './number.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import { type LuaFunction, type LuaValue, typeName } from './value.ts';

export type Args = readonly LuaValue[];

/** What Lua's stack holds for one builtin: its arguments, what it works with, and what it returns. */
export const MAX_STACK_VALUES = 8000;

/** Number of an argument's value: itself, or what a string spells. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** A string, or a number as a string; else undefined. */
export function toText(value: LuaValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatNumber(value) : undefined;
}

/** As C converts a double to an integer of 32 bits where Lua's library does (`lua_Integer` to `int`). */
export function toInt32(x: number): number {
  return Math.trunc(x) | 0;
}

export function wrongType(state: LuaState, args: Args, index: number, expected: string) {
  const got = index < args.length ? typeName(args[index]) : 'no value';
  return state.argumentError(index + 1, `${expected} expected, got ${got}`);
}

/** Any value, nil included, but not nothing. */
export function checkAny(state: LuaState, args: Args, index: number): LuaValue {
  if (index >= args.length) throw state.argumentError(index + 1, 'value expected');
  return args[index];
}

export function checkTable(state: LuaState, args: Args, index: number): LuaTable {
  const value = args[index];
  if (!(value instanceof LuaTable)) throw wrongType(state, args, index, 'table');
  return value;
}

export function checkFunction(state: LuaState, args: Args, index: number): LuaFunction {
  const value = args[index];
  if (typeof value !== 'function') throw wrongType(state, args, index, 'function');
  return value;
}

/** A string; numbers become one. */
export function checkText(state: LuaState, args: Args, index: number): string {
  const text = toText(args[index]);
  if (text === undefined) throw wrongType(state, args, index, 'string');
  state.claim(text.length);
  return text;
}

/** A number; strings that spell one become it. */
export function checkNumber(state: LuaState, args: Args, index: number): number {
  const x = toNumber(args[index]);
  if (x === undefined) throw wrongType(state, args, index, 'number');
  return x;
}

/** A number cut to an integer, as C casts it. */
export function checkInteger(state: LuaState, args: Args, index: number): number {
  return toInteger(checkNumber(state, args, index));
}

const MIN_INT64 = -(2 ** 63);

/** What x86 makes of a double that no 64-bit integer can hold is the smallest one. */
function toInteger(x: number): number {
  const whole = Math.trunc(x);
  return whole >= MIN_INT64 && whole < 2 ** 63 ? whole + 0 : MIN_INT64;
}

/** What C makes of that when it stores it in 32 bits. */
export function checkInt32(state: LuaState, args: Args, index: number): number {
  return toInt32(checkInteger(state, args, index));
}

export const isAbsent = (args: Args, index: number): boolean => args[index] === undefined;

export function optionalText<T>(state: LuaState, args: Args, index: number, absent: T): string | T {
  return isAbsent(args, index) ? absent : checkText(state, args, index);
}

export function optionalInteger(state: LuaState, args: Args, index: number, absent: number): number {
  return isAbsent(args, index) ? absent : checkInteger(state, args, index);
}

export function optionalInt32(state: LuaState, args: Args, index: number, absent: number): number {
  return isAbsent(args, index) ? absent : checkInt32(state, args, index);
}

/** For tables that are about to be assigned to. */
export function checkWritable(state: LuaState, table: LuaTable): void {
  if (table.isReadonly) throw new LuaError('Attempt to modify a readonly table', state.at);
}

/** What C sees of a string: it ends at the first zero byte. */
export function toCString(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
