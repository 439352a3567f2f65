// The library `redis`, by which scripts run commands.

import { toNumber, toText } from '../lua/arguments.ts';
import { LuaError } from '../lua/lua-error.ts';
import type { LuaState } from '../lua/state.ts';
import { LuaTable } from '../lua/table.ts';
import { type LuaValue, NOTHING } from '../lua/value.ts';
import { Request } from '../protocol/request.ts';
import type { Server } from '../state/server.ts';
import type { CommandRunner } from './command-runner.ts';
import { LuaReply } from './lua-reply.ts';
import { scriptNumberText } from './number-text.ts';
import { digestOf } from './script-cache.ts';
import type { ScriptRun } from './script-run.ts';

const NO_ARGUMENTS = 'ERR Please specify at least one argument for this redis lib call';
const WRONG_ARGUMENTS = 'ERR Lua redis lib command arguments must be strings or integers';
const WRONG_REPLY = 'ERR wrong number or type of arguments';

const MIN_INT32 = -(2 ** 31);

/** The field by which Redis marks errors that a command has replied, and which are counted already. */
export const COUNTED = 'ignore_error_stats_update';

const LOG_LEVELS = { LOG_DEBUG: 0, LOG_VERBOSE: 1, LOG_NOTICE: 2, LOG_WARNING: 3 };
const REPLICATION = { REPL_NONE: 0, REPL_AOF: 1, REPL_REPLICA: 2, REPL_SLAVE: 2, REPL_ALL: 3 };

/** Makes an error of a text, as Redis' own are. */
type Raise = (text: string) => LuaError;

export function redisLibrary(
  state: LuaState,
  server: Server,
  runner: CommandRunner,
  currentRun: () => ScriptRun,
): LuaTable {
  const commands = new ScriptCommands(state, server, runner, currentRun);
  const raise: Raise = (text) => new LuaError(LuaTable.from({ err: text }), state.at);
  const version = server.config.values['compat-redis-version'];
  return LuaTable.from({
    call: (...args) => commands.call(args),
    pcall: (...args) => commands.protectedCall(args),
    error_reply: (...args) => errorReply(args),
    status_reply: (...args) => statusReply(args),
    sha1hex: (...args) => {
      if (args.length !== 1) throw raise('ERR wrong number of arguments');
      return digestOf(toText(args[0]) ?? '');
    },
    log: (...args) => log(server, currentRun(), args, raise),
    setresp: (...args) => setResp(currentRun(), args, raise),
    // Effects are what is replicated, and there are no replicas: accepted, as in Redis.
    replicate_commands: () => true,
    set_repl: (...args) => setReplication(args, raise),
    breakpoint: () => false,
    debug: () => NOTHING,
    acl_check_cmd: (...args) => commands.isAllowed(args),
    REDIS_VERSION: version,
    REDIS_VERSION_NUM: versionNumber(version),
    ...LOG_LEVELS,
    ...REPLICATION,
  });
}

class ScriptCommands {
  readonly #state: LuaState;
  readonly #server: Server;
  readonly #runner: CommandRunner;
  readonly #currentRun: () => ScriptRun;
  readonly #request: Request;
  readonly #reply = new LuaReply();

  constructor(state: LuaState, server: Server, runner: CommandRunner, currentRun: () => ScriptRun) {
    this.#state = state;
    this.#server = server;
    this.#runner = runner;
    this.#currentRun = currentRun;
    this.#request = new Request(server.seed);
  }

  /** `redis.call`: an error is raised. */
  call(args: LuaValue[]): LuaValue {
    const failure = this.#run(args);
    if (failure === undefined) return this.#reply.value;
    throw new LuaError(LuaTable.from({ err: failure, [COUNTED]: true }), this.#state.at);
  }

  /** `redis.pcall`: an error is returned, as a table. */
  protectedCall(args: LuaValue[]): LuaValue {
    const failure = this.#run(args);
    return failure === undefined ? this.#reply.value : LuaTable.from({ err: failure, [COUNTED]: true });
  }

  /** Runs a command, or tells its reply again. Returns the text of the error, if it is one. */
  #run(args: LuaValue[]): string | undefined {
    const run = this.#currentRun();
    const reply = this.#reply;
    const told = run.toldBefore();
    reply.begin();
    if (told !== undefined) return 'failure' in told ? told.failure : reply.putAgain(told.value);
    reply.resp = run.resp;
    if (args.length === 0) this.#refuse(NO_ARGUMENTS);
    else if (!this.#fill(args)) this.#refuse(WRONG_ARGUMENTS);
    else this.#runner.run(this.#request, reply, run);
    const { failure } = reply;
    if (failure === undefined) run.tell(reply);
    else run.tell({ failure });
    return failure;
  }

  /** An error that no command has replied. */
  #refuse(text: string): void {
    this.#reply.failure = text;
    this.#server.stats.countError(text);
  }

