// Commands about keys of any type.

import { EVENT } from '../keyspace/key-event.ts';
import { defineCommand } from './define.ts';

export const keyCommands = [
  defineCommand({
    name: 'del',
    summary: 'Deletes keys.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(N) in the number of keys',
    arity: -2,
    flags: ['write'],
    keys: [{ access: 'RM', does: ['delete'], begin: 1, last: -1 }],
    arguments: [{ name: 'key', type: 'key', keySpec: 0, multiple: true }],
    replies: ['integer: how many keys were deleted'],
    handler(ctx) {
      let deleted = 0;
      for (let i = 1; i < ctx.request.count; i++) {
        const slot = ctx.write(ctx.request.key(i));
        if (slot === 0) continue;
        ctx.db.remove(slot, EVENT.del);
        deleted++;
      }
      ctx.reply.integer(deleted);
    },
  }),
];
