// SCRIPT: looks after the scripts that EVALSHA finds, and after the one that runs.

import type { Context } from './context.ts';
import { type CommandSpec, defineCommand } from './define.ts';
import { BUSY, BUSY_BY_FUNCTION } from './errors.ts';
import { helpSubcommand } from './help.ts';

const WRONG_FLUSH = 'ERR SCRIPT FLUSH only support SYNC|ASYNC option';
const NOT_BUSY = 'NOTBUSY No scripts in execution right now.';
const UNKILLABLE =
  'UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.';

/** SCRIPT LOAD script */
function load({ reply, request, scripts }: Context): void {
  const script = scripts.scripts.keep(request.string(2));
  if (typeof script === 'string') reply.error(script);
  else reply.text(script.digest);
}

/** SCRIPT EXISTS digest… */
function exists({ reply, request, scripts }: Context): void {
  reply.array(request.count - 2);
  for (let i = 2; i < request.count; i++) reply.integer(scripts.scripts.has(request.string(i)) ? 1 : 0);
}

/** SCRIPT FLUSH [ASYNC | SYNC]: scripts are left to the garbage collector either way. */
function flush({ reply, request, scripts }: Context): void {
  const isKnown = request.count === 3 && (request.matches(2, 'ASYNC') || request.matches(2, 'SYNC'));
  if (request.count > 2 && !isKnown) return reply.error(WRONG_FLUSH);
  scripts.scripts.flush();
  reply.ok();
}

/** SCRIPT KILL, FUNCTION KILL: ends what makes everybody else busy, if it is one of those and has not written. */
export function kill({ reply, scripts }: Context, isOfFunctions: boolean): void {
  const { run } = scripts;
  if (run === undefined || !scripts.isSuspended) return reply.error(NOT_BUSY);
  if ((run.call !== undefined) !== isOfFunctions)
    return reply.error(run.call === undefined ? BUSY : BUSY_BY_FUNCTION);
  if (run.hasWritten) return reply.error(UNKILLABLE);
  run.isKilled = true;
  reply.ok();
}

/** SCRIPT DEBUG: there is no debugger here; NO is what we do. */
function debug({ reply, request }: Context): void {
  if (request.matches(2, 'NO')) return reply.ok();
  if (request.matches(2, 'YES') || request.matches(2, 'SYNC'))
    return reply.error('ERR SCRIPT DEBUG is not supported: there is no Lua debugger in this server');
  reply.error('ERR Use SCRIPT DEBUG YES/SYNC/NO');
}

const COMMON = { group: 'scripting', since: '2.6.0' } as const satisfies Partial<CommandSpec>;

export const scriptCommands = [
  defineCommand({
    ...COMMON,
    name: 'script',
    summary: 'Looks after scripts.',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      defineCommand({
        ...COMMON,
        name: 'script|load',
        summary: 'Compiles a script and keeps it for EVALSHA.',
        complexity: 'O(N) in the length of the script',
        arity: 3,
        flags: ['noscript', 'stale'],
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        arguments: [{ name: 'script', type: 'string' }],
        replies: ['bulk string: the SHA-1 digest of its text', 'ERR: it cannot be compiled'],
        handler: load,
      }),
      defineCommand({
        ...COMMON,
        name: 'script|exists',
        summary: 'Tells which scripts are known.',
        complexity: 'O(N) in the number of digests',
        arity: -3,
        flags: ['noscript'],
        tips: ['request_policy:all_shards', 'response_policy:agg_logical_and'],
        arguments: [{ name: 'sha1', type: 'string', multiple: true }],
        replies: ['array of 1 (known) or 0'],
        handler: exists,
      }),
      defineCommand({
        ...COMMON,
        name: 'script|flush',
        summary: 'Forgets all scripts.',
        complexity: 'O(N) in the number of scripts',
        arity: -2,
        flags: ['noscript'],
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        arguments: [
          {
            name: 'async',
            displayText: 'flush-type',
            type: 'oneof',
            optional: true,
            since: '6.2.0',
            arguments: [
              { name: 'async', type: 'pure-token', token: 'ASYNC' },
              { name: 'sync', type: 'pure-token', token: 'SYNC' },
            ],
          },
        ],
        history: [['6.2.0', 'ASYNC and SYNC, which make no difference here.']],
        replies: ['OK'],
        handler: flush,
      }),
      defineCommand({
        ...COMMON,
        name: 'script|kill',
        summary: 'Ends the script that is running, if it has not written anything.',
        complexity: 'O(1)',
        arity: 2,
        flags: ['noscript', 'allow_busy'],
        tips: ['request_policy:all_shards', 'response_policy:one_succeeded'],
        replies: ['OK', 'NOTBUSY: no script is running', 'UNKILLABLE: it has written'],
        handler: (ctx) => kill(ctx, false),
      }),
      defineCommand({
        ...COMMON,
        name: 'script|debug',
        since: '3.2.0',
        summary: 'Redis turns its debugger for scripts on by this; here there is none.',
        complexity: 'O(1)',
        arity: 3,
        flags: ['noscript'],
        arguments: [
          {
            name: 'mode',
            type: 'oneof',
            arguments: [
              { name: 'yes', type: 'pure-token', token: 'YES' },
              { name: 'sync', type: 'pure-token', token: 'SYNC' },
              { name: 'no', type: 'pure-token', token: 'NO' },
            ],
          },
        ],
        replies: ['OK: for NO', 'ERR: for the others'],
        handler: debug,
      }),
      helpSubcommand('script', 'scripting', '5.0.0'),
    ],
  }),
];
