// One Lua as scripts see it: its state, all globals, and the compiler bound to them.
//
// Guarantees: everything that scripts reach through a global is read-only, and what else outlives a run is reset by
// `begin`, so that no script leaves anything behind for another. But for random numbers: as in Redis they go on.

import { Addresses } from './addresses.ts';
import { toText } from './arguments.ts';
import { Compiler } from './compile.ts';
import { protect } from './environment.ts';
import { baseFunctions } from './library/base.ts';
import { bitLibrary } from './library/bit.ts';
import { CjsonSettings, cjsonLibrary } from './library/cjson.ts';
import { cmsgpackLibrary } from './library/cmsgpack.ts';
import { coroutineLibrary } from './library/coroutine.ts';
import { loadFunctions } from './library/load.ts';
import { mathLibrary } from './library/math.ts';
import { osLibrary } from './library/os.ts';
import { stringLibrary } from './library/string.ts';
import { structLibrary } from './library/struct.ts';
import { tableLibrary } from './library/table.ts';
import { ScriptRandom } from './random.ts';
import type { LuaState } from './state.ts';
import { LuaTable } from './table.ts';
import type { LuaValue } from './value.ts';

export interface SandboxOptions {
  /** `os.clock`. */
  readonly clockSeconds: () => number;
  /** Further globals: libraries of the host. */
  readonly globals: Readonly<Record<string, LuaValue>>;
  /** Names of globals that `values` of the compiler's environment holds, run by run. */
  readonly variables: readonly string[];
}

export class Sandbox {
  readonly state: LuaState;
  readonly compiler: Compiler;
  readonly #addresses = new Addresses();
  readonly #cjson = new CjsonSettings();
  readonly #random = new ScriptRandom();
  #randomAtBegin = 0;

  constructor(state: LuaState, options: SandboxOptions) {
    this.state = state;
    const globals = new LuaTable();
    const values = Object.fromEntries(options.variables.map((name) => [name, new LuaTable()]));
    this.compiler = new Compiler(state, { globals, variables: new Set(options.variables), values });
    this.#fill(globals, options);
    protect(globals);
    state.stringMetatable.setString('__index', globals.getString('string'));
    protect(state.stringMetatable);
  }

  /** A run begins. */
  begin(): void {
    this.#addresses.reset();
    this.#cjson.reset();
    this.#randomAtBegin = this.#random.state;
  }

  /** The same run begins again: it must see what it saw before. */
  beginAgain(): void {
    this.#addresses.reset();
    this.#cjson.reset();
    this.#random.state = this.#randomAtBegin;
  }

  #fill(globals: LuaTable, { clockSeconds, globals: more }: SandboxOptions): void {
    const { state } = this;
    const all: Record<string, LuaValue> = {
      ...baseFunctions(state, this.#addresses),
      ...loadFunctions(state, this.compiler),
      _G: globals,
      bit: bitLibrary(state),
      cjson: cjsonLibrary(state, this.#cjson),
      cmsgpack: cmsgpackLibrary(state),
      coroutine: coroutineLibrary(state),
      math: mathLibrary(state, this.#random),
      os: osLibrary(clockSeconds),
      string: stringLibrary(state),
      struct: structLibrary(state),
      table: tableLibrary(state),
      ...more,
    };
    for (const [name, value] of Object.entries(all)) globals.setString(name, value);
    globals.metatable = LuaTable.from({
      __index: (_globals, name) => {
        const shown = toText(name);
        if (shown === undefined)
          throw state.error('Second argument to luaProtectedTableError must be a string or number');
        throw state.error(`Script attempted to access nonexistent global variable '${shown}'`);
      },
    });
  }
}
