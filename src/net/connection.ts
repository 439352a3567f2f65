// One connection: bytes in, requests run, replies out, limits kept.
//
// A read event is handled whole: every request in it is run, and the replies leave in one write. One that takes longer than
// a turn is left where it is and gone on with when the other connections have had theirs. If requests may not run for a
// while (CLIENT PAUSE, blocking commands), the connection keeps what comes, a little at least, so that it still sees its
// client go, and continues where it stopped when resumed. Nothing here blocks another connection.
//
// A client that hangs up while it is made to wait is gone, and what it asked for last is not run: nobody waits for it.
// One that only sends no more (`printf … | nc -N`) gets all its replies first.

import type { Socket } from 'node:net';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import { RequestDecoder } from '../protocol/request-decoder.ts';
import { Client, type ClientAddress, type Outlet } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import { isOverOutputLimit } from './client-limits.ts';
import type { Resumable, Resumptions } from './resumptions.ts';
import { descriptorOf, type OnBytes, readByEvent, readShared } from './shared-read.ts';

/** What all connections of a server share. */
export interface ConnectionSetting {
  readonly server: Server;
  readonly dispatcher: Dispatcher;
  readonly reply: ReplyWriter;
  readonly request: Request;
  readonly sharesReads: boolean;
  readonly resumptions: Resumptions;
  /** Called after each read event, when replies and messages have left. */
  readonly turnEnded: () => void;
}

/** A client that waits may send so much ahead; then its socket is read no more until it is resumed. */
const READ_AHEAD_BYTES = 64 * 1024;

const NOTHING = Buffer.alloc(0);

export class Connection implements Outlet, Resumable {
  readonly client: Client;
  readonly #setting: ConnectionSetting;
  readonly #socket: Socket;
  readonly #decoder: RequestDecoder;
  isPaused = false;
  #isReading = true;
  /** Its turn is over though requests are left: it goes on after the others, and reads no more until then. */
  #isYielding = false;
  /** It closes once what has come is answered, over as many turns as it takes: nothing more is wanted, or will come. */
  #endsWhenAnswered = false;
  /** The request that was stopped by a pause: the first to run when resumed. */
  #postponed: Request | undefined = undefined;
  /** What `server.clientBytes` counts for this connection. */
  #countedBytes = 0;
  #awaitsOutput = false;
  #isGone = false;

  constructor(accepted: Socket, address: ClientAddress, setting: ConnectionSetting) {
    const { server } = setting;
    this.#setting = setting;
    this.#decoder = new RequestDecoder(server.decoderLimits);
    this.client = new Client(server.nextClientId(), this, address, server.clock.nowMs, server.isOpen);
    const read: OnBytes = (buffer, length) => this.#receive(buffer, length);
    accepted.setNoDelay(true);
    this.#socket = setting.sharesReads ? readShared(accepted, read) : readByEvent(accepted, read);
    this.#socket.on('error', () => this.destroy()); // reset by the peer
    this.#socket.once('close', () => this.#gone());
    this.#socket.once('end', () => this.#peerEnded());
    server.addClient(this.client);
  }

  // --- Outlet

  get isIdle(): boolean {
    return this.#socket.writableLength === 0;
  }

  write(bytes: Buffer): void {
    if (this.#isGone) return;
    const { server } = this.#setting;
    this.client.networkOutBytes += bytes.length;
    server.stats.networkOutBytes += bytes.length;
    server.stats.writesProcessed++;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > 0) this.#watchOutput();
  }

