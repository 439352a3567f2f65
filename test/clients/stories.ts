// What every client library is put through: each is connected, in a file of its own, to the interface below, and must
// live these stories. Their subject is what an application with locks does, not what a protocol test would think of.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OurServer, startOurs } from '../support/server.ts';

export type Argument = string | Buffer;

export interface ConnectOptions {
  readonly port: number;
  /** The library's default when not given. */
  readonly protocol?: 2 | 3;
  readonly password?: string;
  readonly database?: number;
  readonly name?: string;
}

/** A connection of some library, as an application would use it. */
export interface Connection {
  /** One command; byte strings come back as text. */
  call(...args: readonly Argument[]): Promise<unknown>;
  /** One command; byte strings come back as bytes. */
  callBinary(...args: readonly Argument[]): Promise<unknown>;
  /** WATCH, then whatever happens meanwhile, then MULTI, SET, EXEC. False if EXEC did nothing. */
  setIfUntouched(key: string, value: string, meanwhile: () => Promise<unknown>): Promise<boolean>;
  /** All keys that match, by the library's own iterator. */
  scan(pattern: string): Promise<string[]>;
  /** Resolves when subscribed. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  close(): Promise<void>;
}

export interface Library {
  connect(options: ConnectOptions): Promise<Connection>;
  readonly protocols: readonly (2 | 3)[];
  readonly defaultProtocol: 2 | 3;
}

const PASSWORD = 'correct horse';

export function describeLibrary(name: string, library: Library): void {
  describe(name, () => {
    let server: OurServer;
    const open: Connection[] = [];
    const connect = async (options: Partial<ConnectOptions> = {}): Promise<Connection> => {
      const connection = await library.connect({ port: server.endpoint.port, ...options });
      open.push(connection);
      return connection;
    };

    beforeEach(async () => {
      server = await startOurs();
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((connection) => connection.close()));
      await server.stop();
    });

    test('connects with default options', async () => {
      const connection = await connect();
      expect(await connection.call('PING')).toBe('PONG');
      expect(await connection.call('CLIENT', 'INFO')).toContain(`resp=${library.defaultProtocol}`);
    });

    for (const protocol of library.protocols) {
      test(`hands a lock from one to another, RESP${protocol}`, async () => {
        await lockStory(await connect({ protocol }), await connect({ protocol }));
      });

      test(`reads and writes any bytes, RESP${protocol}`, async () => {
        await binaryStory(await connect({ protocol }));
      });

      test(`runs transactions, unless a watched key was touched, RESP${protocol}`, async () => {
        await transactionStory(await connect({ protocol }), await connect({ protocol }));
      });

      test(`receives what others publish, RESP${protocol}`, async () => {
        await publishStory(await connect({ protocol }), await connect({ protocol }));
      });

      test(`finds all keys by iterating, RESP${protocol}`, async () => {
        await scanStory(await connect({ protocol }));
      });

      test(`gives errors as errors, RESP${protocol}`, async () => {
        const connection = await connect({ protocol });
        await expect(connection.call('NOSUCH')).rejects.toThrow(/unknown command/);
        await expect(connection.call('GOBLIN.CAD', 'k')).rejects.toThrow(/wrong number of arguments/);
        expect(await connection.call('PING')).toBe('PONG');
      });

      test(`logs in, with a database and a name, RESP${protocol}`, async () => {
        await server.stop();
        server = await startOurs({ requirepass: PASSWORD });
        const connection = await connect({ protocol, password: PASSWORD, database: 3, name: 'worker-1' });
        const info = String(await connection.call('CLIENT', 'INFO'));
        expect(info).toContain('name=worker-1');
        expect(info).toContain('db=3');
        expect(info).toContain(`resp=${protocol}`);
        expect(info).toContain('user=default');
      });
    }

    test('comes back when the server does', async () => {
      const connection = await connect({ database: 2, name: 'worker-2' });
      expect(await connection.call('SET', 'k', 'before', 'NX')).toBe('OK');
      const { port } = server.endpoint;
      await server.stop();
      server = await startOurs({ port });
      expect(await eventually(() => connection.call('SET', 'k', 'after', 'NX'))).toBe('OK');
      const info = String(await connection.call('CLIENT', 'INFO'));
      expect(info).toContain('db=2');
      expect(info).toContain('name=worker-2');
    });
  });
}

/** Calls until it succeeds: right after a restart a library may still be failing what it had under way. */
async function eventually(call: () => Promise<unknown>, limitMs = 10_000): Promise<unknown> {
  for (let waitedMs = 0; ; waitedMs += 50) {
    try {
      return await call();
    } catch (error) {
      if (waitedMs >= limitMs) throw error;
      await delay(50);
    }
  }
}

async function lockStory(a: Connection, b: Connection): Promise<void> {
  expect(await a.call('SET', 'lock', 'token-a', 'NX', 'PX', '30000')).toBe('OK');
  expect(await b.call('SET', 'lock', 'token-b', 'NX', 'PX', '30000')).toBeNull();
  expect(await b.call('GOBLIN.CAEXPIRE', 'lock', 'token-b', '60000')).toBe(0);
  expect(await a.call('GOBLIN.CAEXPIRE', 'lock', 'token-a', '60000')).toBe(1);
  const leftMs = Number(await b.call('PTTL', 'lock'));
  expect(leftMs).toBeGreaterThan(30_000);
  expect(leftMs).toBeLessThanOrEqual(60_000);
  expect(await b.call('GOBLIN.CAD', 'lock', 'token-b')).toBe(0);
  expect(await b.call('GET', 'lock')).toBe('token-a');
  expect(await a.call('GOBLIN.CAD', 'lock', 'token-a')).toBe(1);
  expect(await a.call('GOBLIN.CAD', 'lock', 'token-a')).toBe(0);
  expect(await b.call('SET', 'lock', 'token-b', 'NX', 'PX', '30000')).toBe('OK');
  expect(await a.call('DELEX', 'lock', 'IFEQ', 'token-a')).toBe(0);
  expect(await b.call('DELEX', 'lock', 'IFEQ', 'token-b')).toBe(1);
  expect(await a.call('EXISTS', 'lock')).toBe(0);
}

/** Two keys that are the same once decoded as UTF-8 are two locks, and a value comes back as it was. */
async function binaryStory(connection: Connection): Promise<void> {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  expect(await connection.call('SET', Buffer.from([0xff]), everyByte, 'NX')).toBe('OK');
  expect(await connection.call('SET', Buffer.from([0xfe]), 'second', 'NX')).toBe('OK');
  expect(await connection.call('DBSIZE')).toBe(2);
  expect(await connection.callBinary('GET', Buffer.from([0xff]))).toEqual(everyByte);
  expect(await connection.call('GOBLIN.CAD', Buffer.from([0xff]), everyByte)).toBe(1);
  expect(await connection.call('GET', Buffer.from([0xfe]))).toBe('second');
}

async function transactionStory(a: Connection, b: Connection): Promise<void> {
  const nothing = () => Promise.resolve();
  expect(await a.setIfUntouched('k', 'first', nothing)).toBe(true);
  expect(await a.setIfUntouched('k', 'second', () => b.call('SET', 'k', 'other'))).toBe(false);
  expect(await a.call('GET', 'k')).toBe('other');
  expect(await a.setIfUntouched('k', 'third', () => b.call('GET', 'k'))).toBe(true);
  expect(await b.call('GET', 'k')).toBe('third');
}

async function publishStory(subscriber: Connection, publisher: Connection): Promise<void> {
  const sent = ['one', 'two', ''];
  let subscribed = Promise.resolve();
  const received = new Promise<string[]>((resolve) => {
    const messages: string[] = [];
    subscribed = subscriber.subscribe('news', (message) => {
      messages.push(message);
      if (messages.length === sent.length) resolve(messages);
    });
  });
  await subscribed;
  for (const message of sent) expect(await publisher.call('PUBLISH', 'news', message)).toBe(1);
  expect(await received).toEqual(sent);
}

async function scanStory(connection: Connection): Promise<void> {
  const keys = Array.from({ length: 1000 }, (_, i) => `lock:${i}`);
  await connection.call('MSET', ...keys.flatMap((key) => [key, 'v']), 'other', 'v');
  expect([...new Set(await connection.scan('lock:*'))].sort()).toEqual(keys.sort());
}
