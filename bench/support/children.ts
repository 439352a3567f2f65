// Every process a bench spawns is registered here, and none outlives the bench: not after a failure, not after ^C.

import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

export function track<C extends ChildProcess>(child: C): C {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export function killChildrenOnExit(): void {
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });
  // By default these end the process without its 'exit' event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
}

export function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}
