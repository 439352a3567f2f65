// The library `table`: lists. Everything here is raw access, without metatables.

import {
  checkFunction,
  checkInt32,
  checkTable,
  checkWritable,
  isAbsent,
  optionalInt32,
  optionalText,
  toText,
} from '../arguments.ts';
import { LuaError } from '../lua-error.ts';
import { first, type LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaResult, type LuaValue, NOTHING, typeName, type Work } from '../value.ts';
import { sort } from './sort.ts';

type Arguments = readonly LuaValue[];

export function tableLibrary(state: LuaState): LuaTable {
  return LuaTable.from({
    concat: (...args) => concat(state, args),
    foreach: (...args) => foreach(state, checkTable(state, args, 0), checkFunction(state, args, 1)),
    foreachi: (...args) => foreachi(state, checkTable(state, args, 0), checkFunction(state, args, 1)),
    getn: (...args) => checkTable(state, args, 0).length,
    insert: (...args) => insert(state, args),
    maxn: (...args) => greatestNumber(state, checkTable(state, args, 0)),
    remove: (...args) => remove(state, args),
    setn: (...args) => {
      checkTable(state, args, 0);
      throw state.error("'setn' is obsolete");
    },
    sort: (...args) => {
      const table = checkTable(state, args, 0);
      return sort(state, table, isAbsent(args, 1) ? undefined : checkFunction(state, args, 1));
    },
  });
}

function concat(state: LuaState, args: Arguments): string {
  const separator = optionalText(state, args, 1, '');
  const table = checkTable(state, args, 0);
  const start = optionalInt32(state, args, 2, 1);
  const end = isAbsent(args, 3) ? table.length : checkInt32(state, args, 3);
  const pieces: string[] = [];
  let bytes = -separator.length;
  // It ends soon, because a nil ends it, whatever the bounds are.
  for (let i = start; i <= end; i++) {
    const value = table.getNumber(i);
    const piece = toText(value);
    if (piece === undefined)
      throw state.error(`invalid value (${typeName(value)}) at index ${i} in table for 'concat'`);
    if (--state.effort < 0) state.tire();
    bytes += separator.length + piece.length;
    state.checkLength(bytes);
    pieces.push(piece);
  }
  state.claim(bytes);
  return pieces.join(separator);
}

/** Calls `visit` for all fields, until it returns something. */
function* foreach(state: LuaState, table: LuaTable, visit: LuaValue): Work {
  let entry = table.next(undefined);
  while (entry) {
    if (--state.effort < 0) state.tire();
    const answer = first(yield* state.callBack(visit, entry));
    if (answer !== undefined) return answer;
    entry = table.next(entry[0]);
  }
  if (entry === false) throw new LuaError("invalid key to 'next'", state.at);
  return NOTHING;
}

/** The same for the list as long as it was at the start. */
function* foreachi(state: LuaState, table: LuaTable, visit: LuaValue): Work {
  const end = table.length;
  for (let i = 1; i <= end; i++) {
    if (--state.effort < 0) state.tire();
    const answer = first(yield* state.callBack(visit, [i, table.getNumber(i)]));
    if (answer !== undefined) return answer;
  }
  return NOTHING;
}

/** `insert(table, value)` or `insert(table, position, value)`; the position may be anywhere. */
function insert(state: LuaState, args: Arguments): LuaResult {
  const table = checkTable(state, args, 0);
  const end = table.length + 1;
  if (args.length < 2 || args.length > 3) throw state.error("wrong number of arguments to 'insert'");
  const position = args.length === 2 ? end : checkInt32(state, args, 1);
  checkWritable(state, table);
  for (let i = end; i > position; i--) {
    if (--state.effort < 0) state.tire();
    table.setNumber(i, table.getNumber(i - 1));
  }
  table.setNumber(position, args[args.length - 1]);
  return NOTHING;
}

function remove(state: LuaState, args: Arguments): LuaResult {
  const table = checkTable(state, args, 0);
  const end = table.length;
  const position = optionalInt32(state, args, 1, end);
  if (position < 1 || position > end) return NOTHING;
  checkWritable(state, table);
  const removed = table.getNumber(position);
  for (let i = position; i < end; i++) {
    if (--state.effort < 0) state.tire();
    table.setNumber(i, table.getNumber(i + 1));
  }
  table.setNumber(end, undefined);
  return removed;
}

/** The greatest number that is a key, 0 if none is greater. */
function greatestNumber(state: LuaState, table: LuaTable): number {
  let greatest = 0;
  for (const [key] of table.entries()) {
    if (--state.effort < 0) state.tire();
    if (typeof key === 'number' && key > greatest) greatest = key;
  }
  return greatest;
}
