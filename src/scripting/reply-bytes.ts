// How long a script's reply would be. Tables that stand in each other many times make it far longer than they are.

import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';

/** What the shortest element takes on the wire. */
const ELEMENT_BYTES = 4;
/** Deeper tables are not written (write-value.ts). */
const MAX_DEPTH = 3_990;

/** Roughly, and only until it is clear that it is more than `limit`. */
export function replyBytes(value: LuaValue, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length + ELEMENT_BYTES;
  let bytes = ELEMENT_BYTES;
  if (!(value instanceof LuaTable) || depth > MAX_DEPTH) return bytes;
  const fields = value.getString('map') ?? value.getString('set');
  if (fields instanceof LuaTable) {
    for (const [key, each] of fields.entries()) {
      bytes += replyBytes(key, limit - bytes, depth + 1) + replyBytes(each, limit - bytes, depth + 1);
      if (bytes > limit) return bytes;
    }
  }
  for (const each of value.list) {
    if (each === undefined) break;
    bytes += replyBytes(each, limit - bytes, depth + 1);
    if (bytes > limit) break;
  }
  return bytes;
}
