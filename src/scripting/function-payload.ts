// What FUNCTION DUMP answers and FUNCTION RESTORE takes: the texts of libraries in Redis' own format, so that libraries
// move between servers of both kinds. Each library is an entry of an RDB file, and the end that of a DUMP payload.
//
// Source: Redis' `rdb.h`, by the bytes that it writes.

import { crc64 } from '../bytes/crc64.ts';
import { lzfDecompress } from '../bytes/lzf.ts';

const LIBRARY = 0xf5;
/** Version of the format that we write (Redis 7.0), and the newest that we read (8.4): libraries are the same in all. */
const WRITTEN_VERSION = 10;
const NEWEST_VERSION = 13;
/** Version and checksum. */
const END_BYTES = 10;

const WRONG_END = 'ERR DUMP payload version or checksum are wrong';
const NO_LIBRARY = 'ERR given type is not a function';
const BROKEN = 'ERR Failed loading library payload';

/** First two bits of a length: 6 bits, 14 bits, 32 or 64 bits, or no length but an encoding. */
const BITS_14 = 1;
const MORE_BITS = 2;
const BITS_64 = 0x81;
/** Encodings: integers of one, two and four bytes, and LZF. */
const INTEGER_BYTES: Readonly<Record<number, 1 | 2 | 4>> = { 192: 1, 193: 2, 194: 4 };
const LZF = 0xc3;

export function encodeLibraries(sources: Iterable<string>): Buffer {
  const parts: Buffer[] = [];
  for (const source of sources) {
    const text = Buffer.from(source, 'latin1');
    parts.push(Buffer.of(LIBRARY), encodeLength(text.length), text);
  }
  parts.push(Buffer.of(WRITTEN_VERSION, 0));
  const body = Buffer.concat(parts);
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(crc64(body, 0, body.length));
  return Buffer.concat([body, checksum]);
}

function encodeLength(length: number): Buffer {
  if (length < 1 << 6) return Buffer.of(length);
  if (length < 1 << 14) return Buffer.of((BITS_14 << 6) | (length >> 8), length & 0xff);
  const encoded = Buffer.of(MORE_BITS << 6, 0, 0, 0, 0);
  encoded.writeUInt32BE(length, 1);
  return encoded;
}

/** The texts. A string is what is wrong with the payload, as an error reply. */
export function decodeLibraries(payload: Buffer): string[] | string {
  const end = payload.length - END_BYTES;
  if (end < 0 || payload.readUInt16LE(end) > NEWEST_VERSION) return WRONG_END;
  if (payload.readBigUInt64LE(end + 2) !== crc64(payload, 0, end + 2)) return WRONG_END;
  const reader = new Reader(payload.subarray(0, end));
  const sources: string[] = [];
  while (!reader.isAtEnd) {
    if (reader.byte() !== LIBRARY) return NO_LIBRARY;
    const source = reader.text();
    if (source === undefined) return BROKEN;
    sources.push(source);
  }
  return sources;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number | undefined {
    return this.#bytes[this.#at++];
  }

  /** Undefined if the bytes make no string. */
  text(): string | undefined {
    const first = this.#bytes[this.#at];
    const integerBytes = INTEGER_BYTES[first ?? 0];
    if (integerBytes !== undefined) {
      this.#at++;
      const bytes = this.#take(integerBytes);
      return bytes && String(bytes.readIntLE(0, integerBytes));
    }
    if (first !== LZF) return this.#take(this.#length())?.toString('latin1');
    this.#at++;
    const compressedLength = this.#length();
    const length = this.#length();
    const compressed = this.#take(compressedLength);
    return compressed && length !== undefined
      ? lzfDecompress(compressed, length)?.toString('latin1')
      : undefined;
  }

  #length(): number | undefined {
    const first = this.byte();
    if (first === undefined) return undefined;
    const low = first & 0x3f;
    if (first >> 6 === 0) return low;
    if (first >> 6 === BITS_14) {
      const next = this.byte();
      return next === undefined ? undefined : (low << 8) | next;
    }
    if (first === MORE_BITS << 6) return this.#take(4)?.readUInt32BE();
    if (first !== BITS_64) return undefined;
    const bytes = this.#take(8)?.readBigUInt64BE();
    return bytes === undefined ? undefined : Number(bytes);
  }

  #take(count: number | undefined): Buffer | undefined {
    if (count === undefined || count > this.#bytes.length - this.#at) return undefined;
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}
