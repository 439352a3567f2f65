// One command as it arrived: a view of bytes somebody else owns, reused for every command.
//
// It is valid until its handler returns. Whoever keeps it longer (MULTI, a pause, blocking) takes a `copy`.
// Nothing is decoded until asked for, and asking for numbers, words and views allocates nothing.

import type { HashSeed } from '../bytes/hash.ts';
import { parseInt64, parseInteger } from '../bytes/integer.ts';
import { Key } from '../bytes/key.ts';
import { ByteView, latin1Text } from '../bytes/view.ts';

const NO_BUFFER = Buffer.alloc(0);
/** Requests of text up to this size are made in memory that is used again. */
const SCRATCH_BYTES = 16 * 1024;
/** Below this length a plain loop beats a call into the runtime. */
const LOOP_LIMIT = 48;

export class Request {
  /** Arguments, the command's name included. */
  count = 0;
  /** What `starts` count from. */
  buffer: Buffer = NO_BUFFER;
  base = 0;
  starts: Int32Array;
  lengths: Int32Array;
  /** Arguments that came in a buffer of their own, because they are big. */
  adopted: Map<number, Buffer> | undefined = undefined;
  readonly #seed: HashSeed;
  readonly #key = new Key();
  readonly #view = new ByteView();
  #ownScratch: Buffer | undefined = undefined;

  constructor(seed: HashSeed, capacity = 64) {
    this.#seed = seed;
    this.starts = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
  }

  length(index: number): number {
    return this.lengths[index]!;
  }

  bufferOf(index: number): Buffer {
    return this.adopted?.get(index) ?? this.buffer;
  }

  start(index: number): number {
    return this.adopted?.has(index) ? 0 : this.base + this.starts[index]!;
  }

  /** The bytes of an argument. Without `into` it is the same view each time. */
  view(index: number, into: ByteView = this.#view): ByteView {
    if (this.adopted?.has(index)) {
      into.set(this.adopted.get(index)!, 0, this.lengths[index]!);
      into.isOwned = true;
      return into;
    }
    return into.set(this.buffer, this.base + this.starts[index]!, this.lengths[index]!);
  }

  /** An argument as a key. Without `into` it is the same object each time: a command with two keys brings its own. */
  key(index: number, into: Key = this.#key): Key {
    if (this.adopted !== undefined)
      return into.point(this.bufferOf(index), this.start(index), this.lengths[index]!, this.#seed);
    return into.point(this.buffer, this.base + this.starts[index]!, this.lengths[index]!, this.#seed);
  }

  /** An argument as a latin1 string: one character a byte. */
  string(index: number): string {
    const start = this.start(index);
    return latin1Text(this.bufferOf(index), start, this.lengths[index]!);
  }

  /** All arguments from `from` on as latin1 strings. */
  strings(from = 0): string[] {
    const all: string[] = [];
    for (let i = from; i < this.count; i++) all.push(this.string(i));
    return all;
  }

  /** True if the argument is this word, given in upper case; case does not matter. */
  matches(index: number, word: string): boolean {
    const length = this.lengths[index]!;
    if (length !== word.length) return false;
    const buffer = this.bufferOf(index);
    const start = this.start(index);
    for (let i = 0; i < length; i++) {
      let byte = buffer[start + i]!;
      if (byte >= 0x61 && byte <= 0x7a) byte -= 0x20;
      if (byte !== word.charCodeAt(i)) return false;
    }
    return true;
  }

  /** A strictly written integer within ±2^53, else NaN. */
  integer(index: number): number {
    return parseInteger(this.bufferOf(index), this.start(index), this.lengths[index]!);
  }

  /** A strictly written 64-bit integer. */
  int64(index: number): bigint | undefined {
    return parseInt64(this.bufferOf(index), this.start(index), this.lengths[index]!);
  }

  /** The whole command in memory of its own, to be run later. */
  copy(): Request {
    const copied = new Request(this.#seed, this.count);
    copied.count = this.count;
    copied.lengths.set(this.lengths.subarray(0, this.count));
    let bytes = 0;
    for (let i = 0; i < this.count; i++) if (!this.adopted?.has(i)) bytes += this.lengths[i]!;
    copied.buffer = Buffer.allocUnsafeSlow(bytes);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.adopted?.has(i)) continue;
      copied.starts[i] = at;
      this.buffer.copy(
        copied.buffer,
        at,
        this.base + this.starts[i]!,
        this.base + this.starts[i]! + this.lengths[i]!,
      );
      at += this.lengths[i]!;
    }
    if (this.adopted) copied.adopted = new Map(this.adopted);
    return copied;
  }

  /** Bytes this command holds on to. */
  get byteLength(): number {
    let bytes = this.count * 8;
    for (let i = 0; i < this.count; i++) bytes += this.lengths[i]!;
    return bytes;
  }

  /** Becomes a request of some of another's arguments, which stay where they are. None of them has a buffer of its own. */
  pick(from: Request, positions: readonly number[]): void {
    const { length: count } = positions;
    if (count > this.starts.length) {
      this.starts = new Int32Array(count);
      this.lengths = new Int32Array(count);
    }
    this.count = count;
    this.buffer = from.buffer;
    this.base = from.base;
    this.adopted = undefined;
    for (let i = 0; i < count; i++) {
      this.starts[i] = from.starts[positions[i]!]!;
      this.lengths[i] = from.lengths[positions[i]!]!;
    }
  }

  /**
   * Fills the request from latin1 strings, in memory that the next call uses again: whoever runs requests one after the
   * other (a script) makes no garbage by it.
   */
  fillText(words: readonly string[]): void {
    const { length: count } = words;
    if (count > this.starts.length) {
      this.starts = new Int32Array(count);
      this.lengths = new Int32Array(count);
    }
    let bytes = 0;
    for (let i = 0; i < count; i++) bytes += words[i]!.length;
    this.count = count;
    this.base = 0;
    this.adopted = undefined;
    this.buffer = bytes > SCRATCH_BYTES ? Buffer.allocUnsafeSlow(bytes) : this.#scratch;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const word = words[i]!;
      this.starts[i] = at;
      this.lengths[i] = word.length;
      if (word.length > LOOP_LIMIT) this.buffer.write(word, at, 'latin1');
      else for (let j = 0; j < word.length; j++) this.buffer[at + j] = word.charCodeAt(j);
      at += word.length;
    }
  }

  get #scratch(): Buffer {
    this.#ownScratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
    return this.#ownScratch;
  }

  /** Fills the request from words (an inline command, a replayed one). */
  fill(words: readonly string[]): this {
    if (words.length > this.starts.length) {
      this.starts = new Int32Array(words.length);
      this.lengths = new Int32Array(words.length);
    }
    this.count = words.length;
    this.base = 0;
    this.adopted = undefined;
    this.buffer = Buffer.from(words.join(''), 'latin1');
    let at = 0;
    for (const [i, word] of words.entries()) {
      this.starts[i] = at;
      this.lengths[i] = word.length;
      at += word.length;
    }
    return this;
  }
}
