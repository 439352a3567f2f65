// What the conformance lines cannot show of the string commands: keys of another type and keys that GETL has locked,
// what counts as a change, and what is looked up without being used.

import { beforeEach, describe, expect, test } from 'vitest';
import { formatLongDouble, LONG_DOUBLE_MAX } from '../../../src/bytes/double.ts';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import { GETL_LOCKED } from '../../../src/keyspace/slot-flags.ts';
import { InProcessServer } from '../../support/in-process.ts';

const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n';
const LOCKED = '-EXISTS key is locked; supply its cas or wait\r\n';

const LIST = 1;

let server: InProcessServer;
beforeEach(() => {
  server = new InProcessServer();
});

function slotOf(name: string): number {
  return server.db.find(Key.from(ByteView.of(name), server.state.seed));
}

describe('a key that holds something else', () => {
  beforeEach(() => {
    server.run('SET list v');
    server.db.setFlag(slotOf('list'), LIST);
    expect(server.db.isString(slotOf('list'))).toBe(false);
  });

  test.each([
    'GET list',
    'SET list v GET',
    'SET list v XX GET',
    'SET list v IFEQ a',
    'SET list v IFNE a',
    'SET list v IFDEQ short',
    'GETSET list v',
    'GETDEL list',
    'GETEX list',
    'GETEX list EX x',
    'APPEND list v',
    'STRLEN list',
    'INCR list',
    'DECRBY list 9223372036854775807',
    'INCRBYFLOAT list x',
    'INCREX list',
    'INCREX list BYFLOAT 1',
    'GETRANGE list 0 1',
    'SUBSTR list 0 1',
    'SETRANGE list 0 v',
    'DIGEST list',
  ])('is refused by %s', (line) => {
    const { changes } = server.db;
    expect(server.run(line)).toBe(WRONG_TYPE);
    expect(server.db.changes).toBe(changes);
  });

  test.each([
    ['SET list v NX', '$-1\r\n'],
    ['SETNX list v', ':0\r\n'],
    ['MSETNX list v other v', ':0\r\n'],
    ['MSETEX 1 list v NX', ':0\r\n'],
    ['MGET list', '*1\r\n$-1\r\n'],
    ['LCS list missing LEN IDX', '-ERR The specified keys must contain string values\r\n'],
    ['LCS missing list WRONG', '-ERR The specified keys must contain string values\r\n'],
    ['DELEX list WRONG v', '-ERR Key should be of string type if conditions are specified\r\n'],
    ['INCRBY list x', '-ERR value is not an integer or out of range\r\n'],
    ['SETRANGE list x v', '-ERR value is not an integer or out of range\r\n'],
    ['GETRANGE list x 1', '-ERR value is not an integer or out of range\r\n'],
  ])('%s', (line, reply) => {
    expect(server.run(line)).toBe(reply);
  });

  test.each(['SET list v', 'SET list v XX', 'SETEX list 10 v', 'MSET list v', 'MSETEX 1 list v XX'])(
    'is overwritten by %s',
    (line) => {
      server.run(line);
      expect(server.run('GET list')).toBe('$1\r\nv\r\n');
    },
  );

  test('is deleted by DELEX without a condition', () => {
    expect(server.run('DELEX list')).toBe(':1\r\n');
    expect(slotOf('list')).toBe(0);
  });
});

