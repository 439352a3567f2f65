// The walks of `for … in pairs(t)` and `ipairs(t)`: what calling Lua's own iterators comes to, without the calls.
//
// Guarantees: the same keys and values as from the iterators, and the same errors, whatever the loop does to the table.

import { LuaError } from './lua-error.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import type { LuaValue } from './value.ts';

/** How a loop with these three values walks; undefined if it must call its iterator. */
export function walkOf(
  state: LuaState,
  iterator: LuaValue,
  table: LuaValue,
  start: LuaValue,
): Walk | undefined {
  const kind = state.walkers.get(iterator);
  if (kind === undefined || !(table instanceof LuaTable)) return undefined;
  if (kind === 'fields') return start === undefined ? new Walk(table, false) : undefined;
  return start === 0 ? new Walk(table, true) : undefined;
}

class Walk {
  /** Of the field whose key `next` has returned. */
  value: LuaValue = undefined;
  readonly #table: LuaTable;
  /** Only 1, 2, 3 … until there is nil. */
  readonly #isOfList: boolean;
  #key: LuaValue = undefined;
  /** Of the key in the table: where to go on, if it is still there. */
  #position = -1;

  constructor(table: LuaTable, isOfList: boolean) {
    this.#table = table;
    this.#isOfList = isOfList;
  }

  /** The next key; nil at the end. */
  next(at: number): LuaValue {
    return this.#isOfList ? this.#nextOfList() : this.#nextField(at);
  }

  #nextOfList(): LuaValue {
    const key = ++this.#position + 1;
    this.value = this.#table.getNumber(key);
    return this.value === undefined ? undefined : key;
  }

  #nextField(at: number): LuaValue {
    const table = this.#table;
    const key = this.#key;
    let from = this.#position + 1;
    if (key !== undefined && table.keyAt(this.#position) !== key) {
      from = table.positionAfter(key);
      if (from < 0) throw new LuaError("invalid key to 'next'", at);
    }
    this.#position = table.fieldFrom(from);
    if (this.#position < 0) return undefined;
    this.value = table.valueAt(this.#position);
    this.#key = table.keyAt(this.#position);
    return this.#key;
  }
}
