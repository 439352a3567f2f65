// What is thrown: errors of Lua, and the two ways in which a run ends that a script cannot catch.

import type { LuaValue } from './value.ts';

/** An error that `pcall` catches. No `Error`: making one of these costs a third, and its stack would tell nothing. */
export class LuaError {
  readonly value: LuaValue;
  /** Where it was raised (site.ts). */
  readonly at: number;

  constructor(value: LuaValue, at: number) {
    this.value = value;
    this.at = at;
  }
}

/** Code that cannot be interrupted has run too long or too deep: the run starts over, with code that can. */
export class StartOver {}
