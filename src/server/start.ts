// Puts a server together and takes it down again: state, listener, ticker.

import { Config } from '../config/config.ts';
import { ConfigError } from '../config/errors.ts';
import type { ConfigValues } from '../config/options.ts';
import type { TimeSource } from '../keyspace/clock.ts';
import { hostAndPort, Listener } from '../net/listener.ts';
import { warmUp } from '../scripting/warm-up.ts';
import { Server } from '../state/server.ts';
import { pathOf } from './log.ts';
import { Ticker } from './ticker.ts';

/** A client that does not read its replies is not waited for longer than this when the server closes. */
const DRAIN_MS = 1000;

export interface StartOptions {
  readonly config?: Config | Partial<ConfigValues>;
  /** Where time comes from; the system's clocks if not given. */
  readonly time?: TimeSource | undefined;
  /** One line about something worth telling. Silent if not given. */
  readonly log?: ((line: string) => void) | undefined;
  /** With port 0: take a free port, as test suites want it, and not no port at all, as Redis means it. */
  readonly takesFreePort?: boolean;
  /** False: do not share one read buffer between connections (what Node versions without that ability get). */
  readonly sharesReads?: boolean | undefined;
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
  if (options.log !== undefined) state.log = options.log;
  const ticker = new Ticker(state, (stepMs) =>
    options.log?.(`the system clock was set, by ${stepMs} ms; no lease was moved`),
  );
  const listener = new Listener(state, {
    turnEnded: () => ticker.arm(),
    acceptFailed: ({ message }) => options.log?.(`a connection could not be accepted: ${message}`),
    sharesReads: options.sharesReads,
  });
  const shutdownRequested = new Promise<void>((resolve) => {
    state.requestShutdown = resolve;
  });
  const addresses = await listenAll(listener, state, options.takesFreePort ?? false);
  ticker.start();
  const warmingUp = startWarmUp();
  return {
    port: state.port,
    addresses,
    state,
    shutdownRequested,
    tick: () => ticker.tick(),
    close: () => {
      warmingUp.stop();
      return close(state, listener, ticker);
    },
  };
}

/** Between requests, so that nobody waits for it. */
function startWarmUp(): { stop(): void } {
  const steps = warmUp();
  let next: NodeJS.Immediate;
  const step = (): void => {
    if (steps.next().done !== true) next = setImmediate(step).unref();
  };
  step();
  return { stop: () => clearImmediate(next) };
}

async function listenAll(listener: Listener, state: Server, takesFreePort: boolean): Promise<string[]> {
  const { values } = state.config;
  const unixPath = pathOf(values.unixsocket);
  const addresses: string[] = [];
  try {
    if (values.port !== 0 || takesFreePort) {
      for (const bind of values.bind) await listenOne(listener, state, bind, addresses);
    }
    if (unixPath !== '') {
      await listener.listenUnix(unixPath, values.unixsocketperm);
      addresses.push(unixPath);
    }
  } catch (error) {
    listener.stopAccepting();
    throw error;
  }
  if (addresses.length > 0) return addresses;
  throw new ConfigError('nothing to listen on: port is 0 (or bind is empty) and there is no unixsocket');
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
    addresses.push(hostAndPort(host, port));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!isOptional || code === 'EADDRINUSE') throw error;
  }
}

async function close(state: Server, listener: Listener, ticker: Ticker): Promise<void> {
  ticker.stop();
  const cutOff = (): void => {
    for (const client of [...state.clients.values()]) client.outlet.destroy();
  };
  const closed = listener.close();
  for (const client of [...state.clients.values()]) client.outlet.end();
  const impatience = setTimeout(cutOff, DRAIN_MS);
  await closed;
  clearTimeout(impatience);
  // Node says so when sockets are closed, and tells their connections a little later.
  cutOff();
  listener.abandon();
}
