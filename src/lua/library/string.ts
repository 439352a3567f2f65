// The library `string` of Lua 5.1. Positions count bytes from 1, and from the end if they are negative.
//
// `dump` refuses every function: what is compiled here is JavaScript, and no bytecode that anything could load.

import { type Args, checkFunction, checkInteger, checkText, optionalInteger, toText } from '../arguments.ts';
import { format } from '../format.ts';
import { Operators } from '../operators.ts';
import { compilePattern, Matcher } from '../pattern.ts';
import { inPieces } from '../pieces.ts';
import { NO_SITE } from '../site.ts';
import { first, type LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { findText } from '../text-search.ts';
import {
  isTrue,
  type LuaFunction,
  type LuaResult,
  type LuaValue,
  NOTHING,
  Several,
  several,
  typeName,
  type Work,
} from '../value.ts';

/** Lua's limit to what a builtin may have on its stack, LUAI_MAXCSTACK. */
const MAX_STACK_VALUES = 8000;

export function stringLibrary(state: LuaState): LuaTable {
  const gmatch: LuaFunction = (...args) => matches(state, args);
  return LuaTable.from({
    byte: (...args) => bytes(state, args),
    char: (...args) => fromBytes(state, args),
    dump: (...args) => {
      checkFunction(state, args, 0);
      throw state.error('unable to dump given function');
    },
    find: (...args) => find(state, args),
    format: (...args) => format(state, args),
    gfind: gmatch,
    gmatch,
    gsub: (...args) => substitute(state, args),
    len: (...args) => checkText(state, args, 0).length,
    lower: (...args) => inPieces(state, checkText(state, args, 0), lower),
    match: (...args) => match(state, args),
    rep: (...args) => repeat(state, args),
    reverse: (...args) => reverse(checkText(state, args, 0)),
    sub: (...args) => slice(state, args),
    upper: (...args) => inPieces(state, checkText(state, args, 0), upper),
  });
}

// --- bytes and slices

/** A position from the start: 0 if it is before that. */
function fromStart(position: number, length: number): number {
  return position >= 0 ? position : Math.max(0, length + 1 + position);
}

function slice(state: LuaState, args: Args): string {
  const text = checkText(state, args, 0);
  const start = fromStart(checkInteger(state, args, 1), text.length);
  const end = fromStart(optionalInteger(state, args, 2, -1), text.length);
  return text.slice(Math.max(0, start - 1), end);
}

function bytes(state: LuaState, args: Args): LuaValue | Several {
  const text = checkText(state, args, 0);
  const start = fromStart(optionalInteger(state, args, 1, 1), text.length);
  const end = Math.min(text.length, fromStart(optionalInteger(state, args, 2, start), text.length));
  const count = end - Math.max(1, start) + 1;
  if (count === 1) return text.charCodeAt(end - 1);
  if (count <= 0) return NOTHING;
  if (count + args.length > MAX_STACK_VALUES) throw state.error('stack overflow (string slice too long)');
  state.spend(count);
  return new Several(Array.from({ length: count }, (_, i) => text.charCodeAt(end - count + i)));
}

function fromBytes(state: LuaState, args: Args): string {
  let text = '';
  for (let i = 0; i < args.length; i++) {
    const byte = checkInt(state, args, i);
    if (byte < 0 || byte > 255) throw state.argumentError(i + 1, 'invalid value');
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Where Lua's library has C cast an integer to an `int`, its upper half is lost. */
const checkInt = (state: LuaState, args: Args, index: number): number => checkInteger(state, args, index) | 0;

function repeat(state: LuaState, args: Args): string {
  const text = checkText(state, args, 0);
  const count = Math.max(0, checkInt(state, args, 1));
  state.claim(text.length * count);
  return text.repeat(count);
}

const reverse = (text: string): string => Buffer.from(text, 'latin1').reverse().toString('latin1');

// Only ASCII letters have two cases; JavaScript knows more of them.
const NO_ASCII = /[\x80-\xff]/;
const lower = (text: string): string =>
  NO_ASCII.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();
const upper = (text: string): string =>
  NO_ASCII.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text.toUpperCase();

// --- find, match, gmatch

/** What makes a pattern more than the text it is. Only looked for before the first zero byte, which ends patterns. */
const SPECIAL = /^[^\0^$*+?.([%-]*[$^*+?.([%-]/;

function find(state: LuaState, args: Args): LuaValue | Several {
  const text = checkText(state, args, 0);
  const pattern = checkText(state, args, 1);
  const from = startOfSearch(state, args, text);
  if (isTrue(args[3]) || !SPECIAL.test(pattern)) {
    const at = findText(state, text, pattern, from);
    return at < 0 ? undefined : new Several([at + 1, at + pattern.length]);
  }
  const search = searched(state, text, pattern, from);
  if (search === undefined) return undefined;
  return new Several([search.start + 1, search.end, ...search.matcher.captures()]);
}

function match(state: LuaState, args: Args): LuaValue | Several {
  const text = checkText(state, args, 0);
  const pattern = checkText(state, args, 1);
  const search = searched(state, text, pattern, startOfSearch(state, args, text));
  return search && several(search.matcher.captures(text.slice(search.start, search.end)));
}

function startOfSearch(state: LuaState, args: Args, text: string): number {
  const position = fromStart(optionalInteger(state, args, 2, 1), text.length);
  return Math.min(text.length, Math.max(0, position - 1));
}

interface Found {
  readonly matcher: Matcher;
  readonly start: number;
  readonly end: number;
}

/** The first match. `^` binds it to where the search begins. */
function searched(state: LuaState, text: string, pattern: string, from: number): Found | undefined {
  const isAnchored = pattern.charCodeAt(0) === 94;
  const matcher = new Matcher(state, text, compilePattern(isAnchored ? pattern.slice(1) : pattern));
  if (!isAnchored) {
    const found = matcher.search(from);
    return found && { matcher, start: found.start, end: found.end };
  }
  const end = matcher.matchAt(from);
  return end < 0 ? undefined : { matcher, start: from, end };
}

/** An iterator over all matches. `^` is nothing special here. */
function matches(state: LuaState, args: Args): LuaFunction {
  const text = checkText(state, args, 0);
  const matcher = new Matcher(state, text, compilePattern(checkText(state, args, 1)));
  let at = 0;
  return () => {
    const found = matcher.search(at);
    if (found === undefined) return NOTHING;
    const { start, end } = found;
    at = end === start ? end + 1 : end;
    return several(matcher.captures(text.slice(start, end)));
  };
}

// --- gsub

function substitute(state: LuaState, args: Args): LuaResult {
  const substitution = new Substitution(state, args);
  const by = args[2];
  if (typeof by === 'function') return substitution.byCalls(by);
  if (by instanceof LuaTable) return substitution.byFields(by);
  const text = toText(by);
  if (text === undefined) throw state.argumentError(3, 'string/function/table expected');
  return substitution.byText(text);
}

class Substitution {
  readonly #state: LuaState;
  readonly #text: string;
  readonly #matcher: Matcher;
  readonly #isAnchored: boolean;
  readonly #limit: number;
  #count = 0;
  /** What is finished, and how much of the text that stands for. */
  #out = '';
  #done = 0;
  /** Where to look on, and the match. */
  #at = 0;
  #start = 0;
  #end = 0;

  constructor(state: LuaState, args: Args) {
    this.#state = state;
    this.#text = checkText(state, args, 0);
    const pattern = checkText(state, args, 1);
    this.#limit = optionalInteger(state, args, 3, this.#text.length + 1) | 0;
    this.#isAnchored = pattern.charCodeAt(0) === 94;
    const compiled = compilePattern(this.#isAnchored ? pattern.slice(1) : pattern);
    this.#matcher = new Matcher(state, this.#text, compiled);
  }

  /** `%0` to `%9` in `by` stand for the match and its captures. */
  byText(by: string): Several {
    const hasCaptures = by.includes('%');
    while (this.#next()) this.#put(hasCaptures ? this.#expanded(by) : by);
    return this.#result();
  }

  *byCalls(by: LuaFunction): Work {
    while (this.#next()) {
      const args = this.#matcher.captures(this.#matched);
      this.#putValue(first(yield* this.#state.callBack(by, args)));
    }
    return this.#result();
  }

  byFields(by: LuaTable): LuaResult {
    if (by.metatable !== undefined) return this.#byIndex(by);
    while (this.#next()) this.#putValue(by.get(this.#matcher.capture(0, this.#matched)));
    return this.#result();
  }

  *#byIndex(by: LuaTable): Work {
    const state = this.#state;
    const { at } = state;
    const operators = new Operators(state);
    while (this.#next()) {
      const key = this.#matcher.capture(0, this.#matched);
      const field = first(yield* state.settled(operators.index(by, key, NO_SITE)));
      state.at = at; // handlers were called from no site, for the library is not Lua code
      this.#putValue(field);
    }
    return this.#result();
  }

  get #matched(): string {
    return this.#text.slice(this.#start, this.#end);
  }

  /** Finds the next match, if there may be one more. An empty one is followed by one at the next byte at the earliest. */
  #next(): boolean {
    if (this.#count >= this.#limit || (this.#isAnchored && this.#count > 0)) return false;
    if (this.#isAnchored) this.#end = this.#matcher.matchAt(0);
    else {
      const found = this.#matcher.search(this.#at);
      this.#start = found?.start ?? 0;
      this.#end = found?.end ?? -1;
    }
    if (this.#end < 0) return false;
    this.#count++;
    this.#at = this.#end > this.#start ? this.#end : this.#end + 1;
    return true;
  }

  #putValue(value: LuaValue): void {
    const by = isTrue(value) ? toText(value) : this.#matched;
    if (by === undefined) throw this.#state.error(`invalid replacement value (a ${typeName(value)})`);
    this.#put(by);
  }

  #put(by: string): void {
    if (this.#start > this.#done) this.#out += this.#text.slice(this.#done, this.#start);
    this.#out += by;
    this.#done = this.#end;
    this.#state.claim(by.length);
    this.#state.checkLength(this.#out.length);
  }

  #result(): Several {
    return new Several([this.#out + this.#text.slice(this.#done), this.#count]);
  }

  /** `%` before anything but a digit only takes itself away; at the end, what follows is C's end marker. */
  #expanded(by: string): string {
    const state = this.#state;
    let out = '';
    let done = 0;
    for (let at = by.indexOf('%'); at >= 0; at = by.indexOf('%', done)) {
      if (--state.effort < 0) state.tire(); // captures may be empty, so that the output limits nothing
      const char = at + 1 < by.length ? by.charAt(at + 1) : '\0';
      out += by.slice(done, at);
      if (char === '0') out += this.#matched;
      else if (char >= '1' && char <= '9')
        out += toText(this.#matcher.capture(Number(char) - 1, this.#matched));
      else out += char;
      done = at + 2;
      state.checkLength(out.length);
    }
    return out + by.slice(done);
  }
}
