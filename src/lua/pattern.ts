// Lua patterns: compiled to steps, and matched without recursion.
//
// A pattern repeats single characters only, never groups, so a match passes the steps from first to last. Hence all that
// Lua's matcher finds out while it runs is known before: which captures are open where, and which back references are in
// order. A broken pattern becomes a step that raises the error, for Lua tells of it only once the match gets there.
// What a capture has seen needs no undoing either: whoever reads it has passed the steps that set it.
//
// Guarantees: room for one way back per step, however long the subject; every turn of a loop costs fuel (state.ts), so a
// hopeless match can be ended. A zero byte ends a pattern, as in C.

import type { LuaState } from './state.ts';
import type { LuaValue } from './value.ts';

const MAX_CAPTURES = 32;
/** Lua's matcher runs out of its stack at some such length. */
const MAX_STEPS = 100_000;
const MAX_REMEMBERED = 500;
const MAX_REMEMBERED_LENGTH = 200;

/** Bytes: 1 for each that belongs to it. */
type ByteSet = Uint8Array;

type StepKind =
  /** One byte; as many as possible of `min` to `max`; as few as possible. */
  | 'one'
  | 'many'
  | 'few'
  /** Begins, ends or repeats a capture. */
  | 'open'
  | 'close'
  | 'same'
  /** `%bxy`, `%f[set]` and `$`. */
  | 'balance'
  | 'frontier'
  | 'end'
  | 'never'
  | 'error'
  | 'matched';

interface Step {
  readonly kind: StepKind;
  readonly set: ByteSet;
  readonly min: number;
  readonly max: number;
  readonly capture: number;
  /** The bytes that `%b` pairs. */
  readonly opening: number;
  readonly closing: number;
  readonly message: string;
}

/** What a capture is worth at the end of a match. */
type CaptureKind = 'unfinished' | 'position' | 'text';

interface Pattern {
  readonly steps: readonly Step[];
  readonly captures: readonly CaptureKind[];
  /** Where a match can begin, if that is limited. */
  readonly firstBytes: ByteSet | undefined;
}

// --- sets of bytes

const setOf = (isMember: (byte: number) => boolean): ByteSet =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(isMember(byte)));
const matching = (bytes: RegExp): ByteSet => setOf((byte) => bytes.test(String.fromCharCode(byte)));
const complement = (set: ByteSet): ByteSet => set.map((isMember) => 1 - isMember);

