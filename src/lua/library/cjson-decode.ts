// JSON text as Lua values, as cjson reads it: raw control characters in strings pass, a zero byte ends the text, and
// numbers may be whatever C's strtod takes. Bytes from 0x80 pass unchanged; \u escapes become UTF-8.
//
// Tables that are not complete yet wait in a stack of their own, so that text nested as deep as it likes needs no
// JavaScript stack. The errors name what was found instead of what was expected, which is worked out only then.

import { MAX_STACK_VALUES } from '../arguments.ts';
import { parseNumber } from '../number.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { LightUserdata, type LuaValue } from '../value.ts';
import type { CjsonSettings } from './cjson.ts';

/** What `null` becomes, so that it can be told from a field that is not there. A null pointer, and printed as one. */
export const CJSON_NULL = new LightUserdata('(nil)');

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LETTER_E = 0x65;
const LETTER_X = 0x78;
const COLON = 0x3a;
const ARRAY_BEGIN = 0x5b;
const BACKSLASH = 0x5c;
const ARRAY_END = 0x5d;
const OBJECT_BEGIN = 0x7b;
const OBJECT_END = 0x7d;

/** With fewer digits than this, adding up digits is exact. */
const EXACT_DIGITS = 15;

const WORDS: Readonly<Record<string, LuaValue>> = { true: true, false: false, null: CJSON_NULL };
const WORD_SPELLINGS = Object.keys(WORDS);
const DECIMAL = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
const HEXADECIMAL = /[+-]?0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?/iy;
const INFINITE_OR_NAN = /[+-]?(?:inf(?:inity)?|nan(?:\(\w*\))?)/iy;
/** Numbers that JSON does not have, and strtod does. */
const INVALID_NUMBER = /\+|-?(?:0[x\d]|inf|nan)/iy;
const UNICODE_ESCAPE =
  /\\u(?:([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|(?![dD][89a-fA-F])([\da-fA-F]{4}))/y;

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

const TOKEN_NAMES: Readonly<Record<string, string>> = {
  ...{ '{': 'T_OBJ_BEGIN', '}': 'T_OBJ_END', '[': 'T_ARR_BEGIN', ']': 'T_ARR_END' },
  ...{ ':': 'T_COLON', ',': 'T_COMMA', '\0': 'T_END', '': 'T_END', '"': 'T_STRING' },
};

/** What an open table takes of Lua's stack: itself, and of an object the key. */
const ARRAY_SLOTS = 1;
const OBJECT_SLOTS = 2;

export function decodeJson(state: LuaState, settings: CjsonSettings, text: string): LuaValue {
  if (text.length >= 2 && (text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0))
    throw state.error('JSON parser does not support UTF-16 or UTF-32');
  return new Decoder(state, settings, text).decode();
}

/** A table being read. */
interface Open {
  readonly table: LuaTable;
  /** Of an object: the one whose value is next. */
  key: string | undefined;
}

class Decoder {
  readonly #state: LuaState;
  readonly #settings: CjsonSettings;
  readonly #text: string;
  #at = 0;
  readonly #open: Open[] = [];
  /** Of Lua's stack: it limits how deep tables can be nested at all. */
  #slots = 1;

  constructor(state: LuaState, settings: CjsonSettings, text: string) {
    this.#state = state;
    this.#settings = settings;
    this.#text = text;
  }

  decode(): LuaValue {
    for (;;) {
      let value = this.#value();
      while (value !== undefined) {
        if (this.#open.length === 0) return this.#end(value);
        value = this.#put(value);
      }
    }
  }

  #end(value: LuaValue): LuaValue {
    const next = this.#peek();
    if (next !== 0 && !Number.isNaN(next)) throw this.#unexpected('the end');
    return value;
  }

  /** The next character that is no white space; NaN at the end of the text. */
  #peek(): number {
    for (;;) {
      const char = this.#text.charCodeAt(this.#at);
      if (char !== 0x20 && char !== 0x0a && char !== 0x09 && char !== 0x0d) return char;
      this.#at++;
    }
  }

  /** Reads a value, or opens a table; undefined: its first value is next. */
  #value(): LuaValue {
    const char = this.#peek();
    if (char === QUOTE) return this.#string('value');
    if (char === OBJECT_BEGIN) return this.#object();
    if (char === ARRAY_BEGIN) return this.#array();
    if (char === MINUS || (char >= ZERO && char <= ZERO + 9)) return this.#number();
    const word = this.#word();
    if (word === undefined) return this.#oddNumber();
    this.#at += word.length;
    return WORDS[word];
  }

  #word(): string | undefined {
    return WORD_SPELLINGS.find((word) => this.#text.startsWith(word, this.#at));
  }

  /** Puts a value where it belongs. Answers the table if that completes it; undefined: another value is next. */
  #put(value: LuaValue): LuaValue {
    const open = this.#open.at(-1) as Open;
    const isArray = open.key === undefined;
    if (open.key === undefined) open.table.list.push(value);
    else open.table.setString(open.key, value);
    if (--this.#state.effort < 0) this.#state.tire();
    const char = this.#peek();
    if (char === COMMA) {
      this.#at++;
      if (!isArray) open.key = this.#key();
      return undefined;
    }
    if (char !== (isArray ? ARRAY_END : OBJECT_END))
      throw this.#unexpected(isArray ? 'comma or array end' : 'comma or object end');
    this.#at++;
    this.#slots -= isArray ? ARRAY_SLOTS : OBJECT_SLOTS;
    this.#open.pop();
    return open.table;
  }

  #array(): LuaTable | undefined {
    const table = this.#begin(ARRAY_SLOTS);
    if (this.#peek() === ARRAY_END) return this.#empty(table);
    this.#slots += ARRAY_SLOTS;
    this.#open.push({ table, key: undefined });
    return undefined;
  }

  #object(): LuaTable | undefined {
    const table = this.#begin(OBJECT_SLOTS);
    if (this.#peek() === OBJECT_END) return this.#empty(table);
    this.#slots += OBJECT_SLOTS;
    this.#open.push({ table, key: this.#key() });
    return undefined;
  }

  #begin(slots: number): LuaTable {
    this.#at++;
    const depth = this.#open.length + 1;
    if (depth <= this.#settings.decodeMaxDepth && this.#slots + slots < MAX_STACK_VALUES)
      return new LuaTable();
    throw this.#state.error(`Found too many nested data structures (${depth}) at character ${this.#at}`);
  }

  #empty(table: LuaTable): LuaTable {
    this.#at++;
    return table;
  }

  #key(): string {
    if (this.#peek() !== QUOTE) throw this.#unexpected('object key string');
    const key = this.#string('object key string');
    if (this.#peek() !== COLON) throw this.#unexpected('colon');
    this.#at++;
    return key;
  }

  // --- strings

  #string(expected: string): string {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    for (;;) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) break;
      if (char === BACKSLASH) return this.#escapedString(expected, start, at);
      if (char === 0 || Number.isNaN(char)) throw this.#failure(expected, 'unexpected end of string', at);
      at++;
    }
    this.#at = at + 1;
    return text.slice(start, at);
  }

  /** A string that has its first escape at `at`. */
  #escapedString(expected: string, start: number, firstEscape: number): string {
    const text = this.#text;
    let out = '';
    let from = start;
    let at = firstEscape;
    for (;;) {
      const char = text.charCodeAt(at);
      if (char === QUOTE) break;
      if (char === 0 || Number.isNaN(char)) throw this.#failure(expected, 'unexpected end of string', at);
      if (char !== BACKSLASH) at++;
      else {
        out += text.slice(from, at);
        this.#at = at;
        out += this.#escape(expected);
        at = this.#at;
        from = at;
      }
    }
    this.#at = at + 1;
    return out + text.slice(from, at);
  }

  /** What the escape that is here stands for. */
  #escape(expected: string): string {
    const at = this.#at;
    const letter = this.#text[at + 1] ?? '';
    this.#at += 2;
    if (letter !== 'u') {
      const char = ESCAPES[letter];
      if (char === undefined) throw this.#failure(expected, 'invalid escape code', at);
      return char;
    }
    UNICODE_ESCAPE.lastIndex = at;
    const groups = UNICODE_ESCAPE.exec(this.#text);
    if (groups === null) throw this.#failure(expected, 'invalid unicode escape code', at);
    this.#at = UNICODE_ESCAPE.lastIndex;
    const [, high, low, single] = groups;
    return high === undefined
      ? utf8(hex(single))
      : utf8(0x10000 + ((hex(high) & 0x3ff) << 10) + (hex(low) & 0x3ff));
  }

  // --- numbers

  /** At a digit or a minus: mostly a short integer. */
  #number(): number {
    const text = this.#text;
    const isNegative = text.charCodeAt(this.#at) === MINUS;
    const start = isNegative ? this.#at + 1 : this.#at;
    let at = start;
    let number = 0;
    let char = text.charCodeAt(at);
    const startsWithZero = char === ZERO;
    for (; char >= ZERO && char <= ZERO + 9; char = text.charCodeAt(++at)) number = number * 10 + char - ZERO;
    const digits = at - start;
    const goesOn = char === POINT || (char | 0x20) === LETTER_E || (char | 0x20) === LETTER_X;
    if (goesOn || digits === 0 || digits > EXACT_DIGITS || (startsWithZero && digits > 1))
      return this.#anyNumber();
    this.#at = at;
    return isNegative ? -number : number;
  }

  /** Where a value is expected, and nothing that JSON has is there. */
  #oddNumber(): number {
    if (!this.#settings.decodeInvalidNumbers || !this.#isInvalidNumber()) throw this.#unexpected('value');
    return this.#anyNumber();
  }

  #isInvalidNumber(): boolean {
    INVALID_NUMBER.lastIndex = this.#at;
    return INVALID_NUMBER.test(this.#text);
  }

  #anyNumber(): number {
    const start = this.#at;
    const end = this.#numberEnd();
    if (end === start) throw this.#failure('value', 'invalid number', start);
    this.#at = end;
    return parseNumber(this.#text.slice(start, end)) as number;
  }

  /** Where the number that is here ends; where it begins if it is none, or one that is not allowed. */
  #numberEnd(): number {
    if (!this.#settings.decodeInvalidNumbers && this.#isInvalidNumber()) return this.#at;
    for (const form of [HEXADECIMAL, DECIMAL, INFINITE_OR_NAN]) {
      form.lastIndex = this.#at;
      if (form.test(this.#text)) return form.lastIndex;
    }
    return this.#at;
  }

  // --- errors

  #failure(expected: string, found: string, at: number) {
    return this.#state.error(`Expected ${expected} but found ${found} at character ${at + 1}`);
  }

  /** Something else than expected is here; what it is may itself be broken. */
  #unexpected(expected: string) {
    const at = this.#at;
    const char = this.#text[at] ?? '';
    if (char === '"') this.#string(expected); // throws if it is broken
    const name = TOKEN_NAMES[char] ?? this.#wordOrNumberName();
    if (name !== undefined) return this.#failure(expected, name, at);
    const isNumber = /[-\d]/.test(char) || (this.#settings.decodeInvalidNumbers && this.#isInvalidNumber());
    return this.#failure(expected, isNumber ? 'invalid number' : 'invalid token', at);
  }

  #wordOrNumberName(): string | undefined {
    const word = this.#word();
    if (word !== undefined) return word === 'null' ? 'T_NULL' : 'T_BOOLEAN';
    const mayBeNumber = /[-\d]/.test(this.#text[this.#at]!) || this.#isInvalidNumber();
    return mayBeNumber && this.#numberEnd() > this.#at ? 'T_NUMBER' : undefined;
  }
}

const hex = (digits = ''): number => Number.parseInt(digits, 16);

/** The UTF-8 bytes of a code point. */
function utf8(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  const last = 0x80 | (point & 0x3f);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), last);
  const third = 0x80 | ((point >> 6) & 0x3f);
  if (point < 0x10000) return String.fromCharCode(0xe0 | (point >> 12), third, last);
  return String.fromCharCode(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), third, last);
}
