// Numbers that a script gives to a command, as text.

import { formatDouble, formatDouble17 } from '../bytes/double.ts';

/** Since this version Redis writes the shortest digits that read back as the same number. */
const SHORTEST_SINCE = [7, 2] as const;
const HALF_OF_INT64 = 2 ** 62;

/** Whole numbers by all their digits, others as the version of Redis that we say we are writes them. */
export function scriptNumberText(x: number, redisVersion: string): string {
  if (Number.isSafeInteger(x)) return String(x);
  if (Number.isInteger(x) && Math.abs(x) <= HALF_OF_INT64) return BigInt(x).toString();
  const [major = 0, minor = 0] = redisVersion.split('.').map(Number);
  const isShortest = major > SHORTEST_SINCE[0] || (major === SHORTEST_SINCE[0] && minor >= SHORTEST_SINCE[1]);
  return isShortest ? formatDouble(x) : formatDouble17(x);
}
