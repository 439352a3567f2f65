// MONITOR: shows every command that runs, as it runs. The lines are written where commands are run (dispatch/observe.ts).

import { defineCommand } from './define.ts';

export const monitorCommands = [
  defineCommand({
    name: 'monitor',
    summary: 'Shows every command that clients run, until RESET or the connection ends. Secrets are hidden.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1); afterwards every command costs more for each client that monitors',
    arity: 1,
    flags: ['admin', 'noscript', 'loading', 'stale'],
    replies: ['OK, then a line for each command: unix time, [database client], quoted arguments'],
    handler({ client, reply, server }) {
      // Its lines would stand amid EXEC's replies.
      if (client.transaction !== undefined)
        return reply.error("ERR MONITOR isn't allowed for DENY BLOCKING client");
      client.isMonitor = true;
      server.monitors.add(client);
      reply.ok();
    },
  }),
];
