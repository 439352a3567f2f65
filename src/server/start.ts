// Puts a server together and takes it down again: state, listener, ticker.

import { unlinkSync } from 'node:fs';
import { Config } from '../config/config.ts';
import type { ConfigValues } from '../config/options.ts';
import type { TimeSource } from '../keyspace/clock.ts';
import { Listener } from '../net/listener.ts';
import { Server } from '../state/server.ts';
import { Ticker } from './ticker.ts';

export interface StartOptions {
  readonly config?: Config | Partial<ConfigValues>;
  /** Where time comes from; the system's clocks if not given. */
  readonly time?: TimeSource;
  /** One line about something worth telling. Silent if not given. */
  readonly log?: (line: string) => void;
  /** False: do not share one read buffer between connections (what Node versions without that ability get). */
  readonly sharesReads?: boolean;
}

export interface RunningServer {
  /** TCP port, 0 when there is none. */
  readonly port: number;
  /** Addresses listened on: `127.0.0.1:6379`, paths of unix sockets. */
  readonly addresses: readonly string[];
  readonly state: Server;
  /** Does what time asks for by now. With a clock of one's own: call it after moving the clock. */
  tick(): void;
  /** Stops accepting, lets replies drain, closes all connections. */
  close(): Promise<void>;
  /** Resolves when a client asked to stop (SHUTDOWN). */
  readonly shutdownRequested: Promise<void>;
}

export async function start(options: StartOptions = {}): Promise<RunningServer> {
  const config = options.config instanceof Config ? options.config : new Config(options.config);
  const state = new Server(config, options.time);
  const ticker = new Ticker(state, (stepMs) =>
    options.log?.(`the system clock was set, by ${stepMs} ms; no lease was moved`),
  );
  const listener = new Listener(state, {
    turnEnded: () => ticker.arm(),
    ...(options.sharesReads === undefined ? {} : { sharesReads: options.sharesReads }),
  });
  const shutdownRequested = new Promise<void>((resolve) => {
    state.requestShutdown = resolve;
  });
  const addresses = await listenAll(listener, state);
  ticker.start();
  return {
    port: state.port,
    addresses,
    state,
    shutdownRequested,
    tick: () => ticker.tick(),
    close: () => close(state, listener, ticker),
  };
}

async function listenAll(listener: Listener, state: Server): Promise<string[]> {
  const { values } = state.config;
  const addresses: string[] = [];
  try {
    if (values.port !== 0 || values.unixsocket === '') {
      for (const bind of values.bind) await listenOne(listener, state, bind, addresses);
    }
    if (values.unixsocket !== '') {
      await listener.listenUnix(values.unixsocket, values.unixsocketperm);
      addresses.push(values.unixsocket);
    }
  } catch (error) {
    listener.stopAccepting();
    throw error;
  }
  return addresses;
}

/** An address that starts with `-` may be missing, as in Redis. With port 0, all addresses share the port the first one got. */
async function listenOne(
  listener: Listener,
  state: Server,
  bind: string,
  addresses: string[],
): Promise<void> {
  const isOptional = bind.startsWith('-');
  const name = isOptional ? bind.slice(1) : bind;
  const host = name === '*' ? '0.0.0.0' : name === '::*' ? '::' : name;
  try {
    const port = await listener.listen(host, state.port || state.config.values.port);
    state.port ||= port;
    addresses.push(`${host.includes(':') ? `[${host}]` : host}:${port}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!isOptional || code === 'EADDRINUSE') throw error;
  }
}

async function close(state: Server, listener: Listener, ticker: Ticker): Promise<void> {
  ticker.stop();
  const closed = listener.close();
  for (const client of [...state.clients.values()]) client.outlet.end();
  // A client that does not read its replies, or does not hang up, is not waited for longer than this.
  const impatience = setTimeout(() => {
    for (const client of [...state.clients.values()]) client.outlet.destroy();
  }, DRAIN_MS);
  await closed;
  clearTimeout(impatience);
  const { unixsocket } = state.config.values;
  if (unixsocket !== '') removeSocketFile(unixsocket);
}

const DRAIN_MS = 1000;

/** Node removes the file itself when it closes cleanly. */
function removeSocketFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