const CLASSES: ReadonlyMap<string, ByteSet> = new Map(
  Object.entries({
    a: matching(/[A-Za-z]/),
    c: setOf((byte) => byte < 32 || byte === 127),
    d: matching(/[0-9]/),
    l: matching(/[a-z]/),
    p: matching(/[!-/:-@[-`{-~]/),
    s: matching(/[\t-\r ]/),
    u: matching(/[A-Z]/),
    w: matching(/[A-Za-z0-9]/),
    x: matching(/[A-Fa-f0-9]/),
    z: setOf((byte) => byte === 0),
  }).flatMap(([name, set]) => [
    [name, set],
    [name.toUpperCase(), complement(set)],
  ]),
);
const ANY = setOf(() => true);
const SINGLE = Array.from({ length: 256 }, (_, each) => setOf((byte) => byte === each));
const singleton = (char: string): ByteSet => SINGLE[char.charCodeAt(0)] as ByteSet;
const classOrSelf = (char: string): ByteSet => CLASSES.get(char) ?? singleton(char);

// --- compiling

/** All steps have the same fields, whether they need them or not: so V8 reads them quickest. */
const PLAIN: Step = {
  ...{ kind: 'never', set: ANY, min: 0, max: 0 },
  ...{ capture: 0, opening: 0, closing: 0, message: '' },
};

const remembered = new Map<string, Pattern>();

/** Compiles a pattern; a `^` at its beginning is no anchor here. */
export function compilePattern(text: string): Pattern {
  let pattern = remembered.get(text);
  if (pattern !== undefined) return pattern;
  pattern = new PatternCompiler(text).compile();
  if (text.length <= MAX_REMEMBERED_LENGTH) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(text, pattern);
  }
  return pattern;
}

class PatternCompiler {
  readonly #text: string;
  readonly #steps: Step[] = [];
  readonly #captures: CaptureKind[] = [];
  #at = 0;
  #isBroken = false;

  constructor(text: string) {
    const zero = text.indexOf('\0');
    this.#text = zero < 0 ? text : text.slice(0, zero);
  }

  compile(): Pattern {
    while (this.#at < this.#text.length && !this.#isBroken) {
      if (this.#steps.length >= MAX_STEPS) this.#fail('pattern too complex');
      else this.#item();
    }
    this.#push(0, { kind: 'matched' });
    return { steps: this.#steps, captures: this.#captures, firstBytes: this.#firstBytes() };
  }

  #firstBytes(): ByteSet | undefined {
    const first = this.#steps.find(({ kind }) => kind !== 'open');
    if (first?.kind === 'one' || (first?.kind === 'many' && first.min > 0)) return first.set;
    return undefined;
  }

  #fail(message: string): undefined {
    this.#push(0, { kind: 'error', message });
    this.#isBroken = true;
  }

  #item(): void {
    const char = this.#text[this.#at];
    const next = this.#text[this.#at + 1];
    if (char === '(') this.#open(next === ')');
    else if (char === ')') this.#close();
    else if (char === '$' && next === undefined) this.#push(1, { kind: 'end' });
    else if (char === '%' && next === 'b') this.#balance();
    else if (char === '%' && next === 'f') this.#frontier();
    else if (char === '%' && next !== undefined && next >= '0' && next <= '9') this.#same(Number(next) - 1);
    else this.#repeatable();
  }

  /** A step for this many characters of the pattern. */
  #push(length: number, step: Partial<Step>): void {
    this.#at += length;
    this.#steps.push({ ...PLAIN, ...step });
  }

  #open(isPosition: boolean): void {
    if (this.#captures.length >= MAX_CAPTURES) return this.#fail('too many captures');
    const capture = this.#captures.push(isPosition ? 'position' : 'unfinished') - 1;
    this.#push(isPosition ? 2 : 1, { kind: 'open', capture });
  }

  #close(): void {
    const capture = this.#captures.lastIndexOf('unfinished');
    if (capture < 0) return this.#fail('invalid pattern capture');
    this.#captures[capture] = 'text';
    this.#push(1, { kind: 'close', capture });
  }

  #same(capture: number): void {
    const kind = this.#captures[capture];
    if (kind === undefined || kind === 'unfinished') return this.#fail('invalid capture index');
    // A position is taken for a text longer than any.
    this.#push(2, kind === 'position' ? { kind: 'never' } : { kind: 'same', capture });
  }

  #balance(): void {
    const opening = this.#text.charCodeAt(this.#at + 2);
    const closing = this.#text.charCodeAt(this.#at + 3);
    if (Number.isNaN(closing)) return this.#fail('unbalanced pattern');
    this.#push(4, { kind: 'balance', opening, closing });
  }

  #frontier(): void {
    this.#at += 2;
    if (this.#text[this.#at] !== '[') return this.#fail("missing '[' after '%f' in pattern");
    const set = this.#set();
    if (set !== undefined) this.#push(0, { kind: 'frontier', set });
  }

  /** A single character, class or set, and how often it may come. */
  #repeatable(): void {
    const set = this.#set();
    if (set === undefined) return;
    const suffix = this.#text[this.#at];
    if (suffix === '*') this.#push(1, { kind: 'many', set, min: 0, max: Infinity });
    else if (suffix === '+') this.#push(1, { kind: 'many', set, min: 1, max: Infinity });
    else if (suffix === '?') this.#push(1, { kind: 'many', set, min: 0, max: 1 });
    else if (suffix === '-') this.#push(1, { kind: 'few', set });
    else this.#push(0, { kind: 'one', set });
  }

  /** The bytes that a character, class or set stands for. Undefined if it is broken. */
  #set(): ByteSet | undefined {
    const char = this.#text.charAt(this.#at++);
    if (char === '.') return ANY;
    if (char === '[') return this.#bracketed();
    if (char !== '%') return singleton(char);
    if (this.#at === this.#text.length) return this.#fail("malformed pattern (ends with '%')");
    return classOrSelf(this.#text.charAt(this.#at++));
  }

  #bracketed(): ByteSet | undefined {
    const text = this.#text;
    const isNegative = text[this.#at] === '^';
    const start = isNegative ? this.#at + 1 : this.#at;
    const end = endOfSet(text, start);
    if (end < 0) return this.#fail("malformed pattern (missing ']')");
    this.#at = end + 1;
    const set = unionOf(text.slice(start, end));
    return isNegative ? complement(set) : set;
  }
}

/** Where the `]` is that ends a set; -1 if there is none. The first character belongs to the set whatever it is. */
function endOfSet(text: string, start: number): number {
  let at = start;
  do {
    if (at >= text.length) return -1;
    at += text[at] === '%' && at + 1 < text.length ? 2 : 1;
  } while (text[at] !== ']');
  return at;
}

/** What stands between the brackets: classes, ranges and single characters. */
function unionOf(members: string): ByteSet {
  const set: ByteSet = new Uint8Array(256);
  let at = 0;
  while (at < members.length) {
    if (members[at] === '%') {
      const others = classOrSelf(members.charAt(at + 1));
      for (let byte = 0; byte < 256; byte++) set[byte] = (set[byte] as number) | (others[byte] as number);
      at += 2;
    } else if (members[at + 1] === '-' && at + 2 < members.length) {
      set.fill(1, members.charCodeAt(at), members.charCodeAt(at + 2) + 1);
      at += 3;
    } else set[members.charCodeAt(at++)] = 1;
  }
  return set;
}

// --- matching

/** Matches one pattern in one subject, as often as one likes. */
export class Matcher {
  readonly #state: LuaState;
  readonly #subject: string;
  readonly #pattern: Pattern;
  /** Where each capture begins and ends. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  // Ways back: steps that could take another number of bytes, up to where they went, and the least that they may.
  readonly #choices: number[] = [];
  readonly #reached: number[] = [];
  readonly #least: number[] = [];
  #depth = 0;

  constructor(state: LuaState, subject: string, pattern: Pattern) {
    this.#state = state;
    this.#subject = subject;
    this.#pattern = pattern;
  }

  /** The first match that begins at `from` or later. */
  search(from: number): { start: number; end: number } | undefined {
    const { firstBytes } = this.#pattern;
    const subject = this.#subject;
    for (let start = from; start <= subject.length; start++) {
      if (firstBytes !== undefined) {
        while (start < subject.length && firstBytes[subject.charCodeAt(start)] === 0) start++;
      }
      const end = this.matchAt(start);
      if (end >= 0) return { start, end };
    }
    return undefined;
  }

  /** The end of the match that begins here, or -1. */
  matchAt(start: number): number {
    const { steps } = this.#pattern;
    this.#depth = 0;
    this.#burn(1);
    let at = start;
    for (let i = 0; ; i++) {
      const step = steps[i] as Step;
      if (step.kind === 'matched') return at;
      at = this.#advance(step, i, at);
      if (at >= 0) continue;
      i = this.#retreat();
      if (i < 0) return -1;
      at = this.#reached[this.#depth - 1] as number;
    }
  }

  #burn(turns: number): void {
    this.#state.spend(turns);
  }

  /** Where the subject goes on after this step, or -1. */
  #advance(step: Step, index: number, at: number): number {
    const subject = this.#subject;
    switch (step.kind) {
      case 'one':
        return at < subject.length && step.set[subject.charCodeAt(at)] === 1 ? at + 1 : -1;
      case 'many':
        return this.#takeMany(step, index, at);
      case 'few':
        return this.#remember(index, at, at);
      case 'open':
        this.#starts[step.capture] = at;
        return at;
      case 'close':
        this.#ends[step.capture] = at;
        return at;
      case 'same':
        return this.#repeat(step.capture, at);
      case 'balance':
        return this.#balance(step, at);
      case 'frontier':
        return this.#isFrontier(step.set, at) ? at : -1;
      case 'end':
        return at === subject.length ? at : -1;
      case 'never':
        return -1;
      case 'matched':
        return at;
      case 'error':
        throw this.#state.error(step.message);
    }
  }

  #takeMany(step: Step, index: number, at: number): number {
    const subject = this.#subject;
    const { set, min } = step;
    const limit = Math.min(subject.length, at + step.max);
    let end = at;
    while (end < limit && set[subject.charCodeAt(end)] === 1) end++;
    this.#burn(end - at);
    if (end - at < min) return -1;
    return end - at === min ? end : this.#remember(index, end, at + min);
  }

  #remember(index: number, reached: number, least: number): number {
    const depth = this.#depth++;
    this.#choices[depth] = index;
    this.#reached[depth] = reached;
    this.#least[depth] = least;
    return reached;
  }

  /** Goes back to the last step that can do otherwise, and has it do so; -1 if there is none. */
  #retreat(): number {
    this.#burn(1);
    for (; this.#depth > 0; this.#depth--) {
      const top = this.#depth - 1;
      const index = this.#choices[top] as number;
      const reached = this.#reached[top] as number;
      const step = this.#pattern.steps[index] as Step;
      const isGreedy = step.kind === 'many';
      const canMove = isGreedy ? reached > (this.#least[top] as number) : this.#advanceFew(step.set, reached);
      if (!canMove) continue;
      this.#reached[top] = isGreedy ? reached - 1 : reached + 1;
      return index;
    }
    return -1;
  }

  #advanceFew(set: ByteSet, at: number): boolean {
    return at < this.#subject.length && set[this.#subject.charCodeAt(at)] === 1;
  }

  #repeat(capture: number, at: number): number {
    const text = this.#subject.slice(this.#starts[capture], this.#ends[capture]);
    this.#burn(text.length);
    return this.#subject.startsWith(text, at) ? at + text.length : -1;
  }

  #balance({ opening, closing }: Step, start: number): number {
    const subject = this.#subject;
    if (start >= subject.length || subject.charCodeAt(start) !== opening) return -1;
    let depth = 1;
    let at = start + 1;
    for (; at < subject.length && depth > 0; at++) {
      const byte = subject.charCodeAt(at);
      if (byte === closing) depth--;
      else if (byte === opening) depth++;
    }
    this.#burn(at - start);
    return depth === 0 ? at : -1;
  }

  /** Before and after the subject are zero bytes. */
  #isFrontier(set: ByteSet, at: number): boolean {
    const before = at === 0 ? 0 : this.#subject.charCodeAt(at - 1);
    const after = at === this.#subject.length ? 0 : this.#subject.charCodeAt(at);
    return set[before] === 0 && set[after] === 1;
  }

  // --- captures of the last match

  /** All captures; `whole` is what stands for them if the pattern has none. */
  captures(whole?: string): LuaValue[] {
    if (this.#pattern.captures.length === 0) return whole === undefined ? [] : [whole];
    return this.#pattern.captures.map((_, index) => this.#capture(index));
  }

  /** One capture, counted from 0; the first is `whole` if the pattern has none. */
  capture(index: number, whole: string): string | number {
    return index === 0 && this.#pattern.captures.length === 0 ? whole : this.#capture(index);
  }

  #capture(index: number): string | number {
    const kind = this.#pattern.captures[index];
    if (kind === undefined) throw this.#state.error('invalid capture index');
    if (kind === 'unfinished') throw this.#state.error('unfinished capture');
    const start = this.#starts[index] as number;
    return kind === 'position' ? start + 1 : this.#subject.slice(start, this.#ends[index]);
  }
}
