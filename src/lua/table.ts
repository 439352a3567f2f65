// Lua's only structure: a list of what stands at 1, 2, 3 … in an array, and everything else by key.
//
// Guarantees: field access costs a few nanoseconds while a table is small (keys are compared one by one) and constant
// time beyond; `next` goes on from any key, also while fields are set to nil; the order is the list first, then the order
// in which keys came. Lua leaves that order open, and Redis' differs.
//
// A key whose value is nil stays until room is needed, so that a walk that clears fields can go on from it.
// All access here is raw: metatables are the business of operators.ts.

import type { LuaValue } from './value.ts';

/** Up to so many keys are searched one by one: quicker than hashing, and far cheaper to make. */
const LINEAR_KEYS = 8;
const NO_KEYS: LuaValue[] = [];

export class LuaTable {
  /** What stands at 1 … `list.length`; any of it may be nil. The key after the last is not in the other part. */
  readonly list: LuaValue[];
  metatable: LuaTable | undefined = undefined;
  /** Nothing may be assigned, by scripts at least. */
  isReadonly = false;
  #keys: LuaValue[] = NO_KEYS;
  #values: LuaValue[] = NO_KEYS;
  /** Where each key is, once there are many. */
  #places: Map<LuaValue, number> | undefined = undefined;
  /** Keys whose value is nil. */
  #dead = 0;

  /** `list` becomes the table's own. */
  constructor(list: LuaValue[] = []) {
    this.list = list;
  }

  get luaType(): 'table' {
    return 'table';
  }

  /** Fields by name. */
  static from(fields: Readonly<Record<string, LuaValue>>): LuaTable {
    const table = new LuaTable();
    for (const [name, value] of Object.entries(fields)) table.setString(name, value);
    return table;
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number') return this.getNumber(key);
    return this.#getKeyed(key);
  }

  getString(key: string): LuaValue {
    return this.#getKeyed(key);
  }

  getNumber(key: number): LuaValue {
    const { list } = this;
    if (key > 0 && key <= list.length) {
      const at = key - 1;
      if (at === (at | 0)) return list[at];
    }
    return this.#keys.length === 0 ? undefined : this.#getKeyed(key);
  }

  #getKeyed(key: LuaValue): LuaValue {
    const at = this.#place(key);
    return at < 0 ? undefined : this.#values[at];
  }

  #place(key: LuaValue): number {
    if (this.#places !== undefined) return this.#places.get(key) ?? -1;
    const keys = this.#keys;
    for (let i = 0; i < keys.length; i++) if (keys[i] === key) return i;
    return -1;
  }

  /** The key must be neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === 'number') this.setNumber(key, value);
    else this.#setKeyed(key, value);
  }

  setString(key: string, value: LuaValue): void {
    this.#setKeyed(key, value);
  }

  setNumber(key: number, value: LuaValue): void {
    const { list } = this;
    const at = key - 1;
    if (at >= 0 && at <= list.length && at === (at | 0)) {
      if (at < list.length) list[at] = value;
      else if (value !== undefined) {
        list.push(value);
        if (this.#keys.length > 0) this.#moveToList();
      }
      return;
    }
    this.#setKeyed(key, value);
  }

  /** The list has grown to meet keys that came too early for it. */
  #moveToList(): void {
    for (;;) {
      const at = this.#place(this.list.length + 1);
      if (at < 0 || this.#values[at] === undefined) return;
      this.list.push(this.#values[at]);
      this.#values[at] = undefined;
      this.#dead++;
    }
  }

  #setKeyed(key: LuaValue, value: LuaValue): void {
    const at = this.#place(key);
    if (at < 0) {
      if (value !== undefined) this.#addKey(key, value);
      return;
    }
    const values = this.#values;
    if (value === undefined) {
      if (values[at] !== undefined) this.#dead++;
    } else if (values[at] === undefined) this.#dead--;
    values[at] = value;
  }

  #addKey(written: LuaValue, value: LuaValue): void {
    const key = written === 0 ? 0 : written; // never -0
    if (this.#keys === NO_KEYS) {
      this.#keys = [];
      this.#values = [];
    }
    if (this.#dead > LINEAR_KEYS && this.#dead * 2 > this.#keys.length) this.#dropDead();
    const at = this.#keys.push(key) - 1;
    this.#values.push(value);
    if (this.#places !== undefined) this.#places.set(key, at);
    else if (at >= LINEAR_KEYS) this.#places = new Map(this.#keys.map((each, place) => [each, place]));
  }

  #dropDead(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = keys.filter((_, i) => values[i] !== undefined);
    this.#values = values.filter((value) => value !== undefined);
    this.#places &&= new Map(this.#keys.map((each, place) => [each, place]));
    this.#dead = 0;
  }

  /** Lua's `#`: a place after which nil stands. With holes in the list it is one of several, the same as in Lua. */
  get length(): number {
    const { list } = this;
    let above = list.length;
    if (above === 0 || list[above - 1] !== undefined) return above;
    let below = 0;
    while (above - below > 1) {
      const middle = (below + above) >>> 1;
      if (list[middle - 1] === undefined) above = middle;
      else below = middle;
    }
    return below;
  }

  /** The field after `key` (nil: the first); undefined at the end, false if there is no such key. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined | false {
    const from = this.#positionAfter(key);
    if (from < 0) return false;
    const { list } = this;
    const keys = this.#keys;
    for (let i = from; i < list.length; i++) if (list[i] !== undefined) return [i + 1, list[i]];
    for (let i = Math.max(0, from - list.length); i < keys.length; i++) {
      const value = this.#values[i];
      if (value !== undefined) return [keys[i], value];
    }
    return undefined;
  }

  #positionAfter(key: LuaValue): number {
    if (key === undefined) return 0;
    if (typeof key === 'number' && key > 0 && key <= this.list.length && Number.isInteger(key)) return key;
    const at = this.#place(key);
    return at < 0 ? -1 : this.list.length + at + 1;
  }

  /** Fields that are not nil, in the order of `next`. */
  *entries(): Generator<readonly [LuaValue, LuaValue], void, void> {
    for (let entry = this.next(undefined); entry; entry = this.next(entry[0])) yield entry;
  }
}
