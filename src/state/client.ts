// One client as the server knows it: who it is, what it is in the middle of, and its way out.
// Knows nothing of sockets: bytes leave through an `Outlet`.

import type { RespVersion } from '../protocol/reply.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import type { Transaction } from './transaction.ts';
import type { WatchedKey } from './watches.ts';

/** What the network gives a client. */
export interface Outlet {
  /** Queues bytes. They are the receiver's to keep. */
  write(bytes: Buffer): void;
  /** Closes once everything written has gone out. */
  end(): void;
  /** Closes at once; what was not sent is lost. */
  destroy(): void;
  /** Bytes written and not yet taken by the system. */
  readonly unsentBytes: number;
  /** Bytes of requests that have come and were not run yet, and memory held for them. */
  readonly queryBufferBytes: number;
  readonly queryBufferHeldBytes: number;
  /** Closes the client if more waits unsent than its class may leave. */
  closeIfOverOutputLimit(): void;
  /** The socket's file descriptor; -1 if there is none to tell. */
  readonly descriptor: number;
  /**
   * Runs no more of this client's requests until `resume`: a blocking command waits for its reply, or CLIENT PAUSE made
   * `postponed` wait, which is kept and is then the first to run, through all gates again.
   */
  pause(postponed?: Request): void;
  /** Goes on, soon but not at once: it may be called in the middle of another client's command. */
  resume(): void;
  readonly isPaused: boolean;
}

/** Where a client comes from and what it reached. */
export interface ClientAddress {
  /** `127.0.0.1:50123`, or `path:0` for a unix socket. */
  readonly peer: string;
  readonly local: string;
  readonly isUnix: boolean;
  readonly isLoopback: boolean;
}

/** CLIENT REPLY: what happens to replies. `skip` holds for the next command, `skipping` for the running one. */
export type ReplyMode = 'on' | 'off' | 'skip' | 'skipping';

export class Client {
  readonly id: number;
  readonly outlet: Outlet;
  readonly address: ClientAddress;
  readonly createdMs: number;
  lastActiveMs: number;
  name = '';
  libraryName = '';
  libraryVersion = '';
  resp: RespVersion = 2;
  database = 0;
  isAuthenticated: boolean;
  replyMode: ReplyMode = 'on';
  isNoEvict = false;
  isNoTouch = false;
  isMonitor = false;
  /** Between MULTI and the end of EXEC: a command that finds it set is one of those that EXEC runs. */
  transaction: Transaction | undefined = undefined;
  /** A watched key has changed: EXEC answers nil. */
  isDirty = false;
  readonly watched = new Set<WatchedKey>();
  readonly channels = new Set<string>();
  readonly patterns = new Set<string>();
  readonly shardChannels = new Set<string>();
  /** True with any of these. A field, since it is asked at every command. */
  isSubscribed = false;
  /** Full name of the last command, for CLIENT LIST. */
  lastCommand = '';
  commands = 0;
  networkInBytes = 0;
  networkOutBytes = 0;
  /** Messages that wait for the end of the turn. */
  outbox: Buffer[] = [];
  outboxBytes = 0;
  /** A reply has begun and not ended: no message may come between. */
  isMidReply = false;
  /** No more requests are run; the connection closes when replies have gone out. */
  isClosing = false;
  /** Since when more than the soft limit waits unsent; 0 if it does not. */
  overSoftLimitSinceMs = 0;

  constructor(id: number, outlet: Outlet, address: ClientAddress, nowMs: number, isAuthenticated: boolean) {
    this.id = id;
    this.outlet = outlet;
    this.address = address;
    this.createdMs = nowMs;
    this.lastActiveMs = nowMs;
    this.isAuthenticated = isAuthenticated;
  }

  /** Channels and patterns together, without shard channels. */
  get subscriptionCount(): number {
    return this.channels.size + this.patterns.size;
  }

  /** Back to how a new connection starts (RESET), but for its id, and for what the server ends: transaction and subscriptions. */
  reset(isAuthenticated: boolean): void {
    this.name = '';
    this.resp = 2;
    this.database = 0;
    this.isAuthenticated = isAuthenticated;
    this.replyMode = 'on';
    this.isNoEvict = false;
    this.isNoTouch = false;
    this.isMonitor = false;
  }

  /** Sends whatever waits in the outbox, unless the connection is closing by now. */
  flushOutbox(): void {
    if (this.outbox.length === 0 || this.isMidReply) return;
    const bytes = this.outbox.length === 1 ? this.outbox[0]! : Buffer.concat(this.outbox);
    this.emptyOutbox();
    if (!this.isClosing) this.outlet.write(bytes);
  }

  /** Gives up what waits in the outbox. */
  emptyOutbox(): void {
    this.outbox = [];
    this.outboxBytes = 0;
  }

  /** Moves the outbox behind the replies of the command that is being answered. */
  drainOutboxInto(reply: ReplyWriter): void {
    for (const message of this.outbox) reply.encoded(message);
    this.emptyOutbox();
  }
}
