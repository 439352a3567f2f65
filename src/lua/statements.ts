// JavaScript for Lua statements, blocks and functions.
//
// Each Lua function becomes one JavaScript function, or generator in breathing code; each local variable one `let`, so that
// closures see what they should. Functions and turns of loops count (state.ts): that is how long-running code is noticed.

import type { Block, Expression, FunctionBody, Local, Statement, Target } from './ast.ts';
import { type ChunkCode, literal, localName, Temporaries } from './chunk-code.ts';
import { isOpen, nameOf } from './expression-facts.ts';
import { Expressions } from './expressions.ts';
import { isLeaf } from './leaf.ts';
import { FRAME_BYTES } from './state.ts';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

const ONE: Expression = { kind: 'number', value: 1 };

/** So much JavaScript takes about as long as a turn of a loop, and counts as one. */
const CODE_PER_TURN = 200;
/** A longer function is no leaf. */
const LEAF_CODE = 500;

/** What each variable takes of the JavaScript stack. */
const VARIABLE_BYTES = 10;
/** What each argument takes for `...`. */
const ARGUMENT_BYTES = 16;

/** JavaScript of a function. The outermost one of a script is entered by no Lua code and needs no level. */
export function emitFunction(chunk: ChunkCode, body: FunctionBody, isOutermost = false): string {
  if (isOutermost || !isLeaf(body, chunk))
    return new Statements(chunk, body, isOutermost, false).functionOf(body);
  const code = new Statements(chunk, body, false, true).functionOf(body);
  return code.length <= LEAF_CODE ? code : new Statements(chunk, body, false, false).functionOf(body);
}

class Statements {
  readonly #chunk: ChunkCode;
  readonly #temps = new Temporaries();
  readonly #expressions: Expressions;
  /** It goes nowhere, and is short: so it needs neither level nor room, and is an ordinary function in both forms. */
  readonly #isLeaf: boolean;
  /** It is not counted among the levels. */
  readonly #isUncounted: boolean;
  /** JavaScript variables: what a call takes of the stack whatever it is given, and altogether. */
  readonly #constantWeight: string;
  readonly #weight: string;
  readonly #isVararg: boolean;
  readonly #line: number;
  #locals = 0;

  constructor(chunk: ChunkCode, body: FunctionBody, isOutermost: boolean, isLeaf: boolean) {
    this.#chunk = chunk;
    this.#isLeaf = isLeaf;
    this.#isVararg = body.isVararg;
    this.#line = body.line;
    this.#isUncounted = isOutermost || this.#isLeaf;
    this.#constantWeight = this.#isUncounted ? '' : chunk.newWeight();
    this.#weight = body.isVararg ? 'wv' : this.#constantWeight;
    this.#expressions = new Expressions(chunk, this.#temps, (body) => emitFunction(chunk, body));
  }

  functionOf(body: FunctionBody): string {
    const parameters = body.parameters.map((local) => this.#declare(local));
    if (body.isVararg) parameters.push('...va');
    const arg = body.arg === undefined ? '' : this.#argTable(body.arg);
    const code = this.#block(body.body);
    const isClosed = body.body.at(-1)?.kind === 'return';
    const end = isClosed ? '' : `${this.#leave()}return NOTHING;\n`;
    const word = this.#chunk.isBreathing && !this.#isLeaf ? 'function*' : 'function';
    const declarations = this.#temps.declaration;
    if (!this.#isUncounted) {
      const variables = this.#temps.count + this.#locals;
      this.#chunk.setWeight(this.#constantWeight, FRAME_BYTES + VARIABLE_BYTES * variables);
    }
    return `${word} (${parameters.join(', ')}) {\n${declarations}${this.#enter(body.isVararg)}${arg}${code}${end}}`;
  }

  #enter(isVararg: boolean): string {
    if (this.#isUncounted) return '';
    const level = `S.levels[S.depth] = S.at; S.depth++;`;
    const weight = isVararg ? `const wv = ${this.#constantWeight} + ${ARGUMENT_BYTES} * va.length;\n` : '';
    return `${weight}${level} if ((S.stackBytes -= ${this.#weight}) < 0) S.overflow();\n${this.#count(this.#line)}`;
  }

  #leave(): string {
    return this.#isUncounted ? '' : `S.depth--; S.stackBytes += ${this.#weight}; `;
  }

