// Trees, the variables in them, the lines that run-time errors will name, and what is refused in which words.

import { describe, expect, test } from 'vitest';
import type { Expression, FunctionBody, Local, Statement } from '../../../src/lua/ast.ts';
import { parse } from '../../../src/lua/parser.ts';
import { outcomeOf } from './outcome.ts';
import { SYNTAX_ERRORS } from './syntax-errors.ts';

/** The expression that a chunk returns. */
function returned(source: string): Expression {
  const last = parse(source, 'test').main.body.at(-1);
  if (last?.kind !== 'return') throw new Error('the chunk returns nothing');
  return last.values[0]!;
}

/** An expression with all parentheses, locals with their ids, upvalues with `^`. */
function show(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
      return String(expression.value);
    case 'string':
      return JSON.stringify(expression.value);
    case 'global':
      return expression.name;
    case 'local':
      return `${expression.isUpvalue ? '^' : ''}${expression.local.name}${expression.local.id}`;
    case 'index':
      return `${show(expression.object)}[${show(expression.key)}]`;
    case 'call':
      return `${show(expression.callee)}(${expression.args.map(show).join()})`;
    case 'method':
      return `${show(expression.object)}:${expression.name}(${expression.args.map(show).join()})`;
    case 'parentheses':
      return `only${show(expression.inner)}`;
    case 'unary':
      return `(${expression.operator} ${show(expression.operand)})`;
    case 'binary':
    case 'logical':
      return `(${show(expression.left)} ${expression.operator} ${show(expression.right)})`;
    case 'table': {
      const items = expression.items.map(({ key, value }) => (key ? `[${show(key)}]=` : '') + show(value));
      return `{${items.join()}}`;
    }
    default:
      return expression.kind;
  }
}

test.each([
  ['a or b and c', '(a or (b and c))'],
  ['a and b or c', '((a and b) or c)'],
  ['a or b or c', '((a or b) or c)'],
  ['a < b == c', '((a < b) == c)'],
  ['a .. b .. c', '(a .. (b .. c))'],
  ['a .. b + c .. d', '(a .. ((b + c) .. d))'],
  ['a - b - c', '((a - b) - c)'],
  ['a + b * c % d', '(a + ((b * c) % d))'],
  ['a ^ b ^ c', '(a ^ (b ^ c))'],
  ['-a ^ b', '(- (a ^ b))'],
  ['a ^ -b * c', '((a ^ (- b)) * c)'],
  ['not a == b', '((not a) == b)'],
  ['#a .. - - b', '((# a) .. (- (- b)))'],
  ['(a + b) * c', '((a + b) * c)'],
  ['(a)', 'a'],
  ['(f())', 'onlyf()'],
  ['((...))', 'onlyvararg'],
  ['(a:f()).b', 'onlya:f()["b"]'],
  ['a.b[c].d', 'a["b"][c]["d"]'],
  ['f(a, ...)"s"{1}(nil)', 'f(a,vararg)("s")({1})(nil)'],
  ['a.b:c(1):d"s"', 'a["b"]:c(1):d("s")'],
  ['{1, a; b = c, [d] = true, f(),}', '{1,a,["b"]=c,[d]=true,f()}'],
  ['{a == b, a}', '{(a == b),a}'],
  ['function() end', 'function'],
])('return %s', (source, tree) => {
  expect(show(returned(`return ${source}`))).toBe(tree);
});

/** What the names in the `use(…)` calls of a chunk mean, in order. */
function uses(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, callee, args } = node as { kind?: string; callee?: Expression; args?: Expression[] };
    const isUse = kind === 'call' && callee?.kind === 'global' && callee.name === 'use';
    if (isUse) found.push(...args!.map(show));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(source, 'test').main);
  return found;
}

test.each([
  ['local x = use(x) use(x)', ['x', 'x0']],
  ['local x local x, y = use(x) use(x, y)', ['x0', 'x1', 'y2']],
  ['local function f() use(f) end use(f)', ['^f0', 'f0']],
  ['local f = function() use(f) end', ['f']],
  ['do local x use(x) end use(x)', ['x0', 'x']],
  ['repeat local x until use(x) use(x)', ['x0', 'x']],
  ['while use(x) do local x use(x) end', ['x', 'x0']],
  ['if use(x) then local x use(x) else use(x) end', ['x', 'x0', 'x']],
  ['for i = use(i), 2 do use(i) end use(i)', ['i', 'i3', 'i']],
  ['for k, v in use(k) do use(k, v) end use(v)', ['k', 'k3', 'v4', 'v']],
  ['function t.f(a) use(self, a) end', ['self', 'a0']],
  ['function t:f(a) use(self, a) end', ['self0', 'a1']],
  ['local a function f() return function() use(a) end end', ['^a0']],
  ['function f(...) use(arg) end', ['arg0']],
  ['use(arg)', ['arg']],
  ['function f() use(arg) end', ['arg']],
])('names in %s', (source, meanings) => {
  expect(uses(source)).toEqual(meanings);
});

