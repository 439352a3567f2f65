// Numbers that a script gives to a command, as text.

import { formatDouble, formatDouble17 } from '../bytes/double.ts';

/** Since this version Redis writes whole numbers by all their digits, others by the fewest that read back the same. */
const SHORTEST_SINCE = [7, 2] as const;
const HALF_OF_INT64 = 2 ** 62;

/** As the version of Redis that we say we are writes it. */
export function scriptNumberText(x: number, redisVersion: string): string {
  if (Number.isSafeInteger(x) && !Object.is(x, -0)) return String(x);
  const [major = 0, minor = 0] = redisVersion.split('.').map(Number);
  const isShortest = major > SHORTEST_SINCE[0] || (major === SHORTEST_SINCE[0] && minor >= SHORTEST_SINCE[1]);
  if (!isShortest) return formatDouble17(x);
  if (Number.isInteger(x) && Math.abs(x) <= HALF_OF_INT64) return BigInt(x).toString();
  return formatDouble(x);
}
