// What GETL's lock does to every command that there is, and what the conformance lines cannot show of GETL and its kin:
// when a lock ends, to the millisecond, how long it may be, that nothing shows its cas, and what it costs.
//
// The rule: a command that would change or remove a locked key is refused, and nothing is changed anywhere; one that would
// not change it answers as usual. A command that writes or reads keys and stands in neither list fails a test here.

import { beforeEach, describe, expect, test } from 'vitest';
import { Key } from '../../../src/bytes/key.ts';
import { ByteView } from '../../../src/bytes/view.ts';
import { Registry } from '../../../src/commands/registry.ts';
import { InProcessServer } from '../../support/in-process.ts';

const LOCKED = '-EXISTS key is locked; supply its cas or wait\r\n';
const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value\r\n';
const OK = '+OK\r\n';
const NIL = '$-1\r\n';
const [ZERO, ONE] = [':0\r\n', ':1\r\n'];
const V = '$1\r\nv\r\n';
const NO_FREQUENCY =
  '-ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.\r\n';
const NO_SCRIPT = '-NOSCRIPT No matching script. Please use EVAL.\r\n';
const LIST = 1;

let server: InProcessServer;
beforeEach(() => {
  server = new InProcessServer();
});

function slotOf(name: string): number {
  return server.db.find(Key.from(ByteView.of(name), server.state.seed));
}

/** The last integer in a reply: the cas of GETL, GETS and CAS. */
function cas(reply: string): number {
  const [, digits] = /:(\d+)\r\n$/.exec(reply) ?? [];
  if (digits === undefined) throw new Error(`no cas in ${JSON.stringify(reply)}`);
  return Number(digits);
}

/** All that a client can see of the keyspace. */
function everything(): string {
  const keys = ['k', 'n', 'leased', 'other', 'new'];
  const lifetimes = keys.map((key) => server.run(`PTTL ${key}`));
  return [server.run('DBSIZE'), server.call('MGET', ...keys), ...lifetimes].join('');
}

