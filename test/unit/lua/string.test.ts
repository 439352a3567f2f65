// The library `string`. What is expected was answered by redis-server 7.0.15; test/property/lua-strings.test.ts compares
// many more.

import { describe, expect, test } from 'vitest';
import { stringLibrary } from '../../../src/lua/library/string.ts';
import { LuaError } from '../../../src/lua/lua-error.ts';
import { all, finished, LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import type { LuaFunction, LuaValue } from '../../../src/lua/value.ts';

const state = new LuaState();
const library = stringLibrary(state);

/** The results, or the error's message. */
function call(name: string, ...args: LuaValue[]): readonly LuaValue[] | LuaValue {
  try {
    return all(finished((library.get(name) as LuaFunction)(...args)));
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    return error.value;
  }
}

const CASES: readonly [name: string, args: readonly LuaValue[], expected: LuaValue[] | string][] = [
  ['len', ['a\0b'], [3]],
  ['len', [12], [2]],
  ['len', [], "bad argument #1 to '?' (string expected, got no value)"],

  ['sub', ['hello', 2, 3], ['el']],
  ['sub', ['hello', -3], ['llo']],
  ['sub', ['hello', 2, -2], ['ell']],
  ['sub', ['hello', 0], ['hello']],
  ['sub', ['hello', -99, 2], ['he']],
  ['sub', ['hello', 4, 2], ['']],
  ['sub', ['hello', 9], ['']],
  ['sub', ['hello', 2.9, '3'], ['el']],
  ['sub', ['hello', -Infinity, Infinity], ['']],
  ['sub', ['hello'], "bad argument #2 to '?' (number expected, got no value)"],

  ['byte', ['hello'], [104]],
  ['byte', ['hello', -1], [111]],
  ['byte', ['hello', 2, 4], [101, 108, 108]],
  ['byte', ['hello', 9], []],
  ['byte', ['', 1], []],
  ['byte', ['\xff\0', 1, 2], [255, 0]],
  ['byte', ['x'.repeat(9000), 1, 7998], 'stack overflow (string slice too long)'],

  ['char', [], ['']],
  ['char', [104, 105.9, 0, 255], ['hi\0\xff']],
  ['char', [2 ** 32 + 65, 2 ** 63], ['A\0']],
  ['char', [65, 256], "bad argument #2 to '?' (invalid value)"],
  ['char', [-1], "bad argument #1 to '?' (invalid value)"],

  ['rep', ['ab', 3], ['ababab']],
  ['rep', ['ab', -1], ['']],
  ['rep', ['ab', 2 ** 32 + 2], ['abab']],
  ['rep', ['', 1e9], ['']],
  ['rep', ['ab', 1e9], 'not enough memory'],

  ['reverse', ['abc\0\xff'], ['\xff\0cba']],
  ['upper', ['aZ1\xe9\xdf\xff'], ['AZ1\xe9\xdf\xff']],
  ['lower', ['aZ1\xc9'], ['az1\xc9']],
  ['upper', ['abc'], ['ABC']],
  ['lower', ['ABC'], ['abc']],

  ['find', ['hello', 'l'], [3, 3]],
  ['find', ['hello', 'l', -1], [undefined]],
  ['find', ['hello', ''], [1, 0]],
  ['find', ['hello', '', 99], [6, 5]],
  ['find', ['a.b', '.', 2, true], [2, 2]],
  ['find', ['a.b', '.', 2], [2, 2]],
  ['find', ['a.b', '%.'], [2, 2]],
  ['find', ['key=v', '(%w+)=(%w+)'], [1, 5, 'key', 'v']],
  ['find', ['aab', '^ab'], [undefined]],
  ['find', ['aab', '^ab', 2], [2, 3]],
  ['find', ['a\0b', '\0'], [2, 2]],
  ['find', ['a\0b*', '\0b*'], [2, 4]],
  ['find', ['a)', ')'], [2, 2]],
  ['find', ['a', '('], 'unfinished capture'],

  ['match', ['hello', 'l+'], ['ll']],
  ['match', ['hello', '(h)(.)'], ['h', 'e']],
  ['match', ['hello', '()ll()'], [3, 5]],
  ['match', ['hello', '^l'], [undefined]],
  ['match', ['hello', '.', -1], ['o']],
  ['match', [12, '%d'], ['1']],

  ['gsub', ['hello', 'l', 'L'], ['heLLo', 2]],
  ['gsub', ['hello', 'l', 'L', 1], ['heLlo', 1]],
  ['gsub', ['hello', 'l', 'L', 2 ** 32], ['hello', 0]],
  ['gsub', ['abc', '', '-'], ['-a-b-c-', 4]],
  ['gsub', ['abc', 'b*', '-'], ['-a--c-', 4]],
  ['gsub', ['aaa', '^a', 'b'], ['baa', 1]],
  ['gsub', ['abc', '^', 'x'], ['xabc', 1]],
  ['gsub', ['abc', '%w', '<%0%1%%%a>'], ['<aa%a><bb%a><cc%a>', 3]],
  ['gsub', ['abc', 'b', '%'], ['a\0c', 1]],
  ['gsub', ['abc', '()', '%1'], ['1a2b3c4', 4]],
  ['gsub', ['abc', 'b', 1.5], ['a1.5c', 1]],
  ['gsub', ['abc', 'b', '%2'], 'invalid capture index'],
  ['gsub', ['abc', '(b', 'x'], ['axc', 1]],
  ['gsub', ['abc', '(b', '%1'], 'unfinished capture'],
  ['gsub', ['abc', 'b'], "bad argument #3 to '?' (string/function/table expected)"],
  ['gsub', ['abc', 'b', true, true], "bad argument #4 to '?' (number expected, got boolean)"],

  ['dump', [() => 1], 'unable to dump given function'],
  ['dump', [1], "bad argument #1 to '?' (function expected, got number)"],
];

test.each(CASES)('%s %j', (name, args, expected) => {
  expect(call(name, ...args)).toEqual(expected);
});

describe('gmatch', () => {
  const iterated = (text: string, pattern: string) => {
    const next = (call('gmatch', text, pattern) as readonly LuaValue[])[0] as LuaFunction;
    const results: (readonly LuaValue[])[] = [];
    for (let values = all(finished(next())); values.length > 0; values = all(finished(next())))
      results.push(values);
    return results;
  };

  test.each<[string, string, LuaValue[][]]>([
    ['a1 b2', '%a%d', [['a1'], ['b2']]],
    [
      'a=1, b=2',
      '(%a)=(%d)',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['ab', '', [[''], [''], ['']]],
    ['ab', '()', [[1], [2], [3]]],
    ['aab', 'a*', [['aa'], [''], ['']]],
    ['a^a', '^a', [['^a']]],
  ])('%j %j', (text, pattern, expected) => {
    expect(iterated(text, pattern)).toEqual(expected);
  });

  test('is also called gfind', () => {
    expect(library.get('gfind')).toBe(library.get('gmatch'));
  });
});

describe('gsub by a table', () => {
  const fields = () => LuaTable.from({ a: 'X', b: false, c: 1.5, d: true });

  test('fields replace, nil and false leave what is there', () => {
    expect(call('gsub', 'abcx', '.', fields())).toEqual(['Xb1.5x', 4]);
    expect(call('gsub', 'd', '.', fields())).toBe('invalid replacement value (a boolean)');
    expect(call('gsub', 'abc', '()', new LuaTable(['!']))).toEqual(['!abc', 4]);
  });

  test('__index is asked', () => {
    const table = fields();
    table.metatable = LuaTable.from({ __index: (_, key) => `${key}${key}` });
    expect(call('gsub', 'axy', '.', table)).toEqual(['Xxxyy', 3]);
    table.metatable = LuaTable.from({ __index: LuaTable.from({ x: 'Y' }) });
    expect(call('gsub', 'axy', '.', table)).toEqual(['XYy', 3]);
  });
});

describe('gsub by a function', () => {
  test('it gets the captures, or all of the match', () => {
    const echo: LuaFunction = (...args) => `<${args.join()}>`;
    expect(call('gsub', 'ab', '.', echo)).toEqual(['<a><b>', 2]);
    expect(call('gsub', 'ab', '(a)()(b)', echo)).toEqual(['<a,2,b>', 1]);
  });

  test('nil and false leave what is there, and nothing else may come but text', () => {
    expect(call('gsub', 'ab', '.', () => undefined)).toEqual(['ab', 2]);
    expect(call('gsub', 'ab', '.', () => false)).toEqual(['ab', 2]);
    expect(call('gsub', 'ab', '.', () => new LuaTable())).toBe('invalid replacement value (a table)');
  });

  test('it may use patterns itself', () => {
    const inner: LuaFunction = (match) => (call('gsub', match, '.', '[%0]') as LuaValue[])[0];
    expect(call('gsub', 'ab cd', '%a+', inner)).toEqual(['[a][b] [c][d]', 2]);
  });
});

test('what grows too long is refused', () => {
  const small = new LuaState();
  small.maxStringBytes = 100;
  const gsub = stringLibrary(small).get('gsub') as LuaFunction;
  const refusal = expect.objectContaining({ value: 'not enough memory' });
  expect(() => gsub('x'.repeat(50), 'x', 'yyy')).toThrow(refusal);
  expect(() => gsub('x'.repeat(50), 'x+', '%0%0%0')).toThrow(refusal);
});

test('replacements without end cost fuel', () => {
  const counted = new LuaState();
  const before = counted.effort;
  (stringLibrary(counted).get('gsub') as LuaFunction)('aaaa', '(x?)', '%1'.repeat(1000));
  expect(before - counted.effort).toBeGreaterThan(5000);
});
