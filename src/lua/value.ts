// What Lua values are in JavaScript: nil is undefined; booleans and numbers are themselves (all numbers are doubles, as in
// Lua 5.1); a string is a string of which each character is one byte; tables, coroutines and light userdata are classes;
// a function is a function.
//
// How a function is called: with its arguments, as many as the caller gave (a builtin reads `args.length` to tell nil from
// nothing). What it returns: a value; `Several` for none or more than one; or a generator, which is work not yet done: the
// caller runs it to its end and takes what that returns in place of it, again and again until it is none of these. So a
// tail call returns the generator of its callee, and takes no room. Builtins that call back are generators.

import type { Coroutine } from './coroutine.ts';
import type { LuaTable } from './table.ts';

export type LuaValue =
  | undefined
  | boolean
  | number
  | string
  | LuaTable
  | LuaFunction
  | Coroutine
  | LightUserdata;

export type LuaFunction = (...args: LuaValue[]) => LuaResult;

/** What a generator hands out while it is not done: a reason to leave the JavaScript stack (script.ts, coroutine.ts). */
export type Signal = unknown;

export type Work = Generator<Signal, LuaResult, LuaValue[]>;

export type LuaResult = LuaValue | Several | Work;

/** A bare pointer, as `cjson.null` is. */
export class LightUserdata {
  get luaType(): 'userdata' {
    return 'userdata';
  }

  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const GENERATOR_PROTOTYPE: object = Object.getPrototypeOf(function* () {}.prototype);

/**
 * True of results that are not a value yet: work, and several values. A class only for `instanceof`: both have its
 * prototype in their chain, so that one test after a call, nearly always false, tells everything ordinary.
 */
export const Unsettled = function Unsettled() {} as unknown as new () => object;
Object.defineProperty(Unsettled, 'prototype', { value: GENERATOR_PROTOTYPE });

/** No values, or more than one. Never exactly one: that is the value itself. */
export class Several {
  readonly values: readonly LuaValue[];

  constructor(values: readonly LuaValue[]) {
    this.values = values;
  }
}
Object.setPrototypeOf(Several.prototype, GENERATOR_PROTOTYPE);

export const NOTHING = new Several([]);

/** The result that stands for these values. */
export function several(values: readonly LuaValue[]): LuaValue | Several {
  if (values.length === 1) return values[0];
  return values.length === 0 ? NOTHING : new Several(values);
}

/** True of work; then it must be run: `yield* run(result)` (call.ts). */
export function isWork(result: LuaResult): result is Work {
  return result instanceof Unsettled && !(result instanceof Several);
}

export type LuaTypeName =
  | 'nil'
  | 'boolean'
  | 'number'
  | 'string'
  | 'table'
  | 'function'
  | 'thread'
  | 'userdata';

/** The answer of Lua's `type`. */
export function typeName(value: LuaValue): LuaTypeName {
  if (value === undefined) return 'nil';
  if (typeof value !== 'object') return typeof value as LuaTypeName;
  return value.luaType;
}

export const isTrue = (value: LuaValue): boolean => value !== undefined && value !== false;
