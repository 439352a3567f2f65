// How much of a table with these numbers as keys is a list, as Lua 5.1 decides it.

/** Counts of keys in slices: 1, 2, 3–4, 5–8, 9–16 …; here none yet. */
export const NO_COUNTS: readonly number[] = Array.from({ length: 27 }, () => 0);

/** The slice of a whole number from 1 up. */
export const sliceOf = (key: number): number => 32 - Math.clz32(key - 1);

/** The greatest power of two such that more than half of the numbers up to it are keys, and how many these are. */
export function listShare(counts: readonly number[]): { readonly size: number; readonly inUse: number } {
  let size = 0;
  let inUse = 0;
  let sum = 0;
  for (let slice = 0; slice < counts.length; slice++) {
    sum += counts[slice]!;
    if (counts[slice] === 0 || sum <= 2 ** slice / 2) continue;
    size = 2 ** slice;
    inUse = sum;
  }
  return { size, inUse };
}
