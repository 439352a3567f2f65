// redis-py's Lock: each user is a Python process of its own, which does what a line says (redis-py-lock.py).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { python } from '../support/python.ts';
import { type ConnectLockUser, describeLockLibrary } from './lock-contract.ts';

const SCRIPT = fileURLToPath(new URL('redis-py-lock.py', import.meta.url));

/** The ways to renew: to so much from now, by so much more, or to what it was acquired with. */
const RENEWALS = ['replace', 'add', 'reacquire'];

function withRenewal(renewal: string): ConnectLockUser {
  return async (port) => {
    const child = spawn(python ?? '', [SCRIPT, String(port), renewal], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const replies = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (...request: unknown[]): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await replies.next();
      if (done) throw new Error('the Python process ended');
      return JSON.parse(value);
    };
    return {
      async tryAcquire(key, leaseMs) {
        const lock = await ask('acquire', key, leaseMs);
        if (lock === null) return undefined;
        return {
          renew: async (ms) => (await ask('renew', lock, ms)) === true,
          release: async () => (await ask('release', lock)) === true,
        };
      },
      close() {
        child.stdin.end();
        return closed;
      },
    };
  };
}

describe.skipIf(python === undefined)('redis-py', () => {
  for (const renewal of RENEWALS) describeLockLibrary(`Lock, renewed by ${renewal}`, withRenewal(renewal));
});
if (python === undefined) test.skip('no Python with redis-py is installed');
