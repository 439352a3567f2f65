// node-redis 4, which speaks RESP2 only.

import { commandOptions, createClient, WatchError } from 'redis-4';
import { type Connection, type ConnectOptions, describeLibrary } from './stories.ts';

async function connect({ port, password, database, name }: ConnectOptions): Promise<Connection> {
  const client = createClient({
    socket: { port, host: '127.0.0.1', reconnectStrategy: 50 },
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(name === undefined ? {} : { name }),
  });
  // A lost connection is also told by the calls that it fails.
  client.on('error', () => {});
  await client.connect();
  const subscribers: { disconnect(): Promise<void> }[] = [];
  return {
    call: (...args) => client.sendCommand([...args]),
    callBinary: (...args) => client.sendCommand([...args], commandOptions({ returnBuffers: true })),
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
      for await (const key of client.scanIterator({ MATCH: pattern, COUNT: 50 })) keys.push(key);
      return keys;
    },
    async subscribe(channel, listener) {
      const subscriber = client.duplicate();
      subscribers.push(subscriber);
      await subscriber.connect();
      await subscriber.subscribe(channel, listener);
    },
    async close() {
      for (const each of [...subscribers, client]) await each.disconnect();
    },
  };
}

describeLibrary('node-redis 4', { connect, protocols: [2], defaultProtocol: 2 });