  /** Makes the request of the arguments. False if they are of types that no command takes. */
  #fill(args: LuaValue[]): boolean {
    let bytes = 0;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i];
      if (typeof arg === 'string') {
        bytes += arg.length;
        continue;
      }
      if (typeof arg !== 'number') return false;
      args[i] = scriptNumberText(arg, this.#server.config.values['compat-redis-version']);
    }
    this.#state.claim(bytes);
    this.#request.fillText(args as string[]);
    return true;
  }

  /** `redis.acl_check_cmd` */
  isAllowed(args: LuaValue[]): boolean {
    const fail = (text: string): LuaError => new LuaError(LuaTable.from({ err: text }), this.#state.at);
    if (args.length === 0) throw fail(NO_ARGUMENTS);
    if (!this.#fill(args)) throw fail(WRONG_ARGUMENTS);
    const isAllowed = this.#runner.isAllowed(this.#request);
    if (isAllowed === undefined) throw fail('ERR Invalid command passed to redis.acl_check_cmd()');
    return isAllowed;
  }
}

/** An error of one word gets a code of its own. */
function errorReply(args: readonly LuaValue[]): LuaTable {
  const text = args.length === 1 ? args[0] : undefined;
  if (typeof text !== 'string') return LuaTable.from({ err: WRONG_REPLY });
  const message = text.startsWith('-') ? text.slice(1) : text;
  return LuaTable.from({ err: message.includes(' ') ? message : `ERR ${message}` });
}

function statusReply(args: readonly LuaValue[]): LuaTable {
  const text = args.length === 1 ? args[0] : undefined;
  return LuaTable.from(typeof text === 'string' ? { ok: text } : { err: WRONG_REPLY });
}

function setResp(run: ScriptRun, args: readonly LuaValue[], raise: Raise): typeof NOTHING {
  if (args.length !== 1) throw raise('ERR redis.setresp() requires one argument.');
  const resp = toInt(args[0]);
  if (resp !== 2 && resp !== 3) throw raise('ERR RESP version must be 2 or 3.');
  run.resp = resp;
  return NOTHING;
}

function setReplication(args: readonly LuaValue[], raise: Raise): typeof NOTHING {
  if (args.length !== 1) throw raise('ERR redis.set_repl() requires two arguments.');
  if ((toInt(args[0]) & ~REPLICATION.REPL_ALL) !== 0) {
    throw raise('ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.');
  }
  return NOTHING;
}

function log(server: Server, run: ScriptRun, args: readonly LuaValue[], raise: Raise): typeof NOTHING {
  const [first, ...words] = args;
  if (args.length < 2) throw raise('ERR redis.log() requires two arguments or more.');
  if (toNumber(first) === undefined) throw raise('ERR First argument must be a number (log level).');
  const level = toInt(first);
  if (level < LOG_LEVELS.LOG_DEBUG || level > LOG_LEVELS.LOG_WARNING) throw raise('ERR Invalid debug level.');
  // Said the first time already, if this is the second.
  if (run.toldBefore() !== undefined) return NOTHING;
  run.tell({ value: undefined });
  server.log(words.map((word) => toText(word) ?? '').join(' '));
  return NOTHING;
}

/** As C casts a number, or what spells one, to an integer of 32 bits; else 0. */
function toInt(value: LuaValue): number {
  const whole = Math.trunc(toNumber(value) ?? 0);
  return whole === (whole | 0) ? whole : MIN_INT32;
}

function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major << 16) | (minor << 8) | patch;
}
