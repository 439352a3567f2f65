// Runs the snippets of the library tests, and shows what they return in the form in which Redis' answers were recorded:
// `true` and the results, or `false` and the error. A number is shown with all its digits, a NaN without its sign.

import { Addresses } from '../../../src/lua/addresses.ts';
import { Compiler } from '../../../src/lua/compile.ts';
import { protect } from '../../../src/lua/environment.ts';
import { baseFunctions } from '../../../src/lua/library/base.ts';
import { mathLibrary } from '../../../src/lua/library/math.ts';
import { osLibrary } from '../../../src/lua/library/os.ts';
import { tableLibrary } from '../../../src/lua/library/table.ts';
import { ScriptRandom } from '../../../src/lua/random.ts';
import { Script } from '../../../src/lua/script.ts';
import { all, LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import { type LuaValue, typeName } from '../../../src/lua/value.ts';

/** What a snippet does, and what Redis 7.0.15 answered. */
export type Case = readonly [snippet: string, answer: string];
export type Form = 'plain' | 'breathing';

export const FORMS: readonly Form[] = ['plain', 'breathing'];

/** Lua with these libraries and nothing else. */
export class Libraries {
  readonly state = new LuaState();
  readonly random = new ScriptRandom();
  readonly addresses = new Addresses();
  readonly #compiler: Compiler;

  constructor() {
    const { state } = this;
    const globals = LuaTable.from({
      ...baseFunctions(state, this.addresses),
      math: mathLibrary(state, this.random),
      os: osLibrary(() => 1.5),
      table: tableLibrary(state),
    });
    globals.setString('_G', globals);
    protect(globals);
    this.#compiler = new Compiler(state, { globals, variables: new Set(), values: {} });
  }

  run(source: string, form: Form = 'plain'): readonly LuaValue[] {
    const script = new Script(this.state, this.#compiler, source, 'user_script');
    if (form === 'plain') return all(script.run());
    const work = script.breathe();
    for (;;) {
      const step = work.next([]);
      if (step.done) return all(step.value);
    }
  }

  /** What a snippet returns or raises. */
  answer(snippet: string, form: Form = 'plain'): string {
    return this.run(`return pcall(function() ${snippet} end)`, form).map(show).join(' ');
  }
}

function show(value: LuaValue): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\\u0000', '\\0');
  if (!(value instanceof LuaTable)) return showPlain(value);
  const fields = [...value.entries()].map(([key, field]) => `${showPlain(key)}=${showPlain(field)}`);
  return `{${fields.sort().join(',')}}`;
}

function showPlain(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (typeof value === 'number') return showNumber(value);
  return typeof value === 'boolean' || typeof value === 'string' ? String(value) : typeName(value);
}

function showNumber(x: number): string {
  if (!Number.isFinite(x)) return String(x).replace('Infinity', 'inf').replace('NaN', 'nan');
  return Object.is(x, -0) ? '-0' : String(x);
}
