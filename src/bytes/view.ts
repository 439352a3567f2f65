// A stretch of bytes inside a larger buffer, and the few operations everything else is built from.
// Keys and values are bytes, never text: nothing here decodes, and nothing allocates.

/** Below this length a plain loop beats a call into the runtime's own copy and compare. */
const LOOP_LIMIT = 64;

/** `length` bytes of `buffer` from `start`. Views are reused: whoever keeps one beyond the call it was given to copies the bytes. */
export class ByteView {
  buffer: Buffer;
  start: number;
  length: number;
  /** True when the view covers a buffer that nobody else writes to, so that it may be kept instead of copied. */
  isOwned: boolean;

  constructor(buffer: Buffer = EMPTY, start = 0, length = buffer.length) {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
    this.isOwned = false;
  }

  /** A view of the bytes of a latin1 string. */
  static of(text: string): ByteView {
    return new ByteView(Buffer.from(text, 'latin1'));
  }

  set(buffer: Buffer, start: number, length: number): this {
    this.buffer = buffer;
    this.start = start;
    this.length = length;
    this.isOwned = false;
    return this;
  }

  /** The bytes as a latin1 string: one character a byte, nothing lost. */
  toString(): string {
    return latin1Text(this.buffer, this.start, this.length);
  }

  /** The bytes in a buffer of their own. */
  copy(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    copyBytes(this.buffer, this.start, bytes, 0, this.length);
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);

/** What `buffer.toString('latin1', …)` calls, without what it does before: half of the time for a key or a token. */
interface Latin1Slice {
  latin1Slice(start: number, end: number): string;
}

/** Bytes as a string of which each character is one byte. */
export function latin1Text(buffer: Buffer, start: number, length: number): string {
  return (buffer as Buffer & Latin1Slice).latin1Slice(start, start + length);
}

export function copyBytes(
  from: Buffer,
  fromStart: number,
  to: Buffer,
  toStart: number,
  length: number,
): void {
  if (length > LOOP_LIMIT) {
    from.copy(to, toStart, fromStart, fromStart + length);
    return;
  }
  for (let i = 0; i < length; i++) to[toStart + i] = from[fromStart + i]!;
}

export function equalBytes(a: Buffer, aStart: number, b: Buffer, bStart: number, length: number): boolean {
  if (length > LOOP_LIMIT) {
    return a.compare(b, bStart, bStart + length, aStart, aStart + length) === 0;
  }
  for (let i = 0; i < length; i++) {
    if (a[aStart + i] !== b[bStart + i]) return false;
  }
  return true;
}

export function equalViews(a: ByteView, b: ByteView): boolean {
  return a.length === b.length && equalBytes(a.buffer, a.start, b.buffer, b.start, a.length);
}

/** The order of two stretches of bytes as memcmp has it, the shorter one first where one begins the other: below, above or at 0. */
export function compareViews(a: ByteView, b: ByteView): number {
  const length = Math.min(a.length, b.length);
  const looped = Math.min(length, LOOP_LIMIT);
  for (let i = 0; i < looped; i++) {
    const difference = a.buffer[a.start + i]! - b.buffer[b.start + i]!;
    if (difference !== 0) return difference;
  }
  if (length === looped) return a.length - b.length;
  return a.buffer.compare(
    b.buffer,
    b.start + looped,
    b.start + b.length,
    a.start + looped,
    a.start + a.length,
  );
}
