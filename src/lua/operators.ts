// What Lua's operators do when the quick way in compiled code does not apply: conversions, metamethods, errors.
//
// `at` is the site of the operation, for the error's line and names. A metamethod may be Lua code, so most of these may
// return work when the code breathes (state.ts); plain code always gets the value.

import { toNumber, toText } from './arguments.ts';
import type { ArithmeticOperator } from './ast.ts';
import { power } from './float.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import { isTrue, type LuaResult, type LuaValue, typeName, type Work } from './value.ts';

/** How many tables may stand one behind the other by `__index` and `__newindex`. */
const MAX_CHAIN = 100;

const EVENTS: Readonly<Record<ArithmeticOperator, string>> = {
  '+': '__add',
  '-': '__sub',
  '*': '__mul',
  '/': '__div',
  '%': '__mod',
  '^': '__pow',
};

export class Operators {
  readonly #state: LuaState;

  constructor(state: LuaState) {
    this.#state = state;
  }

  // --- fields

  /** `value[key]`. */
  index(value: LuaValue, key: LuaValue, at: number): LuaResult {
    let holder = value;
    for (let i = 0; i < MAX_CHAIN; i++) {
      let handler: LuaValue;
      if (holder instanceof LuaTable) {
        const field = holder.get(key);
        if (field !== undefined) return field;
        handler = holder.metatable?.getString('__index');
        if (handler === undefined) return undefined;
      } else {
        handler = this.#state.metamethod(holder, '__index');
        if (handler === undefined)
          throw this.#state.error(`attempt to index ${this.#describe(holder, i, at)}`, at);
      }
      if (typeof handler === 'function') return this.#state.callForOne(handler, [holder, key], at);
      holder = handler;
    }
    throw this.#state.error('loop in gettable', at);
  }

  /** `value[key] = to`. */
  setIndex(value: LuaValue, key: LuaValue, to: LuaValue, at: number): LuaResult {
    let holder = value;
    for (let i = 0; i < MAX_CHAIN; i++) {
      let handler: LuaValue;
      if (holder instanceof LuaTable) {
        handler = holder.metatable?.getString('__newindex');
        if (handler === undefined || holder.get(key) !== undefined) return this.#setRaw(holder, key, to, at);
      } else {
        handler = this.#state.metamethod(holder, '__newindex');
        if (handler === undefined)
          throw this.#state.error(`attempt to index ${this.#describe(holder, i, at)}`, at);
      }
      if (typeof handler === 'function') return this.#state.callForOne(handler, [holder, key, to], at);
      holder = handler;
    }
    throw this.#state.error('loop in settable', at);
  }

  #setRaw(table: LuaTable, key: LuaValue, to: LuaValue, at: number): undefined {
    if (table.isReadonly) throw this.#state.error('Attempt to modify a readonly table', at);
    table.set(this.#checkKey(key, at), to);
  }

