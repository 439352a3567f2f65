// From the text of a chunk to a function that runs it.

import type { Chunk } from './ast.ts';
import { ChunkCode } from './chunk-code.ts';
import type { Environment } from './environment.ts';
import { power } from './float.ts';
import { LuaSyntaxError } from './lexer.ts';
import { modulo, Operators } from './operators.ts';
import { parse } from './parser.ts';
import type { SiteTable } from './site.ts';
import { all, BREATH, finished, first, type LuaState } from './state.ts';
import { emitFunction } from './statements.ts';
import { LuaTable } from './table.ts';
import { type LuaFunction, NOTHING, Several, several, Unsettled } from './value.ts';
import { walkOf } from './walk.ts';

export interface Compiled {
  readonly main: LuaFunction;
  readonly sites: SiteTable;
}

/** Names that compiled code uses, in the order of the values given to it. */
const NAMES =
  'S, O, G, R, Table, Several, several, all, first, Unsettled, finished, BREATH, NOTHING, modulo, power, isNaN, walkOf';

/** A longer text would be compiled for seconds, in which the server does nothing else. */
const MAX_SOURCE_BYTES = 256 * 1024;

/** Everything that compiled code of one Lua state is bound to. */
export class Compiler {
  readonly environment: Environment;
  readonly #bindings: readonly unknown[];

  constructor(state: LuaState, environment: Environment) {
    const { globals, values } = environment;
    this.environment = environment;
    this.#bindings = [
      ...[state, new Operators(state), globals, values, LuaTable, Several, several, all, first],
      ...[Unsettled, finished, BREATH, NOTHING, modulo, power, Number.isNaN, walkOf],
    ];
  }

  /** Throws LuaSyntaxError. */
  parse(source: string, chunkName: string): Chunk {
    if (source.length > MAX_SOURCE_BYTES) throw new LuaSyntaxError(`${chunkName}:1: chunk is too long`);
    return parse(source, chunkName);
  }

  /**
   * Compiles a chunk in one of the two forms. `chunkNumber` is its place among the chunks of the run; the first is the
   * script itself.
   */
  compile(chunk: Chunk, chunkName: string, chunkNumber: number, isBreathing: boolean): Compiled {
    const code = new ChunkCode(chunk, this.environment, chunkNumber, isBreathing);
    const body = bounded(chunkName, () => emitFunction(code, chunk.main, chunkNumber === 0));
    const text = `'use strict';\n${code.prelude}return ${body};`;
    const make = bounded(chunkName, () => new Function(NAMES, text));
    return { main: make(...this.#bindings) as LuaFunction, sites: { chunkName, sites: code.sites } };
  }
}

/** Expressions that go too deep for the emitter, or for V8's own parser, end here: Lua has limits of its own for most. */
function bounded<T>(chunkName: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new LuaSyntaxError(`${chunkName}:1: function or expression too complex`);
  }
}
