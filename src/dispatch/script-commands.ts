// Commands that scripts run: which of them may, and their answers into the script.
//
// Source: Redis' `scriptCall`. Its error texts are those of scripts, not of clients.

import type { Context } from '../commands/context.ts';
import type { Command } from '../commands/define.ts';
import { OUT_OF_MEMORY } from '../commands/errors.ts';
import type { Request } from '../protocol/request.ts';
import type { CommandRunner } from '../scripting/command-runner.ts';
import { LuaReply } from '../scripting/lua-reply.ts';
import type { ScriptRun } from '../scripting/script-run.ts';
import { locked } from './gates.ts';
import { showToMonitors } from './observe.ts';

const UNKNOWN = 'ERR Unknown Redis command called from script';
const WRONG_ARITY = 'ERR Wrong number of args calling Redis command from script';
const NOT_ALLOWED = 'ERR This Redis command is not allowed from script';
const READ_ONLY = 'ERR Write commands are not allowed from read-only scripts.';

/** Of brief commands, one in so many is timed, and stands for the others: reading the clock costs as much as they do. */
const TIMED = 16;

const NO_RUN = { hasWritten: false };

export class ScriptCommands implements CommandRunner {
  readonly #ctx: Context;
  readonly #reply = new LuaReply();
  #untimed = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  run(request: Request, reply: LuaReply, run: ScriptRun): void {
    const ctx = this.#ctx;
    const { command: outerCommand, request: outerRequest, reply: outerReply, server } = ctx;
    ctx.request = request;
    ctx.reply = reply;
    const command = ctx.registry.findWhole(request);
    const refusal = command === undefined ? UNKNOWN : this.#refusal(command, request, run);
    if (refusal !== undefined) {
      reply.error(refusal);
      if (command !== undefined) command.rejectedCalls++;
    } else {
      ctx.command = command!;
      ctx.db = server.keyspace.databases[ctx.client.database]!;
      if (!locked(ctx)) this.#execute(command!, run);
    }
    if (reply.failure !== undefined) server.stats.countError(reply.failure);
    ctx.command = outerCommand;
    ctx.request = outerRequest;
    ctx.reply = outerReply;
  }

  /** Runs a command of the request that the engine has picked, which nothing speaks against. */
  runPicked(command: Command): LuaReply {
    const ctx = this.#ctx;
    const { command: outerCommand, request: outerRequest, reply: outerReply } = ctx;
    const reply = this.#reply;
    reply.begin();
    ctx.command = command;
    ctx.request = ctx.scripts.picked;
    ctx.reply = reply;
    if (!locked(ctx)) this.#execute(command, NO_RUN);
    if (reply.failure !== undefined) ctx.server.stats.countError(reply.failure);
    ctx.command = outerCommand;
    ctx.request = outerRequest;
    ctx.reply = outerReply;
    return reply;
  }

  isAllowed(request: Request): boolean | undefined {
    return this.#ctx.registry.findWhole(request) === undefined ? undefined : true;
  }

  #refusal(command: Command, request: Request, run: ScriptRun): string | undefined {
    if (!command.accepts(request.count)) return WRONG_ARITY;
    if (command.flags.has('noscript')) return NOT_ALLOWED;
    if (!command.isWriter && !command.isDenyOom) return undefined;
    const { isReadOnly, isShortOfMemory } = run.permissions;
    if (isReadOnly && command.isWriter) return READ_ONLY;
    return isShortOfMemory && command.isDenyOom && !run.hasWritten ? OUT_OF_MEMORY : undefined;
  }

  #execute(command: Command, run: { hasWritten: boolean }): void {
    const ctx = this.#ctx;
    const { clock, measurements, monitors, stats } = ctx.server;
    if (command.isWrite) run.hasWritten = true;
    if (monitors.size !== 0) showToMonitors(ctx);
    if (command.isBrief && ++this.#untimed < TIMED) {
      command.handler(ctx);
    } else {
      const startMs = clock.preciseMs();
      command.handler(ctx);
      const microseconds = (clock.preciseMs() - startMs) * 1000;
      command.book(microseconds, command.isBrief ? TIMED : 1, measurements.tracksLatency);
      if (command.isBrief) this.#untimed = 0;
    }
    command.calls++;
    stats.commandsProcessed++;
    if ((ctx.reply as LuaReply).failure !== undefined) command.failedCalls++;
  }
}
