// The conditions of SET and DELEX on what a key holds: its value, or the digest of its value (Redis 8.4).

import { equalViews } from '../bytes/view.ts';
import { xxh3Hex } from '../bytes/xxh3.ts';
import type { Context } from './context.ts';

export const VALUE_CONDITIONS = ['IFEQ', 'IFNE', 'IFDEQ', 'IFDNE'] as const;

/** Equal or not to a value, or to a digest. */
export type ValueCondition = (typeof VALUE_CONDITIONS)[number];

const DIGEST_LENGTH = 16;
const NOT_A_DIGEST = 'ERR must be exactly 16 hexadecimal characters';

/**
 * Whether the string in `slot` fulfils the condition with the operand in argument `index`.
 * Undefined: the operand is no digest, and that has been replied. Redis looks at its length only, in either case.
 */
export function fulfils(
  ctx: Context,
  slot: number,
  condition: ValueCondition,
  index: number,
): boolean | undefined {
  const value = ctx.db.value(slot);
  if (condition === 'IFEQ' || condition === 'IFNE') {
    return equalViews(value, ctx.request.view(index)) === (condition === 'IFEQ');
  }
  if (ctx.request.length(index) !== DIGEST_LENGTH) {
    ctx.reply.error(NOT_A_DIGEST);
    return undefined;
  }
  const digest = xxh3Hex(value.buffer, value.start, value.length);
  return (digest === ctx.request.string(index).toLowerCase()) === (condition === 'IFDEQ');
}
