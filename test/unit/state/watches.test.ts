// WATCH and time: a key that ends between WATCH and EXEC has changed, whoever notices its end and when.

import { expect, test } from 'vitest';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import { Client } from '../../../src/state/client.ts';
import { InProcessServer } from '../../support/in-process.ts';

const NIL = '*-1\r\n';
const PONG = '*1\r\n+PONG\r\n';

/** What EXEC says about the keys watched before. */
function outcome(server: InProcessServer): string {
  server.run('MULTI');
  server.run('PING');
  return server.run('EXEC');
}

/** Does what the wheel has to do by now. */
function advanceWheel(server: InProcessServer): void {
  server.state.clock.refresh();
  server.state.keyspace.advance({ isSpent: () => false });
}

test('a key that ends after WATCH fails EXEC, though nobody has looked at it', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.advance(9);
  expect(outcome(server)).toBe(PONG);
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.advance(10);
  expect(outcome(server)).toBe(NIL);
  expect(server.run('EXISTS k')).toBe(':0\r\n');
});

test('a key that ends after WATCH fails EXEC, when the wheel has removed it', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.advance(10);
  advanceWheel(server);
  expect(server.db.size).toBe(0);
  expect(outcome(server)).toBe(NIL);
});

test('a key that ends between MULTI and EXEC fails EXEC', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.run('MULTI');
  server.run('SET k w');
  server.advance(10);
  expect(server.run('EXEC')).toBe(NIL);
});

test.each(['', 'EXISTS k', 'FLUSHALL', 'SWAPDB 0 1'])(
  'a key that had ended before WATCH was not there: %s',
  (then) => {
    const server = new InProcessServer();
    server.run('SET k v PX 10');
    server.advance(10);
    expect(server.db.size).toBe(1);
    server.run('WATCH k');
    if (then !== '') server.run(then);
    expect(outcome(server)).toBe(PONG);
  },
);

test('a key that had ended before WATCH stays ended for one client, and ends for another', () => {
  const server = new InProcessServer();
  const early = new Client(99, server.client.outlet, server.client.address, 0, true);
  server.run('SET k v PX 10');
  server.state.watches.watch(early, server.db, keyOf(server, 'k'));
  server.advance(10);
  server.run('WATCH k');
  expect(early.isDirty).toBe(true);
  advanceWheel(server);
  expect(outcome(server)).toBe(PONG);
});

test('a new lease for a watched key is a change, and so is a key made anew after its end', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.run('PEXPIRE k 20');
  expect(outcome(server)).toBe(NIL);
  server.run('WATCH k');
  server.advance(20);
  server.run('SET k v');
  expect(outcome(server)).toBe(NIL);
});

test.each(['SWAPDB 0 1', 'FLUSHDB'])('a key whose end nobody noticed has changed, also after %s', (then) => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('WATCH k');
  server.advance(10);
  server.run(then);
  expect(outcome(server)).toBe(NIL);
});

test('SWAPDB of a key that has ended: who watched it alive sees a change, who watches the empty place does not', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('SELECT 1');
  const other = new Client(99, server.client.outlet, server.client.address, 0, true);
  server.state.watches.watch(other, server.db, keyOf(server, 'k'));
  server.run('WATCH k');
  server.advance(10);
  server.run('SWAPDB 0 1');
  expect(other.isDirty).toBe(true);
  expect(outcome(server)).toBe(PONG);
});

test('the time stands still within EXEC', () => {
  const server = new InProcessServer();
  server.run('SET k v PX 10');
  server.run('MULTI');
  server.run('PTTL k');
  server.run('GET k');
  server.run('PTTL k');
  server.advance(9);
  expect(server.run('EXEC')).toBe('*3\r\n:1\r\n$1\r\nv\r\n:1\r\n');
});

test('nothing is left of a client that watched, whichever way it ends', () => {
  const server = new InProcessServer();
  const { state, client } = server;
  for (const end of ['EXEC', 'DISCARD', 'UNWATCH', 'RESET', 'EXEC x', 'leaves']) {
    server.run('WATCH a b c');
    expect(state.watches.size).toBe(3);
    expect(client.watched.size).toBe(3);
    if (end === 'EXEC' || end === 'DISCARD') server.run('MULTI');
    if (end === 'leaves') state.removeClient(client);
    else server.run(end);
    expect(state.watches.size).toBe(0);
    expect(client.watched.size).toBe(0);
  }
});

test('a key watched by two is watched until both have let go', () => {
  const server = new InProcessServer();
  const other = new Client(99, server.client.outlet, server.client.address, 0, true);
  server.run('WATCH k');
  server.state.watches.watch(other, server.db, keyOf(server, 'k'));
  server.run('UNWATCH');
  expect(server.state.watches.size).toBe(1);
  server.run('SET k v');
  expect(other.isDirty).toBe(true);
  expect(server.client.isDirty).toBe(false);
  server.state.unwatch(other);
  expect(other.isDirty).toBe(false);
  expect(server.state.watches.size).toBe(0);
});

function keyOf(server: InProcessServer, name: string): Key {
  return Key.from(ByteView.of(name), server.state.seed);
}
