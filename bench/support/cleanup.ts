// What a bench leaves behind: nothing. Every process it spawns and its folder for sockets are registered here and
// gone when it ends, also after a failure and after ^C.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const running = new Set<ChildProcess>();
let folder: string | undefined;

export function track<C extends ChildProcess>(child: C): C {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A folder for unix sockets, made at its first use. */
export function scratchFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  return folder;
}

export function cleanUpOnExit(): void {
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  // By default these end the process without its 'exit' event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
}

export function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
