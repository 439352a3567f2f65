// Which variable a name means at a place of the chunk, and Lua's limits on how much one function may hold.

import type { Local } from './ast.ts';
import type { TokenStream } from './token-stream.ts';

const MAX_LOCALS = 200;
const MAX_UPVALUES = 60;
const MAX_REGISTERS = 250;

/** What is counted and collected over all functions of a chunk. */
export interface ChunkFacts {
  localCount: number;
  hasLoops: boolean;
  hasFunctions: boolean;
  readonly globals: Set<string>;
}

/** The variables of one function while it is being parsed, within those of the functions around it. */
export class FunctionScope {
  isVararg = false;
  /** `...` occurs in it. */
  usesVararg = false;
  /** The local `arg` of a vararg function, and whether it is ever mentioned. */
  arg: Local | undefined;
  mentionsArg = false;
  /** How many loops are open around the current statement. */
  loopDepth = 0;
  readonly outer: FunctionScope | undefined;
  readonly #tokens: TokenStream;
  readonly #facts: ChunkFacts;
  /** 0 for the chunk itself. */
  readonly #line: number;
  /** Those in scope, the innermost last. */
  readonly #locals: Local[] = [];
  readonly #upvalues = new Set<Local>();
  /** Values that in Lua's machine wait in registers for the rest of their expression. */
  #heldCount = 0;

  constructor(outer: FunctionScope | undefined, tokens: TokenStream, facts: ChunkFacts, line: number) {
    this.outer = outer;
    this.#tokens = tokens;
    this.#facts = facts;
    this.#line = line;
  }

  /** Adds a local to those of a statement. No name means it before `open`. */
  declare(name: string, declared: Local[]): void {
    if (this.#locals.length + declared.length >= MAX_LOCALS) this.failLimit(MAX_LOCALS, 'local variables');
    declared.push({ name, id: this.#facts.localCount++, isCaptured: false, isAssigned: false });
  }

  /** From here on the names of these locals mean them. */
  open(declared: readonly Local[]): void {
    this.#locals.push(...declared);
  }

  /** To be given to `closeTo` at the end of the block that begins here. */
  get openCount(): number {
    return this.#locals.length;
  }

  closeTo(openCount: number): void {
    this.#locals.length = openCount;
  }

  /** The local that a name means, which may be one of a function around this one; undefined for a global. */
  resolve(name: string): Local | undefined {
    for (let at = this.#locals.length - 1; at >= 0; at--) {
      const local = this.#locals[at]!;
      if (local.name !== name) continue;
      if (local === this.arg) this.mentionsArg = true;
      return local;
    }
    const local = this.outer?.resolve(name);
    if (local !== undefined) this.#capture(local);
    return local;
  }

  /** True of a local of a function around this one that has been resolved here. */
  isUpvalue(local: Local): boolean {
    return this.#upvalues.has(local);
  }

  #capture(local: Local): void {
    if (this.#upvalues.has(local)) return;
    if (this.#upvalues.size === MAX_UPVALUES) this.failLimit(MAX_UPVALUES, 'upvalues');
    this.#upvalues.add(local);
    local.isCaptured = true;
  }

  /** One more value, or more, waits in a register. To be undone by `releaseTo` with the count this returns. */
  hold(count = 1): number {
    const before = this.#heldCount;
    this.#heldCount += count;
    if (this.#locals.length + this.#heldCount >= MAX_REGISTERS) {
      this.#tokens.failHere('function or expression too complex');
    }
    return before;
  }

  get heldCount(): number {
    return this.#heldCount;
  }

  releaseTo(heldCount: number): void {
    this.#heldCount = heldCount;
  }

  failLimit(limit: number, what: string): never {
    const where = this.#line === 0 ? 'main function' : `function at line ${this.#line}`;
    this.#tokens.fail(`${where} has more than ${limit} ${what}`);
  }
}
