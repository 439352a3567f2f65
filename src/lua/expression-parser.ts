// The expressions of Lua 5.1: from tokens to the tree, names resolved, every error worded and placed as Lua does.
//
// Guarantees that no tree is higher than MAX_HEIGHT, however long the chunk: who walks one by recursion needs no more.
//
// Lua compiles while it parses, and the line of an instruction is that of the last token taken when it is emitted. A global
// or a field is read only when its value is needed, often a token later (in `x.y + 1` after the plus). So such a node is
// unsettled until `settle` gives it its line, at the places where Lua would emit. There is never more than one.

import type {
  BinaryOperator,
  CallExpression,
  Expression,
  FunctionBody,
  Local,
  TableItem,
  Target,
  UnaryOperator,
} from './ast.ts';
import { type ChunkFacts, FunctionScope } from './scope.ts';
import { TokenStream } from './token-stream.ts';

/** Lua's limit on blocks and expressions within each other. */
export const MAX_LEVELS = 200;
/** Ours on chains that are flat for Lua but high as a tree: `1 + 1 + 1 …`, `a.b.c …`, `elseif …`. */
const MAX_HEIGHT = 500;
/** Lua moves the list of a table constructor from registers to the table in batches. */
const LIST_BATCH = 50;

/** How tightly binary operators bind what is on their left and right. A tighter right side makes them group to the left. */
const PRIORITIES = new Map<string, { readonly left: number; readonly right: number }>([
  ['or', { left: 1, right: 1 }],
  ['and', { left: 2, right: 2 }],
  ...['==', '~=', '<', '<=', '>', '>='].map((kind) => [kind, { left: 3, right: 3 }] as const),
  ['..', { left: 5, right: 4 }],
  ['+', { left: 6, right: 6 }],
  ['-', { left: 6, right: 6 }],
  ['*', { left: 7, right: 7 }],
  ['/', { left: 7, right: 7 }],
  ['%', { left: 7, right: 7 }],
  ['^', { left: 10, right: 9 }],
]);
const UNARY_PRIORITY = 8;

const NIL: Expression = { kind: 'nil' };
const TRUE: Expression = { kind: 'boolean', value: true };
const FALSE: Expression = { kind: 'boolean', value: false };
const VARARG: Expression = { kind: 'vararg' };

export abstract class ExpressionParser {
  protected readonly tokens: TokenStream;
  protected readonly facts: ChunkFacts = {
    localCount: 0,
    hasLoops: false,
    hasFunctions: false,
    globals: new Set(),
  };
  protected scope: FunctionScope;
  protected level = 0;
  /** At least that of the highest tree made since the current level was entered. */
  #height = 0;
  #unsettled: { line: number } | undefined;

  constructor(source: string, chunkName: string) {
    this.tokens = new TokenStream(source, chunkName);
    this.scope = new FunctionScope(undefined, this.tokens, this.facts, 0);
  }

  /** From the parenthesis before the parameters to `end`. */
  protected abstract functionBody(line: number, hasSelf: boolean): FunctionBody;

  /** Begins something nested. What it returns is for `leave`. */
  protected enter(): number {
    if (++this.level > MAX_LEVELS) this.tokens.fail('chunk has too many syntax levels');
    return this.startHeight();
  }

  protected leave(outerHeight: number): void {
    this.level--;
    this.grow();
    this.endHeight(outerHeight);
  }

  /** Begins something beside, not on top of, what was made before. */
  protected startHeight(): number {
    const outer = this.#height;
    this.#height = 0;
    return outer;
  }

