// Delivery: each subscription gets one message, put into bytes once a protocol, however many listen.

import { describe, expect, test } from 'vitest';
import { ByteView } from '../../../src/bytes/view.ts';
import type { RespVersion } from '../../../src/protocol/reply.ts';
import { Client } from '../../../src/state/client.ts';
import { PubSub } from '../../../src/state/pubsub.ts';
import { InProcessServer } from '../../support/in-process.ts';

/** Subscriptions without a server: what is delivered, to whom. */
function listening() {
  const delivered: { readonly id: number; readonly message: Buffer }[] = [];
  const pubsub = new PubSub(({ id }, message) => delivered.push({ id, message }));
  const { client: model } = new InProcessServer();
  let nextId = 1;
  const join = (resp: RespVersion = 2): Client => {
    const client = new Client(nextId++, model.outlet, model.address, 0, true);
    client.resp = resp;
    return client;
  };
  const texts = () => delivered.splice(0).map(({ id, message }) => `${id} ${message.toString('latin1')}`);
  return { pubsub, delivered, join, texts };
}

test('1,000 listeners get one message each, encoded once for each protocol', () => {
  const { pubsub, delivered, join } = listening();
  for (let i = 0; i < 1000; i++) pubsub.subscribe(join(i % 2 === 0 ? 2 : 3), 'channels', 'ch');
  expect(pubsub.publish('ch', ByteView.of('hello'))).toBe(1000);
  expect(delivered.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
  expect(new Set(delivered.map(({ message }) => message)).size).toBe(2);
  expect(delivered[0]?.message.toString()).toBe('*3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$5\r\nhello\r\n');
  expect(delivered[1]?.message.toString()).toBe('>3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$5\r\nhello\r\n');
});

test('a message is a copy: what it was made of may change', () => {
  const { pubsub, join, texts } = listening();
  pubsub.subscribe(join(), 'channels', 'ch');
  const bytes = Buffer.from('..hello..');
  pubsub.publish('ch', new ByteView(bytes, 2, 5));
  bytes.fill(0);
  expect(texts()).toEqual(['1 *3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$5\r\nhello\r\n']);
});

test('the channel comes before patterns, and patterns in the order they came into being', () => {
  const { pubsub, join, texts } = listening();
  const client = join();
  for (const pattern of ['n*', 'x*', '*s', 'news']) pubsub.subscribe(client, 'patterns', pattern);
  pubsub.subscribe(client, 'channels', 'news');
  expect(pubsub.publish('news', ByteView.of('\xff\0'))).toBe(4);
  const asPattern = (pattern: string) =>
    `1 *4\r\n$8\r\npmessage\r\n$${pattern.length}\r\n${pattern}\r\n$4\r\nnews\r\n$2\r\n\xff\0\r\n`;
  expect(texts()).toEqual([
    '1 *3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\n\xff\0\r\n',
    ...['n*', '*s', 'news'].map(asPattern),
  ]);
});

test('kinds are apart, and nothing is left of who has gone', () => {
  const { pubsub, join, texts } = listening();
  const client = join();
  expect(pubsub.subscribe(client, 'shardChannels', 'ch')).toBe(true);
  expect(pubsub.subscribe(client, 'shardChannels', 'ch')).toBe(false);
  expect(pubsub.hasListeners).toBe(false);
  expect(pubsub.publish('ch', ByteView.of('x'))).toBe(0);
  expect(pubsub.publishToShard('ch', ByteView.of('x'))).toBe(1);
  expect(texts()).toEqual(['1 *3\r\n$8\r\nsmessage\r\n$2\r\nch\r\n$1\r\nx\r\n']);
  pubsub.subscribe(client, 'channels', 'a');
  pubsub.subscribe(client, 'channels', 'b');
  pubsub.subscribe(client, 'patterns', 'p');
  expect(pubsub.unsubscribe(client, 'channels', 'a')).toBe(true);
  expect(pubsub.unsubscribe(client, 'channels', 'a')).toBe(false);
  expect(pubsub.names('channels')).toEqual(['b']);
  pubsub.unsubscribeAll(client);
  expect(client.isSubscribed).toBe(false);
  for (const kind of ['channels', 'patterns', 'shardChannels'] as const) expect(pubsub.size(kind)).toBe(0);
});

test('names by pattern are bytes', () => {
  const { pubsub, join } = listening();
  for (const name of ['\xff\0', '\xff', 'b']) pubsub.subscribe(join(), 'channels', name);
  expect(pubsub.names('channels', Buffer.from('\xff?', 'latin1'))).toEqual(['\xff\0']);
  expect(pubsub.listenerCount('channels', '\xff')).toBe(1);
  expect(pubsub.listenerCount('channels', 'none')).toBe(0);
});

describe('limits', () => {
  test('SUBSCRIBE beyond the limit subscribes to nothing', () => {
    const server = new InProcessServer({ 'max-subscriptions-per-client': 3 });
    const refused = '-ERR too many subscriptions (max-subscriptions-per-client)\r\n';
    expect(server.run('SUBSCRIBE a b c d')).toBe(refused);
    expect(server.client.isSubscribed).toBe(false);
    server.run('SUBSCRIBE a');
    server.run('PSUBSCRIBE b');
    server.run('SSUBSCRIBE c');
    for (const command of ['SUBSCRIBE b', 'PSUBSCRIBE c', 'SSUBSCRIBE a'])
      expect(server.run(command)).toBe(refused);
    expect(server.run('SUBSCRIBE a')).toBe('*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n');
  });

  test('what is queued counts as memory until the transaction ends', () => {
    const server = new InProcessServer({ 'multi-max-queued-bytes': 1024 ** 2 });
    const { state } = server;
    for (const end of ['EXEC', 'DISCARD', 'RESET', 'EXEC x', 'leaves']) {
      server.run('MULTI');
      server.call('SET', 'k', 'x'.repeat(500_000));
      expect(state.clientBytes).toBeGreaterThan(500_000);
      if (end === 'leaves') state.removeClient(server.client);
      else server.run(end);
      expect(state.clientBytes).toBe(0);
    }
    server.run('MULTI');
    server.call('SET', 'k', 'x'.repeat(600_000));
    expect(server.call('SET', 'k', 'x'.repeat(600_000))).toMatch(
      /^-ERR too much queued .*multi-max-queued-bytes/,
    );
    expect(server.run('EXEC')).toBe('-EXECABORT Transaction discarded because of previous errors.\r\n');
  });

  test('what will not run is not kept', () => {
    const server = new InProcessServer();
    server.run('MULTI');
    server.run('NOSUCH');
    expect(server.call('SET', 'k', 'x'.repeat(500_000))).toBe('+QUEUED\r\n');
    expect(server.state.clientBytes).toBe(0);
    server.run('DISCARD');
    server.run('WATCH k');
    server.run('SET k v');
    server.run('MULTI');
    expect(server.call('SET', 'k', 'x'.repeat(500_000))).toBe('+QUEUED\r\n');
    expect(server.state.clientBytes).toBe(0);
    expect(server.run('EXEC')).toBe('*-1\r\n');
  });
});
