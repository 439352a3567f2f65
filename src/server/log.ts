// The server's log: one line an event, with time and level, on standard output or in a file (logfile, loglevel).
// A log that can no longer be written (its folder gone, the disk full, the reader of a pipe gone) never stops the server.

import { appendFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Redis' levels, from chatty to grave. */
const LEVELS = ['debug', 'verbose', 'notice', 'warning', 'nothing'] as const;
export type LogLevel = Exclude<(typeof LEVELS)[number], 'nothing'>;

export class Log {
  readonly #config: Config;
  readonly #file: string;
  #isBroken = false;

  /** Fails at once if the file cannot be written. */
  constructor(config: Config) {
    this.#config = config;
    this.#file = pathOf(config.values.logfile);
    if (this.#file !== '') appendFileSync(this.#file, '');
    else process.stdout.on('error', () => {}); // whoever read it is gone: there is nobody to tell
  }

  write(level: LogLevel, text: string): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.#config.values.loglevel)) return;
    if (this.#file === '') process.stdout.write(`${text}\n`);
    else this.#append(`${process.pid} ${new Date().toISOString()} ${level}: ${text}\n`);
  }

  /** Tells once on standard error when the file cannot be written, and tries again with each line. */
  #append(line: string): void {
    try {
      appendFileSync(this.#file, line);
      this.#isBroken = false;
    } catch (error) {
      if (!this.#isBroken) process.stderr.write(`holdfast: logfile: ${(error as Error).message}\n`);
      this.#isBroken = true;
    }
  }
}

/** Paths come out of the configuration as bytes (latin1 strings). */
export function pathOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
