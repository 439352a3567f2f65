// One connection: bytes in, requests run, replies out, limits kept.
//
// A read event is handled whole: every request in it is run, and the replies leave in one write. If a request may not run
// yet (CLIENT PAUSE, later blocking commands), the connection keeps it and the unread rest, stops reading, and goes on
// where it stopped when resumed. Nothing here blocks another connection.

import type { Socket } from 'node:net';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import { RequestDecoder } from '../protocol/request-decoder.ts';
import { Client, type ClientAddress, type Outlet } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import { type OnBytes, readByEvent, readShared } from './shared-read.ts';

/** What all connections of a server share. */
export interface ConnectionSetting {
  readonly server: Server;
  readonly dispatcher: Dispatcher;
  readonly reply: ReplyWriter;
  readonly request: Request;
  readonly sharesReads: boolean;
  /** Called after each read event, when replies and messages have left. */
  readonly turnEnded: () => void;
}

export class Connection implements Outlet {
  readonly client: Client;
  readonly #setting: ConnectionSetting;
  readonly #socket: Socket;
  readonly #decoder: RequestDecoder;
  #isPaused = false;
  #heldBytes = 0;
  #isGone = false;

  constructor(accepted: Socket, address: ClientAddress, setting: ConnectionSetting) {
    const { server } = setting;
    this.#setting = setting;
    this.#decoder = new RequestDecoder(server.decoderLimits);
    this.client = new Client(server.nextClientId(), this, address, server.clock.nowMs, server.isOpen);
    const read: OnBytes = (buffer, length) => this.#receive(buffer, length);
    accepted.setNoDelay(true);
    this.#socket = setting.sharesReads ? readShared(accepted, read) : readByEvent(accepted, read);
    this.#socket.on('error', () => this.destroy()); // reset by the peer: `close` follows
    this.#socket.once('close', () => this.#gone());
    this.#socket.once('end', () => this.#ended());
    server.addClient(this.client);
  }

  // --- Outlet

  write(bytes: Buffer): void {
    if (this.#isGone) return;
    this.client.networkOutBytes += bytes.length;
    this.#setting.server.stats.networkOutBytes += bytes.length;
    this.#setting.server.stats.writesProcessed++;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > 0) this.#checkOutputLimit();
  }

  end(): void {
    this.client.isClosing = true;
    this.#socket.end();
  }

  destroy(): void {
    this.client.isClosing = true;
    this.#socket.destroy();
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  get queryBufferBytes(): number {
    return this.#decoder.pendingBytes;
  }

  get queryBufferHeldBytes(): number {
    return this.#decoder.heldBytes;
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused || this.#isGone) return;
    this.#isPaused = false;
    this.#setting.dispatcher.begin();
    this.#runRequests();
    if (!this.#isPaused) this.#socket.resume();
  }

  // --- requests

  #receive(buffer: Buffer, length: number): void {
    const { server, dispatcher } = this.#setting;
    const { client } = this;
    if (client.isClosing) return;
    dispatcher.begin();
    client.lastActiveMs = server.clock.nowMs;
    client.networkInBytes += length;
    server.stats.networkInBytes += length;
    server.stats.readsProcessed++;
    this.#decoder.isUnauthenticated = !client.isAuthenticated;
    this.#decoder.begin(buffer, length);
    this.#runRequests();
  }

  #runRequests(): void {
    const { server, dispatcher, reply, request, turnEnded } = this.#setting;
    const { client } = this;
    const decoder = this.#decoder;
    reply.attach(this);
    while (!this.#isPaused && !client.isClosing && decoder.next(request)) {
      dispatcher.dispatch(client, request);
      decoder.isUnauthenticated = !client.isAuthenticated;
    }
    if (decoder.error !== undefined && !client.isClosing) this.#refuse(decoder.error);
    decoder.keep();
    if (decoder.error !== undefined && !client.isClosing) this.#refuse(decoder.error);
    reply.flush();
    if (decoder.heldBytes !== this.#heldBytes) this.#accountHeld(decoder.heldBytes);
    if (client.isClosing) this.#socket.end();
    server.flushOutboxes();
    turnEnded();
  }

  #accountHeld(bytes: number): void {
    this.#setting.server.clientBytes += bytes - this.#heldBytes;
    this.#heldBytes = bytes;
  }

  /** The stream is broken: say why and close. */
  #refuse(error: string): void {
    this.#setting.reply.resp = this.client.resp;
    this.#setting.reply.error(error);
    this.#setting.server.stats.countError(error);
    this.client.isClosing = true;
  }

  /** The client will send no more; it still gets what is under way. */
  #ended(): void {
    if (!this.#isPaused) this.end();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.client.isClosing = true;
    this.#accountHeld(0);
    this.#setting.server.removeClient(this.client);
  }

  /** Closes a client that lets more replies pile up than its class may. */
  #checkOutputLimit(): void {
    const { server } = this.#setting;
    const limits = server.config.values['client-output-buffer-limit'];
    const limit = this.client.isSubscribed || this.client.isMonitor ? limits.pubsub : limits.normal;
    const unsent = this.#socket.writableLength;
    const isOverHard = limit.hardLimitBytes > 0 && unsent > limit.hardLimitBytes;
    if (isOverHard || this.#isOverSoftTooLong(unsent, limit.softLimitBytes, limit.softLimitSeconds)) {
      server.stats.outputBufferLimitDisconnections++;
      this.destroy();
    }
  }

  #isOverSoftTooLong(unsent: number, limitBytes: number, limitSeconds: number): boolean {
    const { client } = this;
    const { nowMs } = this.#setting.server.clock;
    if (limitBytes === 0 || unsent <= limitBytes) {
      client.overSoftLimitSinceMs = 0;
      return false;
    }
    if (client.overSoftLimitSinceMs === 0) client.overSoftLimitSinceMs = nowMs;
    return nowMs - client.overSoftLimitSinceMs > limitSeconds * 1000;
  }
}
