// A chunk that is run once and whose functions are called again and again, long after: what it keeps in its locals stays.
//
// It is compiled in its breathing form only, because what has changed its locals cannot start over. The chunks that its
// functions load stay with it, since their functions may stay too.

import type { Compiled, Compiler } from './compile.ts';
import { inSegments } from './segments.ts';
import type { SiteTable } from './site.ts';
import type { LuaState } from './state.ts';
import { isWork, type LuaFunction, type LuaValue, type Several, type Signal, type Work } from './value.ts';

export class ResidentChunk {
  readonly #state: LuaState;
  readonly #compiled: Compiled;
  readonly #chunks: SiteTable[];

  /** Throws LuaSyntaxError. */
  constructor(state: LuaState, compiler: Compiler, source: string, chunkName: string) {
    this.#state = state;
    this.#compiled = compiler.compile(compiler.parse(source, chunkName), chunkName, 0, true);
    this.#chunks = [this.#compiled.sites];
  }

  /** Starts the chunk itself. */
  run(): Generator<Signal, LuaValue | Several, LuaValue[]> {
    return this.call(this.#compiled.main, []);
  }

  /** Starts a function of the chunk's. Between two steps no other code may run in the same state. */
  call(callee: LuaFunction, args: readonly LuaValue[]): Generator<Signal, LuaValue | Several, LuaValue[]> {
    this.#state.begin(this.#compiled.sites, true);
    this.#state.chunks = this.#chunks;
    return inSegments(this.#state, start(callee, args));
  }
}

function* start(callee: LuaFunction, args: readonly LuaValue[]): Work {
  const result = callee(...args);
  return isWork(result) ? yield* result : result;
}
