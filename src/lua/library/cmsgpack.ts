// The `cmsgpack` library: Lua values to and from MessagePack.
//
// Guarantees: cycles and depth end where Redis ends them, without deep recursion here; reading never leaves the input;
// what is made is refused beyond the state's limit.

import { type Args, checkInteger, checkText, isAbsent, MAX_STACK_VALUES } from '../arguments.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaResult, type LuaValue, several } from '../value.ts';
import { packMessage } from './cmsgpack-pack.ts';
import { MessageReader } from './cmsgpack-unpack.ts';

function pack(state: LuaState, args: Args): string {
  if (args.length === 0) throw state.argumentError(0, 'MessagePack pack needs input.');
  if (args.length * 2 > MAX_STACK_VALUES)
    throw state.argumentError(0, 'Too many arguments for MessagePack pack.');
  let out = '';
  for (const value of args) {
    out += packMessage(state, value);
    state.checkLength(out.length);
  }
  return out;
}

function checkStart(state: LuaState, text: string, limit: number, offset: number): void {
  const { length } = text;
  if (offset < 0 || limit < 0)
    throw state.error(`Invalid request to unpack with offset of ${asInt(offset)} and limit of ${length}.`);
  if (offset > length)
    throw state.error(`Start offset ${asInt(offset)} greater than input length ${length}.`);
}

/** How C prints a larger integer as an `int`. */
const asInt = (x: number): number => x | 0;

/** At most so many values from an offset, which is followed by where to go on, or -1 at the end. */
function unpackSome(state: LuaState, text: string, limit: number, offset: number): LuaResult {
  checkStart(state, text, limit, offset);
  const reader = new MessageReader(state, text, offset);
  const values: LuaValue[] = [undefined];
  while (!reader.isAtEnd && values.length <= limit) values.push(reader.read(values.length));
  reader.needSlots(values.length + 1, 'in function mp_unpack_full');
  values[0] = reader.isAtEnd ? -1 : reader.at;
  return several(values);
}

function unpackAll(state: LuaState, text: string): LuaResult {
  const reader = new MessageReader(state, text, 0);
  const values: LuaValue[] = [];
  while (!reader.isAtEnd) values.push(reader.read(values.length + 1));
  return several(values);
}

export function cmsgpackLibrary(state: LuaState): LuaTable {
  const offsetAt = (args: Args, index: number) =>
    isAbsent(args, index) ? 0 : checkInteger(state, args, index);
  return LuaTable.from({
    pack: (...args) => pack(state, args),
    unpack: (...args) => unpackAll(state, checkText(state, args, 0)),
    unpack_one: (...args) => {
      const offset = offsetAt(args, 1);
      return unpackSome(state, checkText(state, args, 0), 1, offset);
    },
    unpack_limit: (...args) => {
      const limit = checkInteger(state, args, 1);
      const offset = offsetAt(args, 2);
      const text = checkText(state, args, 0);
      // The original tells "all" by these two zeros.
      return limit === 0 && offset === 0 ? unpackAll(state, text) : unpackSome(state, text, limit, offset);
    },
    _NAME: 'cmsgpack',
    _VERSION: 'lua-cmsgpack 0.4.0',
    _COPYRIGHT: 'Copyright (C) 2012, Salvatore Sanfilippo',
    _DESCRIPTION: 'MessagePack C implementation for Lua',
  });
}
