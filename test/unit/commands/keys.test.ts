// What the conformance lines cannot show of the commands about keys: GETL locks, keys of another type, what counts as a
// use and what as a change, time to the millisecond, and where chance comes in.

import { beforeEach, describe, expect, test } from 'vitest';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import type { Database } from '../../../src/keyspace/database.ts';
import { GETL_LOCKED } from '../../../src/keyspace/slot-flags.ts';
import { InProcessServer } from '../../support/in-process.ts';

const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n';
const LOCKED = '-EXISTS key is locked; supply its cas or wait\r\n';
const OK = '+OK\r\n';
const NIL = '$-1\r\n';
const [ZERO, ONE] = [':0\r\n', ':1\r\n'];

const LIST = 1;

let server: InProcessServer;
beforeEach(() => {
  server = new InProcessServer();
});

function slotOf(name: string, db: Database = server.db): number {
  return db.find(Key.from(ByteView.of(name), server.state.seed));
}

function lock(name: string, db: Database = server.db): void {
  const slot = slotOf(name, db);
  db.setFlag(slot, GETL_LOCKED);
  db.getl.lock(slot, server.state.clock.nowMs + 15_000);
}

describe('a key that GETL has locked', () => {
  beforeEach(() => {
    server.call('MSET', 'k', 'v', 'other', 'o');
    server.run('SET leased v EX 100');
    lock('k');
    lock('leased');
  });

  test.each([
    'DEL k',
    'DEL other k',
    'UNLINK missing other k',
    'RENAME k new',
    'RENAME other k',
    'RENAMENX k new',
    'COPY other k REPLACE',
    'MOVE k 1',
    'EXPIRE k 10',
    'EXPIRE k 10 NX IFEQ v',
    'PEXPIRE k -1',
    'PEXPIREAT leased 1 XX',
    'PERSIST leased',
  ])('refuses %s, and nothing has changed', (line) => {
    const { changes } = server.db;
    expect(server.run(line)).toBe(LOCKED);
    expect(server.db.changes).toBe(changes);
    expect(server.run('MGET k other leased')).toBe('*3\r\n$1\r\nv\r\n$1\r\no\r\n$1\r\nv\r\n');
    expect(server.run('DBSIZE')).toBe(':3\r\n');
  });

  test.each([
    ['EXISTS k', ONE],
    ['TOUCH k', ONE],
    ['TYPE k', '+string\r\n'],
    ['DEL missing', ZERO],
    ['RENAME missing k', '-ERR no such key\r\n'],
    ['RENAME k k', OK],
    ['RENAMENX k other', ZERO],
    ['RENAMENX other k', ZERO],
    ['COPY k new', ONE],
    ['COPY other k', ZERO],
    ['EXPIRE k 10 XX', ZERO],
    ['EXPIRE k 10 IFEQ other', ZERO],
    ['EXPIRE leased 10 GT', ZERO],
    ['PERSIST k', ZERO],
    ['TTL leased', ':100\r\n'],
    ['OBJECT ENCODING k', '$6\r\nembstr\r\n'],
  ])('lets %s through, which does not change it', (line, reply) => {
    expect(server.run(line)).toBe(reply);
  });

  test('in the other database refuses COPY … REPLACE there, and lets MOVE say that it is taken', () => {
    server.run('COPY k k DB 1');
    lock('k', server.state.keyspace.databases[1]!);
    expect(server.run('COPY other k DB 1 REPLACE')).toBe(LOCKED);
    expect(server.run('MOVE k 1')).toBe(ZERO);
  });

  test('is not locked where it was copied to', () => {
    server.run('COPY k copied');
    expect(server.run('DEL copied')).toBe(ONE);
  });

  test.each(['FLUSHDB', 'FLUSHALL', 'SWAPDB 0 1'])('is free after %s', (line) => {
    expect(server.run(line)).toBe(OK);
    if (line.startsWith('SWAPDB')) server.run('SWAPDB 0 1');
    server.run('SET k v');
    expect(server.run('DEL k')).toBe(ONE);
  });

  test('stays locked when its database takes its own place', () => {
    server.run('SWAPDB 0 0');
    expect(server.run('DEL k')).toBe(LOCKED);
  });
});

