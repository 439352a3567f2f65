// redlock 4 and 5, and @sesamecare-oss/redlock, each locking two resources at once.

import { createRequire } from 'node:module';
import { Redlock as SesamecareRedlock, ExecutionError as SesamecareRefusal } from '@sesamecare-oss/redlock';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { type ConnectLockUser, describeLockLibrary } from './lock-contract.ts';

/** What redlock 4 offers; it has no types. */
interface Redlock4 extends NodeJS.EventEmitter {
  lock(keys: string[], leaseMs: number): PromiseLike<Redlock4Lock>;
}
interface Redlock4Lock {
  extend(leaseMs: number): PromiseLike<unknown>;
  unlock(): PromiseLike<unknown>;
}

/** What the later ones offer alike; redlock 5 hides its types from whoever imports it by its `exports`. */
interface Redlock5 extends NodeJS.EventEmitter {
  acquire(keys: string[], leaseMs: number): Promise<Redlock5Lock>;
}
interface Redlock5Lock {
  extend(leaseMs: number): Promise<Redlock5Lock>;
  release(): Promise<unknown>;
}

type Refusal = new (...args: never[]) => Error;
type RedlockConstructor<Redlock> = new (clients: Iterable<Redis>, settings: object) => Redlock;

const require = createRequire(import.meta.url);
const Redlock4 = require('redlock-4') as RedlockConstructor<Redlock4> & { LockError: Refusal };
const redlock5 = require('redlock-5') as { default: RedlockConstructor<Redlock5>; ExecutionError: Refusal };

const ONE_ATTEMPT = { retryCount: 0 };

/** Undefined if the library refused; anything else that goes wrong fails the test. */
async function unlessRefused<T>(attempt: PromiseLike<T>, refusal: Refusal): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}

/** The libraries turn whatever a server answers into a refusal, and say what it was in an event. */
function expectOnlyRefusals(redlock: NodeJS.EventEmitter, event: string): () => void {
  const unexpected: Error[] = [];
  redlock.on(event, (error: Error) => {
    if (error.name !== 'ResourceLockedError') unexpected.push(error);
  });
  return () => {
    if (unexpected.length > 0) throw new AggregateError(unexpected);
  };
}

const resources = (key: string): string[] => [key, `${key}:second`];

const redlock4: ConnectLockUser = async (port) => {
  // Its types are those of ioredis 6, which differ from those of 5 in nothing that matters here.
  const redis = new Redis5({ port }) as unknown as Redis;
  const redlock = new Redlock4([redis], ONE_ATTEMPT);
  const check = expectOnlyRefusals(redlock, 'clientError');
  return {
    async tryAcquire(key, leaseMs) {
      const lock = await unlessRefused(redlock.lock(resources(key), leaseMs), Redlock4.LockError);
      if (lock === undefined) return undefined;
      const succeeds = async (attempt: PromiseLike<unknown>): Promise<boolean> =>
        (await unlessRefused(
          attempt.then(() => true),
          Redlock4.LockError,
        )) ?? false;
      return { renew: (ms) => succeeds(lock.extend(ms)), release: () => succeeds(lock.unlock()) };
    },
    close() {
      redis.disconnect();
      check();
    },
  };
};

function redlock5Like(
  Redlock: RedlockConstructor<Redlock5>,
  refusal: Refusal,
  ioredis: typeof Redis,
): ConnectLockUser {
  return async (port) => {
    const redis = new ioredis({ port });
    const redlock = new Redlock([redis], ONE_ATTEMPT);
    const check = expectOnlyRefusals(redlock, 'error');
    return {
      async tryAcquire(key, leaseMs) {
        let lock = await unlessRefused(redlock.acquire(resources(key), leaseMs), refusal);
        if (lock === undefined) return undefined;
        let current = lock;
        return {
          async renew(ms) {
            lock = await unlessRefused(current.extend(ms), refusal);
            current = lock ?? current;
            return lock !== undefined;
          },
          async release() {
            return (await unlessRefused(current.release(), refusal)) !== undefined;
          },
        };
      },
      close() {
        redis.disconnect();
        check();
      },
    };
  };
}

const ioredis5 = Redis5 as unknown as typeof Redis;
const sesamecare = SesamecareRedlock as unknown as RedlockConstructor<Redlock5>;

describeLockLibrary('redlock 4 on ioredis 5', redlock4);
describeLockLibrary(
  'redlock 5 on ioredis 5',
  redlock5Like(redlock5.default, redlock5.ExecutionError, ioredis5),
);
describeLockLibrary('redlock 5 on ioredis 6', redlock5Like(redlock5.default, redlock5.ExecutionError, Redis));
describeLockLibrary(
  '@sesamecare-oss/redlock on ioredis 6',
  redlock5Like(sesamecare, SesamecareRefusal, Redis),
);
