// What the names of a script's globals stand for.

import { LuaTable } from './table.ts';
import type { LuaValue } from './value.ts';

export interface Environment {
  /** `_G`: read-only, so that what a name stands for is known when a script is compiled. */
  readonly globals: LuaTable;
  /** Names whose value changes from run to run (`KEYS`), looked up in `values` by the running code. */
  readonly variables: ReadonlySet<string>;
  readonly values: Record<string, LuaValue>;
  /** Tables with metatables are among the globals, so that any value of a script might be one. */
  readonly hasMetatables?: true;
}

/** Makes a table read-only, and all tables in it. */
export function protect(table: LuaTable): void {
  if (table.isReadonly) return;
  table.isReadonly = true;
  if (table.metatable !== undefined) protect(table.metatable);
  for (const [, value] of table.entries()) if (value instanceof LuaTable) protect(value);
}
