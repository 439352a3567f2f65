// What a command is: data about it, and its handler. Everything the server says or decides about commands is derived from
// this (arity gate, COMMAND and its subcommands, ACL categories, key positions, GETL behaviour, hints in redis-cli, docs),
// so adding a command means adding one `defineCommand` to a family file.
//
// The vocabulary is Redis' own (COMMAND DOCS, COMMAND INFO, key specifications).

import type { Request } from '../protocol/request.ts';
import { LatencyHistogram } from '../state/latency-histogram.ts';
import type { Context } from './context.ts';

/**
 * Redis' flags, as COMMAND INFO shows them. The server acts on these; the others are only told:
 *
 * write, readonly               changes keys, or only reads them
 * denyoom                       refused when memory is short (maxmemory)
 * admin                         not shown by MONITOR, and timed alone, as is `blocking`
 * fast                          LATENCY: an event `fast-command` if it takes long all the same
 * no_auth                       allowed before AUTH
 * no_multi                      not allowed inside MULTI
 * may_replicate                 waits in CLIENT PAUSE WRITE as if it wrote
 * no_mandatory_keys             COMMAND GETKEYS may find none
 * skip_monitor                  scripts: MONITOR shows them before what they run
 * skip_slowlog                  kept out of SLOWLOG
 */
export type CommandFlag =
  | 'write'
  | 'readonly'
  | 'denyoom'
  | 'admin'
  | 'pubsub'
  | 'noscript'
  | 'blocking'
  | 'loading'
  | 'stale'
  | 'skip_monitor'
  | 'skip_slowlog'
  | 'asking'
  | 'fast'
  | 'no_auth'
  | 'may_replicate'
  | 'sentinel'
  | 'only_sentinel'
  | 'no_mandatory_keys'
  | 'protected'
  | 'no_async_loading'
  | 'no_multi'
  | 'movablekeys'
  | 'allow_busy';

export type CommandGroup =
  | 'string'
  | 'generic'
  | 'connection'
  | 'server'
  | 'transactions'
  | 'pubsub'
  | 'scripting'
  | 'cluster'
  | 'sentinel'
  | 'lock';

/** What happens to a key. */
export interface KeyUse {
  /** read, read and write, overwrite, remove */
  readonly access: 'RO' | 'RW' | 'OW' | 'RM';
  readonly does?: readonly ('access' | 'update' | 'insert' | 'delete')[];
}

/** Where keys stand among the arguments, and what happens to them. */
export interface KeySpec extends KeyUse {
  /** Further flags of COMMAND INFO. */
  readonly flags?: readonly ('variable_flags' | 'incomplete' | 'not_key')[];
  /** Position of the first key, or of the number of keys if `counted`. */
  readonly begin: number;
  /** Last key: relative to the first if not negative, from the end if negative. Default: only one key. */
  readonly last?: number;
  readonly step?: number;
  /** At `begin` stands how many keys follow. */
  readonly counted?: boolean;
  readonly notes?: string;
  /** With `variable_flags`: what one request does, which may be less than the command can. */
  readonly useIn?: (request: Request) => KeyUse;
}

/** One argument in the grammar that COMMAND DOCS shows and redis-cli turns into hints. */
export interface Argument {
  readonly name: string;
  readonly type:
    | 'key'
    | 'string'
    | 'integer'
    | 'double'
    | 'pattern'
    | 'unix-time'
    | 'pure-token'
    | 'oneof'
    | 'block';
  readonly token?: string;
  readonly optional?: boolean;
  readonly multiple?: boolean;
  readonly multipleToken?: boolean;
  readonly since?: string;
  readonly keySpec?: number;
  readonly displayText?: string;
  readonly arguments?: readonly Argument[];
}

