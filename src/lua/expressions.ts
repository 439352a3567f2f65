// JavaScript for Lua expressions.
//
// The quick case is written out, so that V8 can inline it: a number plus a number, a field of a table, a call of a
// function. All else goes through operators.ts. Operands are evaluated once, from left to right; those that are no plain
// variable wait in temporaries.

import type { BinaryOperator, CallExpression, Expression, FunctionBody, TableItem } from './ast.ts';
import { type ChunkCode, literal, localName, type StaticType, type Temporaries } from './chunk-code.ts';
import { bareName, chain, isComparison, isOpen, isPlain, mayMove, nameOf } from './expression-facts.ts';
import type { LuaValue } from './value.ts';

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

/** An operand: what must run before, and the JavaScript variable or constant that then holds its value. */
interface Operand {
  readonly setup: string;
  readonly name: string;
  readonly type: StaticType;
}

export class Expressions {
  readonly #chunk: ChunkCode;
  readonly #temps: Temporaries;
  readonly #emitFunction: (body: FunctionBody) => string;
  /** The number 0 has been written. */
  #hasZero = false;

  constructor(chunk: ChunkCode, temps: Temporaries, emitFunction: (body: FunctionBody) => string) {
    this.#chunk = chunk;
    this.#temps = temps;
    this.#emitFunction = emitFunction;
  }

  // --- in three roles

  /** An expression with exactly one value. */
  value(e: Expression): string {
    switch (e.kind) {
      case 'nil':
        return 'undefined';
      case 'boolean':
        return String(e.value);
      case 'number':
        this.#hasZero ||= e.value === 0;
        return String(e.value);
      case 'string':
        return literal(e.value);
      case 'vararg':
        return 'va[0]';
      case 'function':
        return `(${this.#emitFunction(e.body)})`;
      case 'local':
        return localName(e.local);
      case 'global':
        return this.#global(e);
      case 'index':
        return this.#index(e);
      case 'call':
      case 'method':
        return this.#settleOne(this.call(e));
      case 'parentheses':
        return this.value(e.inner);
      case 'unary':
        return this.#unary(e);
      case 'binary':
        return this.#binary(e);
      case 'logical':
        return this.#logical(e);
      case 'table':
        return this.#table(e);
    }
  }

  /** A call or `...` with all its values: a value or `Several`. */
  several(e: Expression): string {
    if (e.kind === 'vararg') return 'several(va)';
    if (e.kind === 'call' || e.kind === 'method') return this.settle(this.call(e));
    return this.value(e);
  }

  /** A JavaScript boolean. */
  condition(e: Expression): string {
    if (e.kind === 'unary' && e.operator === 'not') return `!${this.condition(e.operand)}`;
    if (e.kind === 'logical') {
      const operator = e.operator === 'and' ? '&&' : '||';
      return `(${this.condition(e.left)} ${operator} ${this.condition(e.right)})`;
    }
    const type = this.#typeOf(e);
    if (type === 'boolean') return `(${this.value(e)})`;
    const operand = this.#operand(e);
    this.#temps.release(operand.name);
    const setup = operand.setup === '' ? '' : `${operand.setup}, `;
    return `(${setup}${operand.name} !== undefined && ${operand.name} !== false)`;
  }

  /** JavaScript of an array with the values of a list, the last one's all. */
  list(list: readonly Expression[]): string {
    return `[${this.#items(list)}]`;
  }

