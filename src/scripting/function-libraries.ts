// Libraries of functions: what FUNCTION LOAD was given, and FCALL calls.
//
// Guarantees: a library is compiled and run once, and what it keeps in its locals lives as long as it does. Names of
// functions are one space for all libraries. Whatever cannot be loaded, in whole, leaves everything as it was.

import { LuaSyntaxError } from '../lua/lexer.ts';
import { LuaError } from '../lua/lua-error.ts';
import { ResidentChunk } from '../lua/resident-chunk.ts';
import type { Sandbox } from '../lua/sandbox.ts';
import { LuaTable } from '../lua/table.ts';
import { type LuaValue, NOTHING, type Several, type Signal } from '../lua/value.ts';
import { type Registration, readRegistration } from './function-registration.ts';
import { LibraryEnvironment } from './library-environment.ts';
import { readLibraryHeader } from './library-header.ts';

const NOT_LOADING = 'ERR redis.register_function can only be called on FUNCTION LOAD command';
/** What a library and each of its functions take besides the text, by a rough measurement. */
const LIBRARY_OVERHEAD_BYTES = 4_000;
const FUNCTION_OVERHEAD_BYTES = 500;

export interface LibraryFunction extends Registration {
  readonly library: FunctionLibrary;
  /** What errors say of where they come from. */
  readonly label: string;
}

export interface FunctionLibrary {
  readonly name: string;
  readonly source: string;
  readonly chunk: ResidentChunk;
  readonly functions: ReadonlyMap<string, LibraryFunction>;
}

export type Steps = Generator<Signal, LuaValue | Several, LuaValue[]>;

type Libraries = Map<string, FunctionLibrary>;
type Functions = Map<string, LibraryFunction>;

/** Case matters in the names of functions only within their library. */
const namesIn = ({ functions }: FunctionLibrary): string[] =>
  [...functions.keys()].map((name) => name.toLowerCase());

export class FunctionLibraries {
  readonly #sandbox: Sandbox;
  readonly #environment: LibraryEnvironment;
  /** Runs a library. Returns what is wrong with it, as an error reply. */
  readonly #run: (start: () => Steps) => string | undefined;
  #libraries: Libraries = new Map();
  /** By their names in lower case. */
  #functions: Functions = new Map();
  #bytes = 0;
  /** Functions of the library that is being loaded. */
  #registered: Map<string, Registration> | undefined = undefined;

  constructor(sandbox: Sandbox, run: (start: () => Steps) => string | undefined) {
    this.#sandbox = sandbox;
    this.#run = run;
    this.#environment = new LibraryEnvironment(sandbox, (...args) => this.#register(args));
  }

  get all(): readonly FunctionLibrary[] {
    return [...this.#libraries.values()];
  }

  get count(): number {
    return this.#libraries.size;
  }

  get functionCount(): number {
    return this.#functions.size;
  }

  /** Memory that they take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  find(functionName: string): LibraryFunction | undefined {
    return this.#functions.get(functionName.toLowerCase());
  }

  /** A string is what is wrong with it, as an error reply. */
  load(source: string, mayReplace: boolean): FunctionLibrary | string {
    const library = this.#make(source, mayReplace ? new Map() : this.#libraries);
    if (typeof library === 'string') return library;
    return this.#join([library], mayReplace, this.#libraries) ?? library;
  }

  /** Loads several, or none if one of them cannot be. Returns what is wrong, as an error reply. */
  restore(sources: readonly string[], policy: 'flush' | 'append' | 'replace'): string | undefined {
    const made: Libraries = new Map();
    for (const source of sources) {
      const library = this.#make(source, made);
      if (typeof library === 'string') return library;
      made.set(library.name, library);
    }
    return this.#join(
      [...made.values()],
      policy === 'replace',
      policy === 'flush' ? new Map() : this.#libraries,
    );
  }

  /** False: there is no such library. */
  delete(name: string): boolean {
    if (!this.#libraries.has(name)) return false;
    this.#replace([...this.#libraries.values()].filter((library) => library.name !== name));
    return true;
  }

  flush(): void {
    this.#replace([]);
  }

  /** Compiles a library and runs it. */
  #make(source: string, existing: Libraries): FunctionLibrary | string {
    const header = readLibraryHeader(source);
    if (typeof header === 'string') return header;
    const { name, code } = header;
    if (existing.has(name)) return `ERR Library '${name}' already exists`;
    let chunk: ResidentChunk;
    try {
      chunk = new ResidentChunk(this.#sandbox.state, this.#environment.compiler, code, 'user_function');
    } catch (error) {
      if (!(error instanceof LuaSyntaxError)) throw error;
      return `ERR Error compiling function: ${error.message}`;
    }
    const registered = this.#registrationsOf(chunk);
    if (typeof registered === 'string') return `ERR Error registering functions: ${registered}`;
    if (registered.size === 0) return 'ERR No functions registered';
    const functions: Functions = new Map();
    const library = { name, source, chunk, functions };
    for (const [each, registration] of registered)
      functions.set(each, { ...registration, library, label: `script: ${each}, on @user_function` });
    return library;
  }

  #registrationsOf(chunk: ResidentChunk): Map<string, Registration> | string {
    const registered = new Map<string, Registration>();
    this.#registered = registered;
    this.#environment.beginLoad();
    const failure = this.#run(() => chunk.run());
    this.#environment.leaveLoad();
    this.#registered = undefined;
    return failure ?? registered;
  }

  /** `redis.register_function` */
  #register(args: readonly LuaValue[]): typeof NOTHING {
    const fail = (text: string): LuaError =>
      new LuaError(LuaTable.from({ err: text }), this.#sandbox.state.at);
    if (this.#registered === undefined) throw fail(NOT_LOADING);
    const registration = readRegistration(args);
    if (typeof registration === 'string') throw fail(registration);
    if (this.#registered.has(registration.name)) throw fail('ERR Function already exists in the library');
    this.#registered.set(registration.name, registration);
    return NOTHING;
  }

  /** Adds libraries to some of those there are, and leaves the others; unless names collide. */
  #join(added: readonly FunctionLibrary[], mayReplace: boolean, existing: Libraries): string | undefined {
    const kept = new Map(existing);
    for (const { name } of added)
      if (kept.delete(name) && !mayReplace) return `ERR Library ${name} already exists`;
    const taken = new Set([...kept.values()].flatMap(namesIn));
    for (const library of added) {
      const name = [...library.functions.keys()].find((each) => taken.has(each.toLowerCase()));
      if (name !== undefined) return `ERR Function ${name} already exists`;
      for (const each of namesIn(library)) taken.add(each);
    }
    this.#replace([...kept.values(), ...added]);
    return undefined;
  }

  #replace(libraries: readonly FunctionLibrary[]): void {
    this.#libraries = new Map(libraries.map((library) => [library.name, library]));
    const functions = libraries.flatMap((library) => [...library.functions.values()]);
    this.#functions = new Map(functions.map((each) => [each.name.toLowerCase(), each]));
    this.#bytes = libraries.reduce(
      (sum, { source, functions }) =>
        sum + source.length + LIBRARY_OVERHEAD_BYTES + functions.size * FUNCTION_OVERHEAD_BYTES,
      0,
    );
  }
}