describe('while keys are locked', () => {
  beforeEach(() => {
    server.call('MSET', 'k', 'v', 'n', '7', 'other', 'o');
    server.run('SET leased v PX 100000');
    for (const key of ['k', 'n', 'leased']) expect(server.run(`GETL ${key}`)).toMatch(/^\*2/);
  });

  const REFUSED = [
    'SET k w',
    'SET k w EX 10',
    'SET k w KEEPTTL',
    'SET k w GET',
    'SET k w XX',
    'SET k w IFEQ v',
    'SET k w IFNE x',
    'SET k w PXAT 1',
    'GETSET k w',
    'SETEX k 10 w',
    'PSETEX k 10 w',
    'GETDEL k',
    'GETEX k EX 10',
    'GETEX leased PERSIST',
    'APPEND k w',
    'SETRANGE k 0 w',
    'INCR n',
    'DECR n',
    'INCRBY n 0',
    'DECRBY n 2',
    'INCRBYFLOAT n 1',
    'INCREX n',
    'MSET other x k w',
    'MSET k w other x',
    'MSETEX 2 other x k w',
    'MSETEX 1 k w XX',
    'DELEX k',
    'DELEX k IFEQ v',
    'DELIFEQ k v',
    'GOBLIN.CAD k v',
    'GOBLIN.CAEXPIRE k v 1000',
    'GOBLIN.CAEXPIRE k v 0',
    'GOBLIN.CAS k v w',
    'GOBLIN.INCREX n 10',
    'GOBLIN.INCRBOUND n 1 8',
    'GOBLIN.DECRPOS n',
    'CAS k 1 w',
    'DEL k',
    'DEL other k',
    'UNLINK other missing k',
    'RENAME k new',
    'RENAME other k',
    'RENAMENX k new',
    'COPY other k REPLACE',
    'MOVE k 1',
    'EXPIRE k 10',
    'EXPIRE k 10 IFEQ v',
    'PEXPIRE k -1',
    'EXPIREAT k 4102444800',
    'PEXPIREAT leased 1 XX',
    'PERSIST leased',
  ];

  test.each(REFUSED)('%s is refused, and nothing has changed', (line) => {
    const { changes } = server.db;
    const before = everything();
    const { getlErrors } = server.state.stats;
    expect(server.run(line)).toBe(LOCKED);
    expect(server.db.changes).toBe(changes);
    expect(everything()).toBe(before);
    expect(server.state.stats.getlErrors).toBe(getlErrors + 1);
  });

  const ANSWERED: readonly (readonly [line: string, reply: string])[] = [
    ['GET k', V],
    ['MGET k missing', `*2\r\n${V}${NIL}`],
    ['STRLEN k', ONE],
    ['GETRANGE k 0 0', V],
    ['SUBSTR k 0 0', V],
    ['LCS k leased', V],
    ['DIGEST k', '$16\r\nf7042be43fb80714\r\n'],
    ['GETEX k', V],
    ['GETEX k PERSIST', V],
    ['SETRANGE k 5 ', ONE],
    ['EXISTS k', ONE],
    ['TYPE k', '+string\r\n'],
    ['TOUCH k', ONE],
    ['TTL leased', ':100\r\n'],
    ['PTTL leased', ':100000\r\n'],
    ['EXPIRETIME k', ':-1\r\n'],
    ['PEXPIRETIME k', ':-1\r\n'],
    ['OBJECT ENCODING k', '$6\r\nembstr\r\n'],
    ['OBJECT IDLETIME k', ZERO],
    ['OBJECT REFCOUNT k', ONE],
    ['OBJECT FREQ k', NO_FREQUENCY],
    ['GETS k', `*1\r\n*2\r\n${V}:-1\r\n`],
    ['SET k w NX', NIL],
    ['SET k w NX GET', V],
    ['SET k w IFEQ x', NIL],
    ['SET k w IFNE v', NIL],
    ['SETNX k w', ZERO],
    ['MSETNX new x k w', ZERO],
    ['MSETEX 2 new x k w NX', ZERO],
    ['MSETEX 2 new x k w XX', ZERO],
    ['DELEX k IFEQ x', ZERO],
    ['DELIFEQ k x', ZERO],
    ['GOBLIN.CAD k x', ZERO],
    ['GOBLIN.CAEXPIRE k x 0', ZERO],
    ['GOBLIN.CAS k x w', ZERO],
    ['GOBLIN.INCRBOUND n 1 7', ':-1\r\n'],
    ['GOBLIN.CLAIM k leased w 10', V],
    ['INCR k', '-ERR value is not an integer or out of range\r\n'],
    ['GOBLIN.DECRPOS k', '-ERR value is not an integer or out of range\r\n'],
    ['INCREX n UBOUND 7', `*2\r\n:7\r\n${ZERO}`],
    ['DEL missing', ZERO],
    ['RENAME missing k', '-ERR no such key\r\n'],
    ['RENAME k k', OK],
    ['RENAMENX k other', ZERO],
    ['RENAMENX other k', ZERO],
    ['COPY other k', ZERO],
    ['EXPIRE k 10 XX', ZERO],
    ['EXPIRE k 10 IFEQ x', ZERO],
    ['PEXPIRE leased 1 GT', ZERO],
    ['PERSIST k', ZERO],
    ['GETL k', '-LOCK_ERROR key is locked\r\n'],
    ['UNL k 1', '-LOCK_ERROR cas does not match the lock\r\n'],
    ['WATCH k', OK],
    ['SSUBSCRIBE k', '*3\r\n$10\r\nssubscribe\r\n$1\r\nk\r\n:1\r\n'],
    ['SUNSUBSCRIBE k', '*3\r\n$12\r\nsunsubscribe\r\n$1\r\nk\r\n:0\r\n'],
    ['SPUBLISH k x', ZERO],
    // What scripts and functions do to a key is decided by each of their commands.
    ['EVAL return 1 k', '$-1\r\n'],
    ['EVAL_RO return 1 k', '$-1\r\n'],
    ['EVALSHA x 1 k', '-NOSCRIPT No matching script. Please use EVAL.\r\n'],
    ['EVALSHA_RO x 1 k', '-NOSCRIPT No matching script. Please use EVAL.\r\n'],
    ['FCALL f 1 k', '-ERR Function not found\r\n'],
    ['FCALL_RO f 1 k', '-ERR Function not found\r\n'],
    ['EVAL return(redis.call("get",KEYS[1])) 1 k', V],
    ['EVAL_RO return(redis.call("get",KEYS[1])) 1 k', V],
    [`EVALSHA ${'0'.repeat(40)} 1 k`, NO_SCRIPT],
    [`EVALSHA_RO ${'0'.repeat(40)} 1 k`, NO_SCRIPT],
  ];

  test.each(ANSWERED)('%s, which changes nothing, answers as usual', (line, reply) => {
    const { changes } = server.db;
    expect(server.run(line)).toBe(reply);
    expect(server.db.changes).toBe(changes);
    server.run('RESET');
    expect(server.run('SET k w')).toBe(LOCKED);
  });

  test('a script gets the error of the command that it calls, and nothing has changed', () => {
    const { changes } = server.db;
    const script = (call: string) => server.call('EVAL', call, '1', 'k');
    expect(script('return redis.call("set", KEYS[1], "w")')).toMatch(
      /^-EXISTS key is locked; supply its cas or wait script: [\da-f]{40}, on @user_script:1\.\r\n$/,
    );
    expect(script('return redis.pcall("set", KEYS[1], "w")')).toBe(LOCKED);
    expect(script('if redis.call("get", KEYS[1]) == "v" then return redis.call("del", KEYS[1]) end')).toMatch(
      /^-EXISTS key is locked; supply its cas or wait script: /,
    );
    expect(server.db.changes).toBe(changes);
  });

  test('COPY reads a locked key', () => {
    expect(server.run('COPY k new')).toBe(ONE);
    expect(server.run('SET new x')).toBe(OK);
  });

  test('MEMORY USAGE answers', () => {
    expect(server.run('MEMORY USAGE k')).toMatch(/^:\d+\r\n$/);
  });

  test('SCAN, KEYS and DBSIZE see locked keys', () => {
    expect(server.run('KEYS k')).toBe('*1\r\n$1\r\nk\r\n');
    expect(server.run('SCAN 0 MATCH k')).toBe('*2\r\n$1\r\n0\r\n*1\r\n$1\r\nk\r\n');
    expect(server.run('DBSIZE')).toBe(':4\r\n');
  });

  test('the lists above are complete', () => {
    const registry = new Registry();
    const named = new Set(
      [...REFUSED, ...ANSWERED.map(([line]) => line), 'COPY', 'MEMORY USAGE'].map(nameOf),
    );
    const all = [...registry.commands.values()].flatMap((each) => [
      each,
      ...(each.subcommands?.values() ?? []),
    ]);
    const onKeys = all.filter(({ spec }) => (spec.keys?.length ?? 0) > 0);
    expect(onKeys.filter(({ name }) => !named.has(name)).map(({ name }) => name)).toEqual([]);

    const refused = new Set(REFUSED.map(nameOf));
    const neverChangeALockedKey = new Set(['setnx', 'msetnx', 'goblin.claim', 'getl', 'unl']);
    const writers = onKeys.filter(({ isWrite, name }) => isWrite && !neverChangeALockedKey.has(name));
    expect(writers.filter(({ name }) => !refused.has(name)).map(({ name }) => name)).toEqual([]);
  });
});

