// The number of a database among a command's arguments (COPY, MOVE).

import type { Context } from './context.ts';
import { DB_INDEX_OUT_OF_RANGE, NOT_AN_INTEGER } from './errors.ts';

const INT32_MAX = 2 ** 31 - 1;
const NOT_AN_INT32 = `ERR value is out of range, value must between ${-INT32_MAX - 1} and ${INT32_MAX}`;

/** Argument `index` as the number of a database. -1: an error was replied. */
export function readDatabaseIndex(ctx: Context, index: number): number {
  const { request, reply } = ctx;
  if (request.int64(index) === undefined) reply.error(NOT_AN_INTEGER);
  else if (!isInt32(request.integer(index))) reply.error(NOT_AN_INT32);
  else if (ctx.server.keyspace.databases[request.integer(index)] === undefined)
    reply.error(DB_INDEX_OUT_OF_RANGE);
  else return request.integer(index);
  return -1;
}

export function isInt32(n: number): boolean {
  return n === (n | 0);
}