  /** One more turn or entry, or more than one. Where `...` is at hand, any turn may copy it. */
  #count(line: number, turns = 1): string {
    const burned = this.#isVararg ? `${turns} + va.length` : turns;
    const look = this.#chunk.isBreathing ? 'yield BREATH' : 'S.refuel()';
    return `if ((S.fuel -= ${burned}) < 0) { S.at = ${this.#chunk.site(line)}; ${look}; }\n`;
  }

  #declare(local: Local): string {
    this.#locals++;
    return localName(local);
  }

  #argTable(arg: Local): string {
    const name = this.#declare(arg);
    return `let ${name} = new Table([...va]); ${name}.setString("n", va.length);\n`;
  }

  #block(block: Block): string {
    let code = '';
    let uncounted = 0;
    for (const statement of block) {
      const next = this.#statement(statement);
      uncounted += next.length;
      if (uncounted >= CODE_PER_TURN && !this.#isLeaf) {
        code += this.#count(
          'line' in statement ? statement.line : this.#line,
          Math.floor(uncounted / CODE_PER_TURN),
        );
        uncounted %= CODE_PER_TURN;
      }
      code += next;
    }
    return code;
  }

  #statement(s: Statement): string {
    switch (s.kind) {
      case 'localStatement':
        return this.#local(s);
      case 'localFunction':
        return this.#localFunction(s);
      case 'assignment':
        return s.targets.length === 1 ? this.#assign(s) : this.#assignSeveral(s);
      case 'callStatement':
        return `${this.#expressions.settle(this.#expressions.call(s.call))};\n`;
      case 'do':
        return `{\n${this.#block(s.body)}}\n`;
      case 'while':
        return `while (${this.#expressions.condition(s.condition)}) {\n${this.#count(s.line)}${this.#block(s.body)}}\n`;
      case 'repeat':
        return this.#repeat(s);
      case 'if':
        return this.#if(s);
      case 'numericFor':
        return this.#numericFor(s);
      case 'genericFor':
        return this.#genericFor(s);
      case 'return':
        return this.#return(s);
      case 'break':
        return 'break;\n';
    }
  }

  // --- variables

  #local({ locals, values }: Of<'localStatement'>): string {
    if (values.length === 1 && locals.length === 1) return this.#localOne(locals[0]!, values[0]!);
    const last = values.at(-1);
    if (last !== undefined && values.length < locals.length && isOpen(last))
      return this.#localsOfList(locals, values);
    // A local is not in scope in any of the values, so all of them are written before any is declared.
    const codes = values.map((e) => this.#value(e));
    const extra = codes.slice(locals.length).map((code) => `${code};\n`);
    const lets = locals.map((local, i) => `${this.#declare(local)} = ${codes[i] ?? 'undefined'}`);
    return `let ${lets.join(', ')};\n${extra.join('')}`;
  }

  /** `local a, b = f()`. */
  #localsOfList(locals: readonly Local[], values: readonly Expression[]): string {
    const temp = this.#temps.take();
    this.#temps.release(temp);
    const list = this.#expressions.list(values);
    const lets = locals.map((local, i) => `${this.#declare(local)} = ${temp}[${i}]`);
    return `${temp} = ${list};\nlet ${lets.join(', ')};\n`;
  }

  #localOne(local: Local, e: Expression): string {
    const code = this.#value(e);
    if (!local.isAssigned) this.#chunk.types.set(local, this.#expressions.staticType(e));
    return `let ${this.#declare(local)} = ${code};\n`;
  }

  #localFunction({ local, body }: Of<'localFunction'>): string {
    if (!local.isAssigned) this.#chunk.types.set(local, 'function');
    return `let ${this.#declare(local)} = ${emitFunction(this.#chunk, body)};\n`;
  }

  #value(e: Expression): string {
    return this.#expressions.value(e);
  }

  #assign({ targets, values, line }: Of<'assignment'>): string {
    const target = targets[0]!;
    const extra = values
      .slice(1)
      .map((e) => `${this.#value(e)};\n`)
      .join('');
    if (target.kind !== 'index') {
      const code = this.#value(values[0]!);
      return extra === ''
        ? this.#store(target, code, line)
        : this.#keep(code, extra, (kept) => this.#store(target, kept, line));
    }
    const object = this.#expressions.operand(target.object);
    const key = this.#expressions.operand(target.key);
    const setup = [object, key].filter((each) => each.setup !== '').map((each) => `${each.setup};\n`);
    const value = this.#expressions.operand(values[0]!);
    const ready = value.setup === '' ? '' : `${value.setup};\n`;
    const set = this.#expressions.setField(object, key, value.name, target.line, nameOf(target.object));
    this.#temps.release(object.name, key.name, value.name);
    return `${setup.join('')}${ready}${extra}${set}`;
  }

  #keep(code: string, then: string, use: (kept: string) => string): string {
    const temp = this.#temps.take();
    const stored = use(temp);
    this.#temps.release(temp);
    return `${temp} = ${code};\n${then}${stored}`;
  }

  /** Assigns a value that is ready to a name. */
  #store(target: Exclude<Target, { kind: 'index' }>, code: string, line: number): string {
    if (target.kind === 'local') return `${localName(target.local)} = ${code};\n`;
    const set = `O.setIndex(G, ${literal(target.name)}, ${code}, ${this.#chunk.site(line)})`;
    return `${this.#expressions.settleOperator(set)};\n`;
  }

  /** `a, b[i] = …`: first where to, then the values, then the assignments from the right. */
  #assignSeveral({ targets, values, line }: Of<'assignment'>): string {
    const places = targets.map((target) => {
      if (target.kind !== 'index') return undefined;
      return {
        object: this.#expressions.snapshot(target.object),
        key: this.#expressions.snapshot(target.key),
      };
    });
    const operands = places.flatMap((place) => (place === undefined ? [] : [place.object, place.key]));
    const setup = operands.filter((each) => each.setup !== '').map((each) => `${each.setup};\n`);
    const all = this.#temps.take();
    const one = this.#temps.take();
    const list = `${all} = ${this.#expressions.list(values)};\n`;
    const stores = targets.map((target, i) => {
      const place = places[i];
      if (target.kind !== 'index' || place === undefined) {
        return this.#store(target as Exclude<Target, { kind: 'index' }>, `${all}[${i}]`, line);
      }
      const name = nameOf(target.object);
      return `${one} = ${all}[${i}];\n${this.#expressions.setField(place.object, place.key, one, target.line, name)}`;
    });
    this.#temps.release(all, one, ...operands.map(({ name }) => name));
    return `${setup.join('')}${list}${stores.reverse().join('')}`;
  }

  // --- control

  #if({ clauses, otherwise }: Of<'if'>): string {
    const parts = clauses.map(({ condition, body }) => {
      return `if (${this.#expressions.condition(condition)}) {\n${this.#block(body)}}`;
    });
    const last = otherwise === undefined ? '' : ` else {\n${this.#block(otherwise)}}`;
    return `${parts.join(' else ')}${last}\n`;
  }

  #repeat({ body, condition, line }: Of<'repeat'>): string {
    const code = this.#block(body);
    return `for (;;) {\n${this.#count(line)}${code}if (${this.#expressions.condition(condition)}) break;\n}\n`;
  }

  #numericFor({ local, start, limit, step, body, line }: Of<'numericFor'>): string {
    const bounds = [start, limit, step ?? ONE];
    const areNumbers = bounds.every((e) => this.#expressions.staticType(e) === 'number');
    const codes = bounds.map((e) => this.#value(e));
    const checked = `O.loopBounds(${codes.join(', ')}, ${this.#chunk.site(line)})`;
    const name = this.#declare(local);
    const own = local.isAssigned ? `i${name}` : name;
    if (!local.isAssigned) this.#chunk.types.set(local, 'number');
    const isUp = step === undefined || (step.kind === 'number' && step.value > 0);
    const test = isUp ? `${own} <= e${name}` : `(b${name} > 0 ? ${own} <= e${name} : e${name} <= ${own})`;
    // Lua begins one step before the start, which may cost that some digits.
    const isExact = step === undefined && start.kind === 'number' && Number.isSafeInteger(start.value);
    const begin = isExact ? `f${name}` : `f${name} - b${name} + b${name}`;
    const names = [`f${name}`, `e${name}`, `b${name}`];
    const values = areNumbers
      ? names.map((each, i) => `${each} = ${codes[i]}`).join(', ')
      : `[${names.join(', ')}] = ${checked}`;
    const copy = local.isAssigned ? `let ${name} = ${own};\n` : '';
    const head = `for (let ${own} = ${begin}; ${test}; ${own} += b${name})`;
    return `{\nconst ${values};\n${head} {\n${this.#count(line)}${copy}${this.#block(body)}}\n}\n`;
  }

  /** The walks of `pairs` and `ipairs` go without calls (walk.ts). */
  #genericFor({ locals, values, body, line }: Of<'genericFor'>): string {
    const site = this.#chunk.site(line, [''], { name: '(for generator)' });
    const list = this.#expressions.list(values);
    const names = locals.map((local) => this.#declare(local));
    const [own, second] = names as [string, ...string[]];
    // The callee is reached through Lua's own machinery, across which nothing may yield.
    const call = `(typeof f${own} === 'function' ? f${own} : S.callable(f${own}, ${site}))(s${own}, k${own})`;
    const step = this.#expressions.settle(`(S.at = ${site}, ${call})`);
    const spread = names.map((name, i) => `${name} = a${own}[${i}]`).join('; ');
    const assign =
      second === undefined ? `${own} = first(r${own})` : `const a${own} = all(r${own}); ${spread}`;
    const generic = `S.callbacks++; const r${own} = ${step}; S.callbacks--; ${assign};`;
    const value = second === undefined ? '' : ` ${second} = w${own}.value;`;
    const walk = `${own} = w${own}.next(${site});${value}`;
    const turn = `let ${names.join(', ')};\nif (w${own} !== undefined) { ${walk} } else { ${generic} }\n`;
    const end = `if (${own} === undefined) break;\nk${own} = ${own};\n`;
    const head = `const [f${own}, s${own}, c${own}] = ${list}; let k${own} = c${own};\n`;
    const start = `const w${own} = walkOf(S, f${own}, s${own}, c${own});\n`;
    return `{\n${head}${start}for (;;) {\n${this.#count(line)}${turn}${end}${this.#block(body)}}\n}\n`;
  }

  #return({ values }: Of<'return'>): string {
    const code = this.#results(values);
    if (this.#isUncounted) return `return ${code};\n`;
    if (/^[\w.]+$/.test(code)) return `${this.#leave()}return ${code};\n`;
    const temp = this.#temps.take();
    this.#temps.release(temp);
    return `${temp} = ${code}; ${this.#leave()}return ${temp};\n`;
  }

  /** A single call is not settled: whoever called this function does that, and its frame is gone by then. */
  #results(values: readonly Expression[]): string {
    const [only] = values;
    if (only === undefined) return 'NOTHING';
    if (values.length === 1) {
      if (only.kind === 'call' || only.kind === 'method') return this.#expressions.call(only, true);
      return this.#expressions.several(only);
    }
    const list = this.#expressions.list(values);
    return isOpen(values.at(-1)!) ? `several(${list})` : `new Several(${list})`;
  }
}
