// The load generator: one request on consecutive keys, again and again, over one or many pipelined connections.
// It keeps a fixed number of requests in flight, or sends at a fixed rate, and fails at the first error reply.
// It remembers when how many requests had been acknowledged, so that a pause can be tied to a key count.

import type { Socket } from 'node:net';
import { connected, createReplyParser, type Endpoint } from './client.ts';
import { MAX_BATCH, RequestTemplate } from './request-template.ts';
import { nowMs } from './statistics.ts';
import { defineTask } from './task.ts';

const PACE_MS = 2;
const PROGRESS_POINTS = 2_000;

export interface LoadSpec {
  endpoint: Endpoint;
  /** The request; KEY and DEADLINE in it are replaced for each one. */
  args: readonly string[];
  /** Keys 0 to keyCount - 1, in order, again and again. */
  keyCount: number;
  /** Infinity: until told to stop. */
  requests: number;
  connections: number;
  inFlightPerConnection: number;
  /** Null: as fast as replies come. */
  requestsPerSecond: number | null;
  /** DEADLINE goes from `fromEpochMs` evenly over `spreadMs`. */
  deadlines: { fromEpochMs: number; spreadMs: number } | null;
}

/** Pairs of a time (as nowMs) and the number of requests acknowledged by then. */
export interface Progress {
  atMs: Float64Array;
  acknowledged: Float64Array;
}

export interface LoadResult {
  acknowledged: number;
  /** Replies that said no: 0 or nil. */
  refused: number;
  startedAtMs: number;
  elapsedMs: number;
  progress: Progress;
}

interface Connection {
  socket: Socket;
  inFlight: number;
}

class LoadGenerator {
  readonly #spec: LoadSpec;
  readonly #template: RequestTemplate;
  readonly #batch: number;
  readonly #progressEvery: number;
  readonly #connections: Connection[] = [];
  readonly #atMs: number[] = [];
  readonly #counts: number[] = [];
  readonly done: Promise<void>;
  #finish = () => {};
  #fail = (_error: Error) => {};
  #startedAtMs = 0;
  #sent = 0;
  #acknowledged = 0;
  #refused = 0;
  #stopped = false;

  constructor(spec: LoadSpec) {
    this.#spec = spec;
    this.#template = new RequestTemplate(spec.args);
    // An eighth of the window at a time: few large writes, and the pipeline never runs dry.
    this.#batch = Math.max(1, Math.min(MAX_BATCH, spec.inFlightPerConnection >> 3));
    this.#progressEvery = Math.max(1, Math.floor(Math.min(spec.requests, 1e7) / PROGRESS_POINTS));
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  async connect(): Promise<void> {
    for (let i = 0; i < this.#spec.connections; i++) {
      const connection = { socket: await connected(this.#spec.endpoint), inFlight: 0 };
      const parser = createReplyParser({
        returnReply: (reply) => {
          if (reply === 0 || reply === null) this.#refused++;
          this.#acknowledge(connection);
        },
        returnError: (error) => this.#fail(error),
      });
      connection.socket.on('data', (chunk) => {
        parser.execute(chunk);
        if (this.#isComplete()) this.#finish();
        else if (this.#spec.requestsPerSecond === null) this.#send(connection, Infinity);
      });
      connection.socket.on('error', (error) => this.#fail(error));
      connection.socket.on('close', () => this.#fail(new Error('the server closed the connection')));
      this.#connections.push(connection);
    }
  }

  async run(stop: AbortSignal): Promise<LoadResult> {
    this.#startedAtMs = nowMs();
    const { requestsPerSecond } = this.#spec;
    const pacer =
      requestsPerSecond === null ? undefined : setInterval(() => this.#pace(requestsPerSecond), PACE_MS);
    for (const connection of this.#connections)
      this.#send(connection, requestsPerSecond === null ? Infinity : 0);
    const halt = () => {
      this.#stopped = true;
      if (this.#isComplete()) this.#finish();
    };
    if (stop.aborted) halt();
    else stop.addEventListener('abort', halt);
    await this.done;
    clearInterval(pacer);
    for (const { socket } of this.#connections) socket.removeAllListeners('close').destroy();
    return {
      acknowledged: this.#acknowledged,
      refused: this.#refused,
      startedAtMs: this.#startedAtMs,
      elapsedMs: nowMs() - this.#startedAtMs,
      progress: { atMs: Float64Array.from(this.#atMs), acknowledged: Float64Array.from(this.#counts) },
    };
  }

  #acknowledge(connection: Connection): void {
    connection.inFlight--;
    if (++this.#acknowledged % this.#progressEvery === 0) {
      this.#atMs.push(nowMs());
      this.#counts.push(this.#acknowledged);
    }
  }

  #isComplete(): boolean {
    return this.#acknowledged === (this.#stopped ? this.#sent : this.#spec.requests);
  }

  /** Sends what is due by now, in equal shares on all connections. */
  #pace(requestsPerSecond: number): void {
    const due = Math.floor(((nowMs() - this.#startedAtMs) * requestsPerSecond) / 1000) - this.#sent;
    const share = Math.ceil(due / this.#connections.length);
    const end = this.#sent + due;
    for (const connection of this.#connections) this.#send(connection, Math.min(share, end - this.#sent));
  }

  #send(connection: Connection, limit: number): void {
    const { inFlightPerConnection, keyCount, requests, requestsPerSecond } = this.#spec;
    // Unpaced, wait until a whole batch fits; paced, what is due goes out now.
    const least = requestsPerSecond === null ? this.#batch : 1;
    let allowed = limit;
    while (!this.#stopped && allowed > 0 && this.#sent < requests) {
      const room = inFlightPerConnection - connection.inFlight;
      if (room < least) return;
      const key = this.#sent % keyCount;
      const count = Math.min(this.#batch, room, allowed, requests - this.#sent, keyCount - key);
      connection.socket.write(this.#template.encode(key, count, this.#deadlineMs()));
      connection.inFlight += count;
      this.#sent += count;
      allowed -= count;
    }
  }

  #deadlineMs(): number {
    const { deadlines, requests } = this.#spec;
    return deadlines === null
      ? 0
      : deadlines.fromEpochMs + Math.floor((deadlines.spreadMs * this.#sent) / requests);
  }
}

defineTask<LoadSpec, LoadResult>(async (spec, { ready, stop }) => {
  const generator = new LoadGenerator(spec);
  await generator.connect();
  ready();
  return generator.run(stop);
});
