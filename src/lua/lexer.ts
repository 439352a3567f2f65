// Turns the text of a Lua 5.1 chunk into tokens, and words what is wrong with it exactly as Lua does.
//
// The text is a latin1 string: one character is one byte, and anything may occur in it, zeros included. Every newline
// (LF, CR, CRLF or LFCR) counts as one line, and within strings becomes LF.

/** What is wrong with a chunk, in Lua's words. Not an `Error`: scripts may make many, and a stack costs more than they do. */
export class LuaSyntaxError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export interface Token {
  /** `<name>`, `<number>`, `<string>`, `<eof>`; keywords, operators and stray characters are their own kind. */
  readonly kind: string;
  /** The name, the number as it was written, the value of the string. */
  readonly text: string;
  readonly number: number;
  /** What opened the string: a quote, or brackets such as `[==[`. */
  readonly opening: string;
}

const KEYWORDS = new Map(
  `and break do else elseif end false for function if in local nil not or repeat return then true until while`
    .split(' ')
    .map((word) => [word, fixedToken(word)]),
);
const SINGLE = Array.from({ length: 256 }, (_, code) => fixedToken(String.fromCharCode(code)));
const COMPOUND = new Map(['==', '~=', '<=', '>=', '..', '...'].map((text) => [text, fixedToken(text)]));
const END_TOKEN = fixedToken('<eof>');

const SIMPLE_ESCAPES = new Map(
  Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }).map(
    ([letter, value]) => [letter.charCodeAt(0), value],
  ),
);

const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Of C's hexadecimal floats the lexer lets only these through: it stops before a point or a sign. */
const HEXADECIMAL = /^(0[xX][\da-fA-F]+)(?:[pP](\d+))?$/;
const ANY_NEWLINE = /\r\n|\n\r|\r/g;

const LF = 10;
const CR = 13;
const SPACE = 32;
const ZERO = 48;
const EQUALS = 61;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const DASH = 45;
const DOT = 46;
const END = -1;

/** What a character can begin or continue. */
const SPACE_CLASS = 1;
const DIGIT_CLASS = 2;
const LETTER_CLASS = 4;
const WORD_CLASS = DIGIT_CLASS | LETTER_CLASS;
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[ \t\n\v\f\r]/.test(character)) return SPACE_CLASS;
  if (/\d/.test(character)) return DIGIT_CLASS;
  return /[A-Za-z_]/.test(character) ? LETTER_CLASS : 0;
});

/** Reads one chunk from its beginning to its end. */
export class Lexer {
  /** The line that reading has come to: that of the last character of the latest token. */
  line = 1;
  readonly #source: string;
  readonly #chunkName: string;
  #position = 0;

  constructor(source: string, chunkName: string) {
    this.#source = source;
    this.#chunkName = chunkName;
  }

  /** The next token; at the end of the text, `<eof>` again and again. */
  read(): Token {
    this.#skipBlanks();
    const code = this.#codeAt(this.#position);
    if (code === END) return END_TOKEN;
    const characterClass = CLASSES[code]!;
    if (characterClass === LETTER_CLASS) return this.#readName();
    if (characterClass === DIGIT_CLASS) return this.#readNumber();
    switch (code) {
      case 34: // "
      case 39: // '
        return this.#readString(code);
      case OPENING_BRACKET:
        return this.#readBracket();
      case EQUALS:
      case 60: // <
      case 62: // >
      case 126: // ~
        return this.#readComparison(code);
      case DOT:
        return this.#readDots();
      default:
        this.#position++;
        return SINGLE[code]!;
    }
  }

  /** Fails with the line reading has come to; `near` as it is to stand between the quotes. */
  fail(message: string, near?: string): never {
    const where = near === undefined ? '' : ` near '${near}'`;
    throw new LuaSyntaxError(`${this.#chunkName}:${this.line}: ${message}${where}`);
  }