export interface CommandSpec {
  /** Lower case; a subcommand is `container|name`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** First version: Redis', or for our own commands `holdfast 0.1`. */
  readonly since: string;
  readonly group: CommandGroup;
  /** In words. One that starts with `O(1)` makes the command brief: it is not timed alone. */
  readonly complexity: string;
  /** It is brief in the cases that count; in the others it says so itself (`ctx.timeAlone`). */
  readonly isBrief?: true;
  /** Arguments with the name; negative: at least so many. */
  readonly arity: number;
  readonly flags: readonly CommandFlag[];
  /** ACL categories that do not follow from flags and group. */
  readonly categories?: readonly string[];
  readonly tips?: readonly string[];
  readonly keys?: readonly KeySpec[];
  readonly arguments?: readonly Argument[];
  readonly history?: readonly (readonly [version: string, change: string])[];
  /** Since when there is something better, and what (COMMAND DOCS). */
  readonly deprecated?: { readonly since: string; readonly replacedBy: string };
  /** For servers and tests, not for applications (COMMAND DOCS `syscmd`). */
  readonly isInternal?: true;
  /** Known by name only: answers an error that says so, and the docs say the same. */
  readonly isProvided?: false;
  /** What it answers, for the docs: one line a case. */
  readonly replies?: readonly string[];
  /**
   * What a GETL lock on a key does to a command that writes. By default the command is refused before its handler runs;
   * one that may turn out not to write at all (SET NX, a compare that fails) decides itself, by `ctx.refusesLocked`.
   */
  readonly locked?: 'decides' | 'ignores';
  /** A request of a command that may write, though no flag of it says so, is known to write nothing. */
  readonly writesNothing?: (ctx: Context, request: Request) => boolean;
  /** True for arguments that MONITOR and SLOWLOG must not show: passwords, the cas of a lock. */
  readonly hides?: (request: Request, index: number) => boolean;
  readonly subcommands?: readonly Command[];
  readonly handler?: (ctx: Context) => void;
}

/** A command ready to run: the spec, what is derived from it once, and what one server measures of it. */
export class Command {
  readonly spec: CommandSpec;
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly arity: number;
  readonly handler: (ctx: Context) => void;
  readonly isWrite: boolean;
  /** It writes, or counts as if it did: PUBLISH and scripts, which replicas hear of too. */
  readonly isWriter: boolean;
  readonly isDenyOom: boolean;
  readonly isNoAuth: boolean;
  readonly isFast: boolean;
  /** Takes constant time, so that it need not be timed alone. */
  readonly isBrief: boolean;
  readonly refusesLocked: boolean;
  readonly subcommands: ReadonlyMap<string, Command> | undefined;
  readonly flags: ReadonlySet<CommandFlag>;
  // Measured while running (INFO commandstats).
  calls = 0;
  microseconds = 0;
  rejectedCalls = 0;
  failedCalls = 0;
  /** Made at the first call, so that commands nobody uses cost nothing. */
  latency: LatencyHistogram | undefined = undefined;

  constructor(spec: CommandSpec) {
    this.spec = spec;
    this.name = spec.name;
    this.nameBytes = Buffer.from(spec.name, 'latin1');
    this.arity = spec.arity;
    this.handler = spec.handler ?? unreachable;
    this.flags = new Set(spec.flags);
    this.isWrite = this.flags.has('write');
    this.isWriter = this.isWrite || this.flags.has('may_replicate') || spec.writesNothing !== undefined;
    this.isDenyOom = this.flags.has('denyoom');
    this.isNoAuth = this.flags.has('no_auth');
    this.isFast = this.flags.has('fast');
    const isConstant = spec.complexity.startsWith('O(1)');
    this.isBrief = spec.isBrief ?? (isConstant && !this.flags.has('admin') && !this.flags.has('blocking'));
    this.refusesLocked = this.isWrite && spec.locked === undefined && (spec.keys?.some(changesKey) ?? false);
    this.subcommands =
      spec.subcommands &&
      new Map(spec.subcommands.map(({ spec: each }) => [shortName(each), new Command(each)]));
  }

  /** The command and its subcommands, if it has any. */
  get family(): Command[] {
    return [this, ...(this.subcommands?.values() ?? [])];
  }

  /** A subcommand's own word. */
  get shortName(): string {
    return shortName(this.spec);
  }

  /** `calls` calls took so many microseconds each. */
  book(microseconds: number, calls: number, tracksLatency: boolean): void {
    this.microseconds += microseconds * calls;
    if (!tracksLatency) return;
    this.latency ??= new LatencyHistogram();
    this.latency.record(microseconds, calls);
  }

  /** CONFIG RESETSTAT. */
  resetMeasurements(): void {
    this.calls = 0;
    this.microseconds = 0;
    this.rejectedCalls = 0;
    this.failedCalls = 0;
    this.latency = undefined;
  }

  accepts(argumentCount: number): boolean {
    return this.arity >= 0 ? argumentCount === this.arity : argumentCount >= -this.arity;
  }
}

export function defineCommand(spec: CommandSpec): Command {
  return new Command(spec);
}

function shortName({ name }: CommandSpec): string {
  return name.slice(name.indexOf('|') + 1);
}

function changesKey(spec: KeySpec): boolean {
  return spec.access !== 'RO';
}

function unreachable(): never {
  throw new Error('invariant: a container command has no handler of its own');
}
