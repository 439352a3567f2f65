// A server without a network, for tests of commands: requests go straight to the dispatcher, replies come back as bytes,
// and time stands still until the test moves it.

import { Config } from '../../src/config/config.ts';
import type { ConfigValues } from '../../src/config/options.ts';
import { Dispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Database } from '../../src/keyspace/database.ts';
import type { RespVersion } from '../../src/protocol/reply.ts';
import { ReplyWriter } from '../../src/protocol/reply-writer.ts';
import { Request } from '../../src/protocol/request.ts';
import { Client, type Outlet } from '../../src/state/client.ts';
import { Server } from '../../src/state/server.ts';

/** 2023-11-14, 22:13:20 UTC. */
const START_EPOCH_MS = 1_700_000_000_000;

const NOWHERE: Outlet = {
  write() {},
  end() {},
  destroy() {},
  unsentBytes: 0,
  queryBufferBytes: 0,
  queryBufferHeldBytes: 0,
  pause() {},
  resume() {},
  isPaused: false,
  closeIfOverOutputLimit() {},
  descriptor: -1,
};

export class InProcessServer {
  readonly state: Server;
  readonly client: Client;
  readonly #dispatcher: Dispatcher;
  readonly #reply = new ReplyWriter();
  readonly #request: Request;
  #replies = '';
  #nowMs = 0;

  constructor(config: Partial<ConfigValues> = {}, resp: RespVersion = 2) {
    this.state = new Server(new Config(config), {
      monotonicMs: () => this.#nowMs,
      epochMs: () => START_EPOCH_MS + this.#nowMs,
    });
    const address = { peer: 'test:0', local: 'test:0', isUnix: true, isLoopback: true };
    this.client = new Client(this.state.nextClientId(), NOWHERE, address, this.state.clock.nowMs, true);
    this.client.resp = resp;
    this.#dispatcher = new Dispatcher(this.state, this.#reply);
    this.#request = new Request(this.state.seed);
    this.#reply.attach({ write: (bytes) => (this.#replies += bytes.toString('latin1')) });
  }

  /** Database 0. */
  get db(): Database {
    return this.state.keyspace.databases[0]!;
  }

  /** Runs a command, given as words without quoting, and returns its reply's bytes (latin1). */
  run(line: string): string {
    return this.call(...line.split(' '));
  }

  /** Runs a command given as latin1 strings. */
  call(...words: readonly string[]): string {
    this.#replies = '';
    this.#dispatcher.begin();
    this.#dispatcher.dispatch(this.client, this.#request.fill(words));
    this.#dispatcher.end();
    this.#reply.flush();
    return this.#replies;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}
