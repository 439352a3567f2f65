#!/usr/bin/env node
// The command: reads options, starts the server, says so in one line, and stops on a signal.

import { loadConfig } from './config/command-line.ts';
import { start } from './server/start.ts';

const config = loadConfig(process.argv.slice(2), process.env);
const running = await start({ config, log: (line) => console.error(line) });
console.log(`holdfast is ready on ${running.addresses.join(', ')}`);
const stop = (): void => {
  running.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
