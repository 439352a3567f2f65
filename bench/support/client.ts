// A RESP2 client for the questions a bench asks between measurements, and the reply parser shared with the
// load generators. Replies are latin1 strings, integers, nulls and arrays; an error reply rejects.

import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';

export type Reply = string | number | null | Reply[];

export type Endpoint = { port: number; host: string } | { path: string };

export interface ReplyParser {
  execute(chunk: Buffer): void;
}

interface ReplyEvents {
  returnReply(reply: Reply): void;
  returnError(error: Error): void;
  returnFatalError?(error: Error): void;
}

// redis-parser is CommonJS without type declarations.
const RedisParser = createRequire(import.meta.url)('redis-parser') as new (
  events: ReplyEvents,
) => ReplyParser;

export function createReplyParser(events: ReplyEvents): ReplyParser {
  return new RedisParser(events);
}

export function openSocket(endpoint: Endpoint): Socket {
  return connect({ ...endpoint, noDelay: true });
}

/** Opens a socket and waits until it is connected. */
export function connected(endpoint: Endpoint): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(endpoint);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

export function encodeRequest(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join('')}`;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

export class Client {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    const parser = createReplyParser({
      returnReply: (reply) => this.#waiting.shift()?.resolve(reply),
      returnError: (error) => this.#waiting.shift()?.reject(error),
    });
    socket.on('data', (chunk) => parser.execute(chunk));
    socket.on('error', (error) => this.#failAll(error));
    socket.on('close', () => this.#failAll(new Error('the server closed the connection')));
  }

  static async connect(endpoint: Endpoint): Promise<Client> {
    return new Client(await connected(endpoint));
  }

  command(...args: string[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(encodeRequest(args), 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #failAll(error: Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }
}
