// The server's log: one line an event, with time and level, on standard output or in a file (logfile, loglevel).

import { appendFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Redis' levels, from chatty to grave. */
const LEVELS = ['debug', 'verbose', 'notice', 'warning', 'nothing'] as const;
export type LogLevel = Exclude<(typeof LEVELS)[number], 'nothing'>;

export class Log {
  readonly #config: Config;
  readonly #file: string;

  /** Fails at once if the file cannot be written. */
  constructor(config: Config) {
    this.#config = config;
    this.#file = pathOf(config.values.logfile);
    if (this.#file !== '') appendFileSync(this.#file, '');
  }

  write(level: LogLevel, text: string): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.#config.values.loglevel)) return;
    if (this.#file === '') process.stdout.write(`${text}\n`);
    else appendFileSync(this.#file, `${process.pid} ${new Date().toISOString()} ${level}: ${text}\n`);
  }
}

/** Paths come out of the configuration as bytes (latin1 strings). */
export function pathOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
