// Scripts: EVAL and its kin run one, SCRIPT looks after those that are known.
//
// Source: Redis' EVAL family. What a script is and how it runs is in scripting/.

import type { Request } from '../protocol/request.ts';
import type { Outcome } from '../scripting/engine.ts';
import type { CachedScript } from '../scripting/script-cache.ts';
import type { Permissions } from '../scripting/script-run.ts';
import { readShebang } from '../scripting/shebang.ts';
import { writeValue } from '../scripting/write-value.ts';
import type { Context } from './context.ts';
import { type CommandSpec, defineCommand, type KeySpec } from './define.ts';
import { NOT_AN_INTEGER, OUT_OF_MEMORY } from './errors.ts';
import { runGuarded } from './guarded-script.ts';

const NO_SCRIPT = 'NOSCRIPT No matching script. Please use EVAL.';
const WRITES_BY_RO = 'ERR Can not execute a script with write flag using *_ro command.';

const EVERYTHING: Permissions = { isReadOnly: false, isShortOfMemory: false };

/** EVAL script numkeys key… arg… */
function evalText(ctx: Context, isReadOnly: boolean): void {
  const keyCount = readKeyCount(ctx);
  if (Number.isNaN(keyCount)) return;
  ctx.timeAlone();
  const script = ctx.scripts.scripts.add(ctx.request.string(1));
  if (typeof script === 'string') return ctx.reply.error(script);
  run(ctx, script, keyCount, isReadOnly);
}

/** EVALSHA digest numkeys key… arg… */
function evalDigest(ctx: Context, isReadOnly: boolean): void {
  const { reply, request, scripts } = ctx;
  const script = scripts.scripts.find(request.bufferOf(1), request.start(1), request.length(1));
  if (script === undefined && request.length(1) !== 40) return reply.error(NO_SCRIPT);
  const keyCount = readKeyCount(ctx);
  if (Number.isNaN(keyCount)) return;
  if (script === undefined) return reply.error(NO_SCRIPT);
  run(ctx, script, keyCount, isReadOnly);
}

/** NaN: an error was replied. */
export function readKeyCount({ reply, request }: Context, notAnInteger = NOT_AN_INTEGER): number {
  const keyCount = request.integer(2);
  if (Number.isNaN(keyCount)) reply.error(notAnInteger);
  else if (keyCount > request.count - 3)
    reply.error("ERR Number of keys can't be greater than number of args");
  else if (keyCount < 0) reply.error("ERR Number of keys can't be negative");
  else return keyCount;
  return Number.NaN;
}

function run(ctx: Context, script: CachedScript, keyCount: number, isReadOnly: boolean): void {
  const permissions = permit(ctx, script.flags, isReadOnly);
  if (typeof permissions === 'string') return ctx.reply.error(permissions);
  if (permissions === EVERYTHING && runGuarded(ctx, script, keyCount)) return;
  ctx.timeAlone();
  runToEnd(ctx, keyCount, (keys, args) => ctx.scripts.start(script, permissions, keys, args));
}

/** Runs what `start` starts with the request's keys and arguments, now and, if it takes long, later, and replies. */
export function runToEnd(
  ctx: Context,
  keyCount: number,
  start: (keys: string[], args: string[]) => Outcome | undefined,
): void {
  const { client, request, scripts } = ctx;
  const { database } = client;
  const keys: string[] = [];
  const args: string[] = [];
  for (let i = 3; i < keyCount + 3; i++) keys.push(request.string(i));
  for (let i = keyCount + 3; i < request.count; i++) args.push(request.string(i));
  const finish = (outcome: Outcome | undefined): boolean => {
    if (outcome === undefined) return false;
    client.database = database; // a SELECT ends with the script
    replyOutcome(ctx, outcome);
    return true;
  };
  if (!finish(start(keys, args))) ctx.suspend(() => finish(scripts.proceed()));
}

/** Such a script may run in CLIENT PAUSE WRITE. */
function writesNothing({ scripts: { scripts } }: Context, request: Request): boolean {
  const shebang = request.matches(0, 'EVAL')
    ? readShebang(request.string(1))
    : scripts.find(request.bufferOf(1), request.start(1), request.length(1));
  return typeof shebang === 'object' && shebang.flags?.has('no-writes') === true;
}

