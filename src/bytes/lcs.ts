// The longest common subsequence of two byte strings, as the LCS command reports it.
//
// Guarantees: the very subsequence and ranges that Redis picks among equals, ranges from the end of the strings to
// their beginning. The table takes 4 bytes a pair of prefixes: ask `lcsTableBytes` whether that fits before calling.

/** Bytes that both strings share in a row; all ends are inclusive. */
export type LcsRange = {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
};

export type Lcs = { readonly bytes: Buffer; readonly ranges: readonly LcsRange[] };

/** What `longestCommonSubsequence` allocates; Redis refuses the command where this exceeds proto-max-bulk-len. */
export function lcsTableBytes(aLength: number, bLength: number): number {
  return (aLength + 1) * (bLength + 1) * Uint32Array.BYTES_PER_ELEMENT;
}

export function longestCommonSubsequence(a: Uint8Array, b: Uint8Array): Lcs {
  return traceBack(a, b, lengthsOfPrefixes(a, b));
}

/** At row `i` and column `j`: the length for the first `i` bytes of `a` and the first `j` of `b`. */
function lengthsOfPrefixes(a: Uint8Array, b: Uint8Array): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = 1, cell = width + 1; i <= a.length; i++, cell++) {
    const byte = a[i - 1];
    for (let j = 1; j <= b.length; j++, cell++) {
      const above = table[cell - width] as number;
      const before = table[cell - 1] as number;
      if (byte === b[j - 1]) table[cell] = (table[cell - width - 1] as number) + 1;
      else table[cell] = Math.max(above, before);
    }
  }
  return table;
}

/** From the ends of both strings to the beginning; where both ways are as long, `b` is shortened, as in Redis. */
function traceBack(a: Uint8Array, b: Uint8Array, table: Uint32Array): Lcs {
  const width = b.length + 1;
  const bytes = Buffer.alloc(table.at(-1) as number);
  const ranges: LcsRange[] = [];
  let left = bytes.length;
  let i = a.length;
  let j = b.length;
  while (left > 0) {
    let run = 0;
    for (; i > run && j > run && a[i - 1 - run] === b[j - 1 - run]; run++)
      bytes[--left] = a[i - 1 - run] as number;
    if (run > 0) {
      ranges.push({ aStart: i - run, aEnd: i - 1, bStart: j - run, bEnd: j - 1 });
      i -= run;
      j -= run;
    } else if ((table[(i - 1) * width + j] as number) > (table[i * width + j - 1] as number)) {
      i--;
    } else {
      j--;
    }
  }
  return { bytes, ranges };
}
