// `load` and `loadstring`: text compiled while a script runs, in the form that the script runs in.

import { checkFunction, checkText, optionalText } from '../arguments.ts';
import type { Compiler } from '../compile.ts';
import { LuaSyntaxError } from '../lexer.ts';
import type { LuaState } from '../state.ts';
import { first } from '../state.ts';
import type { LuaValue, Several } from '../value.ts';
import { several } from '../value.ts';

export function loadFunctions(state: LuaState, compiler: Compiler): Record<string, LuaValue> {
  return {
    *load(...args) {
      const reader = checkFunction(state, args, 0);
      const chunkName = optionalText(state, args, 1, '=(load)');
      let source = '';
      for (;;) {
        const piece = first(yield* state.callBack(reader, []));
        if (piece === undefined || piece === '') return load(state, compiler, source, chunkName);
        if (typeof piece !== 'string' && typeof piece !== 'number')
          return several([undefined, 'reader function must return a string']);
        source += piece;
        if (source.length > state.maxStringBytes) throw state.error('not enough memory');
      }
    },
    loadstring: (...args) => {
      const source = checkText(state, args, 0);
      return load(state, compiler, source, optionalText(state, args, 1, source));
    },
  };
}

function load(state: LuaState, compiler: Compiler, source: string, chunkName: string): LuaValue | Several {
  const shown = displayName(chunkName);
  try {
    const chunk = compiler.parse(source, shown);
    const { main, sites } = compiler.compile(chunk, shown, state.chunks.length, state.isBreathing);
    state.chunks.push(sites);
    return main;
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error;
    return several([undefined, error.message]);
  }
}

/** A shown name has at most so many bytes. */
const MAX_NAME = 59;
const MAX_TEXT = MAX_NAME - '[string "..."]'.length;

/** How messages call a chunk: `=name` and `@name` by their name, anything else as text. */
function displayName(chunkName: string): string {
  if (chunkName.startsWith('=')) return chunkName.slice(1, 1 + MAX_NAME);
  if (chunkName.startsWith('@')) {
    const name = chunkName.slice(1);
    return name.length <= MAX_TEXT + '[string "'.length - 1 ? name : `...${name.slice(-(MAX_NAME - 8))}`;
  }
  const [line = ''] = chunkName.split('\n', 1);
  const isWhole = line.length === chunkName.length && line.length <= MAX_TEXT;
  return isWhole ? `[string "${line}"]` : `[string "${line.slice(0, MAX_TEXT)}..."]`;
}
