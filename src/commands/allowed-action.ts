// Who may use commands that the configuration keeps to itself (enable-debug-command, enable-module-command).

import type { Context } from './context.ts';

type Action = 'debug' | 'module';

/** False: the command is not allowed to this client, and that has been replied. */
export function allowsAction({ server, client, reply }: Context, action: Action): boolean {
  const option = `enable-${action}-command` as const;
  const allowed = server.config.values[option];
  if (allowed === 'yes' || (allowed === 'local' && client.address.isLoopback)) return true;
  reply.error(
    `ERR ${action.toUpperCase()} command not allowed. If the ${option} option is set to "local", ` +
      'you can run it from a local connection, otherwise you need to set this option in the configuration file, ' +
      'and then restart the server.',
  );
  return false;
}