function functionOf(source: string): FunctionBody {
  const expression = returned(`return ${source}`);
  if (expression.kind !== 'function') throw new Error('not a function');
  return expression.body;
}

describe('the table arg', () => {
  test('exists where it is mentioned and ... is not', () => {
    expect(functionOf('function(...) return arg end').arg?.name).toBe('arg');
    expect(functionOf('function(...) return function() return arg end end').arg?.name).toBe('arg');
    expect(functionOf('function(...) end').arg).toBeUndefined();
  });

  test('is nil where ... is used', () => {
    const { arg, body } = functionOf('function(...) return arg, ... end');
    expect(arg).toBeUndefined();
    expect(body[0]).toMatchObject({ kind: 'localStatement', locals: [{ name: 'arg' }], values: [] });
  });
});

test.each<[string, Pick<Local, 'isCaptured' | 'isAssigned'>]>([
  ['local x = 1', { isCaptured: false, isAssigned: false }],
  ['local x x = 1', { isCaptured: false, isAssigned: true }],
  ['local x function x() end', { isCaptured: false, isAssigned: true }],
  ['local x function x.y() end x.z = 1', { isCaptured: false, isAssigned: false }],
  ['local x function f() return x end', { isCaptured: true, isAssigned: false }],
  ['local x function f() x = 1 end', { isCaptured: true, isAssigned: true }],
  ['local x function f() local x = 1 x = 2 end', { isCaptured: false, isAssigned: false }],
])('what happens to x in %s', (source, facts) => {
  const [first] = parse(source, 'test').main.body as [Extract<Statement, { kind: 'localStatement' }>];
  expect(first.locals[0]).toMatchObject(facts);
});

test.each([
  ['return a + b', { hasLoops: false, hasFunctions: false, globals: ['a', 'b'] }],
  ['local a = 1; a = 2; c = a', { hasLoops: false, hasFunctions: false, globals: ['c'] }],
  ['while x do end', { hasLoops: true, hasFunctions: false, globals: ['x'] }],
  ['repeat until 1', { hasLoops: true, hasFunctions: false, globals: [] }],
  ['for i = 1, 2 do end', { hasLoops: true, hasFunctions: false, globals: [] }],
  ['for i in pairs(t) do end', { hasLoops: true, hasFunctions: false, globals: ['pairs', 't'] }],
  ['function f() end', { hasLoops: false, hasFunctions: true, globals: ['f'] }],
  ['return function() g = 1 end', { hasLoops: false, hasFunctions: true, globals: ['g'] }],
])('the facts of %s', (source, expected) => {
  const { hasLoops, hasFunctions, globals } = parse(source, 'test');
  expect({ hasLoops, hasFunctions, globals: [...globals] }).toEqual(expected);
});

/** The lines of a chunk's nodes of one kind, in the order of the tree. */
function linesOf(source: string, wanted: string): number[] {
  const lines: number[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, line } = node as { kind?: string; line?: number };
    if (kind === wanted) lines.push(line!);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(source, 'test').main);
  return lines;
}

/** As `luac5.1 -l` lists their instructions. */
test.each([
  ['x = a\n+\nb', 'binary', [3]],
  ['x = a\n+\nb', 'global', [3, 2, 3]],
  ['x = a.b\n..\nc\n', 'index', [2]],
  ['x = a .. (b .. c\n)', 'binary', [1, 1]],
  ['x = (a.b\n)', 'index', [2]],
  ['x = a\n.b\n.c', 'index', [3, 2]],
  ['x = -\na', 'unary', [2]],
  ['f(a.b\n,\nc.d\n)', 'index', [2, 4]],
  ['return f(\na\n)', 'call', [1]],
  ['return f\n"s"', 'call', [2]],
  ['return a\n.f(\n1)', 'call', [2]],
  ['a.b =\nc.d\n', 'index', [2, 2]],
  ['a.b,\nc.d = 1,\n2', 'index', [3, 3]],
  ['x = {a.b\n,\nc.d\n}', 'index', [2, 4]],
  ['x = {y = a.b\n}', 'index', [1]],
  ['x = {a\n\n, b}', 'global', [3, 3, 3]],
  ['if a\n then end', 'global', [1]],
  ['for i = 1,\n2\ndo end', 'numericFor', [3]],
  ['for i\nin\nf do end', 'genericFor', [3]],
  ['function a.b\n() end', 'index', [1]],
  ['local x = a.b\n\nlocal y', 'index', [1]],
])('where %j says its %s is', (source, kind, lines) => {
  expect(linesOf(source, kind)).toEqual(lines);
});

