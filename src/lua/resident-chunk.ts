// A chunk that is run once and whose functions are called again and again, long after: what it keeps in its locals stays.
//
// It is compiled in one form only, because what has changed its locals cannot start over: the breathing form, unless all of
// it goes straight on. The chunks that its functions load stay with it, since their functions may stay too.

import type { Compiled, Compiler } from './compile.ts';
import { inSegments } from './segments.ts';
import type { SiteTable } from './site.ts';
import { finished, type LuaState } from './state.ts';
import { isStraightThroughout } from './straight.ts';
import { isWork, type LuaFunction, type LuaValue, type Several, type Signal, type Work } from './value.ts';

export class ResidentChunk {
  /** Its functions end by themselves, and soon. */
  readonly isStraight: boolean;
  readonly #state: LuaState;
  readonly #compiled: Compiled;
  readonly #chunks: SiteTable[];

  /** Throws LuaSyntaxError. */
  constructor(state: LuaState, compiler: Compiler, source: string, chunkName: string) {
    this.#state = state;
    const chunk = compiler.parse(source, chunkName);
    this.isStraight = isStraightThroughout(chunk, source);
    this.#compiled = compiler.compile(chunk, chunkName, 0, !this.isStraight);
    this.#chunks = [this.#compiled.sites];
  }

  /** Starts the chunk itself. Between two steps no other code may run in the same state. */
  run(): Generator<Signal, LuaValue | Several, LuaValue[]> {
    return this.start(this.#compiled.main, []);
  }

  /** Starts a function of the chunk's. */
  start(callee: LuaFunction, args: readonly LuaValue[]): Generator<Signal, LuaValue | Several, LuaValue[]> {
    this.#begin();
    return inSegments(this.#state, start(callee, args));
  }

  /** Calls a function of the chunk's, which must be straight. */
  call(callee: LuaFunction, args: readonly LuaValue[]): LuaValue | Several {
    this.#begin();
    return finished(callee(...args));
  }

  #begin(): void {
    this.#state.begin(this.#compiled.sites, !this.isStraight);
    this.#state.chunks = this.#chunks;
  }
}

function* start(callee: LuaFunction, args: readonly LuaValue[]): Work {
  const result = callee(...args);
  return isWork(result) ? yield* result : result;
}