/** The command's name as the registry has it. */
function nameOf(line: string): string {
  const [first = '', second = ''] = line.toLowerCase().split(' ');
  return /^(object|memory)$/.test(first) ? `${first}|${second}` : first;
}

describe('the end of a lock', () => {
  test.each([
    ['GETL k', 15_000],
    ['GETL k 0', 15_000],
    ['GETL k PX 0', 15_000],
    ['GETL k 1', 1000],
    ['GETL k 29', 29_000],
    ['GETL k 30', 29_000],
    ['GETL k 3600', 29_000],
    ['GETL k 9223372036854775807', 29_000],
    ['GETL k PX 1', 1],
    ['GETL k PX 29001', 29_000],
  ])('%s locks for %i ms, and not one more', (line, lockMs) => {
    server.run('SET k v');
    server.run(line);
    server.advance(lockMs - 1);
    expect(server.run('SET k w')).toBe(LOCKED);
    server.advance(1);
    expect(server.run('SET k w')).toBe(OK);
  });

  test.each([
    ['30', '60', 'GETL k', 30_000],
    ['30', '60', 'GETL k 61', 60_000],
    ['90', '60', 'GETL k', 60_000],
    ['1', '2147483647', 'GETL k 86400', 86_400_000],
  ])('with a default of %s s and a maximum of %s s %s locks for %i ms', (byDefault, most, line, lockMs) => {
    server.run(`CONFIG SET getl-default-timeout ${byDefault} getl-max-timeout ${most}`);
    server.run('SET k v');
    server.run(line);
    server.advance(lockMs - 1);
    expect(server.run('DEL k')).toBe(LOCKED);
    server.advance(1);
    expect(server.run('DEL k')).toBe(ONE);
  });

  test('a refused GETL prolongs nothing', () => {
    server.run('SET k v');
    server.run('GETL k 10');
    server.advance(9000);
    expect(server.run('GETL k 29')).toBe('-LOCK_ERROR key is locked\r\n');
    server.advance(1000);
    expect(server.run('GETL k')).toMatch(/^\*2/);
  });

  test('after time-out the cas from before is valid and the cas of the lock is not', () => {
    server.run('SET k v');
    const before = cas(server.run('GETS k'));
    const held = cas(server.run('GETL k 1'));
    expect(held).toBeGreaterThan(before);
    server.advance(1000);
    expect(server.run(`UNL k ${held}`)).toBe('-NOT_LOCKED key is not locked\r\n');
    expect(server.run(`CAS k ${held} w`)).toBe('-EXISTS cas is stale; the key has changed since\r\n');
    expect(cas(server.run(`CAS k ${before} w`))).toBeGreaterThan(held);
    expect(server.run('GET k')).toBe('$1\r\nw\r\n');
  });

  test('the key goes at its own time, and the lock with it', () => {
    server.run('SET k v PX 5000');
    const held = cas(server.run('GETL k'));
    server.advance(5000);
    expect(server.run('GET k')).toBe(NIL);
    expect(server.run(`UNL k ${held}`)).toBe('-NOT_FOUND no such key\r\n');
    expect(server.run(`CAS k ${held} w`)).toBe('-NOT_FOUND no such key\r\n');
    expect(server.run('SET k w')).toBe(OK);
    expect(server.run(`UNL k ${held}`)).toBe('-NOT_LOCKED key is not locked\r\n');
  });

  test('the cas of a key that was deleted and made anew is another one', () => {
    server.run('SET k v');
    const before = cas(server.run('GETS k'));
    server.run('DEL k');
    server.run('SET k v');
    expect(server.run(`CAS k ${before} w`)).toBe('-EXISTS cas is stale; the key has changed since\r\n');
  });

  test('a key takes its lock and its cas along to no other name: locked it cannot be renamed, and later its cas has changed', () => {
    server.run('SET k v');
    const before = cas(server.run('GETS k'));
    server.run('GETL k 1');
    expect(server.run('RENAME k new')).toBe(LOCKED);
    server.advance(1000);
    expect(server.run('RENAME k new')).toBe(OK);
    expect(server.run(`CAS new ${before} w`)).toBe('-EXISTS cas is stale; the key has changed since\r\n');
  });
});

