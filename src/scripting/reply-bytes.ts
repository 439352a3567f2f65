// How long a script's reply would be. Tables that stand in each other many times make it far longer than they are.

import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';
import { ResultWalk, shapeOf } from './result-shape.ts';

/** What the shortest element takes on the wire. */
const ELEMENT_BYTES = 4;

/** Roughly, and only until it is clear that it is more than `limit`. */
export function replyBytes(result: LuaValue, limit: number): number {
  const walk = new ResultWalk(result);
  let bytes = 0;
  do {
    const { value } = walk;
    bytes += ELEMENT_BYTES;
    if (typeof value === 'string') bytes += value.length;
    if (!(value instanceof LuaTable) || walk.isTooDeep) continue;
    const shape = shapeOf(value);
    if ('values' in shape) walk.enter(shape);
    else if ('text' in shape) bytes += shape.text.length;
  } while (bytes <= limit && walk.step());
  return bytes;
}
