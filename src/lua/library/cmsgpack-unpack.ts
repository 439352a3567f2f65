// MessagePack as Lua values.
//
// Tables that are not complete yet wait in a stack of their own, so that input nested as deep as it likes needs no
// JavaScript stack. Redis' stack for values is finite, and where it ends shows: so its slots are counted here.

import { MAX_STACK_VALUES } from '../arguments.ts';
import { LuaError } from '../lua-error.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import type { LuaValue } from '../value.ts';
import { doubleAt, floatAt, signedOf, uint32At } from './binary.ts';

const TOO_MANY_VALUES = 'too many return values at once; use unpack_one or unpack_limit instead.';

/** A table being read. */
interface Open {
  readonly table: LuaTable;
  readonly isMap: boolean;
  /** Values it still lacks: of a map, keys and values. */
  missing: number;
  /** The last index of an array; or the key that waits for its value, which is next if `missing` is odd. */
  key: LuaValue;
}

export class MessageReader {
  /** Where the next value begins. */
  at: number;
  readonly #state: LuaState;
  readonly #input: string;
  readonly #open: Open[] = [];
  #slots = 0;

  constructor(state: LuaState, input: string, at: number) {
    this.#state = state;
    this.#input = input;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#input.length;
  }

  /** Reads one value. So many slots of the stack are taken already. */
  read(takenSlots: number): LuaValue {
    this.#slots = takenSlots;
    for (;;) {
      if (--this.#state.effort < 0) this.#state.tire();
      this.needSlots(this.#slots + 1, TOO_MANY_VALUES);
      const openBefore = this.#open.length;
      let value = this.#value();
      if (this.#open.length > openBefore) continue; // a table has begun, and what is in it comes next
      for (;;) {
        const open = this.#open.at(-1);
        if (open === undefined) return value;
        this.#put(open, value);
        if (open.missing > 0) break;
        value = this.#close(open);
      }
    }
  }

  needSlots(slots: number, what: string): void {
    if (slots > MAX_STACK_VALUES) throw this.#state.error(`stack overflow (${what})`);
  }

  #put(open: Open, value: LuaValue): void {
    open.missing--;
    if (!open.isMap) {
      open.key = (open.key as number) + 1;
      open.table.setNumber(open.key as number, value);
    } else if (open.missing % 2 === 1) {
      open.key = value;
      this.#slots++;
    } else {
      this.#slots--;
      const { key } = open;
      if (key === undefined) throw this.#keyError('nil');
      if (Number.isNaN(key)) throw this.#keyError('NaN');
      open.table.set(key, value);
    }
  }

  /** The only error that Lua itself raises here, and so one without a position. */
  #keyError(what: string): LuaError {
    return new LuaError(`table index is ${what}`, this.#state.at);
  }

  #close(open: Open): LuaTable {
    this.#open.pop();
    this.#slots -= open.isMap ? 1 : 2;
    return open.table;
  }

  /** A value, or a table that has been begun, unless it is empty. */
  #value(): LuaValue {
    const type = this.#input.charCodeAt(this.#take(1));
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 0x0f);
    if (type < 0xa0) return this.#array(type & 0x0f);
    if (type < 0xc0) return this.#text(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    if (type >= 0xd9) return type < 0xdc ? this.#text(this.#length(type - 0xd9)) : this.#table(type);
    if (type >= 0xca && type < 0xd4) return this.#number(type);
    if (type === 0xc0) return undefined;
    if (type === 0xc2 || type === 0xc3) return type === 0xc3;
    throw this.#state.error('Bad data format in input.');
  }

  #table(type: number): LuaTable {
    const length = this.#length(type % 2 === 0 ? 1 : 2);
    return type < 0xde ? this.#array(length) : this.#map(length);
  }

  /** An unsigned number of 1, 2 or 4 bytes, given the logarithm of that. */
  #length(sizeLog2: number): number {
    const at = this.#take(1 << sizeLog2);
    if (sizeLog2 === 0) return this.#input.charCodeAt(at);
    if (sizeLog2 === 1) return (this.#input.charCodeAt(at) << 8) | this.#input.charCodeAt(at + 1);
    return uint32At(this.#input, at) >>> 0;
  }

  #number(type: number): number {
    if (type === 0xca) return floatAt(this.#input, this.#take(4));
    if (type === 0xcb) return doubleAt(this.#input, this.#take(8));
    const isSigned = type >= 0xd0;
    const sizeLog2 = type & 3;
    if (sizeLog2 === 3) {
      const at = this.#take(8); // signed in both forms, as Lua's integers are
      return signedOf(uint32At(this.#input, at), uint32At(this.#input, at + 4));
    }
    const unsigned = this.#length(sizeLog2);
    const unusedBits = 32 - (8 << sizeLog2);
    return isSigned ? (unsigned << unusedBits) >> unusedBits : unsigned;
  }

  #text(length: number): string {
    const at = this.#take(length);
    return this.#input.slice(at, at + length);
  }

  #array(length: number): LuaTable {
    this.needSlots(this.#slots + 2, 'in function mp_decode_to_lua_array');
    const table = new LuaTable();
    if (length === 0) return table;
    this.#slots += 2;
    this.#open.push({ table, isMap: false, missing: length, key: 0 });
    return table;
  }

  #map(length: number): LuaTable {
    const table = new LuaTable();
    if (length === 0) return table;
    this.#slots++;
    this.#open.push({ table, isMap: true, missing: length * 2, key: undefined });
    return table;
  }

  /** Goes past so many bytes, if they are there, and tells where they begin. */
  #take(bytes: number): number {
    const { at } = this;
    if (bytes > this.#input.length - at) throw this.#state.error('Missing bytes in input.');
    this.at = at + bytes;
    return at;
  }
}
