// The library `os`, of which Redis leaves scripts only `clock` (7.2 and later; 7.0 has none of it).

import { LuaTable } from '../table.ts';

/** `clockSeconds` tells how much time the process has used. */
export function osLibrary(clockSeconds: () => number): LuaTable {
  return LuaTable.from({ clock: () => clockSeconds() });
}