describe('a key that holds something else', () => {
  beforeEach(() => {
    server.run('SET list v');
    server.db.setFlag(slotOf('list'), LIST);
  });

  test('is refused by IFEQ, after the time was looked at', () => {
    expect(server.run('PEXPIRE list 100 IFEQ v')).toBe(WRONG_TYPE);
    expect(server.run('PEXPIRE list x IFEQ v')).toBe('-ERR value is not an integer or out of range\r\n');
    expect(server.run('PEXPIRE list 100')).toBe(ONE);
  });

  test('is told by TYPE and SCAN', () => {
    server.run('SET string v');
    expect(server.run('TYPE list')).toBe('+list\r\n');
    expect(server.run('SCAN 0 TYPE LIST')).toBe('*2\r\n$1\r\n0\r\n*1\r\n$4\r\nlist\r\n');
  });
});

describe('idle time', () => {
  beforeEach(() => {
    server.run('SET k v EX 1000');
    server.advance(10_500);
  });

  const idle = (): string => server.run('OBJECT IDLETIME k');

  test.each([
    'TTL k',
    'PEXPIRETIME k',
    'EXISTS k',
    'TYPE k',
    'OBJECT ENCODING k',
    'SCAN 0',
    'KEYS *',
    'PERSIST k',
  ])('is left alone by %s', (line) => {
    server.run(line);
    expect(idle()).toBe(':10\r\n');
  });

  test.each(['TOUCH k', 'GET k', 'COPY k new', 'SET k w'])('starts anew with %s', (line) => {
    server.run(line);
    expect(idle()).toBe(ZERO);
  });

  test('starts anew with TOUCH, and with nothing else that reads, for a client with NO-TOUCH', () => {
    server.client.isNoTouch = true;
    server.run('GET k');
    expect(idle()).toBe(':10\r\n');
    server.run('TOUCH k');
    expect(idle()).toBe(ZERO);
  });

  test('goes along to another name and another database', () => {
    server.run('RENAME k l');
    server.run('MOVE l 1');
    const other = server.state.keyspace.databases[1]!;
    expect(other.idleSeconds(slotOf('l', other))).toBe(10);
  });
});

describe('time', () => {
  test('ends a key at the very millisecond, for all that asks about it', () => {
    server.run('SET k v PX 1000');
    server.advance(999);
    expect(server.run('PTTL k')).toBe(ONE);
    expect(server.run('RANDOMKEY')).toBe('$1\r\nk\r\n');
    server.advance(1);
    expect(server.run('KEYS *')).toBe('*0\r\n');
    expect(server.run('RANDOMKEY')).toBe(NIL);
    expect(server.run('DBSIZE')).toBe(ONE); // as in Redis: nobody has looked it up yet
    expect(server.run('RENAME k l')).toBe('-ERR no such key\r\n');
    expect(server.run('DBSIZE')).toBe(ZERO);
  });

  test('is rounded to seconds as in Redis', () => {
    server.run('SET k v PX 1500');
    expect(server.run('TTL k')).toBe(':2\r\n');
    server.advance(1);
    expect(server.run('TTL k')).toBe(ONE);
    server.advance(1000);
    expect(server.run('TTL k')).toBe(ZERO);
  });

  test('GT and LT compare to the millisecond', () => {
    server.run('SET k v PX 1000');
    expect(server.run('PEXPIRE k 1000 GT')).toBe(ZERO);
    expect(server.run('PEXPIRE k 1000 LT')).toBe(ZERO);
    expect(server.run('PEXPIRE k 1001 GT')).toBe(ONE);
    expect(server.run('PEXPIRE k 1000 LT')).toBe(ONE);
  });
});

describe('RANDOMKEY', () => {
  test('chooses all keys of a small database about equally often', () => {
    const drawn = new Map<string, number>();
    for (const name of 'abcdefgh') server.run(`SET ${name} v`);
    for (let i = 0; i < 4000; i++) {
      const reply = server.run('RANDOMKEY');
      drawn.set(reply, (drawn.get(reply) ?? 0) + 1);
    }
    expect(drawn.size).toBe(8);
    // 500 expected, with a standard deviation of 21: a fair choice is this far off once in 10^12 runs.
    for (const times of drawn.values()) expect(Math.abs(times - 500)).toBeLessThan(160);
  });

  test('finds the one key that is left among thousands that have just ended', () => {
    for (let i = 0; i < 5000; i++) server.run(`SET ended:${i} v PX 10`);
    server.run('SET k v');
    server.advance(10);
    expect(server.run('RANDOMKEY')).toBe('$1\r\nk\r\n');
  });
});

test('a big value that is copied or moved is shared until one of the two is edited', () => {
  const big = 'x'.repeat(100_000);
  server.run(`SET a ${big}`);
  server.run('COPY a b');
  server.run('SETRANGE b 0 y');
  expect(server.run('GETRANGE a 0 1')).toBe('$2\r\nxx\r\n');
  expect(server.run('GETRANGE b 0 1')).toBe('$2\r\nyx\r\n');
});
