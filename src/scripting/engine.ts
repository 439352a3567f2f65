// Runs scripts: starts them, watches over them, starts them over or goes on with them later, and says how they ended.
//
// Guarantees: one script at a time; whatever it does, it ends in a value, in an error, or in being suspended, and never
// in an exception. It is given commands by a `CommandRunner`; it knows nothing of clients.

import { toCString, toText } from '../lua/arguments.ts';
import { StartOver } from '../lua/lua-error.ts';
import { Sandbox } from '../lua/sandbox.ts';
import type { Script } from '../lua/script.ts';
import { NO_SITE } from '../lua/site.ts';
import { first, LuaState } from '../lua/state.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaValue, Several } from '../lua/value.ts';
import type { RespVersion } from '../protocol/reply.ts';
import { Request } from '../protocol/request.ts';
import type { Server } from '../state/server.ts';
import type { CommandRunner } from './command-runner.ts';
import { FunctionLibraries, type LibraryFunction, type Steps } from './function-libraries.ts';
import { HeapAllowance } from './heap.ts';
import { COUNTED, redisLibrary } from './redis-library.ts';
import { replyBytes } from './reply-bytes.ts';
import { ScriptCache } from './script-cache.ts';
import { type Permissions, ScriptRun } from './script-run.ts';

/** How a run ended. */
export type Outcome =
  | { readonly value: LuaValue; readonly resp: RespVersion }
  /** The text of an error reply. */
  | { readonly error: string; readonly isCounted: boolean };

/** What is run: how it is compiled, and what its errors say of where they come from. */
export interface Program {
  readonly script: Script;
  readonly label: string;
}

/** Code that cannot be interrupted starts over after this part of the time until BUSY, or after so long. */
const START_OVER_SHARE = 0.1;
const START_OVER_MS = 500;
/** A single builtin may hold the loop for so long once others are told BUSY. */
const BUILTIN_MS = 40;
/** What a script without a limit of its own may reply. */
const MOST_REPLY_BYTES = 512 * 1024 * 1024;
const REPLY_TOO_LONG: Outcome = {
  error: 'ERR reply of script is too long (lua-memory-limit)',
  isCounted: false,
};
/** Longest time that one slice of a suspended script may hold the loop. */
const SLICE_MS = 5;
/** Longest time that a library may take to be loaded. */
const LOAD_MS = 500;
const LOADING: Permissions = { isReadOnly: true, isShortOfMemory: false };

export class ScriptEngine {
  readonly sandbox: Sandbox;
  readonly scripts: ScriptCache;
  readonly functions: FunctionLibraries;
  /** A request made of a script's arguments (commands/guarded-script.ts). */
  readonly picked: Request;
  readonly #server: Server;
  readonly #state: LuaState;
  /** The script that runs or is suspended. */
  #run: ScriptRun | undefined = undefined;
  #steps: Steps | undefined = undefined;
  /** Its memory, once somebody has asked. */
  #allowance: HeapAllowance | undefined = undefined;

