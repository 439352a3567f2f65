// DEBUG: what tests of clients and libraries use, for whom enable-debug-command allows it.

import { allowsAction } from './allowed-action.ts';
import type { Context } from './context.ts';
import { replyProtocolSample } from './debug-protocol.ts';
import { defineCommand } from './define.ts';
import { NO_SUCH_KEY, wrongSubcommandUse } from './errors.ts';
import { encodingOf } from './object.ts';
import { NOTHING_IS_SAVED } from './persistence.ts';

interface Subcommand {
  readonly syntax: string;
  readonly summary: string;
  /** Arguments with DEBUG and the subcommand. */
  readonly count: number;
  readonly run: (ctx: Context) => void;
}

/** Stops the whole server, as in Redis: nothing else runs, no key expires. */
function sleep({ request, reply }: Context): void {
  const seconds = Number.parseFloat(request.string(2));
  if (seconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
  reply.ok();
}

function describeObject(ctx: Context): void {
  const { request, reply, db } = ctx;
  const slot = db.find(request.key(2));
  if (slot === 0) return reply.error(NO_SUCH_KEY);
  reply.simple(
    `Value at:0x${slot.toString(16)} refcount:1 encoding:${encodingOf(ctx, slot)} serializedlength:${db.valueLength(slot)} ` +
      `lru_seconds_idle:${db.idleSeconds(slot)}`,
  );
}

const refuseReload = ({ reply }: Context): void => reply.error(NOTHING_IS_SAVED);

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  'CHANGE-REPL-ID': {
    syntax: 'CHANGE-REPL-ID',
    summary: 'Takes a new replication id.',
    count: 2,
    run({ reply, server }) {
      server.changeReplicationId();
      reply.ok();
    },
  },
  ERROR: {
    syntax: 'ERROR <string>',
    summary: 'Answers with this error.',
    count: 3,
    run: ({ request, reply }) => reply.error(request.string(2)),
  },
  LOADAOF: { syntax: 'LOADAOF', summary: 'Refused: nothing is on disk.', count: 2, run: refuseReload },
  OBJECT: {
    syntax: 'OBJECT <key>',
    summary: 'Shows how a value is kept.',
    count: 3,
    run: describeObject,
  },
  PROTOCOL: {
    syntax: 'PROTOCOL <type>',
    summary: 'Answers with a sample of a type of reply.',
    count: 3,
    run: ({ request, reply }) => replyProtocolSample(reply, request.string(2).toLowerCase()),
  },
  RELOAD: { syntax: 'RELOAD', summary: 'Refused: nothing is on disk.', count: 2, run: refuseReload },
  'SET-ACTIVE-EXPIRE': {
    syntax: 'SET-ACTIVE-EXPIRE <0|1>',
    summary: 'With 0, keys whose time has come stay until somebody looks for them.',
    count: 3,
    run({ request, reply, server }) {
      server.expiresActively = Number.parseInt(request.string(2), 10) !== 0;
      reply.ok();
    },
  },
  SLEEP: {
    syntax: 'SLEEP <seconds>',
    summary: 'Stops the server for so long. Decimals are allowed.',
    count: 3,
    run: sleep,
  },
  HELP: {
    syntax: 'HELP',
    summary: 'Prints this help.',
    count: 2,
    run: ({ reply }) => reply.simples(helpLines()),
  },
};

function helpLines(): string[] {
  const each = Object.values(SUBCOMMANDS).flatMap(({ syntax, summary }) => [syntax, `    ${summary}`]);
  return ['DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:', ...each];
}

export const debugCommands = [
  defineCommand({
    name: 'debug',
    summary: 'Helps to test clients. Off unless enable-debug-command says otherwise.',
    since: '1.0.0',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    isInternal: true,
    flags: ['admin', 'noscript', 'loading', 'stale'],
    replies: ['depends on the subcommand; DEBUG HELP lists them'],
    handler(ctx) {
      const { request, reply } = ctx;
      if (!allowsAction(ctx, 'debug')) return;
      const name = request.string(1).toUpperCase();
      const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
      if (subcommand?.count === request.count) return subcommand.run(ctx);
      reply.error(wrongSubcommandUse('DEBUG', request.string(1)));
    },
  }),
];