  protected endHeight(outerHeight: number): void {
    if (outerHeight > this.#height) this.#height = outerHeight;
  }

  /** What was made here becomes part of something on top of it. */
  protected grow(): void {
    if (++this.#height > MAX_HEIGHT) this.tokens.failHere('function or expression too complex');
  }

  /** Here Lua reads the variable or field that the expression just parsed may be. */
  protected settle(): void {
    if (this.#unsettled === undefined) return;
    this.#unsettled.line = this.tokens.lastLine;
    this.#unsettled = undefined;
    this.scope.releaseTo(this.scope.hold());
  }

  /** One expression. The caller settles it. */
  protected expression(): Expression {
    return this.#operation(0);
  }

  protected settledExpression(): Expression {
    const expression = this.#operation(0);
    this.settle();
    return expression;
  }

  /** Expressions with commas between them. The caller settles the last, and releases what the others hold. */
  protected expressionList(): Expression[] {
    const list = [this.expression()];
    while (this.tokens.accept(',')) {
      this.settle();
      this.scope.hold();
      list.push(this.expression());
    }
    return list;
  }

  /** An operand and the operators after it that bind tighter than `priority`. */
  #operation(priority: number): Expression {
    const outerHeight = this.enter();
    let left = this.#operand();
    for (;;) {
      const operator = this.tokens.token.kind;
      const binding = PRIORITIES.get(operator);
      if (binding === undefined || binding.left <= priority) break;
      this.tokens.next();
      this.settle();
      left = this.#binary(operator, left, binding.right);
      this.grow();
    }
    this.leave(outerHeight);
    return left;
  }

  #binary(operator: string, left: Expression, priority: number): Expression {
    if (operator === 'and' || operator === 'or') {
      const right = this.#operation(priority);
      this.settle();
      return { kind: 'logical', operator, left, right };
    }
    const heldBefore = this.scope.heldCount;
    if (operator === '..' || takesRegister(left)) this.scope.hold();
    const right = this.#operation(priority);
    this.settle();
    this.scope.releaseTo(heldBefore);
    // A concatenation joins that on its right: one instruction, which is there already.
    const isJoined = operator === '..' && right.kind === 'binary' && right.operator === '..';
    const line = isJoined ? right.line : this.tokens.lastLine;
    return { kind: 'binary', operator: operator as BinaryOperator, left, right, line };
  }

  #operand(): Expression {
    const operator = this.tokens.token.kind;
    if (operator !== '-' && operator !== 'not' && operator !== '#') return this.#simple();
    this.tokens.next();
    const operand = this.#operation(UNARY_PRIORITY);
    this.settle();
    return { kind: 'unary', operator: operator as UnaryOperator, operand, line: this.tokens.lastLine };
  }

