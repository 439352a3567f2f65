// Our server as the tests start it: the one place that knows its public entry.

import { existsSync } from 'node:fs';
import type { RunningServer } from './redis-server.ts';

/** Until the entry exists, the tests that need it are skipped and say so. */
export const oursAvailable = existsSync(new URL('../../src/index.ts', import.meta.url));

export interface OurServer extends RunningServer {
  readonly endpoint: { readonly port: number };
}

/** Starts it on a free port of the loopback interface. Options are directives by their name, and the clock. */
export async function startOurs(options: Readonly<Record<string, unknown>> = {}): Promise<OurServer> {
  const entry = new URL('../../src/index.ts', import.meta.url).href;
  const { startServer } = await import(entry);
  const server = await startServer({ port: 0, ...options });
  return { endpoint: { port: server.port }, stop: () => server.close() };
}
