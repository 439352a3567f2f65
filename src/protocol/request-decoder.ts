// Turns the bytes of one connection into requests (RESP arrays of bulk strings, and inline lines).
//
// Guarantees
// - Any fragmentation gives the same requests. The decoder keeps its place inside a frame: no argument is scanned twice.
// - Nothing is allocated on the word of a header. Memory follows the bytes that have really come (buffers double as they
//   fill), and `queryBufferLimit` bounds it, offsets included, since a client may announce a million empty arguments.
// - A broken frame is told in Redis' words through `error`, after which the decoder yields nothing more. Lines end where
//   Redis sees them end: a header at its CR whatever follows, an inline command at its LF, and neither behind a NUL.
//
// How it works. A read event is decoded where it lies, in the buffer all connections share: `begin`, then `next` until it
// says no, then `keep`, which copies what is left (part of a frame, or frames a paused client may not run yet) into a
// buffer of this connection. The next event is appended there and decoding goes on at the remembered place. An argument of
// BIG_ARGUMENT_BYTES or more that has not come whole is collected in a buffer of its own, which a handler may keep.

import { parseInteger } from '../bytes/integer.ts';
import { splitQuotedWords } from './quoting.ts';
import type { Request } from './request.ts';

/** Limits of what a client may send; the server keeps them up to date. */
export interface DecoderLimits {
  maxBulkBytes: number;
  maxArguments: number;
  maxInlineBytes: number;
  queryBufferLimit: number;
}

/** No header is longer; Redis gives this many bytes to any line before it gives up. */
const HEADER_LIMIT_BYTES = 64 * 1024;
const BIG_ARGUMENT_BYTES = 32 * 1024;
const UNAUTHENTICATED_ARGUMENTS = 10;
const UNAUTHENTICATED_BULK_BYTES = 16 * 1024;
const FIRST_BUFFER_BYTES = 1024;
const FIRST_OFFSETS = 32;
const SHARED_OFFSETS = 1024;
/** Offset arrays larger than this are not kept for the next request. */
const KEPT_OFFSETS = 4096;

const CR = 0x0d;
const LF = 0x0a;
const STAR = 0x2a;
const DOLLAR = 0x24;

/** Offsets of a frame's arguments. One pair of arrays serves all connections; a frame that stays unfinished gets a pair of its own. */
class Offsets {
  starts: Int32Array;
  lengths: Int32Array;

  constructor(capacity: number) {
    this.starts = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
  }

  grow(): void {
    const starts = new Int32Array(this.starts.length * 2);
    const lengths = new Int32Array(this.starts.length * 2);
    starts.set(this.starts);
    lengths.set(this.lengths);
    this.starts = starts;
    this.lengths = lengths;
  }

  copy(count: number): Offsets {
    const copied = new Offsets(Math.max(count * 2, FIRST_OFFSETS));
    copied.starts.set(this.starts.subarray(0, count));
    copied.lengths.set(this.lengths.subarray(0, count));
    return copied;
  }
}

let sharedOffsets = new Offsets(SHARED_OFFSETS);

const NOTHING = Buffer.alloc(0);

/**
 * Buffers for what is left of a full read, used again by whoever needs one next: a client that pipelines without end
 * leaves part of a frame at every event, and a new buffer each time would keep the garbage collector busy.
 */
const SPARE_BYTES = 128 * 1024;
const MAX_SPARES = 4;
const spares: Buffer[] = [];

function takeBuffer(bytes: number): Buffer {
  if (bytes < SPARE_BYTES / 8 || bytes > SPARE_BYTES) return Buffer.allocUnsafeSlow(bytes);
  return spares.pop() ?? Buffer.allocUnsafeSlow(SPARE_BYTES);
}

function giveBack(buffer: Buffer): void {
  if (buffer.length === SPARE_BYTES && spares.length < MAX_SPARES) spares.push(buffer);
}

/** Of a script, as EVALSHA gives it. */
const DIGEST_LENGTH = 40;

export class RequestDecoder {
  readonly #limits: DecoderLimits;
  /** While the client has not authenticated, requests must be small. */
  isUnauthenticated = false;
  /** Set once the stream is broken: the reply to give before closing. */
  error: string | undefined = undefined;
  /** Set once more than `queryBufferLimit` is waiting: the client is to be closed without a word. */
  isOverLimit = false;

  #source: Buffer = NOTHING;
  #at = 0;
  #end = 0;
  /** Bytes kept from earlier events; `#source` is this buffer while it holds any. */
  #kept: Buffer | undefined = undefined;

