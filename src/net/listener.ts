// Accepts connections on TCP addresses and a unix socket, and turns away those that may not come in.

import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { ReplyWriter } from '../protocol/reply-writer.ts';
import { Request } from '../protocol/request.ts';
import type { ClientAddress } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import { Connection, type ConnectionSetting } from './connection.ts';
import { Resumptions } from './resumptions.ts';
import { canShareReads } from './shared-read.ts';

const TOO_MANY_CLIENTS = '-ERR max number of clients reached\r\n';
const PROTECTED =
  '-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. ' +
  'In this mode connections are only accepted from the loopback interface. ' +
  'If you want to connect from external computers to Redis you may adopt one of the following solutions: ' +
  "1) Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback interface by connecting to Redis from the same host the server is running, however MAKE SURE Redis is not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change permanent. " +
  "2) Alternatively you can just disable the protected mode by editing the Redis configuration file, and setting the protected mode option to 'no', and then restarting the server. " +
  "3) If you started the server manually just for testing, restart it with the '--protected-mode no' option. " +
  '4) Set up an authentication password for the default user. ' +
  'NOTE: You only need to do one of the above things in order for the server to start accepting connections from the outside.\r\n';

export interface ListenerOptions {
  /** False: read by `data` events, as where sharing is not possible. */
  readonly sharesReads?: boolean | undefined;
  readonly turnEnded: () => void;
  /** A connection could not be accepted (no file descriptors left, for example). The others stay. */
  readonly acceptFailed: (error: Error) => void;
}

export class Listener {
  readonly #server: Server;
  readonly #setting: ConnectionSetting;
  readonly #netServers: NetServer[] = [];
  readonly #acceptFailed: (error: Error) => void;
  readonly dispatcher: Dispatcher;

  constructor(server: Server, options: ListenerOptions) {
    const reply = new ReplyWriter();
    this.#server = server;
    this.#acceptFailed = options.acceptFailed;
    this.dispatcher = new Dispatcher(server, reply);
    const resumptions = new Resumptions();
    server.later = (task) => resumptions.add(task);
    this.#setting = {
      server,
      dispatcher: this.dispatcher,
      reply,
      request: new Request(server.seed),
      sharesReads: options.sharesReads ?? canShareReads(),
      resumptions,
      turnEnded: options.turnEnded,
    };
  }

  /** Listens on an address; port 0 takes a free one. Returns the port. Fails if the address cannot be had. */
  async listen(host: string, port: number): Promise<number> {
    const netServer = this.#create((socket) => addressOf(socket));
    await listening(
      netServer,
      () =>
        netServer.listen({ host, port, backlog: this.#server.config.values['tcp-backlog'], ipv6Only: true }),
      this.#acceptFailed,
    );
    const address = netServer.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Listens on a unix socket. What a dead server left there is removed; a living one's socket, or another file, is not. */
  async listenUnix(path: string, mode: number): Promise<void> {
    if (isSocket(path) && !(await answers(path))) unlinkSync(path);
    const address: ClientAddress = { peer: `${path}:0`, local: `${path}:0`, isUnix: true, isLoopback: true };
    const netServer = this.#create(() => address);
    await listening(
      netServer,
      () => netServer.listen({ path, backlog: this.#server.config.values['tcp-backlog'] }),
      this.#acceptFailed,
    );
    if (mode !== 0) chmodSync(path, mode);
  }

  /** Stops accepting; connections stay. */
  async close(): Promise<void> {
    await Promise.all(this.#netServers.map((each) => new Promise((done) => each.close(done))));
  }

  /** All connections are closed: whatever was to go on does not. */
  abandon(): void {
    this.#setting.resumptions.stop();
  }

  /** Stops accepting at once, without waiting for connections to end. */
  stopAccepting(): void {
    for (const each of this.#netServers) each.close();
  }

  #create(locate: (socket: Socket) => ClientAddress): NetServer {
    const netServer = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
      this.#accept(socket, locate(socket)),
    );
    this.#netServers.push(netServer);
    return netServer;
  }

  #accept(socket: Socket, address: ClientAddress): void {
    const { values } = this.#server.config;
    this.#server.clock.refresh();
    if (this.#server.clients.size >= values.maxclients) return this.#turnAway(socket, TOO_MANY_CLIENTS);
    if (values['protected-mode'] && this.#server.isOpen && !address.isLoopback) {
      return this.#turnAway(socket, PROTECTED);
    }
    if (values['tcp-keepalive'] > 0) socket.setKeepAlive(true, values['tcp-keepalive'] * 1000);
    new Connection(socket, address, this.#setting);
  }

  #turnAway(socket: Socket, error: string): void {
    this.#server.stats.connectionsRejected++;
    socket.on('error', () => socket.destroy());
    socket.end(error, () => socket.destroy());
  }
}

function addressOf(socket: Socket): ClientAddress {
  const host = socket.remoteAddress ?? '?';
  return {
    peer: hostAndPort(host, socket.remotePort ?? 0),
    local: hostAndPort(socket.localAddress ?? '?', socket.localPort ?? 0),
    isUnix: false,
    isLoopback: host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.'),
  };
}

/** `127.0.0.1:6379`, `[::1]:6379` */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Resolves when it listens, fails if it cannot. What fails later goes to `failedLater`. */
function listening(
  netServer: NetServer,
  start: () => void,
  failedLater: (error: Error) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    netServer.once('error', reject);
    netServer.once('listening', () => {
      netServer.off('error', reject);
      netServer.on('error', failedLater);
      resolve();
    });
    start();
  });
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}

/** True if somebody accepts connections on this socket. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (isAnswered: boolean): void => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code !== 'ECONNREFUSED'));
  });
}