test('a keyed item says where its value ends', () => {
  const table = returned('return {[a]\n=\nb\n}');
  expect(table).toMatchObject({ items: [{ line: 3 }] });
});

test.each(SYNTAX_ERRORS)('%j is refused as Redis does', (source, message) => {
  expect(outcomeOf(source)).toBe(`user_script:${message}`);
});

const names = (count: number, between = ',') =>
  Array.from({ length: count }, (_, i) => `v${i}`).join(between);
const TOO_DEEP = 'user_script:1: chunk has too many syntax levels';
const tooComplex = (near: string) => `user_script:1: function or expression too complex near '${near}'`;
const tooMany = (line: number, where: string, what: string) =>
  `user_script:${line}: ${where} has more than ${what}`;

/** The largest that compiles, the number with which it no longer does, and how Redis says so. */
test.each<[what: string, limit: number, source: (count: number) => string, message: string]>([
  ['parentheses', 198, (n) => `return ${'('.repeat(n)}1${')'.repeat(n)}`, TOO_DEEP],
  ['blocks', 199, (n) => 'do '.repeat(n) + 'end '.repeat(n), TOO_DEEP],
  ['minus signs', 198, (n) => `return ${'- '.repeat(n)}1`, TOO_DEEP],
  ['concatenations', 198, (n) => `return ${'1 ..'.repeat(n)}1`, TOO_DEEP],
  ['tables', 199, (n) => `return ${'{'.repeat(n)}${'}'.repeat(n)}`, TOO_DEEP],
  ['functions', 99, (n) => `x=${'function() return '.repeat(n)}${'end '.repeat(n)}`, TOO_DEEP],
  ['locals', 200, (n) => `local ${names(n)}`, tooMany(1, 'main function', '200 local variables')],
  [
    'parameters',
    200,
    (n) => `\nx = function\n(${names(n)}) end`,
    tooMany(3, 'function at line 3', '200 local variables'),
  ],
  [
    'locals beside a loop',
    196,
    (n) => `local ${names(n)} for i = 1, 2 do end`,
    tooMany(1, 'main function', '200 local variables'),
  ],
  [
    'upvalues',
    60,
    (n) => `local ${names(n)} function f()\nreturn ${names(n, '+')} end`,
    tooMany(2, 'function at line 1', '60 upvalues'),
  ],
  ['targets', 200, (n) => `${names(n)} = 1`, tooMany(1, 'main function', '199 variables in assignment')],
  ['arguments', 248, (n) => `f(${names(n)})`, tooComplex('<eof>')],
  ['returned values', 249, (n) => `return ${names(n)}`, tooComplex('<eof>')],
])('%s: at most %i', (_, limit, source, message) => {
  expect(outcomeOf(source(limit))).toBe('ok');
  expect(outcomeOf(source(limit + 1))).toBe(message);
});

/** Lua itself would take the ones that we call too complex. */
test.each([
  ['statements', 'x=1;'.repeat(100_000), 'ok'],
  ['list items', `return {${'1,'.repeat(100_000)}}`, 'ok'],
  ['a sum', `return ${'1+'.repeat(100_000)}1`, tooComplex('+')],
  ['fields', `return a${'.b'.repeat(100_000)}`, tooComplex('.')],
  ['calls', `return f${'()'.repeat(100_000)}`, tooComplex('(')],
  ['clauses', `if x then ${'elseif x then '.repeat(10_000)}end`, tooComplex('elseif')],
  ['powers', `return ${'2^'.repeat(100_000)}2`, TOO_DEEP],
  ['minus signs', `return ${'- '.repeat(100_000)}1`, TOO_DEEP],
  ['parentheses', '('.repeat(100_000), TOO_DEEP],
  ['blocks', 'do '.repeat(100_000), TOO_DEEP],
  ['functions', 'x = function() '.repeat(100_000), TOO_DEEP],
])('a very long chunk of %s ends well', (_, source, outcome) => {
  expect(outcomeOf(source)).toBe(outcome);
});
