// redlock-universal on ioredis and on node-redis, by each of its two kinds of lock on one server.

import { Redis } from 'ioredis';
import { createClient } from 'redis';
import {
  createLock,
  IoredisAdapter,
  LockAcquisitionError,
  NodeRedisAdapter,
  type RedisAdapter,
} from 'redlock-universal';
import { describe, expect, test } from 'vitest';
import { startOurs } from '../support/server.ts';
import { type ConnectLockUser, describeLockLibrary } from './lock-contract.ts';

interface Connected {
  readonly adapter: RedisAdapter;
  disconnect(): void;
}

const ADAPTERS: Record<string, (port: number) => Promise<Connected>> = {
  async 'ioredis 6'(port) {
    const redis = new Redis({ port });
    return { adapter: new IoredisAdapter(redis), disconnect: () => redis.disconnect() };
  },
  async 'node-redis 6'(port) {
    const client = createClient({ socket: { port, host: '127.0.0.1' } });
    await client.connect();
    return { adapter: new NodeRedisAdapter(client), disconnect: () => client.destroy() };
  },
};

function lockUser(adapterName: string, performance: 'standard' | 'lean'): ConnectLockUser {
  return async (port) => {
    const { adapter, disconnect } = await connectAdapter(adapterName, port);
    return {
      async tryAcquire(key, leaseMs) {
        const lock = createLock({ adapter, key, ttl: leaseMs, retryAttempts: 0, performance });
        try {
          const handle = await lock.acquire();
          return { renew: (ms) => lock.extend(handle, ms), release: () => lock.release(handle) };
        } catch (error) {
          if (error instanceof LockAcquisitionError && isHeldByOther(error)) return undefined;
          throw error;
        }
      },
      close: disconnect,
    };
  };
}

function connectAdapter(name: string, port: number): Promise<Connected> {
  const connect = ADAPTERS[name];
  if (connect === undefined) throw new Error(`no adapter is called ${name}`);
  return connect(port);
}

/** The library turns whatever a server answers into the same error; its cause tells. */
function isHeldByOther({ cause }: Error): boolean {
  return cause instanceof Error && /already held/.test(cause.message);
}

for (const adapterName of Object.keys(ADAPTERS)) {
  for (const performance of ['standard', 'lean'] as const) {
    describeLockLibrary(
      `redlock-universal, ${performance}, on ${adapterName}`,
      lockUser(adapterName, performance),
    );
  }

  describe(`redlock-universal's other scripts on ${adapterName}`, () => {
    test('acquire a batch, extend what is about to end, and tell about a lock', async () => {
      const server = await startOurs();
      const { adapter, disconnect } = await connectAdapter(adapterName, server.endpoint.port);
      const keys = ['a', 'b', 'c'];
      const tokens = ['token-a', 'token-b', 'token-c'];

      expect(await adapter.batchSetNX(keys, tokens, 60_000)).toMatchObject({
        success: true,
        acquiredCount: 3,
      });
      expect(await adapter.delIfMatch('a', 'token-a')).toBe(true);
      expect(await adapter.batchSetNX(keys, tokens, 60_000)).toMatchObject({
        success: false,
        failedKey: 'b',
      });
      expect(await adapter.get('a')).toBeNull();

      expect(await adapter.atomicExtend('b', 'token-b', 1000, 90_000)).toMatchObject({ resultCode: 1 });
      expect(await adapter.atomicExtend('b', 'token-b', 100_000, 90_000)).toMatchObject({ resultCode: 0 });
      expect(await adapter.atomicExtend('b', 'a thief', 1000, 90_000)).toMatchObject({ resultCode: -1 });
      expect(await adapter.inspect('c')).toMatchObject({ value: 'token-c' });
      expect(await adapter.inspect('a')).toBeNull();

      disconnect();
      await server.stop();
    });
  });
}
