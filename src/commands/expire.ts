// Commands about how long keys live.

import { NO_DEADLINE } from '../keyspace/database.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';

/** Answers what is left of a key's life in some unit: -2 without the key, -1 without an end. */
function timeLeft(ctx: Context, unitMs: number): void {
  const slot = ctx.db.find(ctx.request.key(1));
  if (slot === 0) return ctx.reply.integer(-2);
  const deadline = ctx.db.deadline(slot);
  if (deadline === NO_DEADLINE) return ctx.reply.integer(-1);
  ctx.reply.integer(Math.floor((deadline - ctx.nowMs + unitMs / 2) / unitMs));
}

export const expireCommands = [
  defineCommand({
    name: 'pttl',
    summary: 'Tells how many milliseconds a key has left.',
    since: '2.6.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: 2,
    flags: ['readonly', 'fast'],
    keys: [{ access: 'RO', does: ['access'], begin: 1 }],
    arguments: [{ name: 'key', type: 'key', keySpec: 0 }],
    handler: (ctx) => timeLeft(ctx, 1),
  }),
];
