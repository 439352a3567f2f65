// A RESP client for tests: sends exactly the bytes it is told to, and hands back each reply as raw bytes.
//
// Replies and pushes come in the order the server wrote them, none is dropped or told apart: what a test does not
// read stays in `unread`. Every wait has a limit, so that a missing reply fails one test instead of hanging all.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { frameOf, parseFrame, toValue, type Value } from './resp-frame.ts';

export type Endpoint = { readonly port: number; readonly host?: string } | { readonly path: string };
export type Argument = string | Buffer;

/** What `next` returns once the server has closed the connection and all its replies are read. */
export const CLOSED = '(closed)';

const REPLY_LIMIT_MS = 20_000;

export class RespClient {
  readonly socket: Socket;
  /** Complete replies that nobody has read yet, as latin1. */
  readonly unread: string[] = [];
  #pending: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Fewer bytes than this cannot complete the pending reply, so there is no point in parsing it again. */
  #worthParsing = 1;
  #closed = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // A reset is one more way for a server to close; what matters to a test is what was replied before.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
  }

  static async connect(endpoint: Endpoint): Promise<RespClient> {
    const socket = connect(endpoint);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return new RespClient(socket);
  }

  /** Sends one command and waits for no reply. Strings are latin1. */
  send(...args: Argument[]): void {
    this.write(encodeRequest(args));
  }

  /** Sends bytes as they are, for pipelines, inline commands and broken frames. */
  write(bytes: Argument): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** The next reply or push as raw bytes (latin1), or `CLOSED`. */
  async next(limitMs = REPLY_LIMIT_MS): Promise<string> {
    if (this.unread.length === 0 && !this.#closed && this.#failure === undefined)
      await this.#arrival(limitMs);
    const raw = this.unread.shift();
    if (raw !== undefined) return raw;
    if (this.#failure !== undefined) throw this.#failure;
    return CLOSED;
  }

  /** Sends one command and returns its reply's raw bytes. */
  async raw(...args: Argument[]): Promise<string> {
    this.send(...args);
    return this.next();
  }

  /** Sends one command and returns its reply as a JS value. */
  async call(...args: Argument[]): Promise<Value> {
    return toValue(frameOf(await this.raw(...args)));
  }

  /** The next reply or push as a JS value. */
  async nextValue(): Promise<Value> {
    return toValue(frameOf(await this.next()));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#worthParsing || this.#failure !== undefined) return;
    this.#pending = Buffer.concat([this.#pending, ...this.#chunks]);
    this.#chunks = [];
    try {
      this.#split();
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#wake?.();
  }

  #split(): void {
    let at = 0;
    let wanted = 1;
    while (at < this.#pending.length) {
      const parsed = parseFrame(this.#pending, at);
      if (typeof parsed === 'number') {
        wanted = parsed - at;
        break;
      }
      this.unread.push(this.#pending.toString('latin1', at, parsed.end));
      at = parsed.end;
    }
    this.#pending = this.#pending.subarray(at);
    this.#bytes = this.#pending.length;
    this.#worthParsing = wanted;
  }

  async #arrival(limitMs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#wake = undefined;
        reject(new Error(`no reply within ${limitMs} ms`));
      }, limitMs);
      this.#wake = () => {
        if (this.unread.length === 0 && !this.#closed && this.#failure === undefined) return;
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

/** A command as the array of bulk strings that clients send. */
export function encodeRequest(args: readonly Argument[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = typeof arg === 'string' ? Buffer.from(arg, 'latin1') : arg;
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}
