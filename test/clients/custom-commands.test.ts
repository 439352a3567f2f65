// Scripts that applications register with their client: ioredis' defineCommand, node-redis' defineScript.

import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient, defineScript } from 'redis';
import { createClient as createClient4, defineScript as defineScript4 } from 'redis-4';
import { type ConnectLockUser, describeLockLibrary, type LockUser } from './lock-contract.ts';
import { ACQUIRE, RELEASE, RENEW } from './lock-scripts.ts';

/** The three scripts, as methods of a client. */
interface LockCommands {
  acquireLock(key: string, token: string, leaseMs: string): Promise<unknown>;
  renewLock(key: string, token: string, leaseMs: string): Promise<unknown>;
  releaseLock(key: string, token: string): Promise<unknown>;
}

function lockUser(commands: LockCommands, close: () => unknown): LockUser {
  return {
    async tryAcquire(key, leaseMs) {
      const token = randomUUID();
      if ((await commands.acquireLock(key, token, String(leaseMs))) !== 'OK') return undefined;
      return {
        renew: async (ms) => (await commands.renewLock(key, token, String(ms))) === 1,
        release: async () => (await commands.releaseLock(key, token)) === 1,
      };
    },
    close,
  };
}

function withIoredis(ioredis: typeof Redis): ConnectLockUser {
  return async (port) => {
    const redis = new ioredis({
      port,
      scripts: {
        acquireLock: { lua: ACQUIRE, numberOfKeys: 1 },
        renewLock: { lua: RENEW, numberOfKeys: 1 },
      },
    });
    redis.defineCommand('releaseLock', { lua: RELEASE, numberOfKeys: 1 });
    // The commands that a definition adds are in no type.
    return lockUser(redis as unknown as LockCommands, () => redis.disconnect());
  };
}

/** In node-redis 4 a script's arguments are made by a function. */
function script4(SCRIPT: string) {
  return defineScript4({
    NUMBER_OF_KEYS: 1,
    SCRIPT,
    transformArguments: (...args: string[]) => args,
    transformReply: (reply: unknown) => reply,
  });
}

const withNodeRedis4: ConnectLockUser = async (port) => {
  const client = createClient4({
    socket: { port, host: '127.0.0.1' },
    scripts: { acquireLock: script4(ACQUIRE), renewLock: script4(RENEW), releaseLock: script4(RELEASE) },
  });
  await client.connect();
  return lockUser(client, () => client.disconnect());
};

/** In node-redis 6 they are pushed to a parser, keys apart. */
function script6(SCRIPT: string) {
  return defineScript({
    NUMBER_OF_KEYS: 1,
    SCRIPT,
    parseCommand(parser, key: string, ...args: string[]) {
      parser.pushKey(key);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => reply,
  });
}

const withNodeRedis6: ConnectLockUser = async (port) => {
  const client = createClient({
    socket: { port, host: '127.0.0.1' },
    scripts: { acquireLock: script6(ACQUIRE), renewLock: script6(RENEW), releaseLock: script6(RELEASE) },
  });
  await client.connect();
  return lockUser(client, () => client.destroy());
};

describeLockLibrary('ioredis 5 defineCommand', withIoredis(Redis5 as unknown as typeof Redis));
describeLockLibrary('ioredis 6 defineCommand', withIoredis(Redis));
describeLockLibrary('node-redis 4 defineScript', withNodeRedis4);
describeLockLibrary('node-redis 6 defineScript', withNodeRedis6);