describe('a key that GETL has locked', () => {
  beforeEach(() => {
    server.run('SET k v PX 60000');
    server.db.getl.lock(slotOf('k'), server.state.clock.nowMs + 15_000);
    server.db.setFlag(slotOf('k'), GETL_LOCKED);
  });

  test.each([
    'SET k w',
    'SET k w GET',
    'SET k w XX',
    'SET k w IFEQ v',
    'SET k w IFNE x PXAT 1',
    'GETSET k w',
    'SETEX k 10 w',
    'PSETEX k 10 w',
    'GETDEL k',
    'GETEX k EX 10',
    'GETEX k PERSIST',
    'GETEX k PXAT 1',
    'APPEND k w',
    'SETRANGE k 0 w',
    'MSET new v k w',
    'MSETEX 2 new v k w',
    'MSETEX 1 k w XX',
    'DELEX k',
    'DELEX k IFEQ v',
  ])('is not changed by %s', (line) => {
    const { changes } = server.db;
    expect(server.run(line)).toBe(LOCKED);
    expect(server.db.changes).toBe(changes);
    expect(server.run('EXISTS new')).toBe(':0\r\n');
  });

  test.each([
    ['GET k', '$1\r\nv\r\n'],
    ['GETEX k', '$1\r\nv\r\n'],
    ['MGET k', '*1\r\n$1\r\nv\r\n'],
    ['STRLEN k', ':1\r\n'],
    ['GETRANGE k 0 0', '$1\r\nv\r\n'],
    ['SETRANGE k 5 ', ':1\r\n'],
    ['SET k w NX', '$-1\r\n'],
    ['SET k w NX GET', '$1\r\nv\r\n'],
    ['SET k w IFEQ x', '$-1\r\n'],
    ['SET k w IFNE v', '$-1\r\n'],
    ['SET k w IFDEQ 0000000000000000', '$-1\r\n'],
    ['SETNX k w', ':0\r\n'],
    ['MSETNX new v k w', ':0\r\n'],
    ['MSETEX 2 new v k w NX', ':0\r\n'],
    ['MSETEX 2 new v k w XX', ':0\r\n'],
    ['DELEX k IFEQ x', ':0\r\n'],
    ['INCR k', '-ERR value is not an integer or out of range\r\n'],
    ['INCRBYFLOAT k 1', '-ERR value is not a valid float\r\n'],
    ['INCREX k', '-ERR value is not an integer or out of range\r\n'],
  ])('%s, which changes nothing, answers as usual', (line, reply) => {
    const { changes } = server.db;
    expect(server.run(line)).toBe(reply);
    expect(server.db.changes).toBe(changes);
  });

  test.each(['INCR n', 'DECRBY n 9223372036854775807', 'INCRBYFLOAT n 1', 'INCREX n', 'INCREX n PXAT 1'])(
    'counts no further by %s',
    (line) => {
      server.run('SET n 7');
      server.db.getl.lock(slotOf('n'), server.state.clock.nowMs + 15_000);
      server.db.setFlag(slotOf('n'), GETL_LOCKED);
      expect(server.run(line)).toBe(LOCKED);
      expect(server.run('GET n')).toBe('$1\r\n7\r\n');
    },
  );

  test('is free at the very millisecond at which the lock ends', () => {
    server.advance(14_999);
    expect(server.run('SET k w')).toBe(LOCKED);
    server.advance(1);
    expect(server.run('SET k w')).toBe('+OK\r\n');
  });
});

describe('time', () => {
  test('a lease set now has all of its time, and ends on time', () => {
    server.run('SET k v PX 30000');
    expect(server.run('PTTL k')).toBe(':30000\r\n');
    server.advance(29_999);
    expect(server.run('GETEX k')).toBe('$1\r\nv\r\n');
    server.advance(1);
    expect(server.run('GETEX k')).toBe('$-1\r\n');
  });

  test('PXAT now is a deadline that has come; a millisecond later it has not', () => {
    const now = 1_700_000_000_000;
    expect(server.run(`SET k v PXAT ${now}`)).toBe('+OK\r\n');
    expect(server.run('EXISTS k')).toBe(':0\r\n');
    server.run(`SET k v PXAT ${now + 1}`);
    expect(server.run('PTTL k')).toBe(':1\r\n');
    expect(server.run(`GETEX k PXAT ${now}`)).toBe('$1\r\nv\r\n');
    expect(server.run('EXISTS k')).toBe(':0\r\n');
  });

  test('counters and edits keep the lease to the millisecond', () => {
    server.run('SET n 1 PX 5000');
    server.advance(1000);
    for (const line of [
      'INCR n',
      'INCRBYFLOAT n 1',
      'INCREX n',
      'APPEND n 0',
      'SETRANGE n 0 9',
      'SET n 2 KEEPTTL',
    ])
      server.run(line);
    expect(server.run('PTTL n')).toBe(':4000\r\n');
  });
});

