// 64-bit integer arguments that only need their size: offsets, ranges and minimum lengths.

import type { Context } from './context.ts';
import { NOT_AN_INTEGER } from './errors.ts';

/** Argument `index` as a number: beyond 2^53 one next to it, which is as far outside of any string. NaN: an error was replied. */
export function integerArgument(ctx: Context, index: number): number {
  const n = ctx.request.integer(index);
  if (!Number.isNaN(n)) return n;
  const int64 = ctx.request.int64(index);
  if (int64 !== undefined) return Number(int64);
  ctx.reply.error(NOT_AN_INTEGER);
  return Number.NaN;
}
