// FCALL: calls functions of libraries (function.ts).

import type { Request } from '../protocol/request.ts';
import type { Context } from './context.ts';
import { type CommandSpec, defineCommand } from './define.ts';
import { KEYS, permit, READ_KEYS, readKeyCount, runToEnd } from './eval.ts';

const NOT_FOUND = 'ERR Function not found';
const WRONG_KEY_COUNT = 'ERR Bad number of keys provided';

/** FCALL function numkeys key… arg… */
function callFunction(ctx: Context, isReadOnly: boolean): void {
  const { reply, request, scripts } = ctx;
  const callee = scripts.functions.find(request.string(1));
  if (callee === undefined) return reply.error(NOT_FOUND);
  const keyCount = readKeyCount(ctx, WRONG_KEY_COUNT);
  if (Number.isNaN(keyCount)) return;
  if (!callee.library.chunk.isStraight) ctx.timeAlone();
  const permissions = permit(ctx, callee.flags, isReadOnly);
  if (typeof permissions === 'string') return reply.error(permissions);
  runToEnd(ctx, keyCount, (keys, args) => scripts.call(callee, permissions, keys, args));
  // Only while it is suspended can anybody ask for these.
  const call = scripts.run?.call;
  if (call !== undefined) call.words = Array.from({ length: request.count }, (_, i) => request.string(i));
}

/** Such a function may run in CLIENT PAUSE WRITE; so may what only answers an error. */
function writesNothing({ scripts }: Context, request: Request): boolean {
  return scripts.functions.find(request.string(1))?.flags.has('no-writes') ?? true;
}

const COMMON = {
  group: 'scripting',
  since: '7.0.0',
  complexity: 'Depends on the function that is called',
  isBrief: true,
  arity: -3,
  locked: 'ignores',
  arguments: [
    { name: 'function', type: 'string' },
    { name: 'numkeys', type: 'integer' },
    { name: 'key', type: 'key', keySpec: 0, optional: true, multiple: true },
    { name: 'arg', type: 'string', optional: true, multiple: true },
  ],
  replies: [
    'what the function returns, converted as for EVAL',
    'ERR: there is no such function, or it has failed; the text says where',
  ],
} as const satisfies Partial<CommandSpec>;

const FLAGS = ['noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'] as const;

export const fcallCommands = [
  defineCommand({
    ...COMMON,
    name: 'fcall',
    summary: 'Calls a function of a library.',
    flags: FLAGS,
    writesNothing,
    keys: KEYS,
    handler: (ctx) => callFunction(ctx, false),
  }),
  defineCommand({
    ...COMMON,
    name: 'fcall_ro',
    summary: 'Calls a function of a library that has the flag no-writes.',
    flags: [...FLAGS, 'readonly'],
    keys: READ_KEYS,
    handler: (ctx) => callFunction(ctx, true),
  }),
];
