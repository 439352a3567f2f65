// What a handler answers with, whoever asked: a client, to whom it goes as RESP (reply-writer.ts), or a script, to which it
// goes as values of its language (scripting/lua-reply.ts).

import type { ByteView } from '../bytes/view.ts';

export type RespVersion = 2 | 3;

export interface Reply {
  /** Protocol of whoever is being answered: what a map, a double or nothing looks like to them. */
  readonly resp: RespVersion;

  // --- one value

  ok(): void;
  /** A status line. Text without CR or LF. */
  simple(text: string): void;
  /** An error line, code included: `ERR syntax error`. `isCounted`: it has been, when a script was told it. */
  error(text: string, isCounted?: boolean): void;
  /** An integer within ±2^53. */
  integer(n: number): void;
  /** A 64-bit integer. */
  int64(n: bigint): void;
  /** A byte string. */
  bulk(view: ByteView): void;
  /** A byte string given as latin1 text. */
  text(text: string): void;
  /** No value. */
  null(): void;
  /** No array: what RESP2 clients of an aborted EXEC or a timed out BLPOP expect. */
  nullArray(): void;
  boolean(value: boolean): void;
  double(x: number): void;
  /** A double given by its digits, because a number cannot hold it exactly. */
  doubleText(digits: string): void;
  /** Text meant for people, of a format that three bytes name. */
  verbatim(text: string, format?: string): void;
  /** An integer of any size, by its digits. */
  bigNumber(digits: string): void;

  // --- aggregates: as many values as announced must follow

  array(count: number): void;
  /** `pairs` pairs of key and value follow. */
  map(pairs: number): void;
  set(count: number): void;
  /** A message outside the order of replies; an ordinary array in RESP2. */
  push(count: number): void;
  /** `pairs` pairs of key and value follow, and then what they tell about. RESP3 only. */
  attribute(pairs: number): void;

  /** An array of byte strings. */
  texts(values: readonly string[]): void;
  /** An array of status lines. */
  simples(values: readonly string[]): void;
}
