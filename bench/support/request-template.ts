// Writes many requests that differ only in a key's number (and a deadline) as fast as bytes can be copied:
// the frame is encoded once, repeated, and only digits are patched. Loading ten million locks must not wait for us.

import { encodeRequest } from './client.ts';

/** Stands for a key of 17 bytes, `lock:` and 12 digits, as `lock:__rand_int__` is for redis-benchmark. */
export const KEY = 'lock:000000000000';
/** Stands for an absolute time in epoch milliseconds. */
export const DEADLINE = '1000000000000';

export const MAX_BATCH = 256;

export class RequestTemplate {
  readonly #frames: Buffer;
  readonly #frameLength: number;
  readonly #keyEnd: number;
  readonly #deadlineEnd: number;

  constructor(args: readonly string[]) {
    const frame = encodeRequest(args);
    this.#frames = Buffer.from(frame.repeat(MAX_BATCH), 'latin1');
    this.#frameLength = frame.length;
    this.#keyEnd = frame.indexOf(KEY) < 0 ? -1 : frame.indexOf(KEY) + KEY.length - 1;
    this.#deadlineEnd = frame.indexOf(DEADLINE) < 0 ? -1 : frame.indexOf(DEADLINE) + DEADLINE.length - 1;
  }

  /** Requests on `count` consecutive keys, in a Buffer of their own: the socket may keep it as long as it likes. */
  encode(firstKey: number, count: number, deadlineMs: number): Buffer {
    const batch = Buffer.allocUnsafe(count * this.#frameLength);
    this.#frames.copy(batch, 0, 0, batch.length);
    for (let i = 0, start = 0; i < count; i++, start += this.#frameLength) {
      if (this.#keyEnd >= 0) writeDigits(batch, start + this.#keyEnd, firstKey + i);
      if (this.#deadlineEnd >= 0) writeDigits(batch, start + this.#deadlineEnd, deadlineMs);
    }
    return batch;
  }
}

/** Writes `value` so that its last digit is at `end`; the leading zeros are in the template already. */
function writeDigits(bytes: Buffer, end: number, value: number): void {
  let rest = value;
  for (let at = end; rest > 0; at--) {
    const tenth = Math.floor(rest / 10);
    bytes[at] = 48 + rest - tenth * 10;
    rest = tenth;
  }
}
