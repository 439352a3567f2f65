// The tokens of a chunk as the parser looks at them: the current one, and whether it is what the grammar demands.
//
// Lines are Lua's own: a message names the line of the current token, an instruction that of the last token taken.

import { describeToken, Lexer, type Token } from './lexer.ts';

export class TokenStream {
  token: Token;
  /** Where reading had come to when the latest token was taken. */
  lastLine = 1;
  readonly #lexer: Lexer;
  #ahead: Token | undefined;

  constructor(source: string, chunkName: string) {
    this.#lexer = new Lexer(source, chunkName);
    this.token = this.#lexer.read();
  }

  /** The line of the current token (of the one after it, once that has been peeked at). */
  get line(): number {
    return this.#lexer.line;
  }

  next(): void {
    this.lastLine = this.#lexer.line;
    this.token = this.#ahead ?? this.#lexer.read();
    this.#ahead = undefined;
  }

  /** The token after the current one. */
  peek(): Token {
    this.#ahead ??= this.#lexer.read();
    return this.#ahead;
  }

  is(kind: string): boolean {
    return this.token.kind === kind;
  }

  /** Takes the current token if it is of this kind. */
  accept(kind: string): boolean {
    if (this.token.kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: string): void {
    if (!this.accept(kind)) this.failExpecting(`'${kind}'`);
  }

  expectName(): string {
    const name = this.token.text;
    this.expect('<name>');
    return name;
  }

  /** Takes what ends something that began with `opening` on `line`. */
  expectClosing(kind: string, opening: string, line: number): void {
    if (this.accept(kind)) return;
    if (line === this.line) this.failExpecting(`'${kind}'`);
    this.failHere(`'${kind}' expected (to close '${opening}' at line ${line})`);
  }

  failExpecting(what: string): never {
    this.failHere(`${what} expected`);
  }

  /** Fails with a message that shows the current token. */
  failHere(message: string): never {
    this.#lexer.fail(message, describeToken(this.token));
  }

  /** Fails with a message about no token in particular. */
  fail(message: string): never {
    this.#lexer.fail(message);
  }
}
