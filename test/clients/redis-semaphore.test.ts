// redis-semaphore's two locks that are plain strings. Its semaphores are sorted sets.

import { Redis } from 'ioredis';
import { type LockOptions, Mutex, RedlockMutex } from 'redis-semaphore';
import { type ConnectLockUser, describeLockLibrary } from './lock-contract.ts';

const PREFIX = 'mutex:';

type MakeMutex = (redis: Redis, key: string, options: LockOptions) => Mutex | RedlockMutex;

/** One attempt, and no renewal behind a test's back. */
const BY_HAND = { acquireAttemptsLimit: 1, acquireTimeout: 1000, refreshInterval: 0 };

function mutexUser(makeMutex: MakeMutex): ConnectLockUser {
  return async (port) => {
    const redis = new Redis({ port });
    return {
      async tryAcquire(key, leaseMs) {
        const mutex = makeMutex(redis, key, { ...BY_HAND, lockTimeout: leaseMs });
        if (!(await mutex.tryAcquire())) return undefined;
        return {
          // As a process does that was handed the lock by the one which acquired it.
          renew: (lockTimeout) =>
            makeMutex(redis, key, {
              ...BY_HAND,
              lockTimeout,
              identifier: mutex.identifier,
              acquiredExternally: true,
            }).tryAcquire(),
          async release() {
            await mutex.release();
            return undefined;
          },
        };
      },
      close: () => redis.disconnect(),
    };
  };
}

describeLockLibrary(
  'redis-semaphore Mutex',
  mutexUser((redis, key, options) => new Mutex(redis, key, options)),
  PREFIX,
);
describeLockLibrary(
  'redis-semaphore RedlockMutex',
  mutexUser((redis, key, options) => new RedlockMutex([redis], key, options)),
  PREFIX,
);
