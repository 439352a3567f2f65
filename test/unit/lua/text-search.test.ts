// The search for a text, in its two ways: for short texts JavaScript's own, for long ones one that is never slow.

import { expect, test } from 'vitest';
import { LuaState } from '../../../src/lua/state.ts';
import { findText } from '../../../src/lua/text-search.ts';

const LONG = 10_000;
const block = (length: number) => 'a'.repeat(length);

test.each<[name: string, text: string, sought: string]>([
  ['short', 'hello', 'l'],
  ['nothing', 'hello', ''],
  ['at the end', `${block(LONG)}b`, `${block(LONG / 4)}b`],
  ['at the beginning', `${block(LONG)}b`, block(LONG / 2)],
  ['overlapping itself', `${'aab'.repeat(LONG)}aac`, `${'aab'.repeat(LONG / 4)}aac`],
  ['nowhere', block(4 * LONG), `${block(LONG)}b${block(LONG)}`],
  ['longer than the text', block(LONG), block(LONG + 1)],
])('%s', (_, text, sought) => {
  for (const from of [0, 1, 4, text.length - 1, text.length]) {
    expect(findText(new LuaState(), text, sought, from)).toBe(text.indexOf(sought, from));
  }
});

test('a long search costs fuel', () => {
  let looks = 0;
  const watched = new LuaState(() => looks++);
  expect(findText(watched, block(100_000), `${block(20_000)}b${block(20_000)}`, 0)).toBe(-1);
  expect(looks).toBeGreaterThan(10);
});
