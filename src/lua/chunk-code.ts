// What the emitters of one chunk share: its sites, the globals it names, and the names of JavaScript variables.
//
// Guarantees: whatever a script calls its things, its names never become JavaScript names; its strings appear only as
// escaped literals.

import type { Chunk, Local } from './ast.ts';
import type { Environment } from './environment.ts';
import { type CallSite, type Site, siteNumber } from './site.ts';
import { LuaTable } from './table.ts';
import type { LuaValue } from './value.ts';

/** What is known of a value before the code runs. */
export type StaticType = 'number' | 'string' | 'boolean' | 'nil' | 'table' | 'function' | 'unknown';

/** Globals through which a script may reach metatables in ways that its text does not show. */
const METATABLE_GLOBALS = ['setmetatable', 'getmetatable', '_G', 'load', 'loadstring'];

export class ChunkCode {
  readonly isBreathing: boolean;
  /** Any value might have a metatable with anything in it; those of a loaded chunk come from who knows where. */
  readonly hasMetatables: boolean;
  readonly sites: Site[] = [];
  readonly types = new Map<Local, StaticType>();
  readonly #environment: Environment;
  readonly #number: number;
  readonly #siteNumbers = new Map<string, number>();
  /** JavaScript constants that the chunk's functions see, by their text. */
  readonly #constants = new Map<string, string>();
  readonly #weights: number[] = [];

  constructor(chunk: Chunk, environment: Environment, chunkNumber: number, isBreathing: boolean) {
    this.isBreathing = isBreathing;
    const isLoaded = chunkNumber > 0;
    this.hasMetatables =
      environment.hasMetatables === true ||
      isLoaded ||
      METATABLE_GLOBALS.some((name) => chunk.globals.has(name));
    this.#environment = environment;
    this.#number = chunkNumber;
  }

  /** Declarations of all constants. */
  get prelude(): string {
    const constants = [...this.#constants].map(([text, name]) => `const ${name} = ${text};\n`);
    const weights = this.#weights.map((weight, i) => `const w${i} = ${weight};\n`);
    return [...constants, ...weights].join('');
  }

  /** The number that stands for a place in the chunk. */
  site(line: number, operands: readonly string[] = [], call: Partial<CallSite> = {}): number {
    const site: Site = { line, operands, name: '?', isMethod: false, isTail: false, ...call };
    const key = `${line}\0${site.name}\0${site.isMethod}\0${site.isTail}\0${operands.join('\0')}`;
    const known = this.#siteNumbers.get(key);
    if (known !== undefined) return known;
    const number = siteNumber(this.#number, this.sites.length);
    this.sites.push(site);
    this.#siteNumbers.set(key, number);
    return number;
  }

  /** A global that can be known now: a constant of the chunk, or `undefined` if it must be looked up when it runs. */
  global(name: string): { readonly code: string; readonly value: LuaValue } | undefined {
    if (this.#environment.variables.has(name)) return { code: `R[${literal(name)}]`, value: undefined };
    const value = this.#environment.globals.getString(name);
    if (value === undefined) return undefined;
    return { code: this.#constant(`G.getString(${literal(name)})`), value };
  }

  /** A field of a library, which is read-only. */
  libraryField(
    library: string,
    field: string,
  ): { readonly code: string; readonly value: LuaValue } | undefined {
    if (this.#environment.variables.has(library)) return undefined;
    const table = this.#environment.globals.getString(library);
    if (!(table instanceof LuaTable && table.isReadonly)) return undefined;
    const isVariable = table === this.#environment.globals && this.isVariable(field);
    const value = table.getString(field);
    if (value === undefined || isVariable) return undefined;
    const text = `G.getString(${literal(library)}).getString(${literal(field)})`;
    return { code: this.#constant(text), value };
  }

  isVariable(name: string): boolean {
    return this.#environment.variables.has(name);
  }

  #constant(text: string): string {
    let name = this.#constants.get(text);
    if (name === undefined) {
      name = `c${this.#constants.size}`;
      this.#constants.set(text, name);
    }
    return name;
  }

  /** The name of a constant whose value is known only when its function has been emitted (`setWeight`). */
  newWeight(): string {
    return `w${this.#weights.push(0) - 1}`;
  }

  setWeight(name: string, value: number): void {
    this.#weights[Number(name.slice(1))] = value;
  }
}

/** The temporaries of one function: JavaScript variables that hold a value within one expression. */
export class Temporaries {
  readonly #free: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  take(): string {
    return this.#free.pop() ?? `t${this.#count++}`;
  }

  release(...names: readonly string[]): void {
    for (const name of names) if (/^t\d/.test(name)) this.#free.push(name);
  }

  get declaration(): string {
    if (this.#count === 0) return '';
    return `let ${Array.from({ length: this.#count }, (_, i) => `t${i}`).join(', ')};\n`;
  }
}

export const localName = (local: Local): string => `l${local.id}`;

/** A string as a JavaScript literal. */
export const literal = (text: string): string => JSON.stringify(text);
