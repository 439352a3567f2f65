// What scripts need of whoever runs commands.

import type { Request } from '../protocol/request.ts';
import type { LuaReply } from './lua-reply.ts';
import type { ScriptRun } from './script-run.ts';

export interface CommandRunner {
  /** Runs a command as part of a script; it answers into `reply`, in which also stands why it was refused. */
  run(request: Request, reply: LuaReply, run: ScriptRun): void;
  /** True if the request names a command that the user may run; undefined if there is no such command. */
  isAllowed(request: Request): boolean | undefined;
}