  /** Where the frame being read starts; offsets count from here. */
  #frame = 0;
  /** Arguments of the frame being read; 0 between frames. */
  #count = 0;
  #index = 0;
  /** Length of the argument being read; -1 before its header is read. */
  #bulkLength = -1;
  /** Offsets of a frame that earlier events began; undefined while the shared ones serve. */
  #ownOffsets: Offsets | undefined = undefined;
  #big: Buffer | undefined = undefined;
  #bigFilled = 0;
  #adopted: Map<number, Buffer> | undefined = undefined;
  #adoptedBytes = 0;

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
  }

  /** Bytes that have come and are not part of a finished request. */
  get pendingBytes(): number {
    return this.#end - this.#at + (this.#at - this.#frame) + this.#bigFilled + this.#adoptedBytes;
  }

  /** Memory held for this connection between events. */
  get heldBytes(): number {
    const offsets = (this.#ownOffsets?.starts.length ?? 0) * 8;
    return (this.#kept?.length ?? 0) + (this.#big?.length ?? 0) + this.#adoptedBytes + offsets;
  }

  // --- looking ahead (dispatch/look-ahead.ts)

  /** Where in `buffer` the next byte is read. */
  get position(): number {
    return this.#at;
  }

  get unreadBytes(): number {
    return this.#end - this.#at;
  }

  get buffer(): Buffer {
    return this.#source;
  }

  /** Where the last `peekWords` stopped; always behind `position`. */
  peekedTo = 0;

  /**
   * Finds the word that is probably the key of each of the next whole, plain requests, as many as fit: the second, or the
   * fourth if the second looks like the digest of a script. Returns how many; changes nothing.
   */
  peekWords(starts: Int32Array, lengths: Int32Array): number {
    const source = this.#source;
    let at = this.#count === 0 ? this.#at : this.#end;
    let found = 0;
    while (found < starts.length && source[at] === STAR && source[at + 2] === CR) {
      let next = at + 4;
      const words = source[at + 1]! - 0x30;
      for (let word = 0; word < words; word++) {
        let length = source[next + 1]! - 0x30;
        let digits = next + 2;
        while (source[digits] !== CR && digits < next + 5) length = length * 10 + source[digits++]! - 0x30;
        if (source[next] !== DOLLAR || length < 0) return this.#peeked(at, found);
        next = digits + 2 + length + 2;
        if (word !== 1 && (word !== 3 || lengths[found] !== DIGEST_LENGTH)) continue;
        starts[found] = digits + 2;
        lengths[found] = length;
      }
      if (words < 2 || next > this.#end) break;
      found++;
      at = next;
    }
    return this.#peeked(at, found);
  }

  #peeked(at: number, found: number): number {
    this.peekedTo = Math.max(at, this.#at + 1);
    return found;
  }

  /** Bytes have come. They are read in place until `keep`. */
  begin(chunk: Buffer, length: number): void {
    let from = 0;
    if (this.#big !== undefined && this.#at === this.#end) from = this.#fillBig(chunk, 0, length);
    if (this.#kept === undefined) {
      this.#source = chunk;
      this.#at = from;
      this.#end = length;
      return;
    }
    this.#append(chunk, from, length);
  }

  /** Fills `request` with the next whole request. False when there is none (yet), or when `error` is set. */
  next(request: Request): boolean {
    while (this.error === undefined) {
      if (this.#count === 0) {
        if (this.#at >= this.#end) return false;
        this.#frame = this.#at;
        if (this.#source[this.#at] !== STAR) {
          if (!this.#readInline(request)) return false;
          if (request.count > 0) return true;
          continue;
        }
        if (!this.#readCount()) return false;
        if (this.#count === 0) continue; // "*0" and "*-1" are skipped without a reply
      }
      if (!this.#readArguments()) return false;
      this.#hand(request);
      return true;
    }
    return false;
  }

  /** The event is over: whatever is left moves out of the shared buffer. */
  keep(): void {
    const from = this.#count === 0 ? this.#at : this.#frame;
    const left = this.#end - from;
    if (this.#count !== 0) this.#ownOffsets ??= sharedOffsets.copy(this.#index);
    if (left === 0 && this.#count === 0) {
      if (this.#kept !== undefined) giveBack(this.#kept);
      this.#kept = undefined;
      this.#source = NOTHING;
      this.#at = this.#end = this.#frame = 0;
      return;
    }
    if (this.#kept === undefined) {
      this.#kept = takeBuffer(Math.max(left, FIRST_BUFFER_BYTES));
      this.#source.copy(this.#kept, 0, from, this.#end);
    } else if (from > 0) {
      this.#kept.copyWithin(0, from, this.#end);
    }
    this.#source = this.#kept;
    this.#at -= from;
    this.#end = left;
    this.#frame = 0;
    if (this.heldBytes > this.#limits.queryBufferLimit) this.isOverLimit = true;
  }

  #append(chunk: Buffer, from: number, to: number): void {
    const needed = this.#end + to - from;
    if (needed > this.#kept!.length) {
      const larger = takeBuffer(Math.max(needed, this.#kept!.length * 2));
      this.#kept!.copy(larger, 0, 0, this.#end);
      giveBack(this.#kept!);
      this.#kept = larger;
      this.#source = larger;
    }
    chunk.copy(this.#kept!, this.#end, from, to);
    this.#end = needed;
  }

  /** Reads "*N". False if the line is not there yet or wrong. */
  #readCount(): boolean {
    const line = this.#readNumber(this.#at + 1, 'too big mbulk count string');
    if (line < 0) return false;
    const count = this.#number;
    if (Number.isNaN(count) || count > this.#limits.maxArguments)
      return this.#fail('invalid multibulk length');
    if (this.isUnauthenticated && count > UNAUTHENTICATED_ARGUMENTS) {
      return this.#fail('unauthenticated multibulk length');
    }
    this.#at = line;
    this.#index = 0;
    this.#bulkLength = -1;
    this.#count = Math.max(count, 0);
    return true;
  }

  #readArguments(): boolean {
    if (this.#bulkLength < 0) this.#readShortArguments();
    return this.#index === this.#count || this.#readAnyArguments();
  }

  /**
   * Reads arguments that are whole and have a length of at most four digits: nearly all there are, and below every limit.
   * Stops, without a word, at the first that is anything else.
   */
  #readShortArguments(): void {
    const source = this.#source;
    const end = this.#end;
    const frame = this.#frame;
    const { starts, lengths } = this.#ownOffsets ?? sharedOffsets;
    const last = Math.min(this.#count, starts.length);
    let index = this.#index;
    let at = this.#at;
    while (index < last && source[at] === DOLLAR) {
      let length = source[at + 1]! - 0x30;
      if (!(length >= 0 && length <= 9)) break;
      let digits = at + 2;
      if (length !== 0) {
        for (; digits < at + 5; digits++) {
          const digit = source[digits]! - 0x30;
          if (!(digit >= 0 && digit <= 9)) break;
          length = length * 10 + digit;
        }
      }
      const start = digits + 2;
      if (source[digits] !== CR || start + length + 2 > end) break;
      starts[index] = start - frame;
      lengths[index] = length;
      index++;
      at = start + length + 2;
    }
    this.#index = index;
    this.#at = at;
  }

  #readAnyArguments(): boolean {
    const source = this.#source;
    const offsets = this.#ownOffsets ?? sharedOffsets;
    while (this.#index < this.#count) {
      if (this.#bulkLength < 0 && !this.#readBulkLength()) return false;
      const length = this.#bulkLength;
      if (this.#big === undefined && this.#at + length + 2 > this.#end) {
        if (length < BIG_ARGUMENT_BYTES) return false;
        this.#big = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
      }
      if (this.#index === offsets.starts.length) offsets.grow();
      if (this.#big !== undefined) {
        this.#at = this.#fillBig(source, this.#at, this.#end);
        if (this.#bigFilled < length || this.#at + 2 > this.#end) return false;
        this.#adopt(offsets);
      } else {
        offsets.starts[this.#index] = this.#at - this.#frame;
        offsets.lengths[this.#index] = length;
        this.#at += length;
      }
      this.#at += 2;
      this.#index++;
      this.#bulkLength = -1;
    }
    return true;
  }

  #readBulkLength(): boolean {
    if (this.#at >= this.#end) return false;
    if (this.#source[this.#at] !== DOLLAR) {
      if (!this.#isLineWhole('too big bulk count string')) return false;
      return this.#fail(`expected '$', got '${printable(this.#source[this.#at]!)}'`);
    }
    const line = this.#readNumber(this.#at + 1, 'too big bulk count string');
    if (line < 0) return false;
    const length = this.#number;
    if (!(length >= 0 && length <= this.#limits.maxBulkBytes)) return this.#fail('invalid bulk length');
    if (this.isUnauthenticated && length > UNAUTHENTICATED_BULK_BYTES) {
      return this.#fail('unauthenticated bulk length');
    }
    this.#at = line;
    this.#bulkLength = length;
    return true;
  }

  #number = 0;

  /** Reads digits up to CR LF into `#number` (NaN if they are no number). Returns where the next line starts, -1 if not all is there. */
  #readNumber(from: number, tooLong: string): number {
    const source = this.#source;
    let value = 0;
    let at = from;
    const end = this.#end;
    const first = source[from]!;
    // Up to nine digits without a leading zero need no strict parse; anything else takes the slow way.
    while (at < end && at - from < 9) {
      const digit = source[at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      at++;
    }
    if (at > from && at + 1 < end && source[at] === CR && (first !== 0x30 || at === from + 1)) {
      this.#number = value;
      return at + 2;
    }
    if (!this.#isLineWhole(tooLong)) return -1;
    this.#number = parseInteger(source, from, this.#lineEnd - from);
    return this.#lineEnd + 2;
  }

  #lineEnd = 0;

  /** Finds the CR of the header line at `#at`. False while it, or the byte behind it, has not come. */
  #isLineWhole(tooLong: string): boolean {
    this.#lineEnd = this.#find(CR);
    if (this.#lineEnd >= 0) return this.#lineEnd + 1 < this.#end;
    if (this.#end - this.#at > HEADER_LIMIT_BYTES) this.#fail(tooLong);
    return false;
  }

  /** Where a byte first stands in the line at `#at`; -1 if it has not come, or stands behind a NUL. */
  #find(byte: number): number {
    const unread = this.#source.subarray(this.#at, this.#end);
    const index = unread.indexOf(byte);
    return index < 0 || unread.subarray(0, index).includes(0) ? -1 : this.#at + index;
  }

  /** Moves what has come of a big argument into its own buffer. Returns the place behind what was taken. */
  #fillBig(source: Buffer, from: number, to: number): number {
    const wanted = this.#bulkLength - this.#bigFilled;
    const taken = Math.min(wanted, to - from);
    const needed = this.#bigFilled + taken;
    if (needed > this.#big!.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(this.#bulkLength, Math.max(needed, this.#big!.length * 2)),
      );
      this.#big!.copy(larger, 0, 0, this.#bigFilled);
      this.#big = larger;
    }
    source.copy(this.#big!, this.#bigFilled, from, from + taken);
    this.#bigFilled = needed;
    return from + taken;
  }

  #adopt(offsets: Offsets): void {
    offsets.starts[this.#index] = 0;
    offsets.lengths[this.#index] = this.#bulkLength;
    this.#adopted ??= new Map();
    this.#adopted.set(this.#index, this.#big!);
    this.#adoptedBytes += this.#bulkLength;
    this.#big = undefined;
    this.#bigFilled = 0;
  }

  #hand(request: Request): void {
    request.buffer = this.#source;
    request.base = this.#frame;
    request.count = this.#count;
    const offsets = this.#ownOffsets ?? sharedOffsets;
    request.starts = offsets.starts;
    request.lengths = offsets.lengths;
    request.adopted = this.#adopted;
    this.#adopted = undefined;
    this.#adoptedBytes = 0;
    this.#count = 0;
    this.#ownOffsets = undefined;
    if (sharedOffsets.starts.length > KEPT_OFFSETS) sharedOffsets = new Offsets(SHARED_OFFSETS);
  }

  /** Reads a line of words. An empty one leaves `request.count` at 0. */
  #readInline(request: Request): boolean {
    const lf = this.#find(LF);
    if (lf < 0) {
      if (this.#end - this.#at > this.#limits.maxInlineBytes) this.#fail('too big inline request');
      return false;
    }
    const end = lf > this.#at && this.#source[lf - 1] === CR ? lf - 1 : lf;
    const words = splitQuotedWords(this.#source.toString('latin1', this.#at, end));
    if (words === undefined) return this.#fail('unbalanced quotes in request');
    this.#at = lf + 1;
    request.fill(words);
    return true;
  }

  #fail(what: string): false {
    this.error = `ERR Protocol error: ${what}`;
    return false;
  }
}

/** One byte as it may stand in an error line. */
function printable(byte: number): string {
  return byte === CR || byte === LF ? ' ' : String.fromCharCode(byte);
}