  #codeAt(position: number): number {
    return position < this.#source.length ? this.#source.charCodeAt(position) : END;
  }

  #isAt(position: number, characterClass: number): boolean {
    return (
      position < this.#source.length && (CLASSES[this.#source.charCodeAt(position)]! & characterClass) !== 0
    );
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#codeAt(this.#position);
      if (code === LF || code === CR) this.#skipNewline(code);
      else if (code === SPACE || (code >= 9 && code <= 12)) this.#position++;
      else if (code === DASH && this.#codeAt(this.#position + 1) === DASH) this.#skipComment();
      else return;
    }
  }

  #skipNewline(code: number): void {
    const next = this.#codeAt(this.#position + 1);
    const isPair = next !== code && (next === LF || next === CR);
    this.#position += isPair ? 2 : 1;
    this.line++;
  }

  #skipComment(): void {
    this.#position += 2;
    const level = this.#bracketLevel();
    if (level !== undefined) {
      this.#readLong(level, 'comment');
      return;
    }
    for (;;) {
      const code = this.#codeAt(this.#position);
      if (code === END || code === LF || code === CR) return;
      this.#position++;
    }
  }

  #readName(): Token {
    const start = this.#position;
    while (this.#isAt(++this.#position, WORD_CLASS));
    const text = this.#source.slice(start, this.#position);
    return KEYWORDS.get(text) ?? { kind: '<name>', text, number: 0, opening: '' };
  }

  /** Takes everything that might belong to a number, and only then looks whether it is one: `3x` is malformed, not two tokens. */
  #readNumber(): Token {
    const start = this.#position;
    while (this.#isAt(this.#position, DIGIT_CLASS) || this.#codeAt(this.#position) === DOT) this.#position++;
    if (this.#accept('eE')) this.#accept('+-');
    while (this.#isAt(this.#position, WORD_CLASS)) this.#position++;
    const text = untilZero(this.#source.slice(start, this.#position));
    const number = numberOf(text);
    if (number === undefined) this.fail('malformed number', text);
    return { kind: '<number>', text, number, opening: '' };
  }

  #readDots(): Token {
    if (this.#isAt(this.#position + 1, DIGIT_CLASS)) return this.#readNumber();
    this.#position++;
    if (!this.#accept('.')) return SINGLE[DOT]!;
    return COMPOUND.get(this.#accept('.') ? '...' : '..')!;
  }

  /** Takes the next character if it is one of these, or a zero: Lua looks for it in a C string, which ends with one. */
  #accept(characters: string): boolean {
    const next = this.#source[this.#position];
    if (next === undefined || (next !== '\0' && !characters.includes(next))) return false;
    this.#position++;
    return true;
  }

  #readComparison(code: number): Token {
    const isCompound = this.#codeAt(this.#position + 1) === EQUALS;
    this.#position += isCompound ? 2 : 1;
    return isCompound ? COMPOUND.get(`${String.fromCharCode(code)}=`)! : SINGLE[code]!;
  }

  #readBracket(): Token {
    const level = this.#bracketLevel();
    if (level !== undefined) {
      const text = this.#readLong(level, 'string');
      return { kind: '<string>', text, number: 0, opening: `[${'='.repeat(level)}[` };
    }
    const start = this.#position++;
    if (this.#codeAt(this.#position) !== EQUALS) return SINGLE[OPENING_BRACKET]!;
    while (this.#codeAt(this.#position) === EQUALS) this.#position++;
    this.fail('invalid long string delimiter', this.#source.slice(start, this.#position));
  }

  /** How many `=` the long bracket that opens here has; undefined if none does. */
  #bracketLevel(): number | undefined {
    if (this.#codeAt(this.#position) !== OPENING_BRACKET) return undefined;
    let end = this.#position + 1;
    while (this.#codeAt(end) === EQUALS) end++;
    return this.#codeAt(end) === OPENING_BRACKET ? end - this.#position - 1 : undefined;
  }

  /** From a long bracket to the one that closes it. */
  #readLong(level: number, what: 'string' | 'comment'): string {
    const start = this.#position + level + 2;
    const close = this.#source.indexOf(`]${'='.repeat(level)}]`, start);
    const raw = this.#source.slice(start, close === -1 ? undefined : close);
    const content = raw.includes('\r') ? raw.replace(ANY_NEWLINE, '\n') : raw;
    this.line += countNewlines(content);
    if (close === -1) this.fail(`unfinished long ${what}`, '<eof>');
    this.#position = close + level + 2;
    return content.startsWith('\n') ? content.slice(1) : content;
  }

  #readString(quote: number): Token {
    const opening = String.fromCharCode(quote);
    let text = '';
    let start = ++this.#position;
    for (;;) {
      const code = this.#codeAt(this.#position);
      if (code !== quote && code !== BACKSLASH && code !== LF && code !== CR && code !== END) {
        this.#position++;
        continue;
      }
      text += this.#source.slice(start, this.#position);
      if (code === END) this.fail('unfinished string', '<eof>');
      if (code === LF || code === CR) this.fail('unfinished string', untilZero(opening + text));
      this.#position++;
      if (code === quote) return { kind: '<string>', text, number: 0, opening };
      text += this.#readEscape(opening + text);
      start = this.#position;
    }
  }

  /** What follows a backslash; `soFar` is the string up to it. */
  #readEscape(soFar: string): string {
    const code = this.#codeAt(this.#position);
    if (code === LF || code === CR) {
      this.#skipNewline(code);
      return '\n';
    }
    if (this.#isAt(this.#position, DIGIT_CLASS)) return this.#readDecimalEscape(soFar);
    if (code === END) return '';
    this.#position++;
    return SIMPLE_ESCAPES.get(code) ?? String.fromCharCode(code);
  }

  #readDecimalEscape(soFar: string): string {
    const end = this.#position + 3;
    let code = 0;
    while (this.#position < end && this.#isAt(this.#position, DIGIT_CLASS)) {
      code = code * 10 + this.#codeAt(this.#position++) - ZERO;
    }
    if (code > 255) this.fail('escape sequence too large', untilZero(soFar));
    return String.fromCharCode(code);
  }
}

/** The token as messages show it; undefined for a zero byte, which to Lua is no token. */
export function describeToken({ kind, text, opening }: Token): string | undefined {
  if (kind === '<string>') return untilZero(opening + text + opening.replaceAll('[', ']'));
  if (kind === '<name>' || kind === '<number>') return text;
  if (kind === '\0') return undefined;
  const code = kind.charCodeAt(0);
  return kind.length === 1 && (code < SPACE || code === 127) ? `char(${code})` : kind;
}

function fixedToken(kind: string): Token {
  return { kind, text: kind, number: 0, opening: '' };
}

/** Lua hands its messages through C, where text ends at a zero. */
function untilZero(text: string): string {
  const zero = text.indexOf('\0');
  return zero === -1 ? text : text.slice(0, zero);
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function numberOf(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const parts = HEXADECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, mantissa, exponent = '0'] = parts;
  const value = Number(mantissa);
  // Zero times two to the infinite is not a number here; in C the exponent of a zero does not matter.
  return value === 0 ? 0 : value * 2 ** Number(exponent);
}