describe('what is counted', () => {
  test('reads hit or miss, writes do neither', () => {
    const { stats } = server.state;
    server.run('SET k v');
    server.run('SETNX k v');
    server.run('APPEND k v');
    server.run('INCR n');
    server.run('MSET a 1 b 2');
    expect([stats.keyspaceHits, stats.keyspaceMisses]).toEqual([0, 0]);
    for (const line of ['GET k', 'STRLEN k', 'GETRANGE k 0 0', 'SET k v GET', 'GETEX k', 'DIGEST k'])
      server.run(line);
    expect([stats.keyspaceHits, stats.keyspaceMisses]).toEqual([6, 0]);
    for (const line of ['GET x', 'MGET x y', 'GETDEL x', 'LCS x y']) server.run(line);
    expect([stats.keyspaceHits, stats.keyspaceMisses]).toEqual([6, 6]);
  });

  test('what writes nothing is no change', () => {
    server.run('SET k v');
    const { changes } = server.db;
    const silent = [
      'SET k w NX',
      'SET new w XX',
      'SETNX k w',
      'MSETNX new w k w',
      'GETEX k',
      'GETEX k PERSIST',
      'GETDEL new',
      'SETRANGE k 9 ',
      'INCR k',
      'INCREX new UBOUND 0',
      'DELEX k IFEQ w',
      'SET new v PXAT 1',
      'INCREX new PXAT 1',
    ];
    for (const line of silent) {
      server.run(line);
      expect([line, server.db.changes]).toEqual([line, changes]);
    }
  });

  test('a string edited in place is raw until it is set anew', () => {
    const isRaw = (line: string): boolean => {
      server.run(line);
      return server.db.isRaw(slotOf('k'));
    };
    expect(isRaw('APPEND k v')).toBe(false);
    expect(isRaw('APPEND k v')).toBe(true);
    expect(isRaw('SET k 1')).toBe(false);
    expect(isRaw('SETRANGE k 0 ')).toBe(false);
    expect(isRaw('SETRANGE k 0 2')).toBe(true);
    expect(isRaw('INCR k')).toBe(false);
    server.run('DEL k');
    expect(isRaw('SETRANGE k 0 2')).toBe(true);
  });
});

test('a big value that a reply was made of does not change when the string is edited', () => {
  const big = 'x'.repeat(100_000);
  server.call('SET', 'k', big);
  const before = server.db.value(slotOf('k'), new ByteView());
  const bytes = before.buffer.subarray(before.start, before.start + before.length);
  expect(server.run('GET k')).toBe(`$100000\r\n${big}\r\n`);
  server.run('SETRANGE k 0 changed');
  server.run('APPEND k more');
  expect(bytes.toString('latin1')).toBe(big);
  expect(server.run('GETRANGE k 0 8')).toBe('$9\r\nchangedxx\r\n');
  expect(server.run('STRLEN k')).toBe(':100004\r\n');
});

test('RESP3 says nil, maps and doubles its own way', () => {
  server = new InProcessServer({}, 3);
  expect(server.run('GET k')).toBe('_\r\n');
  expect(server.run('SET k v XX')).toBe('_\r\n');
  expect(server.run('INCREX f BYFLOAT 0.1')).toBe('*2\r\n,0.1\r\n,0.1\r\n');
  expect(server.run('INCRBYFLOAT f 1')).toBe('$3\r\n1.1\r\n');
  expect(server.run('LCS f f IDX')).toBe(
    '%2\r\n$7\r\nmatches\r\n*1\r\n*2\r\n*2\r\n:0\r\n:2\r\n*2\r\n:0\r\n:2\r\n$3\r\nlen\r\n:3\r\n',
  );
});

describe('INCREX at the ends of long double', () => {
  const max = formatLongDouble(LONG_DOUBLE_MAX);
  const bulk = (digits: string) => `$${digits.length}\r\n${digits}\r\n`;

  test.each([
    ['', '1e4932'],
    ['-', '-1e4932'],
  ])('%s1e4932 twice is too much, unless it may saturate', (sign, amount) => {
    server.run(`INCREX k BYFLOAT ${amount}`);
    const held = server.run('GET k');
    expect(server.run(`INCREX k BYFLOAT ${amount}`)).toBe(`*2\r\n${held}${bulk('0')}`);
    expect(server.run(`INCREX k BYFLOAT ${amount} SATURATE`)).toMatch(`*2\r\n${bulk(sign + max)}`);
    expect(server.run('GET k')).toBe(bulk(sign + max));
  });

  test('an increment that would be applied from one end to the other is refused', () => {
    server.call('SET', 'k', `-${max}`);
    expect(server.run(`INCREX k BYFLOAT 1 LBOUND ${max} SATURATE`)).toBe(
      '-ERR applied increment would be Infinity\r\n',
    );
    expect(server.run('GET k')).toBe(bulk(`-${max}`));
  });
});
