// Is this really a listpack? Asked of bytes from outside (RESTORE) before anything else here reads them.
//
// Guarantees: what passes can be walked in both directions without leaving its bytes. Whether it makes a hash, say (an
// even number of elements, no field twice), is for those to ask who know what it is meant to be.

import { type ByteView, equalBytes } from '../bytes/view.ts';
import { readInt32 } from './int64.ts';
import {
  backLengthBytes,
  END,
  encodedBytes,
  HEADER_BYTES,
  headerCount,
  INT_64,
  MAX_BACK_LENGTH_BYTES,
  nextElement,
  STRING_32,
  UNKNOWN_COUNT,
  writeBackLength,
} from './listpack-format.ts';

const BACK_LENGTH = Buffer.alloc(MAX_BACK_LENGTH_BYTES);

/** Checks every byte that says how long something is. */
export function checkListpack(listpack: ByteView): boolean {
  const { buffer, start, length } = listpack;
  if (length <= HEADER_BYTES || readInt32(buffer, start) >>> 0 !== length) return false;
  const end = start + length - 1;
  let count = 0;
  let at = start + HEADER_BYTES;
  for (; at < end; at = nextElement(buffer, at)) {
    if (!checkElement(buffer, at, end)) return false;
    count++;
  }
  const told = headerCount(buffer, start);
  return at === end && buffer[end] === END && (told === UNKNOWN_COUNT || told === count);
}

/** Is the element at `at` one that ends before `end`, with the one back length that is right? */
function checkElement(buffer: Buffer, at: number, end: number): boolean {
  const first = buffer[at]!;
  if (first > INT_64 || at + prefixBytes(first) > end) return false;
  const encoded = encodedBytes(buffer, at);
  if (at + encoded + backLengthBytes(encoded) > end) return false;
  return equalBytes(buffer, at + encoded, BACK_LENGTH, 0, writeBackLength(BACK_LENGTH, 0, encoded));
}

/** The bytes that must be there before the length of an element can be told. */
function prefixBytes(first: number): number {
  if (first === STRING_32) return 5;
  return first >= 0xe0 && first < STRING_32 ? 2 : 1;
}
