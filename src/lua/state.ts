// What running code has in common: where it is, how deep, how much longer it may run, and how it calls back into Lua.
//
// Compiled code writes the public fields directly (emitter.ts): `at` before each call, `depth` and `stackBytes` when a
// function is entered and left, `fuel` at each turn of a loop and each entry. Errors are raised through here, because their
// texts begin with where they happened.
//
// Code runs in one of two forms. The plain form is made of ordinary functions and is quick, but nothing can stop it; in
// the other every function is a generator, which can hand out a signal in its middle ("breathing").

import type { Coroutine } from './coroutine.ts';
import { LuaError } from './lua-error.ts';
import { chunkOf, NO_SITE, type Site, type SiteTable, siteOf } from './site.ts';
import { LuaTable } from './table.ts';
import {
  isWork,
  type LuaFunction,
  type LuaResult,
  type LuaValue,
  Several,
  type Signal,
  typeName,
  Unsettled,
  type Work,
} from './value.ts';

/** Turns of loops and entries of functions between two looks at the clock, and steps of builtins. */
const FUEL = 10_000;
/** Strings up to this are short: handling one is a step like any other. */
const SHORT_BYTES = 3_000;
/** So many bytes of longer strings are made or read between two looks. */
const BYTES_PER_LOOK = FUEL * SHORT_BYTES;
/** What Lua functions may take of the JavaScript stack (984 KiB by default), by the estimate of the emitter. */
const STACK_BYTES = 300_000;
/** What a call of an interpreted JavaScript function takes of the stack at least. */
export const FRAME_BYTES = 150;
/** As many levels as in Redis, where the chunk itself is one too. */
const MAX_LEVELS = 19_999;
export const MAX_CALLBACKS = 198;

/** The work waits for nothing; it lets others go first. */
export const BREATH: Signal = Symbol('breath');

const NO_CHUNKS: SiteTable[] = [];
const UNKNOWN_SITE: Site = { line: 0, operands: [], name: '?', isMethod: false, isTail: false };

/**
 * What decides how long a script may run. Asked every so many turns, and before much memory is taken at a stroke, namely
 * `claimedBytes`, and when plain code goes deeper than it can (`isTooDeep`). Throws to end the script or its run.
 */
export type Watchdog = (isBreathing: boolean, claimedBytes: number, isTooDeep?: boolean) => void;

export class LuaState {
  /** The site that is being run (site.ts). */
  at = NO_SITE;
  /** Functions entered and not left, and for each the site that called it. */
  depth = 0;
  levels: number[] = [];
  stackBytes = STACK_BYTES;
  fuel = FUEL;
  /** What builtins may do before the next look. Not `fuel`, for they cannot breathe: code that calls them must. */
  effort = FUEL;
  /** The longest string that the next run is given. */
  givenBytes = 0;
  /** How much fuel there is for a look: less with long strings about, because any turn may read one from end to end. */
  #tank = FUEL;
  #unseenBytes = 0;
  /** The form of the running code. */
  isBreathing = false;
  /** Calls of Lua by builtins that have not returned. */
  callbacks = 0;
  /** The coroutine that runs. */
  coroutine: Coroutine | undefined = undefined;
  /** Sites of the chunks that run, by their number in `at`. */
  chunks = NO_CHUNKS;
  readonly stringMetatable = new LuaTable();
  /** What `pairs` and `ipairs` return: loops know these by sight (walk.ts). */
  readonly walkers = new Map<LuaValue, 'fields' | 'list'>();
  /** Strings longer than this are refused where they are made at a stroke. */
  maxStringBytes = 512 * 1024 * 1024;
  readonly #watchdog: Watchdog;

  constructor(watchdog: Watchdog = () => {}) {
    this.#watchdog = watchdog;
  }

  /** A run begins, whatever became of the one before. `sites` are those of the script itself. */
  begin(sites: SiteTable, isBreathing: boolean): void {
    this.at = NO_SITE;
    this.depth = 0;
    this.stackBytes = this.newStackBytes;
    this.callbacks = 0;
    this.coroutine = undefined;
    this.#tank = FUEL;
    this.#unseenBytes = 0;
    this.#limitTank(this.givenBytes);
    this.fuel = this.#tank;
    this.effort = FUEL;
    if (this.chunks.length !== 1 || this.chunks[0] !== sites) this.chunks = [sites];
    this.isBreathing = isBreathing;
  }

