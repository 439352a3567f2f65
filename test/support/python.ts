// The Python that has redis-py, if there is one.

import { execFileSync } from 'node:child_process';

/** The system's Python has Debian's python3-redis; another one that comes first on PATH need not. */
export const python = ['/usr/bin/python3', 'python3'].find(hasRedis);

function hasRedis(path: string): boolean {
  try {
    execFileSync(path, ['-c', 'import redis'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not there, or without the module: not the Python to use.
    return false;
  }
}
