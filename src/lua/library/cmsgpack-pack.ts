// Lua values as MessagePack: each number in the shortest form that keeps it, tables as arrays if they are lists.

import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import type { LuaValue } from '../value.ts';
import {
  bytesOfDouble,
  bytesOfFloat,
  bytesOfUint16,
  bytesOfUint32,
  castToInt64,
  highHalf,
  lowHalf,
} from './binary.ts';

/** Tables nested deeper than this are packed as nil; so a cycle ends. */
const MAX_NESTING = 16;

const NIL = '\xc0';
const FALSE = '\xc2';
const TRUE = '\xc3';

/** Whatever the format has no form for (functions, threads, userdata) is packed as nil. */
export function packMessage(state: LuaState, value: LuaValue, nesting = 0): string {
  if (typeof value === 'string') {
    state.claim(value.length);
    return packText(value);
  }
  if (typeof value === 'number') return packNumber(value);
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  if (!(value instanceof LuaTable) || nesting === MAX_NESTING) return NIL;
  return isList(state, value) ? packList(state, value, nesting) : packMap(state, value, nesting);
}

function packText(text: string): string {
  const { length } = text;
  if (length < 32) return String.fromCharCode(0xa0 | length) + text;
  if (length <= 0xff) return `\xd9${String.fromCharCode(length)}${text}`;
  return (length <= 0xffff ? `\xda${bytesOfUint16(length)}` : `\xdb${bytesOfUint32(length)}`) + text;
}

function packNumber(x: number): string {
  if (x >= 2 ** 63 || castToInt64(x) !== x) return packFloat(x);
  return x >= 0 ? packUnsigned(x) : packNegative(x);
}

/** A float of 32 bits where that loses nothing. */
function packFloat(x: number): string {
  return Math.fround(x) === x ? `\xca${bytesOfFloat(x)}` : `\xcb${bytesOfDouble(x)}`;
}

function packUnsigned(x: number): string {
  if (x <= 0x7f) return String.fromCharCode(x);
  if (x <= 0xff) return `\xcc${String.fromCharCode(x)}`;
  if (x <= 0xffff) return `\xcd${bytesOfUint16(x)}`;
  if (x <= 0xffffffff) return `\xce${bytesOfUint32(x)}`;
  return `\xcf${bytesOfUint32(highHalf(x))}${bytesOfUint32(lowHalf(x))}`;
}

function packNegative(x: number): string {
  if (x >= -0x20) return String.fromCharCode(x & 0xff);
  if (x >= -0x80) return `\xd0${String.fromCharCode(x & 0xff)}`;
  if (x >= -0x8000) return `\xd1${bytesOfUint16(x)}`;
  if (x >= -0x80000000) return `\xd2${bytesOfUint32(x)}`;
  return `\xd3${bytesOfUint32(highHalf(x))}${bytesOfUint32(lowHalf(x))}`;
}

/** Are the keys 1 … n, each of them? */
function isList(state: LuaState, table: LuaTable): boolean {
  let count = 0;
  let highest = 0;
  for (const [key] of table.entries()) {
    if (--state.effort < 0) state.tire();
    if (typeof key !== 'number' || !(key > 0) || castToInt32(key) !== key) return false;
    highest = Math.max(highest, key);
    count++;
  }
  return count === highest;
}

const castToInt32 = (x: number): number => x | 0;

function packList(state: LuaState, table: LuaTable, nesting: number): string {
  const { length } = table;
  let out = countOf(length, '\x90', '\xdc', '\xdd');
  for (let i = 1; i <= length; i++) {
    if (--state.effort < 0) state.tire();
    out += packMessage(state, table.getNumber(i), nesting + 1);
    state.checkLength(out.length);
  }
  return out;
}

function packMap(state: LuaState, table: LuaTable, nesting: number): string {
  let count = 0;
  let out = '';
  for (const [key, value] of table.entries()) {
    if (--state.effort < 0) state.tire();
    out += packMessage(state, key, nesting + 1);
    out += packMessage(state, value, nesting + 1);
    state.checkLength(out.length);
    count++;
  }
  return countOf(count, '\x80', '\xde', '\xdf') + out;
}

/** The head of an array or a map: its mark, by how many bits the count needs, and the count. */
function countOf(count: number, mark4: string, mark16: string, mark32: string): string {
  if (count <= 15) return String.fromCharCode(mark4.charCodeAt(0) | count);
  return count <= 0xffff ? mark16 + bytesOfUint16(count) : mark32 + bytesOfUint32(count);
}