  /** What there is on a new JavaScript stack: no more than the levels left can fill, so that their end is noticed. */
  get newStackBytes(): number {
    return Math.min(STACK_BYTES, (MAX_LEVELS - this.depth) * FRAME_BYTES);
  }

  // --- limits: called by compiled code when it has used something up

  /** Time to look at the clock. */
  refuel(): void {
    this.fuel = this.#tank;
    this.effort = FUEL;
    this.#watchdog(this.isBreathing, 0);
  }

  /** The same for a builtin, when it has no effort left. The code that called it is to breathe as soon as it can. */
  tire(): void {
    this.fuel = 0;
    this.effort = FUEL;
    this.#watchdog(this.isBreathing, 0);
  }

  /** A builtin is about to do so many steps at a stroke. */
  spend(steps: number): void {
    this.effort -= steps;
    if (this.effort < 0) this.tire();
  }

  /** To be called before a string of this length is made or read as a whole. Throws if that is too much. */
  claim(bytes: number): void {
    if (bytes <= SHORT_BYTES) return;
    this.checkLength(bytes);
    this.#unseenBytes += bytes;
    if (this.#unseenBytes < BYTES_PER_LOOK) return;
    this.#unseenBytes = 0;
    this.fuel = 0;
    this.#watchdog(this.isBreathing, bytes);
  }

  /** A string that has been joined of others by the operation at `at`. */
  joined(text: string, at: number): string {
    if (text.length <= SHORT_BYTES) return text;
    this.at = at;
    this.claim(text.length);
    return text;
  }

  /** To be called as a string grows to this length. */
  checkLength(bytes: number): void {
    if (bytes > this.maxStringBytes) throw this.error('not enough memory');
    this.#limitTank(bytes);
  }

  #limitTank(longestBytes: number): void {
    if (longestBytes <= SHORT_BYTES) return;
    const turns = Math.ceil(BYTES_PER_LOOK / longestBytes);
    if (turns >= this.#tank) return;
    this.#tank = turns;
    this.fuel = Math.min(this.fuel, turns);
  }

  /** A function has been entered and there is no room for it. */
  overflow(): void {
    if (this.isBreathing && this.depth < MAX_LEVELS) return; // its calls go on elsewhere (segments.ts)
    if (this.depth < MAX_LEVELS) this.#watchdog(false, 0, true);
    throw this.error('stack overflow');
  }

  // --- errors

  /** `script:LINE: ` of the caller at this level (1: who called the builtin), or nothing if that is not Lua code. */
  position(level: number): string {
    if (level === 1) return this.positionOf(this.at);
    const at = this.levels[this.depth - level + 1] ?? NO_SITE;
    const isKnown = level > 1 && level <= this.depth + 1 && !this.site(at).isTail;
    return isKnown ? this.positionOf(at) : '';
  }

  /** The same for a site. */
  positionOf(at: number): string {
    const chunk = at === NO_SITE ? undefined : this.chunks[chunkOf(at)];
    return chunk === undefined ? '' : `${chunk.chunkName}:${this.site(at).line}: `;
  }

  site(at: number): Site {
    return this.chunks[chunkOf(at)]?.sites[siteOf(at)] ?? UNKNOWN_SITE;
  }

  /** An error with its position, to be thrown. */
  error(message: string, at = this.at): LuaError {
    return new LuaError(this.positionOf(at) + message, at);
  }

  /** `bad argument #n to 'name' (message)`; arguments count from 1. */
  argumentError(argument: number, message: string): LuaError {
    const { name, isMethod } = this.at === NO_SITE ? UNKNOWN_SITE : this.site(this.at);
    if (!isMethod) return this.error(`bad argument #${argument} to '${name}' (${message})`);
    if (argument === 1) return this.error(`calling '${name}' on bad self (${message})`);
    return this.error(`bad argument #${argument - 1} to '${name}' (${message})`);
  }

  /** What `pcall` makes of something caught: the value of the error. Throws again what no script may catch. */
  caught(thrown: unknown): LuaError {
    if (thrown instanceof LuaError) return thrown;
    if (!(thrown instanceof RangeError)) throw thrown;
    return this.error(/call stack/.test(thrown.message) ? 'stack overflow' : 'not enough memory');
  }

  // --- metatables and calls

  metatableOf(value: LuaValue): LuaTable | undefined {
    if (value instanceof LuaTable) return value.metatable;
    return typeof value === 'string' ? this.stringMetatable : undefined;
  }

  /** The value's own way to do something (`__index`, `__call` …). */
  metamethod(value: LuaValue, event: string): LuaValue {
    return this.metatableOf(value)?.getString(event);
  }

  /** What to call when this is called: itself, its `__call`, or something that raises the error for `at`. */
  callable(value: LuaValue, at: number): LuaFunction {
    if (typeof value === 'function') return value;
    const handler = this.metamethod(value, '__call');
    if (typeof handler === 'function') return (...args) => handler(value, ...args);
    return () => {
      throw this.#cannotCall(this.describe(value, at, 0), at);
    };
  }

  #cannotCall(described: string, at: number): LuaError {
    return this.error(`attempt to call ${described}`, at);
  }

