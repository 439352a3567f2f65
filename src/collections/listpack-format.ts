// The format of a listpack, byte for byte as Redis 7 has it, so that a small collection's bytes are those of DUMP:
//
//   bytes in all (4, little endian) | elements (2) | element … | 0xff
//
// An element is an encoding byte, what the encoding says, and how long both are (the back length), so that one can walk
// in both directions. The encodings, by the first byte:
//
//   0xxxxxxx                 0 … 127                 11110001 + 2 bytes       int16
//   10xxxxxx                 string of up to 63      11110010 + 3 bytes       int24
//   110xxxxx + 1 byte        -4096 … 4095            11110011 + 4 bytes       int32
//   1110xxxx + 1 byte        string of up to 4095    11110100 + 8 bytes       int64
//   11110000 + 4 bytes       string                  11111111                 the end
//
// The numbers of 12 and 13 bits have their high bits in the first byte, the others are little endian.
// Everything here trusts the bytes; those that come from outside pass `checkListpack` first.

import type { ByteView } from '../bytes/view.ts';
import { type Int64, type Int64Words, readInt32, readInt64, writeInt32, writeWords } from './int64.ts';

export const HEADER_BYTES = 6;
export const END = 0xff;

/** What the header says when there are this many elements or more: they must be counted. */
export const UNKNOWN_COUNT = 0xffff;

/** Redis grows no listpack beyond this. */
const MAX_LISTPACK_BYTES = 2 ** 30;

export const MAX_BACK_LENGTH_BYTES = 5;

export const STRING_32 = 0xf0;
export const INT_64 = 0xf4;
const INT_16 = 0xf1;
const INT_24 = 0xf2;

// --- the whole

/** How many elements a listpack has. Beyond 65,534 this walks through all of them. */
export function countElements(listpack: ByteView): number {
  const { buffer, start, length } = listpack;
  const count = headerCount(buffer, start);
  return count === UNKNOWN_COUNT ? walkCount(buffer, start, length) : count;
}

export function headerCount(buffer: Buffer, start: number): number {
  return buffer[start + 4]! | (buffer[start + 5]! << 8);
}

export function walkCount(buffer: Buffer, start: number, length: number): number {
  let count = 0;
  const end = start + length - 1;
  for (let at = start + HEADER_BYTES; at < end; at = nextElement(buffer, at)) count++;
  return count;
}

export function writeHeader(buffer: Buffer, start: number, length: number, count: number): void {
  writeInt32(buffer, start, length);
  const known = Math.min(count, UNKNOWN_COUNT);
  buffer[start + 4] = known;
  buffer[start + 5] = known >> 8;
}

/** May a listpack take elements of this many bytes in all? Redis says no beyond 1 GiB. */
export function canGrow(listpack: ByteView, bytes: number): boolean {
  return listpack.length + bytes <= MAX_LISTPACK_BYTES;
}

// --- walking

export function nextElement(buffer: Buffer, at: number): number {
  const first = buffer[at]!;
  // What nearly all elements are; their back length takes one byte.
  if (first < 0xc0) return at + 2 + (first < 0x80 ? 0 : first & 0x3f);
  if (first < 0xe0) return at + 3;
  const bytes = encodedBytes(buffer, at);
  return at + bytes + backLengthBytes(bytes);
}

/** Where the element before the one at `at` (or before the end) starts. There must be one. */
export function previousElement(buffer: Buffer, at: number): number {
  let behind = at - 1;
  let bytes = 0;
  for (let scale = 1; ; scale *= 128) {
    const part = buffer[behind]!;
    bytes += (part & 0x7f) * scale;
    if ((part & 0x80) === 0) break;
    behind--;
  }
  return behind - bytes;
}

/** Bytes of an element without its back length. */
export function encodedBytes(buffer: Buffer, at: number): number {
  const first = buffer[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc0) return 1 + (first & 0x3f);
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 2 + length12(buffer, at);
  if (first === STRING_32) return 5 + length32(buffer, at);
  return first === INT_64 ? 9 : first - INT_16 + 3;
}

/** Redis takes one more byte than necessary at the last length of each size. */
export function backLengthBytes(encoded: number): number {
  if (encoded < 128) return 1;
  if (encoded < 2 ** 14 - 1) return 2;
  if (encoded < 2 ** 21 - 1) return 3;
  return encoded < 2 ** 28 - 1 ? 4 : 5;
}

/** Seven bits a byte, the lowest last, all but the first byte marked: it is read backwards. Returns the offset behind. */
export function writeBackLength(buffer: Buffer, offset: number, encoded: number): number {
  const bytes = backLengthBytes(encoded);
  for (let i = bytes - 1; i > 0; i--) {
    buffer[offset + i] = 0x80 | (encoded & 0x7f);
    encoded >>>= 7;
  }
  buffer[offset] = encoded;
  return offset + bytes;
}

// --- strings

/** The length of a string whose encoding byte begins with 1110. */
export function length12(buffer: Buffer, at: number): number {
  return ((buffer[at]! & 0x0f) << 8) | buffer[at + 1]!;
}

export function length32(buffer: Buffer, at: number): number {
  return readInt32(buffer, at + 1) >>> 0;
}

/** Writes what stands before the bytes of a string and returns the offset behind it. */
export function writeStringStart(buffer: Buffer, offset: number, length: number): number {
  if (length < 64) {
    buffer[offset] = 0x80 | length;
    return offset + 1;
  }
  if (length < 4096) {
    buffer[offset] = 0xe0 | (length >> 8);
    buffer[offset + 1] = length;
    return offset + 2;
  }
  buffer[offset] = STRING_32;
  writeInt32(buffer, offset + 1, length);
  return offset + 5;
}

// --- integers

/** The integer of any encoding but that of 64 bits. */
export function readSmallInteger(buffer: Buffer, at: number): number {
  const first = buffer[at]!;
  if (first < 0x80) return first;
  if (first < 0xe0) return (((first & 0x1f) << 27) >> 19) | buffer[at + 1]!;
  if (first === INT_16) return ((buffer[at + 1]! << 16) | (buffer[at + 2]! << 24)) >> 16;
  if (first === INT_24)
    return ((buffer[at + 1]! << 8) | (buffer[at + 2]! << 16) | (buffer[at + 3]! << 24)) >> 8;
  return readInt32(buffer, at + 1);
}

export function readInteger(buffer: Buffer, at: number): Int64 {
  return buffer[at] === INT_64 ? readInt64(buffer, at + 1) : readSmallInteger(buffer, at);
}

/** Writes an integer in the shortest encoding that holds it and returns the offset behind it. */
export function writeInteger(buffer: Buffer, offset: number, n: Int64Words): number {
  if (!n.isInt32) {
    buffer[offset] = INT_64;
    writeWords(buffer, offset + 1, n.high, n.low);
    return offset + 9;
  }
  const small = n.low;
  if (small >= 0 && small < 128) {
    buffer[offset] = small;
    return offset + 1;
  }
  if (small >= -4096 && small < 4096) {
    buffer[offset] = 0xc0 | ((small >> 8) & 0x1f);
    buffer[offset + 1] = small;
    return offset + 2;
  }
  const bytes = (small << 16) >> 16 === small ? 2 : (small << 8) >> 8 === small ? 3 : 4;
  buffer[offset] = INT_16 + bytes - 2;
  for (let i = 0; i < bytes; i++) buffer[offset + 1 + i] = small >> (8 * i);
  return offset + 1 + bytes;
}
