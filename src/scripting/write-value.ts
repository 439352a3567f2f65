// A script's result as a reply, by Redis' conversion: numbers are cut to integers, true is 1, false and nil are nothing, a
// list ends at its first nil, and tables with certain fields are statuses, errors, and the types of RESP3.

import { toCString } from '../lua/arguments.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';
import type { Reply, RespVersion } from '../protocol/reply.ts';
import { COUNTED } from './redis-library.ts';
import { ResultWalk, shapeOf } from './result-shape.ts';

const TOO_DEEP = 'ERR reached lua stack limit';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** `scriptResp` is what the script has asked for by `redis.setresp`: in 3 a boolean stays one. */
export function writeValue(reply: Reply, value: LuaValue, scriptResp: RespVersion): void {
  // What nearly all scripts return.
  if (typeof value === 'string') reply.text(value);
  else if (typeof value === 'number') writeInteger(reply, value);
  else writeAll(reply, value, scriptResp);
}

function writeAll(reply: Reply, result: LuaValue, scriptResp: RespVersion): void {
  const walk = new ResultWalk(result);
  do {
    const { value } = walk;
    if (walk.isTooDeep) reply.error(TOO_DEEP);
    else if (value instanceof LuaTable) writeTable(reply, value, walk);
    else writePlain(reply, value, scriptResp);
  } while (walk.step());
}

function writePlain(reply: Reply, value: LuaValue, scriptResp: RespVersion): void {
  if (typeof value === 'string') reply.text(value);
  else if (typeof value === 'number') writeInteger(reply, value);
  else if (typeof value === 'boolean' && scriptResp === 3) reply.boolean(value);
  else if (value === true) reply.integer(1);
  else reply.null();
}

function writeTable(reply: Reply, table: LuaTable, walk: ResultWalk): void {
  const shape = shapeOf(table);
  if ('values' in shape) walk.enter(shape);
  switch (shape.kind) {
    case 'err':
      return reply.error(oneLine(toCString(shape.text)), table.getString(COUNTED) === true);
    case 'ok':
      return reply.simple(oneLine(toCString(shape.text)));
    case 'double':
      return reply.double(shape.number);
    case 'big_number':
      return reply.bigNumber(oneLine(shape.text));
    case 'verbatim_string':
      return reply.verbatim(shape.text, toCString(shape.format).padEnd(3).slice(0, 3));
    case 'map':
      return reply.map(shape.count / 2);
    case 'set':
      return reply.set(shape.count);
    case 'list':
      return reply.array(shape.count);
  }
}

/** Cut as x86 casts a double to 64 bits. */
function writeInteger(reply: Reply, x: number): void {
  const whole = Math.trunc(x);
  if (Number.isSafeInteger(whole)) return reply.integer(whole + 0);
  const big = Number.isFinite(whole) ? BigInt(whole) : MIN_INT64;
  reply.int64(big >= MIN_INT64 && big <= MAX_INT64 ? big : MIN_INT64);
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');
