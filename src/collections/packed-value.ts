// What editing packed values in place needs, whatever they hold: the keyspace's verb for another length, and moving bytes.

import type { ByteView } from '../bytes/view.ts';

/** Where a packed value lives: a database, or the entries of one. The bytes that `resize` returns may be written to. */
export interface PackedValues {
  resize(slot: number, length: number, isRaw: boolean): ByteView;
}

/** Below this many bytes a loop beats the call. */
const LOOP_LIMIT = 48;

/** Moves bytes within a buffer; the two places may overlap. */
export function moveBytes(buffer: Buffer, from: number, to: number, length: number): void {
  if (length > LOOP_LIMIT) {
    buffer.copyWithin(to, from, from + length);
  } else if (to < from) {
    for (let i = 0; i < length; i++) buffer[to + i] = buffer[from + i]!;
  } else if (to > from) {
    for (let i = length - 1; i >= 0; i--) buffer[to + i] = buffer[from + i]!;
  }
}