  #simple(): Expression {
    const { kind, text, number } = this.tokens.token;
    switch (kind) {
      case '<number>':
        return this.#literal({ kind: 'number', value: number });
      case '<string>':
        return this.#literal({ kind: 'string', value: text });
      case 'nil':
        return this.#literal(NIL);
      case 'true':
        return this.#literal(TRUE);
      case 'false':
        return this.#literal(FALSE);
      case '...':
        return this.#vararg();
      case '{':
        return this.#table();
      case 'function':
        this.tokens.next();
        return { kind: 'function', body: this.functionBody(this.tokens.line, false) };
      default:
        return this.suffixed(this.prefix());
    }
  }

  #literal(expression: Expression): Expression {
    this.tokens.next();
    return expression;
  }

  #vararg(): Expression {
    if (!this.scope.isVararg) this.tokens.failHere("cannot use '...' outside a vararg function");
    this.scope.usesVararg = true;
    return this.#literal(VARARG);
  }

  /** A name, or an expression in parentheses. */
  protected prefix(): Expression {
    if (this.tokens.is('<name>')) return this.variable();
    const { line } = this.tokens;
    if (!this.tokens.accept('(')) this.tokens.failHere('unexpected symbol');
    const inner = this.expression();
    this.tokens.expectClosing(')', '(', line);
    this.settle();
    return isMultiple(inner) ? { kind: 'parentheses', inner } : inner;
  }

  /** What the current token, a name, means. */
  protected variable(): Expression {
    const name = this.tokens.expectName();
    const local = this.scope.resolve(name);
    if (local !== undefined) return this.#local(local);
    this.facts.globals.add(name);
    const global = { kind: 'global', name, line: this.tokens.lastLine } as const;
    this.#unsettled = global;
    return global;
  }

  #local(local: Local): Expression {
    return { kind: 'local', local, isUpvalue: this.scope.isUpvalue(local) };
  }

  /** The fields, subscripts and calls after a prefix, as many as there are. */
  protected suffixed(prefix: Expression): Expression {
    let expression = prefix;
    for (;;) {
      switch (this.tokens.token.kind) {
        case '.':
          expression = this.field(expression);
          break;
        case '[':
          expression = this.#subscript(expression);
          break;
        case ':':
          expression = this.#methodCall(expression);
          break;
        case '(':
        case '{':
        case '<string>':
          expression = this.#call(expression);
          break;
        default:
          return expression;
      }
      this.grow();
    }
  }

  /** `object.name` or, before a method's body, `object:name`. */
  protected field(object: Expression): Expression {
    this.settle();
    this.tokens.next();
    return this.#index(object, { kind: 'string', value: this.tokens.expectName() });
  }

  #subscript(object: Expression): Expression {
    this.settle();
    const heldBefore = this.scope.heldCount;
    if (takesRegister(object)) this.scope.hold();
    const key = this.#bracketedKey();
    this.scope.releaseTo(heldBefore);
    return this.#index(object, key);
  }

  /** Until something is stored in it, a target holds the object and the key it consists of. */
  protected holdParts(target: Target): void {
    if (target.kind !== 'index') return;
    if (takesRegister(target.object)) this.scope.hold();
    if (takesRegister(target.key)) this.scope.hold();
  }

  #bracketedKey(): Expression {
    this.tokens.next();
    const key = this.settledExpression();
    this.tokens.expect(']');
    return key;
  }

  #index(object: Expression, key: Expression): Expression {
    const index = { kind: 'index', object, key, line: this.tokens.lastLine } as const;
    this.#unsettled = index;
    return index;
  }

  #call(callee: Expression): CallExpression {
    this.settle();
    const heldBefore = this.scope.hold();
    const { line } = this.tokens;
    const args = this.#arguments();
    this.scope.releaseTo(heldBefore);
    return { kind: 'call', callee, args, line };
  }

  #methodCall(object: Expression): CallExpression {
    this.tokens.next();
    const name = this.tokens.expectName();
    this.settle();
    const heldBefore = this.scope.hold(2);
    const { line } = this.tokens;
    const args = this.#arguments();
    this.scope.releaseTo(heldBefore);
    return { kind: 'method', object, name, args, line };
  }

  #arguments(): Expression[] {
    const { token, line, lastLine } = this.tokens;
    if (token.kind === '<string>') return [this.#literal({ kind: 'string', value: token.text })];
    if (token.kind === '{') return [this.#table()];
    if (token.kind !== '(') this.tokens.failHere('function arguments expected');
    if (line !== lastLine) this.tokens.failHere('ambiguous syntax (function call x new statement)');
    this.tokens.next();
    if (this.tokens.accept(')')) return [];
    const list = this.expressionList();
    this.tokens.expectClosing(')', '(', line);
    this.settle();
    if (!isMultiple(list[list.length - 1]!)) this.scope.hold();
    return list;
  }

  #table(): Expression {
    const { line } = this.tokens;
    const heldBefore = this.scope.hold();
    this.tokens.expect('{');
    const items: TableItem[] = [];
    let listed = 0;
    while (!this.tokens.is('}')) {
      const item = this.#tableItem();
      items.push(item);
      const hasMore = this.tokens.accept(',') || this.tokens.accept(';');
      if (item.key === undefined) {
        if (hasMore && !this.tokens.is('}')) this.settle();
        if (++listed % LIST_BATCH === 0) this.scope.releaseTo(heldBefore + 1);
        else this.scope.hold();
      }
      if (!hasMore) break;
    }
    this.tokens.expectClosing('}', '{', line);
    this.settle();
    this.scope.releaseTo(heldBefore);
    return { kind: 'table', items, line };
  }

  #tableItem(): TableItem {
    const isNamed = this.tokens.is('<name>') && this.tokens.peek().kind === '=';
    if (!isNamed && !this.tokens.is('[')) {
      const value = this.expression();
      return { key: undefined, value, line: this.tokens.lastLine };
    }
    const key: Expression = isNamed
      ? { kind: 'string', value: this.tokens.expectName() }
      : this.#bracketedKey();
    this.tokens.expect('=');
    const heldBefore = this.scope.heldCount;
    if (takesRegister(key)) this.scope.hold();
    const value = this.settledExpression();
    this.scope.releaseTo(heldBefore);
    return { key, value, line: this.tokens.lastLine };
  }
}

/** True of what may have any number of values. */
function isMultiple({ kind }: Expression): boolean {
  return kind === 'call' || kind === 'method' || kind === 'vararg';
}

/** True of operands that Lua's instructions cannot name in place. */
function takesRegister({ kind }: Expression): boolean {
  return kind !== 'local' && kind !== 'number' && kind !== 'string' && kind !== 'nil' && kind !== 'boolean';
}