  end(): void {
    if (this.#isYielding && !this.client.isClosing) {
      this.#endsWhenAnswered = true; // only its turn is over
      return;
    }
    this.client.isClosing = true;
    if (this.#isGone || this.#socket.writableEnded) return;
    // Only half of it is closed by `end`: a peer that never closes the other half would keep it for ever.
    this.#socket.end(() => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
    this.#gone();
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

  get descriptor(): number {
    return descriptorOf(this.#socket);
  }

  closeIfOverOutputLimit(): void {
    const { server } = this.#setting;
    if (!isOverOutputLimit(this.client, server)) return;
    server.stats.outputBufferLimitDisconnections++;
    this.destroy();
  }

  pause(request?: Request): void {
    this.isPaused = true;
    this.#postponed = request?.copy();
  }

  resume(): void {
    // Not at once: another client's command may be running.
    if (this.isPaused) this.#setting.resumptions.add(this);
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

  /** The wait is over: runs what was postponed, then what has come since. */
  continue(): void {
    const { dispatcher, reply } = this.#setting;
    const request = this.#postponed;
    this.#postponed = undefined;
    this.isPaused = false;
    this.#isYielding = false;
    dispatcher.begin();
    reply.attach(this);
    if (request !== undefined) dispatcher.dispatch(this.client, request);
    this.#runRequests();
  }

  #runRequests(): void {
    const { server, dispatcher, reply, request, resumptions, turnEnded } = this.#setting;
    const { client } = this;
    const decoder = this.#decoder;
    reply.attach(this);
    for (;;) {
      dispatcher.prepare(client, decoder);
      if (this.isPaused || this.#isYielding || client.isClosing || !decoder.next(request)) break;
      dispatcher.dispatch(client, request);
      decoder.isUnauthenticated = !client.isAuthenticated;
      this.#isYielding = dispatcher.isTurnOver && !this.isPaused && decoder.unreadBytes > 0;
    }
    if (this.#isYielding) resumptions.add(this);
    dispatcher.end();
    decoder.keep();
    if (decoder.error !== undefined && !client.isClosing) this.#refuse(decoder.error);
    reply.flush();
    if (decoder.isOverLimit) this.#closeOverQueryLimit();
    if (client.isClosing || (this.#endsWhenAnswered && !this.#isYielding)) this.end();
    if (decoder.heldBytes > 0 || this.#countedBytes > 0 || this.isPaused) this.#countBytes();
    if (this.isPaused || this.#isYielding || !this.#isReading) this.#chooseReading();
    server.flushOutboxes();
    turnEnded();
  }

  /** Stops reading when a waiting client has sent enough ahead, or one has had its turn; starts again when it waits no more. */
  #chooseReading(): void {
    const hasRoom = !this.isPaused || this.#decoder.pendingBytes < READ_AHEAD_BYTES;
    this.#isReading = hasRoom && !this.#isYielding;
    if (this.#isReading) this.#socket.resume();
    else this.#socket.pause();
  }

  /** The stream is broken: say why and close. */
  #refuse(error: string): void {
    const { reply, server } = this.#setting;
    reply.resp = this.client.resp;
    if (this.client.replyMode === 'on') reply.error(error);
    server.stats.countError(error);
    this.client.isClosing = true;
  }

  #closeOverQueryLimit(): void {
    this.#setting.server.stats.queryBufferLimitDisconnections++;
    this.destroy();
  }

  /**
   * Not all of the output has left: it counts until it has. A write of nothing behind it tells when; a callback with every
   * write would cost every reply.
   */
  #watchOutput(): void {
    this.#countBytes();
    this.closeIfOverOutputLimit();
    // Behind the end there can be no further write.
    if (this.#awaitsOutput || this.#isGone || this.#socket.writableEnded) return;
    this.#awaitsOutput = true;
    this.#socket.write(NOTHING, () => {
      this.#awaitsOutput = false;
      if (this.#socket.writableLength > 0) this.#watchOutput();
      else this.#countBytes();
    });
  }

  #countBytes(): void {
    if (this.#isGone) return;
    const postponed = this.#postponed?.byteLength ?? 0;
    const bytes = this.#decoder.heldBytes + this.#socket.writableLength + postponed;
    this.#setting.server.clientBytes += bytes - this.#countedBytes;
    this.#countedBytes = bytes;
  }

  /** Nothing more will come. What has come is answered first, over as many turns as it takes. */
  #peerEnded(): void {
    this.#endsWhenAnswered = true;
    if (this.isPaused) this.destroy();
    else if (!this.#isYielding) this.end();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.client.isClosing = true;
    this.#postponed = undefined;
    this.#setting.resumptions.delete(this);
    this.#setting.server.clientBytes -= this.#countedBytes;
    this.#setting.server.removeClient(this.client);
  }
}
