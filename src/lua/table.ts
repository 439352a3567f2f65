// Lua's only structure: a list of what stands at 1, 2, 3 … in an array, and everything else by key.
//
// Guarantees: field access costs a few nanoseconds while a table is small (keys are compared one by one) and constant
// time beyond; `next` goes on from any key, also while fields are set to nil; the order is the list first, then the order
// in which keys came. Lua leaves that order open, and Redis' differs.
//
// Which numbers belong to the list is decided as Lua 5.1 does: anew whenever there is no room for another key, such that
// more than half of the list is in use. So `#` finds the same border as there, also if there are several; but not always
// once keys other than those of the list have been set to nil, whose place Lua may use again or not.
//
// A key whose value is nil stays until room is needed, so that a walk that clears fields can go on from it.
// All access here is raw: metatables are the business of operators.ts.

import { listShare, NO_COUNTS, sliceOf } from './list-share.ts';
import type { LuaValue } from './value.ts';

/** Up to so many keys are searched one by one: quicker than hashing, and far cheaper to make. */
const LINEAR_KEYS = 8;
/** Larger tables get some air when keys of them have been dropped, lest they be sorted out again for each new one. */
const AIRLESS_KEYS = 16;
const NO_KEYS: LuaValue[] = [];

export class LuaTable {
  /** What stands at 1 … `list.length`; any of it may be nil. */
  readonly list: LuaValue[];
  metatable: LuaTable | undefined = undefined;
  /** Nothing may be assigned, by scripts at least. */
  isReadonly = false;
  /** Keys up to this one belong to the list (or up to `list.length`, if somebody has made that longer). */
  #listRoom: number;
  /** Nothing in the list is nil. False: who knows. */
  #isDense: boolean;
  #keys: LuaValue[] = NO_KEYS;
  #values: LuaValue[] = NO_KEYS;
  /** So many keys before it is decided again which belong to the list. */
  #keyRoom: number;
  /** Where each key is, once there are many. */
  #places: Map<LuaValue, number> | undefined = undefined;

  /** `list` becomes the table's own. There will soon be `keyCount` other keys. */
  constructor(list: LuaValue[] = [], keyCount = 0, listRoom = 0) {
    this.list = list;
    this.#listRoom = Math.max(listRoom, list.length);
    this.#isDense = list.length === 0;
    this.#keyRoom = powerOfTwo(keyCount);
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

  // --- fields

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
    if (value !== undefined && at === (at | 0) && at >= 0) {
      if (at < list.length) {
        list[at] = value;
        return;
      }
      if (at === list.length && at < this.#listRoom) {
        list.push(value);
        return;
      }
    }
    this.#setNumberRarely(key, value);
  }

  #setNumberRarely(key: number, value: LuaValue): void {
    const { list } = this;
    if (!(key >= 1 && key <= this.#listEnd && Number.isInteger(key))) this.#setKeyed(key, value);
    else if (value === undefined) this.#clear(key);
    else {
      if (key > list.length + 1) this.#isDense = false;
      while (list.length < key - 1) list.push(undefined);
      list[key - 1] = value;
    }
  }

  #clear(key: number): void {
    const { list } = this;
    if (key > list.length) return;
    this.#listRoom = this.#listEnd;
    if (key === list.length) list.pop();
    else {
      list[key - 1] = undefined;
      this.#isDense = false;
    }
  }