describe('a key of another type', () => {
  test.each(['GETL k', 'UNL k 1', 'CAS k 1 v', 'GETS missing k', 'GOBLIN.CAD k v', 'GOBLIN.CAEXPIRE k v x'])(
    '%s answers WRONGTYPE',
    (line) => {
      server.run('SET k v');
      server.db.setFlag(slotOf('k'), LIST);
      expect(server.run(line)).toBe(WRONG_TYPE);
    },
  );

  test.each([
    'GOBLIN.CAS k v w',
    'DELIFEQ k v',
    'GOBLIN.INCREX k 1',
    'GOBLIN.INCRBOUND k 1 1',
    'GOBLIN.DECRPOS k',
  ])('%s answers WRONGTYPE too', (line) => {
    server.run('SET k v');
    server.db.setFlag(slotOf('k'), LIST);
    expect(server.run(line)).toBe(WRONG_TYPE);
  });

  test('it holds a claim all the same, and is no result', () => {
    server.run('SET k v');
    server.db.setFlag(slotOf('k'), LIST);
    expect(server.run('GOBLIN.CLAIM k missing t 1')).toBe(NIL);
    expect(server.run('GOBLIN.CLAIM k k t 1')).toBe(WRONG_TYPE);
    expect(server.run('GOBLIN.CLAIM free k t 1')).toBe('$7\r\nCLAIMED\r\n');
  });
});

