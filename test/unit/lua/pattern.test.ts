// Patterns. What is expected was answered by redis-server 7.0.15, which cannot be asked about the longest ones: they end
// it. test/property/lua-strings.test.ts compares many more.

import { describe, expect, test } from 'vitest';
import { StartOver } from '../../../src/lua/lua-error.ts';
import { compilePattern, Matcher } from '../../../src/lua/pattern.ts';
import { LuaState } from '../../../src/lua/state.ts';

const state = new LuaState();

/** The first match and its captures, or nothing. */
function found(subject: string, pattern: string, from = 0) {
  const matcher = new Matcher(state, subject, compilePattern(pattern));
  const match = matcher.search(from);
  return match && [subject.slice(match.start, match.end), ...matcher.captures()];
}

const CASES: Readonly<Record<string, readonly [subject: string, pattern: string, ...expected: unknown[]][]>> =
  {
    'single characters and classes': [
      ['hello', 'l', 'l'],
      ['a.b', '%.', '.'],
      ['ab', '.', 'a'],
      ['ab12', '%d%d', '12'],
      ['ab12', '%A%D*', '1'],
      ['a\x7f', '%c', '\x7f'],
      ['aB', '%u', 'B'],
      ['Ba', '%l', 'a'],
      ['a_', '%p', '_'],
      ['xfg', '%x', 'f'],
      ['a\0b', '%z', '\0'],
      ['\xe9', '%a'],
      ['\xe9', '%A', '\xe9'],
      ['a', '%g'],
      ['g', '%g', 'g'],
    ],
    sets: [
      ['abc', '[bc]', 'b'],
      ['abc', '[^ab]', 'c'],
      ['a]b', '[]]', ']'],
      ['a]b', '[^]a]', 'b'],
      ['a-b', '[a-]+', 'a-'],
      ['a-b', '[-a]+', 'a-'],
      ['abcd', '[b-c]+', 'bc'],
      ['%]a', '[%]]', ']'],
      ['ab1_', '[%w_]+', 'ab1_'],
      ['a]%', '[a-%]]+', ']'],
      ['\xff', '[\x80-\xff]', '\xff'],
      ['b^', '[b^]+', 'b^'],
    ],
    repetition: [
      ['aaab', 'a*', 'aaa'],
      ['aaab', 'a+b', 'aaab'],
      ['aaab', 'a-b', 'aaab'],
      ['aaab', 'a-', ''],
      ['aaab', 'a?b', 'ab'],
      ['b', 'a?b', 'b'],
      ['aab', '.*a', 'aa'],
      ['<a><b>', '<.->', '<a>'],
      ['*', '*', '*'],
    ],
    captures: [
      ['key=value', '(%w+)=(%w+)', 'key=value', 'key', 'value'],
      ['abc', '()b()', 'b', 2, 3],
      ['abcabc', '(a(b))c%1', 'abcab', 'ab', 'b'],
      ['aa', '(a)%1', 'aa', 'a'],
      ['ab', '(a)%1'],
      ['aa', '()a%1'],
      ['abc', '((a)(b))', 'ab', 'ab', 'a', 'b'],
      ['xay', '(x?)(a)(z?)', 'xa', 'x', 'a', ''],
      // What a failed attempt captured is gone.
      ['aab', '(a-)b', 'aab', 'aa'],
    ],
    'balance, frontier, end': [
      ['f(a(b)c)d', '%b()', '(a(b)c)'],
      ['((a)', '%b()', '(a)'],
      ['xaxb', '%bxx', 'xax'],
      ['THE (quick) fox', '%f[%a]%a+', 'THE'],
      ['THE fox', '%f[%l]%a+', 'fox'],
      ['ab', '%f[%z]', ''],
      ['ab$', 'b$'],
      ['ab', 'b$', 'b'],
      ['a$b', '$b', '$b'],
    ],
    'a zero byte ends a pattern': [
      ['ab', 'a\0c', 'a'],
      ['ab', 'b$\0', 'b'],
    ],
  };

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%j, %j', (subject, pattern, ...expected) => {
    expect(found(subject, pattern) ?? []).toEqual(expected);
  });
});

describe('broken patterns', () => {
  test.each([
    ['[a', "malformed pattern (missing ']')"],
    ['[]', "malformed pattern (missing ']')"],
    ['[^', "malformed pattern (missing ']')"],
    ['[%]', "malformed pattern (missing ']')"],
    ['[a\0]', "malformed pattern (missing ']')"],
    ['%', "malformed pattern (ends with '%')"],
    ['%f', "missing '[' after '%f' in pattern"],
    ['%fa', "missing '[' after '%f' in pattern"],
    ['%b', 'unbalanced pattern'],
    ['%ba', 'unbalanced pattern'],
    ['a)', 'invalid pattern capture'],
    ['(a', 'unfinished capture'],
    ['%1', 'invalid capture index'],
    ['%0', 'invalid capture index'],
    ['(%1)', 'invalid capture index'],
    ['()'.repeat(33), 'too many captures'],
  ])('%j', (pattern, message) => {
    expect(() => found('abc', pattern)).toThrow(expect.objectContaining({ value: message }));
  });

  test('what is not reached does no harm', () => {
    expect(found('abc', 'x[')).toBeUndefined();
    expect(found('abc', 'x%')).toBeUndefined();
    expect(found('abc', '(x')).toBeUndefined();
  });

  test('32 captures are not too many', () => {
    expect(found('abc', '()'.repeat(32))).toHaveLength(33);
  });
});

describe('nothing overflows, and nothing lasts for ever', () => {
  test('long subjects and long patterns', () => {
    const long = 'a'.repeat(50_000);
    expect(found(long, 'a?'.repeat(50_000))).toEqual([long]);
    expect(found(long, '(.-)$')).toEqual([long, long]);
    expect(found(`${'('.repeat(50_000)}${')'.repeat(50_000)}`, '%b()')?.[0]).toHaveLength(100_000);
    expect(() => found(long, '[ab]?'.repeat(150_000))).toThrow(
      expect.objectContaining({ value: 'pattern too complex' }),
    );
  });

  test('a hopeless match is ended from outside', () => {
    let looks = 0;
    const watched = new LuaState(() => {
      if (++looks > 10) throw new StartOver();
    });
    const matcher = new Matcher(watched, 'a'.repeat(1000), compilePattern(`${'a*'.repeat(20)}b`));
    expect(() => matcher.search(0)).toThrow(StartOver);
  });

  test.each(['a*b', '.-b', '%b()', '(a+)%1b'])('%s costs fuel', (pattern) => {
    const counted = new LuaState();
    const before = counted.effort;
    new Matcher(counted, `(${'a'.repeat(1000)}`, compilePattern(pattern)).matchAt(0);
    new Matcher(counted, 'a'.repeat(1000), compilePattern(pattern)).matchAt(0);
    expect(before - counted.effort).toBeGreaterThan(1000);
  });
});
