// The gates a request passes before its handler runs, in Redis' order. The first that answers wins.
// Each looks at one thing only. A gate that refuses also spoils an open MULTI, so that its EXEC aborts; one that refuses
// EXEC itself ends the transaction there and then.

import type { Context } from '../commands/context.ts';
import type { Command } from '../commands/define.ts';
import {
  BUSY,
  BUSY_BY_FUNCTION,
  execAborted,
  KEY_IS_LOCKED,
  NO_AUTH,
  OUT_OF_MEMORY,
  shown,
  wrongArity,
} from '../commands/errors.ts';
import { keyPositions } from '../commands/key-positions.ts';
import type { Request } from '../protocol/request.ts';

/** True: the request has been answered, the handler must not run. */
export type Gate = (ctx: Context) => boolean;

function refuse(ctx: Context, error: string): true {
  const { client, command, reply, server } = ctx;
  if (client.transaction !== undefined) client.transaction.hasErrors = true;
  command.rejectedCalls++;
  if (command.name !== 'exec') {
    reply.error(error);
    return true;
  }
  server.discardTransaction(client);
  reply.error(execAborted(error));
  return true;
}

const known: Gate = (ctx) => {
  const { command, request } = ctx;
  if (command.subcommands === undefined || request.count < 2) return false;
  return refuse(
    ctx,
    `ERR unknown subcommand '${shown(request.string(1))}'. Try ${command.name.toUpperCase()} HELP.`,
  );
};

const arity: Gate = (ctx) => {
  return ctx.command.accepts(ctx.request.count) ? false : refuse(ctx, wrongArity(ctx.command.name));
};

const authenticated: Gate = (ctx) => {
  return ctx.client.isAuthenticated || ctx.command.isNoAuth ? false : refuse(ctx, NO_AUTH);
};

const allowedInTransaction: Gate = (ctx) => {
  if (ctx.client.transaction === undefined || !ctx.command.flags.has('no_multi')) return false;
  return refuse(ctx, 'ERR Command not allowed inside a transaction');
};

const memory: Gate = (ctx) => {
  const { db, server } = ctx;
  const isOver = server.maxMemoryBytes !== 0 && server.usedMemoryBytes > server.maxMemoryBytes;
  return (isOver || db.isFull) && takesMemory(ctx) ? refuse(ctx, OUT_OF_MEMORY) : false;
};

/** Queueing takes memory, whatever is queued; EXEC takes what the queued commands take. */
function takesMemory({ client: { transaction }, command }: Context): boolean {
  if (command.isDenyOom || transaction === undefined) return command.isDenyOom;
  return command.name === 'exec' ? transaction.isDenyOom : !NOT_QUEUED.has(command.name);
}

/** What a RESP2 client may still say while it is subscribed: everything else would get lost among the messages. */
const WHILE_SUBSCRIBED = new Set([
  'subscribe',
  'unsubscribe',
  'psubscribe',
  'punsubscribe',
  'ssubscribe',
  'sunsubscribe',
  'ping',
  'quit',
  'reset',
]);

const subscribed: Gate = (ctx) => {
  const { client, command } = ctx;
  if (client.resp === 3 || !client.isSubscribed || WHILE_SUBSCRIBED.has(command.name)) return false;
  return refuse(
    ctx,
    `ERR Can't execute '${command.name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
  );
};

/** A script runs for so long that others need not wait for it any more. */
const busy: Gate = (ctx) => {
  if (!ctx.server.isBusy || ctx.command.flags.has('allow_busy')) return false;
  return refuse(ctx, ctx.scripts.run?.call === undefined ? BUSY : BUSY_BY_FUNCTION);
};

/** Redis counts a monitor among the replicas, which must leave the keyspace alone. */
const monitoring: Gate = (ctx) => {
  const { client, command } = ctx;
  if (!client.isMonitor || !(command.isWriter || command.flags.has('readonly'))) return false;
  return refuse(ctx, "ERR Replica can't interact with the keyspace");
};

/** CLIENT PAUSE: the request waits in its connection and comes through here again when the pause is over. */
const paused: Gate = (ctx) => {
  const { pause } = ctx.server;
  if (!pause.isOn || (pause.scope === 'write' && !mayWrite(ctx))) return false;
  pause.postpone(ctx.client, ctx.request);
  return true;
};

function mayWrite(ctx: Context): boolean {
  const { client, command, registry, request } = ctx;
  const writes = (each: Command, its: Request): boolean =>
    each.isWriter && !each.spec.writesNothing?.(ctx, its);
  if (command.name !== 'exec') return writes(command, request);
  return client.transaction?.queued.some((each) => writes(registry.find(each)!, each)) ?? false;
}

const TOO_MUCH_QUEUED =
  'ERR too much queued in this transaction (multi-max-queued-commands, multi-max-queued-bytes)';

/** What takes effect at once inside MULTI. */
const NOT_QUEUED = new Set(['exec', 'discard', 'multi', 'watch', 'quit', 'reset']);

const queued: Gate = (ctx) => {
  const { client, command, request, reply, server } = ctx;
  const { transaction } = client;
  if (transaction === undefined || NOT_QUEUED.has(command.name)) return false;
  // What will not be run need not be kept.
  if (!transaction.hasErrors && !client.isDirty) {
    const { values } = server.config;
    if (
      transaction.queued.length >= values['multi-max-queued-commands'] ||
      transaction.bytesWith(request) > values['multi-max-queued-bytes']
    )
      return refuse(ctx, TOO_MUCH_QUEUED);
    server.queue(transaction, request, command.isDenyOom);
  }
  reply.simple('QUEUED');
  return true;
};

/** Before any key is changed: one that GETL has locked refuses the whole command. */
export const locked: Gate = (ctx) => {
  const { command, db, request } = ctx;
  if (!command.refusesLocked || db.getl.isEmpty) return false;
  for (const position of keyPositions(command, request)) {
    if (position.access === 'RO') continue;
    const slot = db.find(request.key(position.index));
    if (slot !== 0 && db.isLocked(slot)) {
      ctx.server.stats.getlErrors++;
      ctx.reply.error(KEY_IS_LOCKED);
      return true;
    }
  }
  return false;
};

/** The gates in their order, for requests as they come from a client. Written out, so that each call can be inlined. */
export const isAnsweredByGate: Gate = (ctx) =>
  known(ctx) ||
  arity(ctx) ||
  authenticated(ctx) ||
  allowedInTransaction(ctx) ||
  memory(ctx) ||
  subscribed(ctx) ||
  busy(ctx) ||
  monitoring(ctx) ||
  paused(ctx) ||
  queued(ctx) ||
  locked(ctx);
