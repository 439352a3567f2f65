// ioredis 5, which speaks RESP2 only.

import { Redis } from 'ioredis-5';
import { type Connection, type ConnectOptions, describeLibrary } from './stories.ts';

async function connect({ port, password, database, name }: ConnectOptions): Promise<Connection> {
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { db: database }),
    ...(name === undefined ? {} : { connectionName: name }),
  });
  // A lost connection is also told by the calls that it fails.
  redis.on('error', () => {});
  await redis.connect();
  const subscribers: Redis[] = [];
  return {
    call: (command, ...args) => redis.call(String(command), ...args),
    callBinary: (command, ...args) => redis.callBuffer(String(command), ...args),
    async setIfUntouched(key, value, meanwhile) {
      await redis.watch(key);
      await meanwhile();
      return (await redis.multi().set(key, value).exec()) !== null;
    },
    async scan(pattern) {
      const keys: string[] = [];
      for await (const batch of redis.scanStream({ match: pattern, count: 50 })) keys.push(...batch);
      return keys;
    },
    async subscribe(channel, listener) {
      const subscriber = redis.duplicate({ lazyConnect: false });
      subscribers.push(subscriber);
      subscriber.on('message', (_, message: string) => listener(message));
      await subscriber.subscribe(channel);
    },
    async close() {
      for (const each of [...subscribers, redis]) each.disconnect();
    },
  };
}

describeLibrary('ioredis 5', { connect, protocols: [2], defaultProtocol: 2 });
