// A command that takes too long to hold the loop: its handler is gone on with in slices, while its client waits and
// everybody else is told BUSY. There is one at a time, for there is one script at a time.
//
// Guarantees: the keyspace's time stands still meanwhile; its reply is complete before anything else goes to the client;
// a client that hangs up is no reason to stop.

import type { Context } from '../commands/context.ts';
import type { Command } from '../commands/define.ts';
import type { Request } from '../protocol/request.ts';
import type { Client } from '../state/client.ts';

interface Suspended {
  readonly client: Client;
  readonly command: Command;
  readonly request: Request;
  readonly step: () => boolean;
  readonly startedMs: number;
  /** Its reply is not wanted (CLIENT REPLY). */
  readonly isMuted: boolean;
  /** What goes on when it has answered: the rest of a transaction. */
  next: () => void;
}

export class Suspension {
  readonly #ctx: Context;
  readonly #noteError: () => void;
  #suspended: Suspended | undefined = undefined;

  constructor(ctx: Context, noteError: () => void) {
    this.#ctx = ctx;
    this.#noteError = noteError;
  }

  begin(step: () => boolean): void {
    const { client, clientReply, command, request, server } = this.#ctx;
    const startedMs = server.clock.preciseMs();
    this.#suspended = {
      client,
      command,
      request: request.copy(),
      step,
      startedMs,
      isMuted: clientReply.isMuted,
      next: () => {},
    };
    client.isMidReply = true;
    server.isBusy = true;
    server.clock.isStopped = true;
    client.outlet.pause();
    server.later(this);
  }

  whenResumed(next: () => void): boolean {
    if (this.#suspended === undefined) return false;
    this.#suspended.next = next;
    return true;
  }

  /** One slice. */
  continue(): void {
    const suspended = this.#suspended!;
    const { client, command, request } = suspended;
    const ctx = this.#ctx;
    const { clientReply, server } = ctx;
    clientReply.attach(client.outlet);
    clientReply.resp = client.resp;
    if (suspended.isMuted) clientReply.mute();
    ctx.client = client;
    ctx.command = command;
    ctx.request = request;
    ctx.db = server.keyspace.databases[client.database]!;
    if (suspended.step()) this.#finish(suspended);
    else server.later(this);
    clientReply.unmute();
    clientReply.flush();
    server.flushOutboxes();
  }

  #finish({ client, next }: Suspended): void {
    const { clientReply, server } = this.#ctx;
    this.#suspended = undefined;
    server.isBusy = false;
    server.clock.isStopped = false;
    this.#noteError();
    next();
    if (this.#suspended !== undefined) return; // what came next is suspended too
    this.#noteError();
    client.isMidReply = false;
    if (!clientReply.isMuted) client.drainOutboxInto(clientReply);
    client.outlet.resume();
  }
}
