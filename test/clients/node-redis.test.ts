// node-redis 6, which speaks RESP3 unless told otherwise.

import { createClient, RESP_TYPES, WatchError } from 'redis';
import { type Connection, type ConnectOptions, describeLibrary } from './stories.ts';

async function connect({ port, protocol, password, database, name }: ConnectOptions): Promise<Connection> {
  const client = createClient({
    socket: { port, host: '127.0.0.1', reconnectStrategy: 50 },
    ...(protocol === undefined ? {} : { RESP: protocol }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(name === undefined ? {} : { name }),
  });
  // A lost connection is also told by the calls that it fails.
  client.on('error', () => {});
  await client.connect();
  const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  const subscribers: { destroy(): void }[] = [];
  return {
    call: (...args) => client.sendCommand([...args]),
    callBinary: (...args) => binary.sendCommand([...args]),
    async setIfUntouched(key, value, meanwhile) {
      await client.watch(key);
      await meanwhile();
      try {
        await client.multi().set(key, value).exec();
        return true;
      } catch (error) {
        if (error instanceof WatchError) return false;
        throw error;
      }
    },
    async scan(pattern) {
      const keys: string[] = [];
      for await (const batch of client.scanIterator({ MATCH: pattern, COUNT: 50 })) keys.push(...batch);
      return keys;
    },
    async subscribe(channel, listener) {
      const subscriber = client.duplicate();
      subscribers.push(subscriber);
      await subscriber.connect();
      await subscriber.subscribe(channel, listener);
    },
    async close() {
      for (const each of [...subscribers, client]) each.destroy();
    },
  };
}

describeLibrary('node-redis 6', { connect, protocols: [2, 3], defaultProtocol: 3 });
