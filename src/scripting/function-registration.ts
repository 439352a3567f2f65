// What a library says of a function to `redis.register_function`: by position (name, callback) or by name in one table.
//
// Source: Redis' `luaRegisterFunctionReadFunctionArgs`, by its behaviour.

import { toText } from '../lua/arguments.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaFunction, LuaValue } from '../lua/value.ts';
import { isName, WRONG_NAME } from './library-header.ts';
import { isScriptFlag, type ScriptFlag } from './shebang.ts';

const PLACE = 'redis.register_function';

export interface Registration {
  readonly name: string;
  readonly callback: LuaFunction;
  readonly flags: ReadonlySet<ScriptFlag>;
  readonly description: string | undefined;
}

/** A string is what is wrong with them, as an error reply. */
export function readRegistration(args: readonly LuaValue[]): Registration | string {
  if (args.length < 1 || args.length > 2) return `ERR wrong number of arguments to ${PLACE}`;
  const [first, callback] = args;
  const found = args.length === 2 ? positional(first, callback) : named(first);
  return typeof found === 'string' || isName(found.name) ? found : WRONG_NAME;
}

function positional(first: LuaValue, callback: LuaValue): Registration | string {
  const name = toText(first);
  if (name === undefined) return `ERR first argument to ${PLACE} must be a string`;
  if (typeof callback !== 'function') return `ERR second argument to ${PLACE} must be a function`;
  return { name, callback, flags: new Set(), description: undefined };
}

function named(table: LuaValue): Registration | string {
  if (!(table instanceof LuaTable))
    return `ERR calling ${PLACE} with a single argument is only applicable to Lua table (representing named arguments).`;
  const found: Partial<{ -readonly [Key in keyof Registration]: Registration[Key] }> = {};
  for (const [key, value] of table.entries()) {
    const option = toText(key)?.toLowerCase();
    if (option === undefined) return `ERR named argument key given to ${PLACE} is not a string`;
    if (option === 'function_name' || option === 'description') {
      const text = toText(value);
      if (text === undefined) return `ERR ${option} argument given to ${PLACE} must be a string`;
      found[option === 'description' ? option : 'name'] = text;
    } else if (option === 'callback') {
      if (typeof value !== 'function') return `ERR callback argument given to ${PLACE} must be a function`;
      found.callback = value;
    } else if (option === 'flags') {
      const flags = readFlags(value);
      if (typeof flags === 'string') return flags;
      found.flags = flags;
    } else return `ERR unknown argument given to ${PLACE}`;
  }
  const { name, callback, flags = new Set(), description } = found;
  if (name === undefined) return `ERR ${PLACE} must get a function name argument`;
  if (callback === undefined) return `ERR ${PLACE} must get a callback argument`;
  return { name, callback, flags, description };
}

function readFlags(list: LuaValue): ReadonlySet<ScriptFlag> | string {
  if (!(list instanceof LuaTable))
    return `ERR flags argument to ${PLACE} must be a table representing function flags`;
  const flags = new Set<ScriptFlag>();
  for (let i = 1; ; i++) {
    const flag = list.getNumber(i);
    if (flag === undefined) return flags;
    const word = typeof flag === 'string' ? flag.toLowerCase() : '';
    if (!isScriptFlag(word)) return 'ERR unknown flag given';
    flags.add(word);
  }
}
