// Tokens: values of strings and numbers, names and keywords, newlines, and which line reading has come to.

import { expect, test } from 'vitest';
import { Lexer, LuaSyntaxError } from '../../../src/lua/lexer.ts';

function kindsOf(source: string): string {
  const lexer = new Lexer(source, 'test');
  const kinds: string[] = [];
  for (let token = lexer.read(); token.kind !== '<eof>'; token = lexer.read()) kinds.push(token.kind);
  return kinds.join(' ');
}

test.each([
  ['a=b==c~=d<=e>=f<g>h', '<name> = <name> == <name> ~= <name> <= <name> >= <name> < <name> > <name>'],
  ['a.b..c...d', '<name> . <name> .. <name> ... <name>'],
  ['.....', '... ..'],
  ['and_ and And', '<name> and <name>'],
  ['_1 x_2 é', '<name> <name> é'],
  ['a[[[x]]]', '<name> <string> ]'],
  ['a[b]=[==[c]==]', '<name> [ <name> ] = <string>'],
  ['-- one\n- --[[ two\n]] 3--', '- <number>'],
  ['--[==[ ]] ]=] \n]==]x', '<name>'],
  ['1..2', undefined],
  ['1 ..2', '<number> .. <number>'],
  ['\t\v\f\r\n ', ''],
])('the tokens of %j', (source, kinds) => {
  if (kinds === undefined) expect(() => kindsOf(source)).toThrow();
  else expect(kindsOf(source)).toBe(kinds);
});

test.each([
  [`"it's"`, "it's"],
  [`'\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\''`, '\x07\b\f\n\r\t\v\\"\''],
  [`'\\65\\066\\0677\\0\\255'`, 'ABC7\0\xff'],
  [`'\\x41\\q'`, 'x41q'],
  [`'a\\\nb\\\r\nc\\\n\rd\\\re'`, 'a\nb\nc\nd\ne'],
  ['"\0\x80\xff"', '\0\x80\xff'],
  ['[[\na\r\nb\rc\n\rd]]', 'a\nb\nc\nd'],
  ['[[\r\n\r\n]]', '\n'],
  ['[[\\n"]]', '\\n"'],
  ['[==[a]]b]=]c]==]', 'a]]b]=]c'],
  ['[[a[[b]]', 'a[[b'],
  ['[=[]]=]', ']'],
  ['""', ''],
])('the string %j', (source, text) => {
  expect(new Lexer(source, 'test').read()).toMatchObject({ kind: '<string>', text });
});

test.each([
  ['0', 0],
  ['3.', 3],
  ['.5', 0.5],
  ['3.25e2', 325],
  ['1.e+2', 100],
  ['5E-1', 0.5],
  ['08', 8],
  ['1e400', Number.POSITIVE_INFINITY],
  ['0xA', 10],
  ['0XfF', 255],
  ['0x1e', 30],
  ['0x1p4', 16],
  ['0x10P2', 64],
  ['0x0p99999', 0],
  ['0x1p99999', Number.POSITIVE_INFINITY],
  ['0x20000000000001', 2 ** 53],
  ['0xfffffffffffffffff', 2 ** 68],
])('the number %s', (source, number) => {
  expect(new Lexer(source, 'test').read()).toMatchObject({ kind: '<number>', text: source, number });
});

test('every kind of newline counts once', () => {
  const lexer = new Lexer('\n\r\n\n\r\r\r--[[\r\n\n]]"\\\r\n"', 'test');
  lexer.read();
  expect(lexer.line).toBe(9);
  expect(lexer.read().kind).toBe('<eof>');
  expect(lexer.read().kind).toBe('<eof>');
});

test('errors are cheap objects that name the chunk and the line', () => {
  try {
    new Lexer('\n "abc', '[string "x"]').read();
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(LuaSyntaxError);
    expect(error).not.toBeInstanceOf(Error);
    expect(error).toEqual({ message: `[string "x"]:2: unfinished string near '<eof>'` });
  }
});
