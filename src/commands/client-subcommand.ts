// What the subcommands of CLIENT have in common.

import type { Context } from './context.ts';
import type { CommandSpec } from './define.ts';
import { SYNTAX_ERROR } from './errors.ts';

/** Of most of them; those that take arguments or concern other clients say so. */
export const ABOUT_CLIENTS = {
  group: 'connection',
  complexity: 'O(1)',
  arity: 2,
  flags: ['noscript', 'loading', 'stale'],
} as const satisfies Partial<CommandSpec>;

/** Argument 2 as ON or OFF. Undefined: an error was replied. */
export function readSwitch({ reply, request }: Context): boolean | undefined {
  if (request.matches(2, 'ON')) return true;
  if (request.matches(2, 'OFF')) return false;
  reply.error(SYNTAX_ERROR);
  return undefined;
}