describe('what a lock shows and costs', () => {
  test('nothing lists the cas of a held lock', () => {
    server.run('CONFIG SET slowlog-log-slower-than 0');
    server.run('SET k v');
    const held = String(cas(server.run('GETL k')));
    // On a clock that stands still the cas would be the time that INFO tells.
    server.advance(1);
    server.run(`UNL k ${held}`);
    server.run(`CAS k ${held} v`);
    const shown = ['SLOWLOG GET 100', 'GETS k', 'INFO everything', 'CLIENT LIST', 'OBJECT ENCODING k'];
    for (const line of shown) expect(server.run(line), line).not.toContain(held);
    expect(server.run('SLOWLOG GET 100')).toContain('(redacted)');
  });

  test('INFO counts locks that hold, and refusals', () => {
    server.call('MSET', 'a', '1', 'b', '2', 'c', '3');
    server.run('GETL a 1');
    server.run('GETL b 10');
    server.run('GETL c 10');
    server.run('GETL c 10');
    server.run('SET b x');
    server.run('UNL c 1');
    server.advance(1000);
    expect(server.run('INFO locks')).toContain('getl_locked:2\r\ngetl_errors:3\r\n');
  });

  test('a lock goes with its key, and whatever key comes next has none', () => {
    server.run('SET k v PX 1000');
    server.run('GETL k');
    server.advance(1000);
    expect(server.run('EXISTS k')).toBe(ZERO);
    expect(server.db.getl.count()).toBe(0);
    expect(server.db.getl.usedBytes).toBe(0);
    server.run('SET other v');
    expect(server.run('SET other w')).toBe(OK);
  });

  test('a database whose locks have run out pays for none of them', () => {
    const { getl } = server.db;
    for (let i = 0; i < 100; i++) {
      server.run(`SET k:${i} v`);
      server.run(`GETL k:${i} 5`);
    }
    const locked = getl.usedBytes;
    expect(getl.isEmpty).toBe(false);
    server.advance(4999);
    expect(getl.isEmpty).toBe(false);
    server.advance(1);
    server.run('PING');
    expect(getl.isEmpty).toBe(true);
    expect(getl.usedBytes).toBe(0);
    expect(locked).toBeGreaterThan(0);
    for (let i = 0; i < 100; i++) expect(server.run(`SET k:${i} w`)).toBe(OK);
  });

  test('locks that have run out do not pile up while new ones come', () => {
    for (let i = 0; i < 1000; i++) {
      server.run(`SET k:${i} v`);
      server.run(`GETL k:${i} PX 100`);
      server.advance(10);
    }
    // Ten hold at a time.
    expect(server.db.getl.usedBytes).toBeLessThan(20 * 200);
  });

  test('cas numbers and locks count as memory, and go with their keys', () => {
    server.run('SET k v');
    const before = server.db.usedBytes;
    server.run('GETS k');
    const withCas = server.db.usedBytes;
    server.run('GETL k');
    const withLock = server.db.usedBytes;
    expect(before).toBeLessThan(withCas);
    expect(withCas).toBeLessThan(withLock);
    server.run('FLUSHALL');
    expect(server.db.usedBytes).toBe(0);
    expect(server.db.getl.usedBytes).toBe(0);
  });

  test('a lock is in its own database only', () => {
    server.run('SET k v');
    server.run('GETL k');
    server.run('SELECT 1');
    expect(server.run('SET k w')).toBe(OK);
    expect(server.run('GETL k')).toMatch(/^\*2/);
    expect(server.run('MOVE k 0')).toMatch(/^(:0|-EXISTS)/);
  });
});