  /** Only the value that the script wrote has a name there; one reached through metatables has none. */
  #describe(holder: LuaValue, metatables: number, at: number): string {
    return metatables === 0 ? this.#state.describe(holder, at, 0) : `a ${typeName(holder)} value`;
  }

  /** Checks the key of the last of these pairs of key and value, in a table constructor. */
  key(pairs: readonly LuaValue[], at: number): void {
    this.#checkKey(pairs[pairs.length - 2], at);
  }

  #checkKey(key: LuaValue, at: number): LuaValue {
    if (key === undefined) throw this.#state.error('table index is nil', at);
    if (Number.isNaN(key)) throw this.#state.error('table index is NaN', at);
    return key;
  }

  /** Puts pairs of key and value into a new table; what its list says of a key comes last. */
  table(table: LuaTable, pairs: readonly LuaValue[]): LuaTable {
    const listed = table.list.length;
    for (let i = 0; i < pairs.length; i += 2) {
      const key = pairs[i];
      const isListed = typeof key === 'number' && key >= 1 && key <= listed && Number.isInteger(key);
      if (!isListed) table.set(key, pairs[i + 1]);
    }
    return table;
  }

  // --- arithmetic

  arithmetic(operator: ArithmeticOperator, left: LuaValue, right: LuaValue, at: number): LuaResult {
    const a = toNumber(left);
    const b = toNumber(right);
    if (a !== undefined && b !== undefined) return compute(operator, a, b);
    const event = EVENTS[operator];
    const handler = this.#state.metamethod(left, event) ?? this.#state.metamethod(right, event);
    if (handler !== undefined) return this.#state.callForOne(handler, [left, right], at);
    const culprit = a === undefined ? 0 : 1;
    const described = this.#state.describe(culprit === 0 ? left : right, at, culprit);
    throw this.#state.error(`attempt to perform arithmetic on ${described}`, at);
  }

  negate(value: LuaValue, at: number): LuaResult {
    const x = toNumber(value);
    if (x !== undefined) return -x;
    const handler = this.#state.metamethod(value, '__unm');
    if (handler !== undefined) return this.#state.callForOne(handler, [value, value], at);
    throw this.#state.error(`attempt to perform arithmetic on ${this.#state.describe(value, at, 0)}`, at);
  }

  /** `#value`. Tables have no say in it in Lua 5.1. */
  length(value: LuaValue, at: number): number {
    if (typeof value === 'string') return value.length;
    if (value instanceof LuaTable) return value.length;
    throw this.#state.error(`attempt to get length of ${this.#state.describe(value, at, 0)}`, at);
  }

  // --- strings

  /** `a .. b .. c`, from the right as Lua does it. `operands` are not changed. */
  concat(operands: readonly LuaValue[], at: number): LuaResult {
    let result = operands[operands.length - 1];
    for (let i = operands.length - 2; i >= 0; i--) {
      const left = toText(operands[i]);
      const right = toText(result);
      if (left === undefined || right === undefined) return this.#concatByHandler(operands, i, result, at);
      if (left.length + right.length > this.#state.maxStringBytes)
        throw this.#state.error('not enough memory', at);
      result = this.#state.joined(left + right, at);
    }
    return result;
  }

  #concatByHandler(operands: readonly LuaValue[], i: number, right: LuaValue, at: number): LuaResult {
    const left = operands[i];
    const handler = this.#state.metamethod(left, '__concat') ?? this.#state.metamethod(right, '__concat');
    if (handler === undefined) {
      const culprit = toText(left) === undefined ? i : i + 1;
      const described = this.#state.describe(culprit === i ? left : right, at, culprit);
      throw this.#state.error(`attempt to concatenate ${described}`, at);
    }
    const joined = this.#state.callForOne(handler, [left, right], at);
    if (i === 0) return joined;
    const rest = operands.slice(0, i);
    if (!this.#state.isBreathing) return this.concat([...rest, joined as LuaValue], at);
    return this.#concatLater(rest, joined as Work, at);
  }

  *#concatLater(rest: readonly LuaValue[], joined: Work, at: number): Work {
    return this.concat([...rest, (yield* joined) as LuaValue], at);
  }

  // --- comparison

  /** `a == b` of values that are not the same. */
  equal(a: LuaValue, b: LuaValue, at: number): LuaResult {
    if (!(a instanceof LuaTable && b instanceof LuaTable)) return false;
    const handler = this.#comparisonHandler(a, b, '__eq');
    return handler === undefined ? false : this.#test(handler, a, b, at);
  }

  lessThan(a: LuaValue, b: LuaValue, at: number): LuaResult {
    if (typeof a === 'number' && typeof b === 'number') return a < b;
    if (typeof a === 'string' && typeof b === 'string') return a < b;
    const handler = this.#comparisonHandler(a, b, '__lt');
    if (handler === undefined) throw this.#cannotCompare(a, b, at);
    return this.#test(handler, a, b, at);
  }

  lessOrEqual(a: LuaValue, b: LuaValue, at: number): LuaResult {
    if (typeof a === 'number' && typeof b === 'number') return a <= b;
    if (typeof a === 'string' && typeof b === 'string') return a <= b;
    const handler = this.#comparisonHandler(a, b, '__le');
    if (handler !== undefined) return this.#test(handler, a, b, at);
    const less = this.#comparisonHandler(a, b, '__lt');
    if (less === undefined) throw this.#cannotCompare(a, b, at);
    const greater = this.#test(less, b, a, at);
    return this.#state.isBreathing ? opposite(greater as Work) : !greater;
  }

  /** In Lua 5.1 both must have the same one. */
  #comparisonHandler(a: LuaValue, b: LuaValue, event: string): LuaValue {
    if (typeName(a) !== typeName(b)) return undefined;
    const handler = this.#state.metamethod(a, event);
    return handler === this.#state.metamethod(b, event) ? handler : undefined;
  }

  #test(handler: LuaValue, a: LuaValue, b: LuaValue, at: number): LuaResult {
    const answer = this.#state.callForOne(handler, [a, b], at);
    return this.#state.isBreathing ? truth(answer as Work) : isTrue(answer as LuaValue);
  }

  #cannotCompare(a: LuaValue, b: LuaValue, at: number) {
    const left = typeName(a);
    const right = typeName(b);
    // Lua looks at the third letters only, so that a string and a thread are two strings.
    const areSame = left.charAt(2) === right.charAt(2);
    const what = areSame ? `two ${left} values` : `${left} with ${right}`;
    return this.#state.error(`attempt to compare ${what}`, at);
  }

  // --- loops

  /** Start, limit and step of a numeric `for`. */
  loopBounds(
    start: LuaValue,
    limit: LuaValue,
    step: LuaValue,
    at: number,
  ): readonly [number, number, number] {
    const numbers = [toNumber(start), toNumber(limit), toNumber(step)] as const;
    const culprit = numbers.indexOf(undefined);
    if (culprit >= 0)
      throw this.#state.error(`'for' ${['initial value', 'limit', 'step'][culprit]} must be a number`, at);
    return numbers as readonly [number, number, number];
  }
}

function* truth(answer: Work): Work {
  return isTrue((yield* answer) as LuaValue);
}

function* opposite(answer: Work): Work {
  return !(yield* answer);
}

function compute(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return modulo(a, b);
    case '^':
      return power(a, b);
  }
}

/** As Lua 5.1 defines it, rounding included: the sign is that of `b`. */
export function modulo(a: number, b: number): number {
  return a - Math.floor(a / b) * b;
}
