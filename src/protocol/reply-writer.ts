// Writes replies in RESP2 or RESP3 into one buffer that all connections share.
//
// Handlers say what they mean (`map`, `null`, `double`, `push`) and the writer knows how each protocol puts it. What is
// written leaves at `flush`, once a read event or when the buffer is full. The system nearly always takes all of it there and
// then; if it does not, the buffer is left to the socket, which still reads from it, and the writer goes on with another.
// A value too big for the buffer goes out as its own buffer, so it must not change later.

import { formatDouble } from '../bytes/double.ts';
import { writeDigits } from '../bytes/integer.ts';
import { type ByteView, copyBytes } from '../bytes/view.ts';
import type { Reply, RespVersion } from './reply.ts';

/** Where replies go. */
export interface ReplySink {
  write(bytes: Buffer): void;
  /** True if nothing written so far is still to be read. A sink that does not say gets bytes of its own with each write. */
  readonly isIdle?: boolean;
}

const BUFFER_BYTES = 128 * 1024;
/** Values from this size on are not copied through the buffer. */
const BIG_VALUE_BYTES = 16 * 1024;
/** Room that every small write may count on. */
const HEADER_BYTES = 64;

const CR = 0x0d;
const LF = 0x0a;

const line = (text: string): Buffer => Buffer.from(text, 'latin1');
const OK = line('+OK\r\n');
const NULL_BULK = line('$-1\r\n');
const NULL_ARRAY = line('*-1\r\n');
const NULL = line('_\r\n');
const ZERO = line(':0\r\n');
const ONE = line(':1\r\n');

const DISCARDED: ReplySink = { write() {} };

export class ReplyWriter implements Reply {
  /** Protocol of the client being answered. */
  resp: RespVersion = 2;
  /** What is written goes nowhere (CLIENT REPLY). */
  isMuted = false;
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #at = 0;
  #sink: ReplySink = DISCARDED;
  #mutedSink: ReplySink = DISCARDED;
  /** Errors written since the start (INFO total_error_replies), and the last one's text. */
  errors = 0;
  /** The texts of those that are still to be counted. */
  readonly uncounted: string[] = [];

  /** Replies go to `sink` from now on. What was written before must have been flushed. */
  attach(sink: ReplySink): void {
    this.#sink = sink;
  }

  /** True when nothing waits to be flushed. */
  get isEmpty(): boolean {
    return this.#at === 0;
  }

