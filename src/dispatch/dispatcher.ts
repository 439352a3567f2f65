// From a request to its handler: finds the command, passes the gates, runs it, and keeps the books.
// One command at a time; the clock is read between commands and stands still during one.

import { Context } from '../commands/context.ts';
import type { Command } from '../commands/define.ts';
import { SHOWN_BYTES, shown } from '../commands/errors.ts';
import { Registry } from '../commands/registry.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import type { RequestDecoder } from '../protocol/request-decoder.ts';
import { ScriptEngine } from '../scripting/engine.ts';
import type { Client } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import { CommandTimer } from './command-timer.ts';
import { isAnsweredByGate, locked } from './gates.ts';
import { LookAhead } from './look-ahead.ts';
import { noteSlowCommand, showToMonitors } from './observe.ts';
import { ScriptCommands } from './script-commands.ts';
import { Suspension } from './suspension.ts';

export class Dispatcher {
  readonly registry = new Registry();
  readonly #server: Server;
  readonly #reply: ReplyWriter;
  readonly #ctx: Context;
  readonly #timer: CommandTimer;
  readonly #lookAhead: LookAhead;
  /** The running command is timed by itself. */
  #isAlone = false;
  /** Errors replied and counted so far. */
  #notedErrors = 0;

  constructor(server: Server, reply: ReplyWriter) {
    this.#server = server;
    this.#reply = reply;
    this.#lookAhead = new LookAhead(server.seed);
    this.#timer = new CommandTimer(server.clock, server.measurements);
    this.#ctx = new Context(server, this.registry, reply, (request) => this.#runInside(request));
    const suspension = new Suspension(this.#ctx, () => this.#noteError());
    const scriptCommands = new ScriptCommands(this.#ctx);
    this.#ctx.scripts = new ScriptEngine(server, scriptCommands);
    this.#ctx.runPicked = (command) => scriptCommands.runPicked(command);
    this.#ctx.timeAlone = () => this.#timeAlone();
    this.#ctx.suspend = (step) => suspension.begin(step);
    this.#ctx.whenResumed = (next) => suspension.whenResumed(next);
  }

  /** A read event starts: time is read anew. */
  begin(): void {
    this.#timer.start();
    this.#lookAhead.reset();
  }

  /** The client's next requests are in this decoder's buffer: gets the memory they need closer. */
  prepare(client: Client, decoder: RequestDecoder): void {
    this.#lookAhead.look(decoder, this.#server.keyspace.databases[client.database]!);
  }

  /** This client has held the loop for its share of time: what else it has sent can wait until the others were looked at. */
  get isTurnOver(): boolean {
    return this.#timer.isTurnOver;
  }

  /** The event is over: what ran last is booked. */
  end(): void {
    if (this.#timer.isWaiting) this.#settle();
  }

  /** Runs one request of a client; the reply is written, not flushed. */
  dispatch(client: Client, request: Request): void {
    const ctx = this.#ctx;
    const reply = this.#reply;
    reply.resp = client.resp;
    if (client.replyMode !== 'on') this.#muteReplies(client, request);
    ctx.client = client;
    ctx.request = request;
    ctx.db = this.#server.keyspace.databases[client.database]!;
    this.#notedErrors = reply.errors;
    const command = this.registry.find(request);
    if (command === undefined) this.#refuseUnknown(client, request);
    else this.#pass(command);
    this.#noteError();
    if (client.replyMode !== 'on' || reply.isMuted) this.#unmuteReplies(client);
    if (client.isMidReply) return;
    if (client.outbox.length > 0) client.drainOutboxInto(reply);
  }

  /** CLIENT REPLY: runs a command without replies. Confirmations of subscriptions are messages, not replies. */
  #muteReplies(client: Client, request: Request): void {
    if (client.replyMode === 'skip') client.replyMode = 'skipping';
    if (!this.registry.find(request)?.name.endsWith('subscribe')) this.#reply.mute();
  }

  #unmuteReplies(client: Client): void {
    this.#reply.unmute();
    if (client.replyMode === 'skipping') client.replyMode = 'on';
  }

  #pass(command: Command): void {
    const ctx = this.#ctx;
    ctx.command = command;
    ctx.client.lastCommand = command.name;
    if (isAnsweredByGate(ctx)) return;
    this.#call(command);
  }

  #call(command: Command): void {
    const isBrief = command.isBrief && this.#ctx.request.adopted === undefined;
    if (!isBrief && this.#timer.isWaiting) this.#timer.settle();
    this.#isAlone = !isBrief;
    this.#execute(command);
    if (this.#timer.add(command, !this.#isAlone)) this.#settle();
  }

  #timeAlone(): void {
    if (this.#timer.isWaiting) this.#timer.settle();
    this.#isAlone = true;
  }

  /** Reads the time. If it was remarkably long, that is kept, with the words of the last command. */
  #settle(): void {
    const microseconds = this.#timer.settle();
    if (microseconds >= this.#server.measurements.remarkableMicroseconds)
      noteSlowCommand(this.#ctx, microseconds);
  }

  /** Runs a command's handler and counts it. */
  #execute(command: Command): void {
    const ctx = this.#ctx;
    const { stats, monitors } = this.#server;
    // A script is shown before the commands that it runs.
    const isShownFirst = monitors.size !== 0 && command.flags.has('skip_monitor');
    if (isShownFirst) showToMonitors(ctx);
    command.handler(ctx);
    command.calls++;
    ctx.client.commands++;
    if (this.#noteError()) command.failedCalls++;
    stats.commandsProcessed++;
    if (monitors.size !== 0 && !isShownFirst) showToMonitors(ctx);
  }

  /** Runs a request on behalf of a handler, which has passed the gates already but for those that time may change. */
  #runInside(request: Request): void {
    const ctx = this.#ctx;
    const outer = { request: ctx.request, command: ctx.command };
    const command = this.registry.find(request)!;
    ctx.request = request;
    ctx.command = command;
    ctx.db = this.#server.keyspace.databases[ctx.client.database]!;
    if (!locked(ctx)) this.#executeTimed(command);
    else this.#noteError();
    ctx.request = outer.request;
    ctx.command = outer.command;
  }

  /** As `#execute`, timed by itself. The keyspace's clock stands still until the outer command has ended. */
  #executeTimed(command: Command): void {
    const { clock, measurements } = this.#server;
    const startMs = clock.preciseMs();
    this.#execute(command);
    const microseconds = (clock.preciseMs() - startMs) * 1000;
    command.book(microseconds, 1, measurements.tracksLatency);
    if (microseconds >= measurements.remarkableMicroseconds) noteSlowCommand(this.#ctx, microseconds);
  }

  /** Counts the errors just replied, if there are any: once, so that EXEC has not failed with a command that it ran. */
  #noteError(): boolean {
    const { errors, uncounted } = this.#reply;
    if (errors === this.#notedErrors) return false;
    this.#notedErrors = errors;
    for (const text of uncounted) this.#server.stats.countError(text);
    uncounted.length = 0;
    return true;
  }

  #refuseUnknown(client: Client, request: Request): void {
    if (client.transaction !== undefined) client.transaction.hasErrors = true;
    // A web page can make a browser send us a form; its headers must not be followed by commands in its body.
    if (request.matches(0, 'POST') || request.matches(0, 'HOST:')) return client.outlet.destroy();
    let args = '';
    for (let i = 1; i < request.count && args.length < SHOWN_BYTES; i++)
      args += `'${shown(request.string(i)).slice(0, SHOWN_BYTES - args.length)}' `;
    this.#reply.error(`ERR unknown command '${shown(request.string(0))}', with args beginning with: ${args}`);
  }
}