/** What a script may do. A string is why it may not run at all, as an error reply. */
export function permit(
  { db, server }: Context,
  flags: CachedScript['flags'],
  isReadOnly: boolean,
): Permissions | string {
  const isShortOfMemory =
    db.isFull || (server.maxMemoryBytes !== 0 && server.usedMemoryBytes > server.maxMemoryBytes);
  if (flags === undefined) {
    if (!isReadOnly && !isShortOfMemory) return EVERYTHING;
    return { isReadOnly, isShortOfMemory };
  }
  const writesNothing = flags.has('no-writes');
  if (isShortOfMemory && !flags.has('allow-oom') && !writesNothing) return OUT_OF_MEMORY;
  if (isReadOnly && !writesNothing) return WRITES_BY_RO;
  return { isReadOnly: writesNothing, isShortOfMemory: false };
}

function replyOutcome({ reply }: Context, outcome: Outcome): void {
  if ('error' in outcome) reply.error(outcome.error, outcome.isCounted);
  else writeValue(reply, outcome.value, outcome.resp);
}

export const KEYS: readonly KeySpec[] = [
  {
    access: 'RW',
    does: ['access', 'update'],
    begin: 2,
    counted: true,
    notes: 'what a script does with its keys is not known before it runs',
  },
];
export const READ_KEYS: readonly KeySpec[] = [
  {
    access: 'RO',
    does: ['access'],
    begin: 2,
    counted: true,
    notes: 'a script that only reads may read any of its keys',
  },
];

const COMMON = {
  group: 'scripting',
  complexity: 'Depends on the script that is run.',
  arity: -3,
  locked: 'ignores',
} as const satisfies Partial<CommandSpec>;

const FLAGS = ['noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'] as const;

const argumentsAfter = (first: 'script' | 'sha1') =>
  [
    { name: first, type: 'string' },
    { name: 'numkeys', type: 'integer' },
    { name: 'key', type: 'key', keySpec: 0, optional: true, multiple: true },
    { name: 'arg', type: 'string', optional: true, multiple: true },
  ] as const;

const REPLIES = [
  'what the script returns: numbers are cut to integers, true is 1, false and nil are nil, a list ends at its first nil',
  'ERR: the script cannot be compiled, or has failed; the text says where',
];
const DIGEST_REPLIES = [...REPLIES, 'NOSCRIPT: no such script is known; EVAL or SCRIPT LOAD makes it so'];

export const evalCommands = [
  defineCommand({
    ...COMMON,
    name: 'eval',
    summary: 'Runs a Lua script.',
    since: '2.6.0',
    flags: [...FLAGS, 'may_replicate'],
    writesNothing,
    keys: KEYS,
    arguments: argumentsAfter('script'),
    replies: REPLIES,
    handler: (ctx) => evalText(ctx, false),
  }),
  defineCommand({
    ...COMMON,
    name: 'evalsha',
    isBrief: true,
    summary: 'Runs a Lua script that is known, by the SHA-1 digest of its text.',
    since: '2.6.0',
    flags: [...FLAGS, 'may_replicate'],
    writesNothing,
    keys: KEYS,
    arguments: argumentsAfter('sha1'),
    replies: DIGEST_REPLIES,
    handler: (ctx) => evalDigest(ctx, false),
  }),
  defineCommand({
    ...COMMON,
    name: 'eval_ro',
    summary: 'Runs a Lua script that may only read.',
    since: '7.0.0',
    flags: [...FLAGS, 'readonly'],
    keys: READ_KEYS,
    arguments: argumentsAfter('script'),
    replies: REPLIES,
    handler: (ctx) => evalText(ctx, true),
  }),
  defineCommand({
    ...COMMON,
    name: 'evalsha_ro',
    summary: 'Runs a Lua script that is known and may only read, by the SHA-1 digest of its text.',
    since: '7.0.0',
    flags: [...FLAGS, 'readonly'],
    keys: READ_KEYS,
    arguments: argumentsAfter('sha1'),
    replies: DIGEST_REPLIES,
    handler: (ctx) => evalDigest(ctx, true),
  }),
];
