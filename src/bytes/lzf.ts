// LZF, the compression of strings in Redis' files and payloads: decompression only, for nobody has to compress.
//
// A block is a byte that says what follows: below 32, so many literal bytes and one more; else a repetition of what was
// written before, its length in the upper three bits (all set: more in the next byte), its distance in the other five and
// the next byte.

/** The longest repetition, by the three bytes that say it. */
const MAX_EXPANSION = 264 / 3;

/** The bytes that were compressed, which must be exactly so many. Undefined if the data is damaged. */
export function lzfDecompress(data: Uint8Array, length: number): Buffer | undefined {
  if (length > data.length * MAX_EXPANSION) return undefined;
  const output = Buffer.allocUnsafe(length);
  let at = 0;
  let written = 0;
  while (at < data.length) {
    const control = data[at++]!;
    if (control < 32) {
      const end = at + control + 1;
      if (end > data.length || written + control + 1 > length) return undefined;
      output.set(data.subarray(at, end), written);
      written += control + 1;
      at = end;
      continue;
    }
    let repeated = control >> 5;
    if (repeated === 7) repeated += data[at++] ?? 0;
    repeated += 2;
    if (at >= data.length) return undefined;
    const from = written - (((control & 31) << 8) | data[at++]!) - 1;
    if (from < 0 || written + repeated > length) return undefined;
    // One by one: a repetition may repeat what it has just written.
    for (let i = 0; i < repeated; i++) output[written + i] = output[from + i]!;
    written += repeated;
  }
  return written === length ? output : undefined;
}