  constructor(server: Server, runner: CommandRunner) {
    this.#server = server;
    this.picked = new Request(server.seed);
    this.#state = new LuaState((...asked) => this.#watch(...asked));
    this.sandbox = new Sandbox(this.#state, {
      clockSeconds: () => this.#clockSeconds(),
      globals: { redis: redisLibrary(this.#state, server, runner, () => this.#run!) },
      variables: ['KEYS', 'ARGV'],
    });
    this.scripts = new ScriptCache(this.#state, this.sandbox.compiler);
    this.functions = new FunctionLibraries(this.sandbox, (start) => this.#load(start));
  }

  /** The run that is going on. */
  get run(): ScriptRun | undefined {
    return this.#run;
  }

  /** True while a script waits to be gone on with: others are told BUSY. */
  get isSuspended(): boolean {
    return this.#steps !== undefined;
  }

  /** Runs a script. Undefined: it takes long, and must be gone on with (`proceed`). */
  start(program: Program, permissions: Permissions, keys: string[], args: string[]): Outcome | undefined {
    const { script, label } = program;
    const run = new ScriptRun(label, permissions, script.isPlain && !script.isStraight);
    // A straight script is over before anyone would ask how long it has taken.
    if (!script.isStraight) run.startedMs = this.#server.clock.preciseMs();
    this.#run = run;
    this.#allowance = undefined;
    this.sandbox.begin();
    if (!script.isPlain) {
      this.#give(script, keys, args);
      return this.#begin(script.breathe());
    }
    this.#give(script, run.mayStartOver ? [...keys] : keys, run.mayStartOver ? [...args] : args);
    try {
      return this.#ended(script.run());
    } catch (thrown) {
      if (!(thrown instanceof StartOver)) return this.#failed(thrown);
    }
    run.startOver();
    this.sandbox.beginAgain();
    this.#give(script, keys, args);
    return this.#begin(script.breathe());
  }

  /** Calls a function of a library. Undefined: as with `start`. */
  call(
    { callback, label, library, name }: LibraryFunction,
    permissions: Permissions,
    keys: string[],
    args: string[],
  ): Outcome | undefined {
    const { chunk } = library;
    const values = [new LuaTable(keys), new LuaTable(args)];
    const run = this.#enter(label, permissions);
    run.call = { functionName: name, words: [] };
    if (!chunk.isStraight) {
      this.#state.givenBytes = Math.max(longest(keys), longest(args));
      run.startedMs = this.#server.clock.preciseMs();
      return this.#begin(chunk.start(callback, values));
    }
    try {
      return this.#ended(chunk.call(callback, values));
    } catch (thrown) {
      return this.#failed(thrown);
    }
  }

  /** Runs a library to its end, unless that takes too long. Returns what is wrong with it, as an error reply. */
  #load(start: () => Steps): string | undefined {
    const run = this.#enter('', LOADING);
    run.startedMs = this.#server.clock.preciseMs();
    this.#steps = start();
    const outcome = this.#runUntil(run.startedMs + LOAD_MS);
    if (outcome !== undefined) return 'error' in outcome ? outcome.error : undefined;
    this.#end();
    return 'ERR FUNCTION LOAD timeout';
  }

  /** A run begins that will not start over. */
  #enter(label: string, permissions: Permissions): ScriptRun {
    const run = new ScriptRun(label, permissions, false);
    this.#run = run;
    this.#allowance = undefined;
    this.sandbox.begin();
    return run;
  }

  /** Goes on with a suspended script for a while. Undefined: it is suspended again. */
  proceed(): Outcome | undefined {
    return this.#runUntil(this.#server.clock.preciseMs() + SLICE_MS);
  }

  /** The arrays become the script's own. */
  #give(script: Script, keys: string[], args: string[]): void {
    const { globals, values } = this.sandbox.compiler.environment;
    values['KEYS'] = new LuaTable(keys);
    values['ARGV'] = new LuaTable(args);
    this.#state.givenBytes = script.isStraight ? 0 : Math.max(longest(keys), longest(args));
    if (script.isPlain) return; // then it has no other way to them
    globals.setString('KEYS', values['KEYS']);
    globals.setString('ARGV', values['ARGV']);
  }