  #setKeyed(key: LuaValue, value: LuaValue): void {
    const at = this.#place(key);
    if (at >= 0) this.#values[at] = value;
    else if (value !== undefined) this.#addKey(key, value);
  }

  #addKey(key: LuaValue, value: LuaValue): void {
    if (this.#keys.length >= this.#keyRoom) {
      this.#share(key);
      if (typeof key === 'number' && key >= 1 && key <= this.#listRoom && Number.isInteger(key)) {
        this.#setNumberRarely(key, value);
        return;
      }
    }
    if (this.#keys === NO_KEYS) {
      this.#keys = [];
      this.#values = [];
    }
    const at = this.#keys.push(key) - 1;
    this.#values.push(value);
    if (this.#places !== undefined) this.#places.set(key, at);
    else if (at >= LINEAR_KEYS) this.#places = placesOf(this.#keys);
  }

  // --- what belongs to the list

  get #listEnd(): number {
    return Math.max(this.#listRoom, this.list.length);
  }

  /** Decides what belongs to the list, with room for `added` here or there. */
  #share(added: LuaValue): void {
    if (this.#listEnd === 0 && this.#isWithoutNumbers(added)) {
      this.#keyRoom = powerOfTwo(this.#keys.length + 1);
      return;
    }
    const counts = NO_COUNTS.slice();
    const { list } = this;
    const used = this.#countList(counts);
    let others = 1;
    if (isListKey(added)) counts[sliceOf(added)]!++;
    for (let i = 0; i < this.#keys.length; i++) {
      if (this.#values[i] === undefined) continue;
      others++;
      const key = this.#keys[i];
      if (isListKey(key)) counts[sliceOf(key)]!++;
    }
    const { size, inUse } = listShare(counts);
    const keyCount = used + others - inUse;
    const hasDead = others - 1 < this.#keys.length;
    this.#keyRoom = powerOfTwo(keyCount);
    if (hasDead && keyCount > AIRLESS_KEYS && keyCount > this.#keyRoom * 0.75) this.#keyRoom *= 2;
    this.#listRoom = size;
    if (hasDead || size < list.length || keyCount < others) this.#move(size);
    const inList = inUse - (isListKey(added) && added <= size ? 1 : 0);
    this.#isDense = inList === list.length;
  }

  /** Neither number nor nil is to be seen: nothing needs to move. */
  #isWithoutNumbers(added: LuaValue): boolean {
    for (let i = 0; i < this.#keys.length; i++)
      if (typeof this.#keys[i] === 'number' || this.#values[i] === undefined) return false;
    return typeof added !== 'number';
  }

  /** Counts what is not nil in the list, by slices. */
  #countList(counts: number[]): number {
    const { list } = this;
    let used = 0;
    for (let slice = 0, at = 0; at < list.length; slice++) {
      const end = Math.min(2 ** slice, list.length);
      let count = end - at;
      if (this.#isDense) at = end;
      else for (; at < end; at++) if (list[at] === undefined) count--;
      counts[slice]! += count;
      used += count;
    }
    return used;
  }

  /** Moves keys to the list, which has this size now, and out of it, and drops those whose value is nil. */
  #move(size: number): void {
    const { list } = this;
    const oldKeys = this.#keys;
    const oldValues = this.#values;
    const beyond = list.length > size ? list.splice(size) : NO_KEYS;
    this.#keys = [];
    this.#values = [];
    for (let i = 0; i < oldKeys.length; i++) {
      const key = oldKeys[i];
      if (oldValues[i] === undefined) continue;
      if (isListKey(key) && key <= size) this.#setNumberRarely(key, oldValues[i]);
      else this.#keep(key, oldValues[i]);
    }
    for (let i = 0; i < beyond.length; i++) if (beyond[i] !== undefined) this.#keep(size + i + 1, beyond[i]);
    this.#places = this.#keys.length > LINEAR_KEYS ? placesOf(this.#keys) : undefined;
  }

  #keep(key: LuaValue, value: LuaValue): void {
    this.#keys.push(key);
    this.#values.push(value);
  }

  /** Lua's `#`: a place after which nil stands. With holes in the list it is one of several. */
  get length(): number {
    const { list } = this;
    const end = list.length;
    if (end >= this.#listRoom && (end === 0 || list[end - 1] !== undefined))
      return this.#keys.length === 0 ? end : this.#borderBeyond(end);
    return this.#isDense ? end : this.#borderBetween(0, this.#listEnd);
  }

  #borderBeyond(end: number): number {
    let below = end;
    let above = end + 1;
    while (this.getNumber(above) !== undefined) {
      below = above;
      above *= 2;
    }
    return this.#borderBetween(below, above);
  }

  #borderBetween(from: number, to: number): number {
    let below = from;
    let above = to;
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (this.getNumber(middle) === undefined) above = middle;
      else below = middle;
    }
    return below;
  }

  // --- walks

  /** The field after `key` (nil: the first); undefined at the end, false if there is no such key. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | undefined | false {
    const from = this.positionAfter(key);
    if (from < 0) return false;
    const position = this.fieldFrom(from);
    return position < 0 ? undefined : [this.keyAt(position), this.valueAt(position)];
  }

  /** The place in a walk behind `key` (nil: its start), negative if there is no such key. */
  positionAfter(key: LuaValue): number {
    if (key === undefined) return 0;
    if (typeof key === 'number' && key > 0 && key <= this.#listEnd && Number.isInteger(key)) return key;
    const at = this.#place(key);
    return at < 0 ? -1 : this.#listEnd + at + 1;
  }

  /** The first position of a walk, from this one on, where there is a field; negative if there is none. */
  fieldFrom(position: number): number {
    const { list } = this;
    for (let i = position; i < list.length; i++) if (list[i] !== undefined) return i;
    const listEnd = this.#listEnd;
    const values = this.#values;
    for (let i = position > listEnd ? position - listEnd : 0; i < values.length; i++)
      if (values[i] !== undefined) return listEnd + i;
    return -1;
  }

  /** The key of the field at a position of a walk; nil if nothing is there. */
  keyAt(position: number): LuaValue {
    const listEnd = this.#listEnd;
    return position < listEnd ? position + 1 : this.#keys[position - listEnd];
  }

  valueAt(position: number): LuaValue {
    const { list } = this;
    return position < list.length ? list[position] : this.#values[position - this.#listEnd];
  }

  /** Fields that are not nil, in the order of `next`. */
  *entries(): Generator<readonly [LuaValue, LuaValue], void, void> {
    for (let entry = this.next(undefined); entry; entry = this.next(entry[0])) yield entry;
  }
}

/** Might stand in a list. */
function isListKey(key: LuaValue): key is number {
  return typeof key === 'number' && key >= 1 && key <= 2 ** (NO_COUNTS.length - 1) && Number.isInteger(key);
}

function placesOf(keys: readonly LuaValue[]): Map<LuaValue, number> {
  return new Map(keys.map((each, place) => [each, place]));
}

function powerOfTwo(count: number): number {
  return count < 3 ? count : 2 ** sliceOf(count);
}
