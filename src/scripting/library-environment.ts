// What the globals of libraries stand for, which are not those of scripts: there is no KEYS and no ARGV; while a library is
// loaded there is nothing but a small `redis`, and when its functions are called all that scripts have, but for a few.
//
// As in Redis the globals are an empty table, behind which one set of names or the other is put.

import { Compiler } from '../lua/compile.ts';
import { protect } from '../lua/environment.ts';
import { loadFunctions } from '../lua/library/load.ts';
import type { Sandbox } from '../lua/sandbox.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaFunction, LuaValue } from '../lua/value.ts';

/** What scripts have and functions do not. */
const GLOBALS_OF_SCRIPTS = ['os', 'KEYS', 'ARGV'];
const REDIS_OF_SCRIPTS = ['breakpoint', 'debug', 'replicate_commands'];
/** What is in `redis` while a library is loaded, besides `register_function`. */
const REDIS_AT_LOAD = /^(log|LOG_.*|REDIS_VERSION.*)$/;

export class LibraryEnvironment {
  readonly compiler: Compiler;
  readonly #behind = new LuaTable();
  readonly #atLoad: LuaTable;
  readonly #atCall: LuaTable;

  constructor(sandbox: Sandbox, registerFunction: LuaFunction) {
    const ofScripts = sandbox.compiler.environment.globals;
    const { metatable } = ofScripts; // complains of names that are not there
    const globals = new LuaTable();
    globals.metatable = this.#behind;
    this.compiler = new Compiler(sandbox.state, {
      globals,
      variables: new Set(),
      values: {},
      hasMetatables: true,
    });
    const redis = fieldsOf(ofScripts.getString('redis') as LuaTable);
    const redisAtLoad = LuaTable.from({
      ...pick(redis, (name) => REDIS_AT_LOAD.test(name)),
      register_function: registerFunction,
    });
    redisAtLoad.metatable = metatable;
    this.#atLoad = LuaTable.from({ redis: redisAtLoad });
    this.#atCall = LuaTable.from({
      ...pick(fieldsOf(ofScripts), (name) => !GLOBALS_OF_SCRIPTS.includes(name)),
      ...loadFunctions(sandbox.state, this.compiler),
      redis: LuaTable.from(pick(redis, (name) => !REDIS_OF_SCRIPTS.includes(name))),
    });
    this.#atCall.setString('_G', this.#atCall);
    for (const table of [this.#atLoad, this.#atCall]) {
      table.metatable = metatable;
      protect(table);
    }
    protect(globals);
    this.leaveLoad();
  }

  beginLoad(): void {
    this.#behind.setString('__index', this.#atLoad);
  }

  leaveLoad(): void {
    this.#behind.setString('__index', this.#atCall);
  }
}

type Fields = Readonly<Record<string, LuaValue>>;

const fieldsOf = (table: LuaTable): Fields =>
  Object.fromEntries([...table.entries()] as [string, LuaValue][]);

const pick = (fields: Fields, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
