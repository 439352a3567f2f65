// Commands about the connection itself.

import { defineCommand } from './define.ts';
import { wrongArity } from './errors.ts';

export const connectionCommands = [
  defineCommand({
    name: 'ping',
    summary: 'Answers PONG, or the message given.',
    since: '1.0.0',
    group: 'connection',
    complexity: 'O(1)',
    arity: -1,
    flags: ['fast'],
    arguments: [{ name: 'message', type: 'string', optional: true }],
    handler({ request, reply, client }) {
      if (request.count > 2) return reply.error(wrongArity('ping'));
      if (client.resp === 2 && client.isSubscribed) {
        reply.array(2);
        reply.text('pong');
        return request.count === 2 ? reply.bulk(request.view(1)) : reply.text('');
      }
      return request.count === 2 ? reply.bulk(request.view(1)) : reply.simple('PONG');
    },
  }),
];
