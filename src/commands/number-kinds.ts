// The two kinds of numbers that strings hold, under one interface: 64-bit integers and C's long double.
//
// A sum may be out of the kind's range (a bigint knows no range, a long double has infinities); whoever keeps it checks.

import {
  addLongDoubles,
  compareLongDoubles,
  formatLongDouble,
  LONG_DOUBLE_MAX,
  type LongDouble,
  negateLongDouble,
  parseLongDouble,
} from '../bytes/double.ts';
import { INT64_MAX, INT64_MIN, parseInt64 } from '../bytes/integer.ts';
import type { ByteView } from '../bytes/view.ts';
import type { Reply } from '../protocol/reply.ts';

export interface NumberKind<N> {
  readonly zero: N;
  readonly one: N;
  readonly min: N;
  readonly max: N;
  /** Undefined if the bytes hold no number of this kind. A long double may be infinite. */
  parse(bytes: ByteView): N | undefined;
  add(a: N, b: N): N;
  subtract(a: N, b: N): N;
  compare(a: N, b: N): number;
  format(n: N): string;
  reply(reply: Reply, n: N): void;
}

export const INT64: NumberKind<bigint> = {
  zero: 0n,
  one: 1n,
  min: INT64_MIN,
  max: INT64_MAX,
  parse: ({ buffer, start, length }) => parseInt64(buffer, start, length),
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  compare: (a, b) => (a < b ? -1 : Number(a > b)),
  format: String,
  reply: (reply, n) => reply.int64(n),
};

export const LONG_DOUBLE: NumberKind<LongDouble> = {
  zero: { mantissa: 0n, exponent: 0 },
  one: { mantissa: 1n, exponent: 0 },
  min: negateLongDouble(LONG_DOUBLE_MAX),
  max: LONG_DOUBLE_MAX,
  parse: longDoubleIn,
  add: addOrOverflow,
  subtract: (a, b) => addOrOverflow(a, negateLongDouble(b)),
  compare: compareLongDoubles,
  format: formatLongDouble,
  reply: (reply, n) => reply.doubleText(formatLongDouble(n)),
};

/** No number is longer: a value of megabytes is not made into text only to be refused. */
const MAX_NUMBER_BYTES = 5 * 1024;

/** The long double that the bytes hold, undefined if they hold none. */
function longDoubleIn(bytes: ByteView): LongDouble | undefined {
  return bytes.length < MAX_NUMBER_BYTES ? parseLongDouble(bytes.toString()) : undefined;
}

/** The sum; infinite when it overflows, which takes two numbers of one sign, or one that is infinite already. */
function addOrOverflow(a: LongDouble, b: LongDouble): LongDouble {
  const sum = addLongDoubles(a, b);
  if (sum !== undefined) return sum;
  const { mantissa } = b.exponent === Infinity ? b : a;
  return { mantissa: mantissa < 0n ? -1n : 1n, exponent: Infinity };
}
