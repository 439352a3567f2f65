// Who may use commands that the configuration keeps to itself (enable-debug-command, enable-module-command).

import type { Context } from './context.ts';

const OPTION_OF = { debug: 'enable-debug-command', module: 'enable-module-command' } as const;

/** False: the command is not allowed to this client, and that has been replied. */
export function allowsAction({ server, client, reply }: Context, action: keyof typeof OPTION_OF): boolean {
  const option = OPTION_OF[action];
  const allowed = server.config.values[option];
  if (allowed === 'yes' || (allowed === 'local' && client.address.isLoopback)) return true;
  reply.error(
    `ERR ${action.toUpperCase()} command not allowed. If the ${option} option is set to "local", ` +
      'you can run it from a local connection, otherwise you need to set this option in the configuration file, ' +
      'and then restart the server.',
  );
  return false;
}
