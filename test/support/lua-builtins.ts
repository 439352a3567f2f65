// Calls builtins of Lua without any Lua, and shows what comes of it as text.

import { LuaError } from '../../src/lua/lua-error.ts';
import { LuaTable } from '../../src/lua/table.ts';
import { LightUserdata, type LuaFunction, type LuaValue, Several } from '../../src/lua/value.ts';

type Call = (name: string, ...args: LuaValue[]) => string;

/** Calls functions of a library: the results, or `error: ` and its value. */
export function callsOf(library: LuaTable): Call {
  return (name, ...args) => {
    try {
      return resultsOf(library.get(name) as LuaFunction, args)
        .map(show)
        .join(' ');
    } catch (error) {
      if (!(error instanceof LuaError)) throw error;
      return `error: ${error.value}`;
    }
  };
}

export function resultsOf(callee: LuaFunction, args: readonly LuaValue[]): readonly LuaValue[] {
  const result = callee(...args) as LuaValue | Several;
  return result instanceof Several ? result.values : [result];
}

/** Strings in quotes with bytes beyond ASCII as \xNN; fields of tables sorted. */
export function show(value: LuaValue): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'string') return `'${value.replace(/[^ -~]/g, (char) => `\\x${hex(char)}`)}'`;
  if (value === undefined) return 'nil';
  if (value instanceof LightUserdata) return 'null';
  if (!(value instanceof LuaTable)) return String(value);
  const fields = [...value.entries()].map(([key, each]) => `[${show(key)}]=${show(each)}`);
  return `{${fields.sort().join(',')}}`;
}

const hex = (char: string) => char.charCodeAt(0).toString(16).padStart(2, '0');

/** A table of a list and fields by name; arrays and objects inside become tables too. */
export function tableOf(contents: Contents): LuaTable {
  if (Array.isArray(contents)) return new LuaTable(contents.map(contentOf));
  return LuaTable.from(
    Object.fromEntries(Object.entries(contents).map(([name, each]) => [name, contentOf(each)])),
  );
}

type Contents = readonly Content[] | { readonly [name: string]: Content };
type Content = Contents | number | string | boolean;

function contentOf(content: Content): LuaValue {
  return typeof content === 'object' ? tableOf(content) : content;
}

/** A table with this one field. */
export function tableWith(key: LuaValue, value: LuaValue): LuaTable {
  const table = new LuaTable();
  table.set(key, value);
  return table;
}
