// Scripts by the SHA-1 of their text: what EVAL has seen and SCRIPT LOAD was given, until SCRIPT FLUSH.
//
// Guarantees: what SCRIPT LOAD was given, and what EVALSHA has asked for, stays; of the others, which EVAL made known, the
// MAX_PASSING used last: applications that put values into their scripts do not fill the memory (since Redis 7.4).
// A script is compiled once. Finding one by the bytes of its digest makes no string, as long as few others
// share two digits with it: that is what EVALSHA does all day.

import { createHash } from 'node:crypto';
import type { Compiler } from '../lua/compile.ts';
import { LuaSyntaxError } from '../lua/lexer.ts';
import { Script } from '../lua/script.ts';
import type { LuaState } from '../lua/state.ts';
import { type GuardedCommand, guardedCommand } from './guarded-command.ts';
import { readShebang, type ScriptFlag } from './shebang.ts';

export const DIGEST_LENGTH = 40;
/** What a script takes besides its text: its tree, its code and what V8 makes of it, by a rough measurement. */
const SCRIPT_OVERHEAD_BYTES = 4_000;
const PLACES = 1024;
const MAX_PASSING = 500;

export interface CachedScript {
  readonly digest: string;
  readonly digestBytes: Buffer;
  readonly source: string;
  readonly flags: ReadonlySet<ScriptFlag> | undefined;
  readonly script: Script;
  /** What it does, if that can be told without running it. */
  readonly guarded: GuardedCommand | undefined;
  /** What errors say of where they come from. */
  readonly label: string;
}

export class ScriptCache {
  readonly #state: LuaState;
  readonly #compiler: Compiler;
  readonly #scripts = new Map<string, CachedScript>();
  /** Those that may go, the one used longest ago first. */
  readonly #passing = new Map<string, CachedScript>();
  /** The script last found at each of so many places, which the first digits of its digest name. */
  #recent: (CachedScript | undefined)[] = new Array(PLACES).fill(undefined);
  #bytes = 0;
  /** Scripts that had to go, since the start. */
  evicted = 0;

  constructor(state: LuaState, compiler: Compiler) {
    this.#state = state;
    this.#compiler = compiler;
  }

  get count(): number {
    return this.#scripts.size;
  }

  /** Memory that the scripts take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  has(digest: string): boolean {
    return this.#scripts.has(digest.toLowerCase());
  }

  /** By the 40 hexadecimal digits at `start` of a buffer, in either case. */
  find(buffer: Buffer, start: number, length: number): CachedScript | undefined {
    if (length !== DIGEST_LENGTH) return undefined;
    const place = (buffer[start]! * 31 + buffer[start + 1]! * 7 + buffer[start + 2]!) & (PLACES - 1);
    const recent = this.#recent[place];
    if (recent !== undefined && isSame(recent.digestBytes, buffer, start)) return recent;
    const digest = buffer.toString('latin1', start, start + length).toLowerCase();
    const found = this.#scripts.get(digest);
    if (found === undefined) return undefined;
    this.#recent[place] = found;
    this.#passing.delete(digest);
    return found;
  }

  /** As `add`, and the script stays (SCRIPT LOAD). */
  keep(source: string): CachedScript | string {
    const script = this.add(source);
    if (typeof script !== 'string') this.#passing.delete(script.digest);
    return script;
  }

  /** Compiles a script, unless it is there already. A string is what is wrong with it, as an error reply. */
  add(source: string): CachedScript | string {
    const digest = digestOf(source);
    const known = this.#scripts.get(digest);
    if (known !== undefined) {
      if (this.#passing.delete(digest)) this.#passing.set(digest, known);
      return known;
    }
    const shebang = readShebang(source);
    if (typeof shebang === 'string') return shebang;
    try {
      const script = new Script(this.#state, this.#compiler, shebang.code, 'user_script');
      const added: CachedScript = {
        digest,
        digestBytes: Buffer.from(digest, 'latin1'),
        source,
        flags: shebang.flags,
        script,
        guarded: shebang.flags === undefined ? guardedCommand(script.chunk) : undefined,
        label: `script: ${digest}, on @user_script`,
      };
      this.#scripts.set(digest, added);
      this.#passing.set(digest, added);
      this.#bytes += bytesOf(added);
      if (this.#passing.size > MAX_PASSING) this.#evict();
      return added;
    } catch (error) {
      if (!(error instanceof LuaSyntaxError)) throw error;
      return `ERR Error compiling script (new function): ${error.message}`;
    }
  }

  #evict(): void {
    const [script] = this.#passing.values();
    if (script === undefined) return;
    const { digest } = script;
    this.#passing.delete(digest);
    this.#scripts.delete(digest);
    this.#bytes -= bytesOf(script);
    this.evicted++;
  }

  flush(): void {
    this.#scripts.clear();
    this.#passing.clear();
    this.#recent = new Array(PLACES).fill(undefined);
    this.#bytes = 0;
  }
}

const bytesOf = ({ source }: CachedScript): number => source.length + SCRIPT_OVERHEAD_BYTES;

export const digestOf = (text: string): string =>
  createHash('sha1').update(Buffer.from(text, 'latin1')).digest('hex');

function isSame(digest: Buffer, buffer: Buffer, start: number): boolean {
  for (let i = 0; i < DIGEST_LENGTH; i++) if (digest[i] !== buffer[start + i]) return false;
  return true;
}