  /** A value in an error message: `local 'x' (a nil value)`. */
  describe(value: LuaValue, at: number, operand: number): string {
    const name = at === NO_SITE ? undefined : this.site(at).operands[operand];
    return name ? `${name} (a ${typeName(value)} value)` : `a ${typeName(value)} value`;
  }

  /** Calls a function on behalf of a builtin, which is then its caller, and settles what it returns. */
  *callBack(callee: LuaValue, args: readonly LuaValue[]): Generator<Signal, LuaValue | Several, LuaValue[]> {
    const { at, depth } = this;
    this.levels[depth] = at;
    this.depth = depth + 1;
    this.at = NO_SITE;
    const result = yield* this.#callAcross(this.callable(callee, NO_SITE), args, NO_SITE);
    this.at = at;
    this.depth = depth;
    return result;
  }

  /** Calls a function across code that is not Lua, and so cannot be left in its middle by a coroutine. */
  *#callAcross(
    callee: LuaFunction,
    args: readonly LuaValue[],
    caller: number,
  ): Generator<Signal, LuaValue | Several, LuaValue[]> {
    const { callbacks } = this;
    if (callbacks >= MAX_CALLBACKS) throw this.error('C stack overflow', caller);
    this.callbacks = callbacks + 1;
    let result = callee(...args);
    if (result instanceof Unsettled) result = yield* this.settled(result);
    this.callbacks = callbacks;
    return result as LuaValue | Several;
  }

  /** Calls a metamethod for the operation at `at`, for one value: in breathing code it may be work that ends with it. */
  callForOne(callee: LuaValue, args: readonly LuaValue[], at: number): LuaValue | Work {
    const work = this.#callForOne(callee, args, at);
    return this.isBreathing ? work : (finished(work) as LuaValue);
  }

  *#callForOne(callee: LuaValue, args: readonly LuaValue[], at: number): Work {
    const before = this.at;
    this.at = at;
    const isCallable = typeof callee === 'function' || this.metamethod(callee, '__call') !== undefined;
    if (!isCallable) throw this.#cannotCall(`a ${typeName(callee)} value`, at); // named by nothing in the script
    const result = first(yield* this.#callAcross(this.callable(callee, at), args, at));
    this.at = before;
    return result;
  }

  /** Runs work, and the work that it ends with, to the end; values pass. */
  *settled(result: LuaResult): Generator<Signal, LuaValue | Several, LuaValue[]> {
    let last = result;
    while (isWork(last)) last = this.stackBytes < 0 ? (yield new Segment(last))[0] : yield* last;
    return last;
  }
}

/** Signal: this work goes on a new JavaScript stack, because the present one is full (segments.ts). */
export class Segment {
  readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }
}

/** What `settled` does, for plain code, where nothing is ever handed out on the way. */
export function finished(result: LuaResult): LuaValue | Several {
  let last = result;
  while (isWork(last)) {
    const step = last.next([]);
    if (!step.done) throw new Error('invariant: plain code does not breathe');
    last = step.value;
  }
  return last;
}

/** The first of the values, nil if there is none. */
export function first(result: LuaValue | Several): LuaValue {
  return result instanceof Several ? result.values[0] : result;
}

/** All of the values. */
export function all(result: LuaValue | Several): readonly LuaValue[] {
  return result instanceof Several ? result.values : [result];
}
