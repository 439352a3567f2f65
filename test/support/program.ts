// The command as users run it: a process of its own, from the build (or straight from source where Node can run that).

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const runsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript);
const ENTRY = fileURLToPath(
  new URL(runsTypeScript ? '../../src/main.ts' : '../../dist/main.js', import.meta.url),
);
/** Against hanging: no test lets the program run for long. */
const LIMIT_MS = 60_000;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Program {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  readonly outcome: Promise<Outcome>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [ENTRY, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    this.process = child;
    child.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.outcome = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Resolves when standard output holds `text`; rejects with what there is if the program ends before that. */
  async says(text: string): Promise<void> {
    while (!this.stdout.includes(text)) {
      const ended = this.outcome.then(({ code, stderr }) => {
        throw new Error(`ended with ${code}: ${this.stdout}${stderr}`);
      });
      await Promise.race([once(this.process.stdout!, 'data'), ended]);
    }
  }

  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    this.process.kill(signal);
    return this.outcome;
  }
}
