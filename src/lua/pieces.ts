// Long strings changed in pieces: JavaScript's own functions cannot be stopped, and some of them keep a note of every
// place where they change something, which for a long enough string ends the process.

import type { LuaState } from './state.ts';

const PIECE_BYTES = 64 * 1024;
/** Bytes that one step of effort is good for. */
const BYTES_PER_STEP = 16;

/** `change` of the whole, for changes to which it makes no difference how the string is cut. */
export function inPieces(state: LuaState, text: string, change: (piece: string) => string): string {
  if (text.length <= PIECE_BYTES) return change(text);
  state.claim(text.length);
  let out = '';
  for (let at = 0; at < text.length; at += PIECE_BYTES) {
    state.spend(PIECE_BYTES / BYTES_PER_STEP);
    out += change(text.slice(at, at + PIECE_BYTES));
    state.checkLength(out.length);
  }
  return out;
}
