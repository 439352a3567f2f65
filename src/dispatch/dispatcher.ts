// From a request to its handler: finds the command, passes the gates, runs it, and keeps the books.
// One command at a time; the clock is read between commands and stands still during one.

import { Context } from '../commands/context.ts';
import type { Command } from '../commands/define.ts';
import { Registry } from '../commands/registry.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import type { Client } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import { isAnsweredByGate, locked } from './gates.ts';

export class Dispatcher {
  readonly registry = new Registry();
  readonly #server: Server;
  readonly #reply: ReplyWriter;
  readonly #ctx: Context;
  /** When the last command ended: where the next one's time starts. */
  #markMs = 0;

  constructor(server: Server, reply: ReplyWriter) {
    this.#server = server;
    this.#reply = reply;
    this.#ctx = new Context(server, this.registry, reply, (request) => this.#runInside(request));
  }

  /** A read event starts: time is read anew. */
  begin(): void {
    this.#server.clock.refresh();
    this.#markMs = this.#server.clock.preciseMs();
  }

  /** Runs one request of a client; the reply is written, not flushed. */
  dispatch(client: Client, request: Request): void {
    const ctx = this.#ctx;
    const reply = this.#reply;
    reply.resp = client.resp;
    ctx.client = client;
    ctx.request = request;
    ctx.db = this.#server.keyspace.databases[client.database]!;
    const errorsBefore = reply.errors;
    const command = this.registry.find(request);
    client.commands++;
    if (command === undefined) this.#refuseUnknown(client, request);
    else this.#pass(command);
    if (reply.errors !== errorsBefore) this.#server.stats.countError(reply.lastError);
    if (client.outbox.length > 0) client.drainOutboxInto(reply);
  }

  #pass(command: Command): void {
    const ctx = this.#ctx;
    ctx.command = command;
    ctx.client.lastCommand = command.name;
    if (isAnsweredByGate(ctx)) return;
    this.#call(command);
  }

  #call(command: Command): void {
    const { clock, stats } = this.#server;
    const errorsBefore = this.#reply.errors;
    command.handler(this.#ctx);
    const endMs = clock.preciseMs();
    command.calls++;
    command.microseconds += (endMs - this.#markMs) * 1000;
    if (this.#reply.errors !== errorsBefore) command.failedCalls++;
    stats.commandsProcessed++;
    this.#markMs = endMs;
    clock.refreshTo(endMs);
  }

  /** Runs a request on behalf of a handler, which has passed the gates already but for those that time may change. */
  #runInside(request: Request): void {
    const ctx = this.#ctx;
    const outer = { request: ctx.request, command: ctx.command };
    const command = this.registry.find(request)!;
    ctx.request = request;
    ctx.command = command;
    ctx.db = this.#server.keyspace.databases[ctx.client.database]!;
    if (!locked(ctx)) {
      command.calls++;
      command.handler(ctx);
    }
    ctx.request = outer.request;
    ctx.command = outer.command;
  }

  #refuseUnknown(client: Client, request: Request): void {
    if (client.transaction !== undefined) client.transaction.hasErrors = true;
    let text = `ERR unknown command '${request.string(0).slice(0, 128)}', with args beginning with: `;
    for (let i = 1; i < request.count && text.length < 256; i++)
      text += `'${request.string(i).slice(0, 128)}' `;
    this.#reply.error(text);
  }
}