  #items(list: readonly Expression[]): string {
    return list
      .map((e, i) => {
        if (i < list.length - 1 || !isOpen(e)) return this.value(e);
        return e.kind === 'vararg' ? '...va' : `...all(${this.several(e)})`;
      })
      .join(', ');
  }

  /** What a call returned, run to its end. */
  settle(result: string): string {
    const temp = this.#temps.take();
    this.#temps.release(temp);
    const settled = this.#chunk.isBreathing ? `yield* S.settled(${temp})` : `finished(${temp})`;
    return `((${temp} = ${result}) instanceof Unsettled ? ${settled} : ${temp})`;
  }

  #settleOne(result: string): string {
    const temp = this.#temps.take();
    this.#temps.release(temp);
    const settled = this.#chunk.isBreathing ? `yield* S.settled(${temp})` : `finished(${temp})`;
    return `((${temp} = ${result}) instanceof Unsettled ? first(${settled}) : ${temp})`;
  }

  /** What an operator returned: work at most if there are metatables, and then only in breathing code. */
  settleOperator(result: string): string {
    return this.#chunk.isBreathing && this.#chunk.hasMetatables ? this.#settleOne(result) : result;
  }

  // --- operands

  #operand(e: Expression): Operand {
    const type = this.#typeOf(e);
    const code = this.value(e);
    if (e.kind === 'number') return { setup: '', name: `(${code})`, type };
    if (isPlain(e)) return { setup: '', name: code, type };
    const name = this.#temps.take();
    return { setup: `${name} = ${code}`, name, type };
  }

  /** A value that must be kept as it is now, even if it is a variable that changes later. */
  snapshot(e: Expression): Operand {
    const operand = this.#operand(e);
    if (operand.setup !== '' || e.kind !== 'local') return operand;
    const name = this.#temps.take();
    return { ...operand, setup: `${name} = ${operand.name}`, name };
  }

  operand(e: Expression): Operand {
    return this.#operand(e);
  }

  #typeOf(e: Expression): StaticType {
    switch (e.kind) {
      case 'nil':
      case 'boolean':
      case 'number':
      case 'string':
      case 'table':
      case 'function':
        return e.kind;
      case 'local':
        return this.#chunk.types.get(e.local) ?? 'unknown';
      case 'parentheses':
        return this.#typeOf(e.inner);
      case 'global':
        return this.#chunk.isVariable(e.name) ? 'table' : 'unknown';
      case 'unary':
        if (e.operator === 'not') return 'boolean';
        return e.operator === '#' || !this.#chunk.hasMetatables ? 'number' : 'unknown';
      case 'binary':
        return this.#typeOfBinary(e.operator);
      default:
        return 'unknown';
    }
  }

  /** What it has if it does not fail. */
  #typeOfBinary(operator: BinaryOperator): StaticType {
    if (isComparison(operator)) return 'boolean';
    if (this.#chunk.hasMetatables) return 'unknown';
    return operator === '..' ? 'string' : 'number';
  }

  staticType(e: Expression): StaticType {
    return this.#typeOf(e);
  }

  // --- names and fields

  #global(e: Of<'global'>): string {
    const known = this.#chunk.global(e.name);
    if (known !== undefined) return known.code;
    // Of names that are not there, the globals' own `__index` complains: always a metamethod.
    const index = `O.index(G, ${literal(e.name)}, ${this.#chunk.site(e.line)})`;
    return this.#chunk.isBreathing ? this.#settleOne(index) : index;
  }

  #index(e: Of<'index'>): string {
    if (e.object.kind === 'global' && e.key.kind === 'string') {
      const field = this.#chunk.libraryField(e.object.name, e.key.value);
      if (field !== undefined) return field.code;
    }
    const object = this.#operand(e.object);
    const key = this.#operand(e.key);
    const site = this.#chunk.site(e.line, [nameOf(e.object)]);
    const code = this.#indexOf(object, key, site);
    this.#temps.release(object.name, key.name);
    return sequence([object.setup, key.setup], code);
  }

  #indexOf(object: Operand, key: Operand, site: number): string {
    const get = `${object.name}.${accessor('get', key.type)}(${key.name})`;
    const slow = `O.index(${object.name}, ${key.name}, ${site})`;
    if (!this.#chunk.hasMetatables)
      return object.type === 'table' ? get : `(${object.name} instanceof Table ? ${get} : ${slow})`;
    const temp = this.#temps.take();
    const isHit = `((${temp} = ${get}) !== undefined || ${object.name}.metatable === undefined)`;
    const isTable = object.type === 'table' ? '' : `${object.name} instanceof Table && `;
    const code = `(${isTable}${isHit} ? ${temp} : ${this.settleOperator(slow)})`;
    this.#temps.release(temp);
    return code;
  }

  /** A statement that assigns to a field. */
  setField(object: Operand, key: Operand, value: string, line: number, name: string): string {
    const site = this.#chunk.site(line, [name]);
    const guards = [
      ...(object.type === 'table' ? [] : [`${object.name} instanceof Table`]),
      ...(this.#chunk.hasMetatables ? [`${object.name}.metatable === undefined`] : []),
      `!${object.name}.isReadonly`,
      ...keyGuards(key),
    ];
    const set = `${object.name}.${accessor('set', key.type)}(${key.name}, ${value})`;
    const slow = this.settleOperator(`O.setIndex(${object.name}, ${key.name}, ${value}, ${site})`);
    return `if (${guards.join(' && ')}) ${set}; else ${slow};\n`;
  }

  // --- operators

  #unary(e: Of<'unary'>): string {
    if (e.operator === 'not') return `!${this.condition(e.operand)}`;
    // Among the constants of a Lua function, zeros are one: the first that came.
    if (this.#hasZero && e.operator === '-' && e.operand.kind === 'number' && e.operand.value === 0)
      return '0';
    const operand = this.#operand(e.operand);
    this.#temps.release(operand.name);
    const site = this.#chunk.site(e.line, [nameOf(e.operand)]);
    const { name, type } = operand;
    if (e.operator === '#') {
      const length = type === 'table' || type === 'string' ? `${name}.length` : `O.length(${name}, ${site})`;
      return sequence([operand.setup], length);
    }
    const slow = this.settleOperator(`O.negate(${name}, ${site})`);
    const code = type === 'number' ? `-${name}` : `(typeof ${name} === 'number' ? -${name} : ${slow})`;
    return sequence([operand.setup], code);
  }

  #binary(e: Of<'binary'>): string {
    if (e.operator === '..') return this.#concat(e);
    const left = this.#operand(e.left);
    const right = this.#operand(e.right);
    const site = this.#chunk.site(e.line, [nameOf(e.left), nameOf(e.right)]);
    const code = isComparison(e.operator)
      ? this.#compare(e.operator, left, right, site)
      : this.#arithmetic(e.operator, left, right, site);
    this.#temps.release(left.name, right.name);
    return sequence([left.setup, right.setup], code);
  }

  #arithmetic(operator: string, left: Operand, right: Operand, site: number): string {
    const [a, b] = [left.name, right.name];
    const inline = operator === '%' ? `modulo(${a}, ${b})` : `${a} ${operator} ${b}`;
    const quick = operator === '^' ? `power(${a}, ${b})` : inline;
    const tests = [left, right].filter(({ type }) => type !== 'number').map(isNumber);
    if (tests.length === 0) return `(${quick})`;
    const slow = this.settleOperator(`O.arithmetic('${operator}', ${a}, ${b}, ${site})`);
    return `(${tests.join(' && ')} ? ${quick} : ${slow})`;
  }

  #compare(operator: string, left: Operand, right: Operand, site: number): string {
    const [a, b] = [left.name, right.name];
    if (operator === '==' || operator === '~=') {
      const same = operator === '==' ? `${a} === ${b}` : `${a} !== ${b}`;
      if (!this.#chunk.hasMetatables || isPrimitive(left.type) || isPrimitive(right.type)) return `(${same})`;
      const slow = this.settleOperator(`O.equal(${a}, ${b}, ${site})`);
      return operator === '==' ? `(${same} || ${slow})` : `(${same} && !${slow})`;
    }
    const tests = [left, right].filter(({ type }) => type !== 'number').map(isNumber);
    if (tests.length === 0) return `(${a} ${operator} ${b})`;
    const isSwapped = operator.startsWith('>');
    const method = operator.endsWith('=') ? 'lessOrEqual' : 'lessThan';
    const operands = isSwapped ? `${b}, ${a}` : `${a}, ${b}`;
    const slow = this.settleOperator(`O.${method}(${operands}, ${site})`);
    return `(${tests.join(' && ')} ? ${a} ${operator} ${b} : ${slow})`;
  }

  #concat(e: Of<'binary'>): string {
    const parts = chain(e);
    // Lua copies all of them first, so that what a call in a later one assigns does not matter.
    const lastMove = parts.findLastIndex(mayMove);
    const operands = parts.map((part, i) => (i < lastMove ? this.snapshot(part) : this.#operand(part)));
    const names = operands.map(({ name }) => name);
    this.#temps.release(...names);
    const site = this.#chunk.site(e.line, parts.map(nameOf));
    const tests = operands
      .filter(({ type }) => type !== 'string')
      .map(({ name }) => `typeof ${name} === 'string'`);
    const quick = `S.joined(${names.join(' + ')}, ${site})`;
    const slow = this.settleOperator(`O.concat([${names.join(', ')}], ${site})`);
    const code = tests.length === 0 ? quick : `(${tests.join(' && ')} ? ${quick} : ${slow})`;
    return sequence(
      operands.map(({ setup }) => setup),
      code,
    );
  }

  #logical(e: Of<'logical'>): string {
    if (this.#typeOf(e.left) === 'boolean' && e.operator === 'and') {
      return `(${this.condition(e.left)} ? ${this.value(e.right)} : false)`;
    }
    const left = this.#operand(e.left);
    this.#temps.release(left.name);
    const right = this.value(e.right);
    const setup = left.setup === '' ? left.name : `(${left.setup})`;
    const isFalse = `${setup} === undefined || ${left.name} === false`;
    return e.operator === 'and'
      ? `(${isFalse} ? ${left.name} : ${right})`
      : `(${isFalse} ? ${right} : ${left.name})`;
  }

  #table({ items }: Of<'table'>): string {
    const listed = items.filter(({ key }) => key === undefined);
    const last = items.at(-1);
    // Of a call or `...` at the end it is known only then how many values it has.
    const listCount =
      listed.length - (last?.key === undefined && last !== undefined && isOpen(last.value) ? 1 : 0);
    const room = [items.length - listed.length, sizeHint(listCount) > listCount ? sizeHint(listCount) : 0];
    while (room.at(-1) === 0) room.pop();
    const sizes = room.map((size) => `, ${size}`).join('');
    if (listed.length === items.length) {
      const list = items.map(({ value }) => value);
      return `new Table([${this.#items(list)}]${sizes})`;
    }
    if (items.every(({ key }) => key?.kind === 'string')) return this.#record(items, sizes);
    return this.#mixed(items, sizes);
  }

  /** A table of named fields. */
  #record(items: readonly TableItem[], sizes: string): string {
    const temp = this.#temps.take();
    const sets = items.map(({ key, value }) => {
      return `${temp}.setString(${this.value(key!)}, ${this.value(value)})`;
    });
    this.#temps.release(temp);
    return `(${temp} = new Table([]${sizes}), ${sets.join(', ')}, ${temp})`;
  }

  /** Values of the list and pairs of key and value wait in two arrays. */
  #mixed(items: readonly TableItem[], sizes: string): string {
    const list = this.#temps.take();
    const pairs = this.#temps.take();
    const steps = items.map(({ key, value, line }, i) => {
      if (key !== undefined) {
        return `${pairs}.push(${this.value(key)}, ${this.value(value)}), O.key(${pairs}, ${this.#chunk.site(line)})`;
      }
      return `${list}.push(${i === items.length - 1 ? this.#items([value]) : this.value(value)})`;
    });
    this.#temps.release(list, pairs);
    return `(${list} = [], ${pairs} = [], ${steps.join(', ')}, O.table(new Table(${list}${sizes}), ${pairs}))`;
  }

  // --- calls

  /** The bare call: what it returns may be unsettled. */
  call(e: CallExpression, isTail = false): string {
    return e.kind === 'call' ? this.#callFunction(e, isTail) : this.#callMethod(e, isTail);
  }

  #callFunction(e: Of<'call'>, isTail: boolean): string {
    const known = this.#knownFunction(e.callee);
    const isReplaced = isTail && known === undefined;
    const site = this.#chunk.site(e.line, [nameOf(e.callee)], {
      name: bareName(e.callee),
      isTail: isReplaced,
    });
    const temp = this.#temps.take();
    const callee = known === undefined ? this.#callee(e.callee, temp, site) : { setup: '', name: known };
    const args = this.#arguments(e.args, '', site);
    this.#temps.release(temp);
    return `(${callee.setup}${args.isAtSet ? '' : `S.at = ${site}, `}${callee.name})(${args.code})`;
  }

  /** A builtin that is reached through nothing but names. */
  #knownFunction(e: Expression): string | undefined {
    let known: { readonly code: string; readonly value: LuaValue } | undefined;
    if (e.kind === 'global') known = this.#chunk.global(e.name);
    else if (e.kind === 'index' && e.object.kind === 'global' && e.key.kind === 'string')
      known = this.#chunk.libraryField(e.object.name, e.key.value);
    return typeof known?.value === 'function' ? known.code : undefined;
  }

  /** What is called, checked before the arguments are evaluated; that it cannot be called is said after. */
  #callee(e: Expression, temp: string, site: number): { setup: string; name: string } {
    if (this.#typeOf(e) === 'function' && isPlain(e)) return { setup: '', name: this.value(e) };
    const code = this.value(e);
    const checked = `typeof (${temp} = ${code}) === 'function' ? ${temp} : ${temp} = S.callable(${temp}, ${site})`;
    return { setup: `${checked}, `, name: temp };
  }

  #callMethod(e: Of<'method'>, isTail: boolean): string {
    const object = this.#operand(e.object);
    const callee = this.#temps.take();
    const key: Operand = { setup: '', name: literal(e.name), type: 'string' };
    const index = this.#indexOf(object, key, this.#chunk.site(e.line, [nameOf(e.object)]));
    const call = { name: e.name, isMethod: true, isTail };
    const site = this.#chunk.site(e.line, [`method '${e.name}'`], call);
    const args = this.#arguments(e.args, object.name, site);
    this.#temps.release(object.name, callee);
    const setup = object.setup === '' ? '' : `${object.setup}, `;
    const check = `typeof (${callee} = ${index}) === 'function' ? 0 : ${callee} = S.callable(${callee}, ${site})`;
    return `(${setup}${check}, ${args.isAtSet ? '' : `S.at = ${site}, `}${callee})(${args.code})`;
  }

  /**
   * Arguments, and whether they end by saying where the call is. They must if one of them is a call, for that says where
   * *it* is.
   */
  #arguments(args: readonly Expression[], self: string, site: number): { code: string; isAtSet: boolean } {
    const receiver = self === '' ? [] : [self];
    const last = args.at(-1);
    if (last === undefined || !args.some(mayMove))
      return {
        code: [...receiver, ...(last === undefined ? [] : [this.#items(args)])].join(', '),
        isAtSet: false,
      };
    const before = args.slice(0, -1).map((e) => this.value(e));
    const temp = this.#temps.take();
    const isSpread = isOpen(last) && last.kind !== 'vararg';
    const value = isSpread ? `all(${this.several(last)})` : this.value(last);
    this.#temps.release(temp);
    if (last.kind === 'vararg') {
      return { code: [...receiver, ...before, `...(S.at = ${site}, va)`].join(', '), isAtSet: true };
    }
    const code = `${isSpread ? '...' : ''}(${temp} = ${value}, S.at = ${site}, ${temp})`;
    return { code: [...receiver, ...before, code].join(', '), isAtSet: true };
  }
}

const isPrimitive = (type: StaticType): boolean => type !== 'table' && type !== 'unknown';
const isNumber = ({ name }: Operand): string => `typeof ${name} === 'number'`;

function accessor(verb: 'get' | 'set', type: StaticType): string {
  if (type === 'string') return `${verb}String`;
  return type === 'number' ? `${verb}Number` : verb;
}

/** What makes a key one that a table takes. */
function keyGuards({ name, type }: Operand): string[] {
  if (type === 'string' || type === 'boolean' || type === 'table' || type === 'function') return [];
  if (name.startsWith('(')) return []; // a literal
  return type === 'number' ? [`!isNaN(${name})`] : [`${name} !== undefined`, `${name} === ${name}`];
}

function sequence(setups: readonly string[], code: string): string {
  const steps = setups.filter((setup) => setup !== '');
  return steps.length === 0 ? code : `(${[...steps, code].join(', ')})`;
}

/** So many values Lua makes room for where so many are written: above fifteen, it knows only their first four bits. */
function sizeHint(count: number): number {
  let mantissa = count;
  let scale = 1;
  for (; mantissa >= 16; scale *= 2) mantissa = (mantissa + 1) >> 1;
  return mantissa * scale;
}
