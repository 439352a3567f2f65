// A script in its two forms: plain, which is quick and cannot be stopped, and breathing, which hands out `BREATH` now and
// then and must be gone on with. Each is compiled when first needed.

import type { Chunk } from './ast.ts';
import type { Compiled, Compiler } from './compile.ts';
import { inSegments } from './segments.ts';
import { finished, type LuaState } from './state.ts';
import { isWork, type LuaFunction, type LuaValue, type Several, type Signal, type Work } from './value.ts';

/** With these a script may stop in its middle of its own accord. */
const COROUTINE_GLOBALS = ['coroutine', '_G', 'load', 'loadstring'];

/** Even what goes straight on takes its time if there is much of it. */
const MAX_STRAIGHT_BYTES = 20_000;

export class Script {
  readonly chunk: Chunk;
  /** It may run in its plain form. */
  readonly isPlain: boolean;
  /** It ends by itself, and soon: nothing in it turns back or calls itself. */
  readonly isStraight: boolean;
  readonly #state: LuaState;
  readonly #compiler: Compiler;
  readonly #chunkName: string;
  #plain: Compiled | undefined = undefined;
  #breathing: Compiled | undefined = undefined;

  /** Throws LuaSyntaxError. The plain form is compiled at once, so that what cannot be compiled is known. */
  constructor(state: LuaState, compiler: Compiler, source: string, chunkName: string) {
    this.#state = state;
    this.#compiler = compiler;
    this.#chunkName = chunkName;
    this.chunk = compiler.parse(source, chunkName);
    const { globals, hasFunctions, hasLoops } = this.chunk;
    this.isPlain = !COROUTINE_GLOBALS.some((name) => globals.has(name));
    this.isStraight = this.isPlain && !hasLoops && !hasFunctions && source.length <= MAX_STRAIGHT_BYTES;
    if (this.isPlain) this.#plain = this.#compile(false);
    else this.#breathing = this.#compile(true);
  }

  #compile(isBreathing: boolean): Compiled {
    return this.#compiler.compile(this.chunk, this.#chunkName, 0, isBreathing);
  }

  /** Runs the plain form. Throws LuaError, RangeError for want of stack or memory, and what the watchdog throws. */
  run(): LuaValue | Several {
    this.#plain ??= this.#compile(false);
    const { main, sites } = this.#plain;
    this.#state.begin(sites, false);
    return finished(main());
  }

  /** Starts the breathing form. Between two steps no other code may run in the same state. */
  breathe(): Generator<Signal, LuaValue | Several, LuaValue[]> {
    this.#breathing ??= this.#compile(true);
    const { main, sites } = this.#breathing;
    this.#state.begin(sites, true);
    return inSegments(this.#state, start(main));
  }
}

function* start(main: LuaFunction): Work {
  const result = main();
  return isWork(result) ? yield* result : result;
}
