// The state of a server without a network: what it tells whom about keys, its numbers, and its following of the configuration.

import { expect, test } from 'vitest';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import { Config } from '../../../src/config/config.ts';
import type { ConfigValues } from '../../../src/config/options.ts';
import { EVENT, type KeyEvent } from '../../../src/keyspace/key-event.ts';
import { Client } from '../../../src/state/client.ts';
import { Server } from '../../../src/state/server.ts';
import { MemoryOutlet } from '../../support/memory-outlet.ts';

const ADDRESS = { peer: '127.0.0.1:50000', local: '127.0.0.1:6379', isUnix: false, isLoopback: true };

function serverOf(values: Partial<ConfigValues> = {}): {
  server: Server;
  time: { ms: number; epoch: number };
} {
  const time = { ms: 0, epoch: 1_700_000_000_000 };
  const source = { monotonicMs: () => time.ms, epochMs: () => time.epoch };
  return { server: new Server(new Config(values), source), time };
}

function connect(server: Server): { client: Client; outlet: MemoryOutlet } {
  const outlet = new MemoryOutlet();
  const client = new Client(server.nextClientId(), outlet, ADDRESS, server.clock.nowMs, server.isOpen);
  server.addClient(client);
  return { client, outlet };
}

/** The channels that hear of an event under a setting of notify-keyspace-events. */
function channelsOf(letters: string, event: KeyEvent): string[] {
  const { server } = serverOf({ 'notify-keyspace-events': letters });
  const { client, outlet } = connect(server);
  server.pubsub.subscribe(client, 'patterns', '*');
  // As the keyspace does: the class is asked for first.
  if ((server.wantedEvents & event.eventClass) !== 0) server.event(server.keyspace.databases[3]!, event, 'k');
  server.flushOutboxes();
  return [...outlet.text.matchAll(/__key\w+@3__:\w+/g)].map(([channel]) => channel);
}

test('notify-keyspace-events: classes, and the two kinds of channel', () => {
  expect(channelsOf('', EVENT.set)).toEqual([]);
  expect(channelsOf('K$', EVENT.set)).toEqual(['__keyspace@3__:k']);
  expect(channelsOf('E$', EVENT.set)).toEqual(['__keyevent@3__:set']);
  expect(channelsOf('KEA', EVENT.set)).toEqual(['__keyspace@3__:k', '__keyevent@3__:set']);
  expect(channelsOf('Kg', EVENT.set)).toEqual([]);
  expect(channelsOf('Kg', EVENT.del)).toEqual(['__keyspace@3__:k']);
  expect(channelsOf('Ex', EVENT.expired)).toEqual(['__keyevent@3__:expired']);
});

test('neither K nor E wants anything, and A leaves out key misses and new keys', () => {
  expect(serverOf({ 'notify-keyspace-events': 'g$x' }).server.wantedEvents).toBe(0);
  expect(channelsOf('KEA', EVENT.keymiss)).toEqual([]);
  expect(channelsOf('KEA', EVENT.created)).toEqual([]);
  expect(channelsOf('Em', EVENT.keymiss)).toEqual(['__keyevent@3__:keymiss']);
  expect(channelsOf('En', EVENT.created)).toEqual(['__keyevent@3__:new']);
});

test('it follows CONFIG SET', () => {
  const { server } = serverOf();
  server.config.set([
    ['notify-keyspace-events', 'Ex'],
    ['maxmemory', '10mb'],
    ['proto-max-bulk-len', '2mb'],
    ['client-query-buffer-limit', '3mb'],
    ['requirepass', 'secret'],
  ]);
  expect(server.wantedEvents).toBe(EVENT.expired.eventClass);
  expect(server.maxMemoryBytes).toBe(10 * 1024 ** 2);
  expect(server.decoderLimits).toMatchObject({
    maxBulkBytes: 2 * 1024 ** 2,
    queryBufferLimit: 3 * 1024 ** 2,
  });
  expect(server.isOpen).toBe(false);
});

test('cas numbers increase strictly, at any pace and when the calendar goes back', () => {
  const { server, time } = serverOf();
  let last = 0;
  const next = (): void => {
    const cas = server.nextCas();
    expect(cas).toBeGreaterThan(last);
    expect(Number.isSafeInteger(cas)).toBe(true);
    last = cas;
  };
  for (let i = 0; i < 5000; i++) next();
  time.ms += 1000;
  time.epoch += 1000;
  server.clock.refresh();
  next();
  expect(last).toBe(time.epoch * 1000);
  time.epoch -= 3_600_000;
  server.clock.checkStep();
  for (let i = 0; i < 5; i++) next();
});

test('messages wait for the end of the turn, and leave in order', () => {
  const { server } = serverOf();
  const [first, second] = [connect(server), connect(server)];
  server.enqueue(first.client, Buffer.from('1'));
  server.enqueue(second.client, Buffer.from('a'));
  server.enqueue(first.client, Buffer.from('2'));
  expect([first.outlet.text, second.outlet.text]).toEqual(['', '']);
  server.flushOutboxes();
  expect([first.outlet.text, second.outlet.text]).toEqual(['12', 'a']);
  server.flushOutboxes();
  expect([first.outlet.text, second.outlet.text]).toEqual(['12', 'a']);
  expect(first.client.outboxBytes).toBe(0);
});

test('of a client that goes nothing is left', () => {
  const { server } = serverOf();
  const { client, outlet } = connect(server);
  const database = server.keyspace.databases[0]!;
  server.pubsub.subscribe(client, 'channels', 'c');
  server.pubsub.subscribe(client, 'patterns', 'p*');
  server.pubsub.subscribe(client, 'shardChannels', 's');
  server.watches.watch(client, database, Key.from(ByteView.of('k'), server.seed));
  server.monitors.add(client);
  server.enqueue(client, Buffer.from('late'));
  server.removeClient(client);
  server.flushOutboxes();
  expect(outlet.text).toBe('');
  expect(server.clients.size).toBe(0);
  expect(server.monitors.size).toBe(0);
  expect(server.watches.size).toBe(0);
  for (const kind of ['channels', 'patterns', 'shardChannels'] as const) {
    expect(server.pubsub.names(kind)).toEqual([]);
  }
});

test('a watched key that changes makes its watcher dirty, and nobody else', () => {
  const { server } = serverOf();
  const [watcher, other] = [connect(server).client, connect(server).client];
  const database = server.keyspace.databases[0]!;
  const key = Key.from(ByteView.of('k'), server.seed);
  server.watches.watch(watcher, database, key);
  database.putString(key, 0, ByteView.of('v'), Number.POSITIVE_INFINITY, EVENT.set);
  expect([watcher.isDirty, other.isDirty]).toEqual([true, false]);
});

test('client ids are never given twice, and each server has its own seed and run id', () => {
  const { server } = serverOf();
  const ids = Array.from({ length: 100 }, () => server.nextClientId());
  expect(new Set(ids).size).toBe(100);
  const another = serverOf().server;
  expect(another.runId).not.toBe(server.runId);
  expect(another.runId).toMatch(/^[0-9a-f]{40}$/);
  expect(another.seed).not.toEqual(server.seed);
});
