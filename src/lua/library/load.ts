// `load` and `loadstring`: text compiled while a script runs, in the form that the script runs in.

import { checkFunction, checkText, optionalText, toText } from '../arguments.ts';
import type { Compiler } from '../compile.ts';
import { LuaSyntaxError } from '../lexer.ts';
import { MAX_CHUNK } from '../site.ts';
import type { LuaState } from '../state.ts';
import { first } from '../state.ts';
import { type LuaFunction, type LuaValue, type Several, type Signal, several } from '../value.ts';
import { recorded } from './protected-call.ts';

export function loadFunctions(state: LuaState, compiler: Compiler): Record<string, LuaValue> {
  return {
    *load(...args) {
      const reader = checkFunction(state, args, 0);
      const chunkName = optionalText(state, args, 1, '=(load)');
      const restore = recorded(state);
      try {
        return load(state, compiler, yield* textOf(state, reader), chunkName);
      } catch (thrown) {
        // As if the text were wrong.
        const { value } = state.caught(thrown);
        restore();
        return several([undefined, value]);
      }
    },
    loadstring: (...args) => {
      const source = checkText(state, args, 0);
      return load(state, compiler, source, optionalText(state, args, 1, source));
    },
  };
}

/** All that the reader returns, piece by piece. */
function* textOf(state: LuaState, reader: LuaFunction): Generator<Signal, string, LuaValue[]> {
  let source = '';
  for (;;) {
    const piece = toText(first(yield* state.callBack(reader, [])) ?? '');
    if (piece === undefined) throw state.error('reader function must return a string');
    if (piece === '') return source;
    source += piece;
    state.claim(piece.length);
    state.checkLength(source.length);
  }
}

function load(state: LuaState, compiler: Compiler, source: string, chunkName: string): LuaValue | Several {
  state.spend(COMPILE_STEPS + source.length);
  const shown = displayName(chunkName, NAME_BYTES.running);
  try {
    const chunk = compiler.parse(source, displayName(chunkName, NAME_BYTES.reading));
    const number = Math.min(state.chunks.length, MAX_CHUNK);
    const { main, sites } = compiler.compile(chunk, shown, number, state.isBreathing);
    state.chunks[number] = sites; // the last number is everybody's that comes late
    return main;
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error;
    return several([undefined, error.message]);
  }
}

/** What it takes to compile nothing at all, in steps of a builtin. */
const COMPILE_STEPS = 1_000;

/** How messages call a chunk in so many bytes: `=name` and `@name` by their name, anything else as text. */
function displayName(chunkName: string, bytes: number): string {
  if (chunkName.startsWith('=')) return chunkName.slice(1, bytes);
  if (chunkName.startsWith('@')) {
    const name = chunkName.slice(1);
    const maxLength = bytes - 8;
    return name.length <= maxLength ? name : `...${name.slice(-maxLength)}`;
  }
  const maxLength = bytes - 17;
  const [line = ''] = chunkName.split(/[\r\n]/, 1);
  const isWhole = line.length === chunkName.length && line.length <= maxLength;
  return isWhole ? `[string "${line}"]` : `[string "${line.slice(0, maxLength)}..."]`;
}

/** What C has room for, where it reads a chunk and where it runs it. */
const NAME_BYTES = { reading: 80, running: 60 };
