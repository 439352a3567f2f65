// The public API: run a Holdfast server inside your own process, for example in a test suite.
//
//   import { startServer } from 'holdfast';
//   const server = await startServer({ port: 0 });
//   …connect to server.port…
//   await server.close();

import type { ConfigValues } from './config/options.ts';
import type { TimeSource } from './keyspace/clock.ts';
import { type RunningServer, start } from './server/start.ts';

export type { Config } from './config/config.ts';
export type { ConfigValues } from './config/options.ts';
export type { TimeSource } from './keyspace/clock.ts';
export type { RunningServer } from './server/start.ts';

/** Any option of docs/configuration.md, and the two that only code can give. */
export type ServerOptions = Partial<ConfigValues> & {
  /** A clock of your own. Move it, then call `tick()`. */
  readonly time?: TimeSource;
  readonly log?: (line: string) => void;
  readonly sharesReads?: boolean;
};

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { time, log, sharesReads, ...config } = options;
  return start({ config, takesFreePort: true, time, log, sharesReads });
}
