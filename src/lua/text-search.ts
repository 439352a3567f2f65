// Where one text stands in another, in time that is never more than in proportion to both.
//
// JavaScript's own search is quickest for nearly all texts, but can take as long as the product of both lengths, and
// nothing can stop it. So where that would be too long, texts are compared a byte at a time, in the way of Knuth, Morris
// and Pratt: no byte is looked at again, and each costs fuel (state.ts).

import type { LuaState } from './state.ts';

/** Comparisons that are done before anyone notices. */
const SOON = 10_000_000;

/** The first place at `from` or later where `sought` stands in `text`, or -1. */
export function findText(state: LuaState, text: string, sought: string, from: number): number {
  if ((text.length - from) * sought.length <= SOON) return text.indexOf(sought, from);
  if (sought.length > text.length - from) return -1;
  const borders = bordersOf(state, sought);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    if (--state.effort < 0) state.tire();
    matched = extended(sought, borders, matched, text.charCodeAt(at));
    if (matched === sought.length) return at + 1 - matched;
  }
  return -1;
}

/** For each beginning of a text, by its length less one: how much of its end is also its beginning. */
function bordersOf(state: LuaState, text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    if (--state.effort < 0) state.tire();
    matched = extended(text, borders, matched, text.charCodeAt(at));
    borders[at] = matched;
  }
  return borders;
}

/** How much of `sought` ends with this byte, if so much ended before it. */
function extended(sought: string, borders: Int32Array, before: number, byte: number): number {
  let matched = before;
  while (matched > 0 && sought.charCodeAt(matched) !== byte) matched = borders[matched - 1] as number;
  return sought.charCodeAt(matched) === byte ? matched + 1 : matched;
}
