// The statements of Lua 5.1, and with them whole chunks: from the text to the tree with every name resolved.
//
// Whatever the text, `parse` returns a tree of bounded height (expression-parser.ts) or fails as Lua does, and never runs
// out of stack.

import type { Block, Chunk, Expression, FunctionBody, IfClause, Local, Statement, Target } from './ast.ts';
import { ExpressionParser, MAX_LEVELS } from './expression-parser.ts';
import { FunctionScope } from './scope.ts';

/**
 * The tree of a chunk. `source` has one character for each byte; `chunkName` is what messages put before the line, as in
 * `user_script:1: …`. Throws LuaSyntaxError.
 */
export function parse(source: string, chunkName: string): Chunk {
  return new Parser(source, chunkName).chunk();
}

class Parser extends ExpressionParser {
  chunk(): Chunk {
    this.scope.isVararg = true;
    const body = this.#block();
    if (!this.tokens.is('<eof>')) this.tokens.failExpecting("'<eof>'");
    const main = { parameters: [], isVararg: true, arg: undefined, body, line: 0, endLine: this.tokens.line };
    const { hasLoops, hasFunctions, globals } = this.facts;
    return { main, hasLoops, hasFunctions, globals };
  }

  #block(): Block {
    const { openCount } = this.scope;
    const statements = this.#statements();
    this.scope.closeTo(openCount);
    return statements;
  }

  /** The statements of a block, whose locals stay open: `repeat` still needs them. */
  #statements(): Statement[] {
    const outerHeight = this.enter();
    const statements: Statement[] = [];
    while (!this.#isAtBlockEnd()) {
      const statement = this.#statement();
      statements.push(statement);
      this.tokens.accept(';');
      if (statement.kind === 'return' || statement.kind === 'break') break;
    }
    this.leave(outerHeight);
    return statements;
  }

  #isAtBlockEnd(): boolean {
    const { kind } = this.tokens.token;
    return kind === '<eof>' || kind === 'end' || kind === 'else' || kind === 'elseif' || kind === 'until';
  }

  #statement(): Statement {
    const outerHeight = this.startHeight();
    const { heldCount } = this.scope;
    const statement = this.#statementOf(this.tokens.token.kind);
    this.scope.releaseTo(heldCount);
    this.endHeight(outerHeight);
    return statement;
  }

  #statementOf(kind: string): Statement {
    switch (kind) {
      case 'if':
        return this.#if();
      case 'while':
        return this.#while();
      case 'do':
        return this.#do();
      case 'for':
        return this.#for();
      case 'repeat':
        return this.#repeat();
      case 'function':
        return this.#function();
      case 'local':
        this.tokens.next();
        return this.tokens.accept('function') ? this.#localFunction() : this.#local();
      case 'return':
        return this.#return();
      case 'break':
        return this.#break();
      default:
        return this.#callOrAssignment();
    }
  }

  #if(): Statement {
    const { line } = this.tokens;
    const clauses: IfClause[] = [];
    let otherwise: Block | undefined;
    do {
      this.tokens.next();
      const condition = this.settledExpression();
      this.tokens.expect('then');
      clauses.push({ condition, body: this.#block() });
      this.grow();
    } while (this.tokens.is('elseif'));
    if (this.tokens.accept('else')) otherwise = this.#block();
    this.tokens.expectClosing('end', 'if', line);
    return { kind: 'if', clauses, otherwise };
  }

  #while(): Statement {
    const { line } = this.tokens;
    this.tokens.next();
    const condition = this.settledExpression();
    this.tokens.expect('do');
    const body = this.#loopBody([]);
    this.tokens.expectClosing('end', 'while', line);
    return { kind: 'while', condition, body, line };
  }

  /** A block that repeats, in which these locals are new each time. */
  #loopBody(locals: readonly Local[]): Block {
    this.facts.hasLoops = true;
    this.scope.loopDepth++;
    const { openCount } = this.scope;
    this.scope.open(locals);
    const body = this.#block();
    this.scope.closeTo(openCount);
    this.scope.loopDepth--;
    return body;
  }

  #do(): Statement {
    const { line } = this.tokens;
    this.tokens.next();
    const body = this.#block();
    this.tokens.expectClosing('end', 'do', line);
    return { kind: 'do', body };
  }

  #repeat(): Statement {
    const { line } = this.tokens;
    const { openCount } = this.scope;
    this.tokens.next();
    this.facts.hasLoops = true;
    this.scope.loopDepth++;
    const body = this.#statements();
    this.scope.loopDepth--;
    this.tokens.expectClosing('until', 'repeat', line);
    const condition = this.settledExpression();
    this.scope.closeTo(openCount);
    return { kind: 'repeat', body, condition, line };
  }

  #for(): Statement {
    const { line } = this.tokens;
    const { openCount } = this.scope;
    this.tokens.next();
    const name = this.tokens.expectName();
    let statement: Statement;
    if (this.tokens.is('=')) statement = this.#numericFor(name);
    else if (this.tokens.is(',') || this.tokens.is('in')) statement = this.#genericFor(name);
    else this.tokens.failExpecting("'=' or 'in'");
    this.tokens.expectClosing('end', 'for', line);
    this.scope.closeTo(openCount);
    return statement;
  }

  #numericFor(name: string): Statement {
    const [control, locals] = this.#loopLocals(name);
    const { heldCount } = this.scope;
    this.tokens.next();
    const start = this.#boundary();
    this.tokens.expect(',');
    const limit = this.#boundary();
    const step = this.tokens.accept(',') ? this.#boundary() : undefined;
    this.scope.releaseTo(heldCount);
    this.scope.open(control);
    this.tokens.expect('do');
    const line = this.tokens.lastLine;
    const body = this.#loopBody(locals);
    return { kind: 'numericFor', local: locals[0]!, start, limit, step, body, line };
  }

  #boundary(): Expression {
    const expression = this.settledExpression();
    this.scope.hold();
    return expression;
  }

  #genericFor(name: string): Statement {
    const [control, locals] = this.#loopLocals(name);
    const { heldCount } = this.scope;
    this.tokens.expect('in');
    const { line } = this.tokens;
    const values = this.#valuesFor(control.length);
    // What the loop calls, and its two arguments.
    this.scope.hold(3);
    this.scope.releaseTo(heldCount);
    this.scope.open(control);
    this.tokens.expect('do');
    const body = this.#loopBody(locals);
    return { kind: 'genericFor', locals, values, body, line };
  }

  /** The three locals without a name in which Lua keeps the state of a loop, and those that the loop names. */
  #loopLocals(firstName: string): [control: Local[], locals: Local[]] {
    const declared: Local[] = [];
    for (const name of ['(state)', '(state)', '(state)', firstName]) this.scope.declare(name, declared);
    while (this.tokens.accept(',')) this.scope.declare(this.tokens.expectName(), declared);
    return [declared.slice(0, 3), declared.slice(3)];
  }

  #function(): Statement {
    const { line } = this.tokens;
    this.tokens.next();
    let target = this.variable();
    while (this.tokens.is('.')) target = this.field(target);
    const hasSelf = this.tokens.is(':');
    if (hasSelf) target = this.field(target);
    const body = this.functionBody(line, hasSelf);
    return {
      kind: 'assignment',
      targets: [assignedOn(line, target as Target)],
      values: [{ kind: 'function', body }],
      line,
    };
  }

  protected override functionBody(line: number, hasSelf: boolean): FunctionBody {
    this.facts.hasFunctions = true;
    const scope = new FunctionScope(this.scope, this.tokens, this.facts, line);
    this.scope = scope;
    const parameters = this.#parameters(hasSelf);
    const block = this.#block();
    const endLine = this.tokens.line;
    this.tokens.expectClosing('end', 'function', line);
    this.scope = scope.outer!;
    const { isVararg, usesVararg, arg } = scope;
    const mentioned = scope.mentionsArg ? arg : undefined;
    // With `...` used, `arg` is there all the same, but it is nil.
    const isNil = usesVararg && mentioned !== undefined;
    const body: Block = isNil
      ? [{ kind: 'localStatement', locals: [mentioned], values: [], line }, ...block]
      : block;
    return { parameters, isVararg, arg: usesVararg ? undefined : mentioned, body, line, endLine };
  }

  #parameters(hasSelf: boolean): Local[] {
    const { scope, tokens } = this;
    const declared: Local[] = [];
    if (hasSelf) scope.declare('self', declared);
    tokens.expect('(');
    if (!tokens.is(')')) {
      do {
        if (tokens.is('<name>')) scope.declare(tokens.expectName(), declared);
        else if (tokens.accept('...')) scope.isVararg = true;
        else tokens.failExpecting("<name> or '...'");
      } while (!scope.isVararg && tokens.accept(','));
    }
    const count = declared.length;
    if (scope.isVararg) scope.declare('arg', declared);
    scope.arg = declared[count];
    scope.open(declared);
    tokens.expect(')');
    return declared.slice(0, count);
  }

  #localFunction(): Statement {
    const declared: Local[] = [];
    this.scope.declare(this.tokens.expectName(), declared);
    this.scope.open(declared);
    return {
      kind: 'localFunction',
      local: declared[0]!,
      body: this.functionBody(this.tokens.line, false),
    };
  }

  #local(): Statement {
    const locals: Local[] = [];
    do this.scope.declare(this.tokens.expectName(), locals);
    while (this.tokens.accept(','));
    const values = this.tokens.accept('=') ? this.#valuesFor(locals.length) : [];
    this.scope.open(locals);
    return { kind: 'localStatement', locals, values, line: this.tokens.lastLine };
  }

  /** The values for this many variables. Those left over take registers too. */
  #valuesFor(count: number): Expression[] {
    const values = this.expressionList();
    this.settle();
    if (values.length !== count) this.scope.hold();
    return values;
  }

  #return(): Statement {
    this.tokens.next();
    const hasValues = !this.#isAtBlockEnd() && !this.tokens.is(';');
    const values = hasValues ? this.expressionList() : [];
    this.settle();
    if (values.length > 1) this.scope.hold();
    return { kind: 'return', values, line: this.tokens.lastLine };
  }

  #break(): Statement {
    this.tokens.next();
    if (this.scope.loopDepth === 0) this.tokens.failHere('no loop to break');
    return { kind: 'break' };
  }

  #callOrAssignment(): Statement {
    const first = this.#callOrTarget();
    if (first.kind === 'call' || first.kind === 'method') return { kind: 'callStatement', call: first };
    const targets = [this.#checkedTarget(first)];
    while (this.tokens.accept(',')) {
      this.holdParts(targets[targets.length - 1]!);
      const target = this.#callOrTarget();
      const limit = MAX_LEVELS - this.level;
      if (targets.length > limit) this.scope.failLimit(limit, 'variables in assignment');
      targets.push(this.#checkedTarget(target));
    }
    this.tokens.expect('=');
    const values = this.#valuesFor(targets.length);
    // Lua stores only after it has all values.
    const line = this.tokens.lastLine;
    return { kind: 'assignment', targets: targets.map((target) => assignedOn(line, target)), values, line };
  }

  /** A call or a target; something else, such as `(a)`, comes back in a form that is neither. */
  #callOrTarget(): Expression {
    const isParenthesized = this.tokens.is('(');
    const prefix = this.prefix();
    const expression = this.suffixed(prefix);
    return isParenthesized && expression === prefix ? { kind: 'parentheses', inner: prefix } : expression;
  }

  #checkedTarget(expression: Expression): Target {
    const { kind } = expression;
    if (kind !== 'local' && kind !== 'global' && kind !== 'index') this.tokens.failHere('syntax error');
    return expression;
  }
}

/** The target as something is stored in it by an instruction on this line. */
function assignedOn(line: number, target: Target): Target {
  if (target.kind !== 'local') return { ...target, line };
  target.local.isAssigned = true;
  return target;
}
