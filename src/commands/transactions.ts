// Transactions: commands that are queued by MULTI and run by EXEC without anything between them, if no watched key changed.
//
// Queueing itself is a gate (dispatch/gates.ts), since it concerns every command. Time stands still while EXEC runs: all
// its commands see one clock, so that a key which is there for the first is not gone for the second.

import { Transaction } from '../state/transaction.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';

function multi({ client, reply }: Context): void {
  if (client.transaction !== undefined) return reply.error('ERR MULTI calls can not be nested');
  client.transaction = new Transaction();
  reply.ok();
}

function exec(ctx: Context): void {
  const { client, reply, server } = ctx;
  const { transaction } = client;
  if (transaction === undefined) return reply.error('ERR EXEC without MULTI');
  const isBroken = server.watches.isBroken(client, server.keyspace.databases);
  if (!transaction.hasErrors && !isBroken) return runAll(ctx, transaction);
  if (transaction.hasErrors) reply.error('EXECABORT Transaction discarded because of previous errors.');
  else reply.nullArray();
  server.discardTransaction(client);
}

function runAll(ctx: Context, { queued }: Transaction): void {
  const { client, reply, server } = ctx;
  // What the transaction itself changes is no conflict.
  server.unwatch(client);
  reply.array(queued.length);
  const runFrom = (first: number): void => {
    for (let i = first; i < queued.length; i++) {
      ctx.run(queued[i]!);
      // A long script: what follows it has to wait.
      if (ctx.whenResumed(() => runFrom(i + 1))) return;
    }
    server.discardTransaction(client);
  };
  runFrom(0);
}

function discard({ client, reply, server }: Context): void {
  if (client.transaction === undefined) return reply.error('ERR DISCARD without MULTI');
  server.discardTransaction(client);
  reply.ok();
}

/** WATCH key…: all of them, or none if they are too many. */
function watch(ctx: Context): void {
  const { client, db, reply, request, server } = ctx;
  if (client.transaction !== undefined) return reply.error('ERR WATCH inside MULTI is not allowed');
  // EXEC will fail anyway.
  if (client.isDirty) return reply.ok();
  let added = 0;
  for (let i = 1; i < request.count; i++) if (!server.watches.isWatching(client, db, request.key(i))) added++;
  if (client.watched.size + added > server.config.values['max-watched-keys-per-client'])
    return reply.error('ERR too many watched keys (max-watched-keys-per-client)');
  for (let i = 1; i < request.count; i++) server.watches.watch(client, db, request.key(i));
  reply.ok();
}

function unwatch({ client, reply, server }: Context): void {
  server.unwatch(client);
  reply.ok();
}

export const transactionCommands = [
  defineCommand({
    name: 'multi',
    summary: 'Starts a transaction: what follows is queued until EXEC.',
    since: '1.2.0',
    group: 'transactions',
    complexity: 'O(1)',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    replies: ['OK', 'ERR: a transaction is open already, and stays open'],
    handler: multi,
  }),
  defineCommand({
    name: 'exec',
    summary: 'Runs what was queued since MULTI, all of it or, if a watched key has changed, none.',
    since: '1.2.0',
    group: 'transactions',
    complexity: 'That of the queued commands',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'skip_slowlog'],
    replies: [
      'array: the reply of each queued command',
      'nil: a watched key has changed, nothing was run',
      'EXECABORT: a command could not be queued, nothing was run',
      'ERR: no transaction is open',
    ],
    handler: exec,
  }),
  defineCommand({
    name: 'discard',
    summary: 'Ends a transaction without running it.',
    since: '2.0.0',
    group: 'transactions',
    complexity: 'O(N) in the number of watched keys',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    replies: ['OK', 'ERR: no transaction is open'],
    handler: discard,
  }),
  defineCommand({
    name: 'watch',
    summary: 'Makes the next EXEC depend on these keys being left alone until then.',
    since: '2.2.0',
    group: 'transactions',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    keys: [{ access: 'RO', begin: 1, last: -1 }],
    arguments: [{ name: 'key', type: 'key', keySpec: 0, multiple: true }],
    replies: ['OK', 'ERR: a transaction is open, or too many keys are watched'],
    handler: watch,
  }),
  defineCommand({
    name: 'unwatch',
    summary: 'Forgets all watched keys.',
    since: '2.2.0',
    group: 'transactions',
    complexity: 'O(N) in the number of watched keys',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    replies: ['OK'],
    handler: unwatch,
  }),
];