  flush(): void {
    if (this.#at === 0) return;
    const sink = this.#sink;
    const bytes = this.#buffer.subarray(0, this.#at);
    this.#at = 0;
    if (sink.isIdle !== true) return sink.write(Buffer.from(bytes));
    sink.write(bytes);
    if (!sink.isIdle) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }

  /** Lets what was written so far leave, and nothing more until `unmute`. */
  mute(): void {
    if (this.isMuted) return;
    this.flush();
    this.#mutedSink = this.#sink;
    this.#sink = DISCARDED;
    this.isMuted = true;
  }

  unmute(): void {
    if (!this.isMuted) return;
    this.#at = 0;
    this.#sink = this.#mutedSink;
    this.isMuted = false;
  }

  // --- one value

  ok(): void {
    this.#constant(OK);
  }

  /** A status line. Text without CR or LF. */
  simple(text: string): void {
    this.#line(0x2b, text);
  }

  /** An error line, code included: `ERR syntax error`. CR and LF become spaces. */
  error(text: string, isCounted = false): void {
    this.errors++;
    if (!isCounted) this.uncounted.push(text);
    this.#line(0x2d, /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text);
  }

  /** An integer within ±2^53. */
  integer(n: number): void {
    if (n === 0) return this.#constant(ZERO);
    if (n === 1) return this.#constant(ONE);
    this.#header(0x3a, n);
  }

  /** A 64-bit integer. */
  int64(n: bigint): void {
    this.#line(0x3a, n.toString());
  }

  /** A byte string. A big one that is `isOwned` is not copied: its owner writes to it no more. */
  bulk(view: ByteView): void {
    this.#header(0x24, view.length);
    this.#raw(view.buffer, view.start, view.length, view.isOwned);
    this.#end();
  }

  /** A byte string given as latin1 text. */
  text(text: string): void {
    this.#header(0x24, text.length);
    this.#latin1(text);
    this.#end();
  }

  /** No value. */
  null(): void {
    this.#constant(this.resp === 3 ? NULL : NULL_BULK);
  }

  /** No array: what RESP2 clients of an aborted EXEC or a timed out BLPOP expect. */
  nullArray(): void {
    this.#constant(this.resp === 3 ? NULL : NULL_ARRAY);
  }

  boolean(value: boolean): void {
    if (this.resp === 3) this.#line(0x23, value ? 't' : 'f');
    else this.integer(value ? 1 : 0);
  }

  double(x: number): void {
    this.doubleText(formatDouble(x));
  }

  /** A double given by its digits, because a number cannot hold it exactly. */
  doubleText(digits: string): void {
    if (this.resp === 3) this.#line(0x2c, digits);
    else this.text(digits);
  }

  /** Text meant for people, of a format that three bytes name. */
  verbatim(text: string, format = 'txt'): void {
    if (this.resp === 2) return this.text(text);
    this.#header(0x3d, text.length + 4);
    this.#latin1(`${format}:`);
    this.#latin1(text);
    this.#end();
  }

  bigNumber(digits: string): void {
    if (this.resp === 3) this.#line(0x28, digits);
    else this.text(digits);
  }

  // --- aggregates: as many values as announced must follow

  array(count: number): void {
    this.#header(0x2a, count);
  }

  /** `pairs` pairs of key and value follow. */
  map(pairs: number): void {
    if (this.resp === 3) this.#header(0x25, pairs);
    else this.#header(0x2a, pairs * 2);
  }

  set(count: number): void {
    this.#header(this.resp === 3 ? 0x7e : 0x2a, count);
  }

  /** A message outside the order of replies; an ordinary array in RESP2. */
  push(count: number): void {
    this.#header(this.resp === 3 ? 0x3e : 0x2a, count);
  }

  attribute(pairs: number): void {
    this.#header(0x7c, pairs);
  }

  /** An array of byte strings. */
  texts(values: readonly string[]): void {
    this.array(values.length);
    for (const value of values) this.text(value);
  }

  /** An array of status lines. */
  simples(values: readonly string[]): void {
    this.array(values.length);
    for (const value of values) this.simple(value);
  }

  /** Bytes that are a reply already. */
  encoded(bytes: Buffer): void {
    this.#raw(bytes, 0, bytes.length, true);
  }

  // --- the buffer

  #room(bytes: number): void {
    if (this.#at + bytes > BUFFER_BYTES) this.flush();
  }

  #constant(bytes: Buffer): void {
    this.#room(bytes.length);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let i = 0; i < bytes.length; i++) buffer[at++] = bytes[i]!;
    this.#at = at;
  }

  #header(type: number, n: number): void {
    this.#room(HEADER_BYTES);
    const buffer = this.#buffer;
    buffer[this.#at] = type;
    const at = writeDigits(buffer, this.#at + 1, n);
    buffer[at] = CR;
    buffer[at + 1] = LF;
    this.#at = at + 2;
  }

  #end(): void {
    this.#room(2);
    this.#buffer[this.#at] = CR;
    this.#buffer[this.#at + 1] = LF;
    this.#at += 2;
  }

  #line(type: number, text: string): void {
    this.#room(1);
    this.#buffer[this.#at++] = type;
    this.#latin1(text);
    this.#end();
  }

  #latin1(text: string): void {
    if (text.length >= BIG_VALUE_BYTES) {
      this.#raw(Buffer.from(text, 'latin1'), 0, text.length, true);
      return;
    }
    this.#room(text.length);
    this.#at += this.#buffer.write(text, this.#at, 'latin1');
  }

  #raw(bytes: Buffer, start: number, length: number, isOwned: boolean): void {
    if (length < BIG_VALUE_BYTES) {
      this.#room(length);
      copyBytes(bytes, start, this.#buffer, this.#at, length);
      this.#at += length;
      return;
    }
    this.flush();
    const view = bytes.subarray(start, start + length);
    this.#sink.write(isOwned ? view : Buffer.from(view));
  }
}
