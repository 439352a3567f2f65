// Lua values as JSON text, as cjson writes it: tables with only positive integer keys are arrays, the empty table is an
// object, and keys that are numbers become strings. Bytes from 0x80 pass unchanged.
//
// Tables that are not complete yet wait in a stack of their own, so that values nested as deep as they like need no
// JavaScript stack, and cycles end in the proper error.

import { MAX_STACK_VALUES } from '../arguments.ts';
import { formatGeneral, formatNumber } from '../number.ts';
import { inPieces } from '../pieces.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { LightUserdata, type LuaValue, typeName } from '../value.ts';
import type { CjsonSettings } from './cjson.ts';

const MAX_INT = 2 ** 31 - 1;
const MIN_INT = -(2 ** 31);
const DEFAULT_PRECISION = 14;

/** Quotes, backslashes, slashes and control characters: text without them is written as it is. */
const ESCAPED = /[^ !#-.0-[\]-~\x80-\xff]/;

export function encodeJson(state: LuaState, settings: CjsonSettings, value: LuaValue): string {
  return new Encoder(state, settings).encode(value);
}

/** A table being written. */
interface Open {
  readonly table: LuaTable;
  /** Of an array; 0 of an object. */
  readonly length: number;
  /** What was written last: an array's index, an object's key. */
  index: number;
  key: LuaValue;
}

class Encoder {
  readonly #state: LuaState;
  readonly #settings: CjsonSettings;
  readonly #open: Open[] = [];
  /** Of Lua's stack: it limits how deep tables can be nested at all. */
  #slots = 1;
  #out = '';

  constructor(state: LuaState, settings: CjsonSettings) {
    this.#state = state;
    this.#settings = settings;
  }

  encode(value: LuaValue): string {
    this.#write(value);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (open.length > 0) this.#writeItem(open);
      else this.#writeField(open);
    }
    return this.#out;
  }

  #writeItem(open: Open): void {
    if (open.index === open.length) return this.#close(']', 1);
    if (open.index++ > 0) this.#out += ',';
    this.#write(open.table.getNumber(open.index));
  }

  #writeField(open: Open): void {
    const field = open.table.next(open.key);
    if (!field) return this.#close('}', 2);
    if (open.key !== undefined) this.#out += ',';
    const [key, value] = field;
    open.key = key;
    if (typeof key === 'string') this.#out += `${quoted(this.#state, key)}:`;
    else if (typeof key === 'number') this.#out += `"${this.#number(key)}":`;
    else throw this.#failure(key, 'table key must be a number or string');
    this.#write(value);
  }

  /** Writes a value, of a table only its beginning. */
  #write(value: LuaValue): void {
    if (--this.#state.effort < 0) this.#state.tire();
    if (typeof value === 'string') this.#out += quoted(this.#state, value);
    else if (typeof value === 'number') this.#out += this.#number(value);
    else if (typeof value === 'boolean') this.#out += value ? 'true' : 'false';
    else if (value === undefined || value instanceof LightUserdata) this.#out += 'null';
    else if (value instanceof LuaTable) this.#begin(value);
    else throw this.#failure(value, 'type not supported');
    this.#state.checkLength(this.#out.length);
  }

  #begin(table: LuaTable): void {
    const depth = this.#open.length + 1;
    if (depth > this.#settings.encodeMaxDepth || this.#slots + 3 > MAX_STACK_VALUES)
      throw this.#state.error(`Cannot serialise, excessive nesting (${depth})`);
    const length = this.#arrayLength(table);
    this.#slots += length > 0 ? 1 : 2;
    this.#out += length > 0 ? '[' : '{';
    this.#open.push({ table, length, index: 0, key: undefined });
  }

  #close(bracket: string, slots: number): void {
    this.#out += bracket;
    this.#slots -= slots;
    this.#open.pop();
  }

  /** The length of the array as which to write a table; 0 (or less): as an object. */
  #arrayLength(table: LuaTable): number {
    const { list } = table;
    let length = 0;
    let count = 0;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === undefined) continue;
      count++;
      length = i + 1;
    }
    for (let field = table.next(list.length || undefined); field; field = table.next(field[0])) {
      const [key] = field;
      if (typeof key !== 'number' || key < 1 || Math.floor(key) !== key) return 0;
      if (--this.#state.effort < 0) this.#state.tire();
      count++;
      if (key > length) length = key > MAX_INT ? MIN_INT : key; // as C casts it
    }
    return this.#isSparse(length, count) ? 0 : length;
  }

  /** Is an array of so many places for so many values out of proportion, and so to be an object? */
  #isSparse(length: number, count: number): boolean {
    const { sparseRatio, sparseSafe, sparseConvert } = this.#settings;
    if (sparseRatio === 0 || length <= Math.imul(count, sparseRatio) || length <= sparseSafe) return false;
    if (sparseConvert) return true;
    throw this.#state.error('Cannot serialise table: excessively sparse array');
  }

  #number(x: number): string {
    if (!Number.isFinite(x) && this.#settings.encodeInvalidNumbers !== true) {
      if (this.#settings.encodeInvalidNumbers === 'null') return 'null';
      throw this.#failure(x, 'must not be NaN or Inf');
    }
    if (Number.isNaN(x)) return 'nan'; // whatever its sign
    const { encodeNumberPrecision } = this.#settings;
    return encodeNumberPrecision === DEFAULT_PRECISION
      ? formatNumber(x)
      : formatGeneral(x, encodeNumberPrecision);
  }

  #failure(value: LuaValue, reason: string) {
    return this.#state.error(`Cannot serialise ${typeName(value)}: ${reason}`);
  }
}

function quoted(state: LuaState, text: string): string {
  state.claim(text.length);
  return `"${inPieces(state, text, escaped)}"`;
}

function escaped(text: string): string {
  if (!ESCAPED.test(text)) return text;
  return JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/').replaceAll('\x7f', '\\u007f');
}