  #begin(steps: Steps): Outcome | undefined {
    this.#steps = steps;
    return this.#runUntil(this.#run!.startedMs + this.#busyMs);
  }

  #runUntil(endMs: number): Outcome | undefined {
    const run = this.#run!;
    const steps = this.#steps!;
    const { clock } = this.#server;
    try {
      for (;;) {
        run.lastBreathMs = clock.preciseMs();
        if (run.isKilled) return this.#killed();
        const step = steps.next([]);
        if (step.done) return this.#ended(step.value);
        run.lastBreathMs = clock.preciseMs();
        this.#state.refuel();
        if (clock.preciseMs() >= endMs) return undefined;
      }
    } catch (thrown) {
      return this.#failed(thrown);
    }
  }

  /** Until others are told BUSY; 0 in the configuration means never. */
  get #busyMs(): number {
    return this.#server.config.values['busy-reply-threshold'] || Number.POSITIVE_INFINITY;
  }

  // --- ends

  #ended(result: LuaValue | Several): Outcome {
    const { resp } = this.#run!;
    this.#end();
    const value = first(result);
    const limit = this.#server.config.values['lua-memory-limit'] || MOST_REPLY_BYTES;
    if (value instanceof LuaTable && replyBytes(value, limit) > limit) return REPLY_TOO_LONG;
    return { value, resp };
  }

  #failed(thrown: unknown): Outcome {
    const error = this.#state.caught(thrown);
    const text = this.#located(messageOf(error.value), error.at);
    this.#end();
    return { error: text, isCounted: isCounted(error.value) };
  }

  #killed(): Outcome {
    const text = this.#located('ERR Script killed by user with SCRIPT KILL...', this.#state.at);
    this.#end();
    return { error: text, isCounted: false };
  }

  /** Says where it was; but for libraries that are loaded, and for functions that are no Lua code. */
  #located(text: string, at: number): string {
    const { call, label } = this.#run!;
    if (label === '' || (call !== undefined && at === NO_SITE)) return text;
    return `${text} ${label}:${at === NO_SITE ? -1 : this.#state.site(at).line}.`;
  }

  #end(): void {
    const { globals, values } = this.sandbox.compiler.environment;
    this.#run = undefined;
    this.#steps = undefined;
    values['KEYS'] = undefined;
    values['ARGV'] = undefined;
    if (globals.getString('KEYS') === undefined) return;
    globals.setString('KEYS', undefined);
    globals.setString('ARGV', undefined);
  }

  // --- watching

  /** Asked by running code every so often; throws to end it. */
  #watch(isBreathing: boolean, claimedBytes: number, isTooDeep = false): void {
    const run = this.#run;
    if (run === undefined) return;
    const nowMs = this.#server.clock.preciseMs();
    run.startedMs ||= nowMs;
    const tookMs = nowMs - run.startedMs;
    this.#checkMemory(claimedBytes);
    if (!isBreathing) {
      if (run.mayStartOver) {
        const isLong = tookMs > Math.min(START_OVER_MS, this.#busyMs * START_OVER_SHARE);
        if (isLong || isTooDeep) throw new StartOver();
      } else if (tookMs > this.#busyMs) {
        throw this.#state.error('this takes too long (busy-reply-threshold)');
      }
    } else if (claimedBytes === 0 && tookMs > this.#busyMs && nowMs - run.lastBreathMs > BUILTIN_MS) {
      throw this.#state.error('this takes too long (busy-reply-threshold)');
    }
  }

  #checkMemory(claimedBytes: number): void {
    this.#allowance ??= new HeapAllowance(this.#server.config.values['lua-memory-limit']);
    if (!this.#allowance.hasRoomFor(claimedBytes))
      throw this.#state.error('not enough memory (lua-memory-limit)');
  }

  #clockSeconds(): number {
    const run = this.#run;
    const told = run?.toldBefore();
    if (told !== undefined && 'value' in told) return told.value as number;
    const value = this.#server.clock.preciseMs() / 1000;
    run?.tell({ value });
    return value;
  }
}

function longest(texts: readonly string[]): number {
  let bytes = 0;
  for (const { length } of texts) if (length > bytes) bytes = length;
  return bytes;
}

/** What a script's error says: Redis' own errors are tables with their text in `err`. */
function messageOf(value: LuaValue): string {
  if (value instanceof LuaTable) {
    const text = toText(value.getString('err'));
    return text === undefined ? 'ERR unknown error' : toCString(text);
  }
  const text = toText(value);
  if (text !== undefined) return `ERR ${toCString(text)}`;
  return value === undefined || typeof value === 'boolean' ? `ERR ${value ?? 'nil'}` : 'ERR unknown error';
}

/** The error came from a command, whose error has been counted. */
function isCounted(value: LuaValue): boolean {
  return value instanceof LuaTable && value.getString(COUNTED) === true;
}
