// Strings that hold a 64-bit integer: reading, adding and storing, exact over all 64 bits.
//
// An integer is a JavaScript number while that holds it exactly, which is nearly always and allocates nothing; beyond
// that it is a bigint. The two may be compared with each other as they are.

import { parseInteger, writeDigits } from '../bytes/integer.ts';
import type { Key } from '../bytes/key.ts';
import { ByteView } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import type { Reply } from '../protocol/reply.ts';
import type { Context } from './context.ts';
import { NOT_AN_INTEGER } from './errors.ts';
import { INT64 } from './number-kinds.ts';

export type Int64 = number | bigint;

/** Digits on their way into the keyspace. */
const digits = new ByteView(Buffer.alloc(24));

/** Argument `index` as an integer. Undefined: it is none, which has been replied. */
export function readInt64Argument(ctx: Context, index: number): Int64 | undefined {
  return int64Of(ctx, ctx.request.view(index));
}

/** The integer that the string in `slot` holds, 0 for slot 0. Undefined: it holds none, which has been replied. */
export function readInt64Value(ctx: Context, slot: number): Int64 | undefined {
  return slot === 0 ? 0 : int64Of(ctx, ctx.db.value(slot));
}

function int64Of(ctx: Context, bytes: ByteView): Int64 | undefined {
  const n = parseInteger(bytes.buffer, bytes.start, bytes.length);
  if (!Number.isNaN(n)) return n;
  const exact = INT64.parse(bytes);
  if (exact === undefined) ctx.reply.error(NOT_AN_INTEGER);
  return exact;
}

/** The sum; undefined if it needs more than 64 bits. */
export function addInt64(a: Int64, b: Int64): Int64 | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const sum = BigInt(a) + BigInt(b);
  return sum < INT64.min || sum > INT64.max ? undefined : sum;
}

/** Stores a counter's new value under `key`, of which `slot` is what was found. Its deadline stays unless one is given. Returns the slot. */
export function storeInt64(
  ctx: Context,
  key: Key,
  slot: number,
  n: Int64,
  deadlineMs = slot === 0 ? NO_DEADLINE : ctx.db.deadline(slot),
): number {
  return ctx.db.putString(key, slot, textOf(n), deadlineMs, EVENT.incrby);
}

function textOf(n: Int64): ByteView {
  if (typeof n === 'bigint') return ByteView.of(String(n));
  digits.length = writeDigits(digits.buffer, 0, n);
  return digits;
}

export function replyInt64(reply: Reply, n: Int64): void {
  if (typeof n === 'number') reply.integer(n);
  else reply.int64(n);
}
