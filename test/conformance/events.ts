// Keyspace events: which command tells what, in which order, on which channels, and what notify-keyspace-events lets through.
//
// `expired` at the deadline is in test/unit/state/keyspace-events.test.ts, where the clock is the test's own.

import { conformance, type Line, scenario } from './harness/cases.ts';

const EVERYTHING = { config: { 'notify-keyspace-events': 'KEA' } };
const BY_KEY = { config: { 'notify-keyspace-events': 'KAmn' } };

/** A command, and then reading the messages that tell of `count` events. */
const telling = (command: string, count: number): Line[] => [command, ...Array(count).fill('@l <-')];

export const family = conformance('events', [
  scenario("on the key's channel first, then on the event's", EVERYTHING, [
    '@l PSUBSCRIBE __key*',
    ...telling('SET k v', 2),
    ...telling('SET k v PX 100000', 4),
    ...telling('DEL k', 2),
    'DEL k',
    'SET k v XX',
    ...telling(String.raw`SET "\xff\x00" v`, 2),
  ]),

  scenario('strings', BY_KEY, [
    '@l PSUBSCRIBE __keyspace@*',
    ...telling('SET k v', 2),
    ...telling('SET k w', 1),
    ...telling('SETNX n 1', 2),
    'SETNX n 2',
    ...telling('SETEX k 100 v', 2),
    ...telling('PSETEX k 100000 v', 2),
    ...telling('GETSET k w', 1),
    ...telling('APPEND k x', 1),
    ...telling('APPEND new x', 2),
    ...telling('SETRANGE k 0 y', 1),
    'SETRANGE k 0 ""',
    ...telling('INCR n', 1),
    ...telling('DECRBY n 2', 1),
    ...telling('INCRBYFLOAT n 1', 1),
    'INCR k',
    ...telling('MSET a 1 b 2', 4),
    'MSETNX a 1 c 2',
    ...telling('MSETNX c 1 d 2', 4),
    ...telling('GETEX k PX 100000', 1),
    'GETEX k',
    ...telling('GETEX k PERSIST', 1),
    'GETEX k PERSIST',
    ...telling('GETEX k PXAT 1', 1),
    ...telling('GETDEL n', 1),
  ]),

  scenario('keys', BY_KEY, [
    '@l PSUBSCRIBE __keyspace@*',
    ...telling('MSET a 1 b 2 c 3', 6),
    ...telling('RENAME a d', 3),
    ...telling('RENAME d b', 3),
    'RENAME b b',
    'RENAMENX b c',
    ...telling('RENAMENX b a', 3),
    ...telling('COPY a e', 2),
    ...telling('COPY a e REPLACE', 2),
    'COPY a e',
    ...telling('MOVE e 1', 3),
    ...telling('UNLINK a nosuch', 1),
    ...telling('DEL c nosuch', 1),
    'FLUSHALL',
    'SWAPDB 0 1',
  ]),

  scenario('times to live', BY_KEY, [
    '@l PSUBSCRIBE __keyspace@*',
    ...telling('SET k v', 2),
    ...telling('EXPIRE k 100', 1),
    ...telling('PEXPIRE k 100000', 1),
    ...telling('EXPIREAT k 4102444800', 1),
    ...telling('PEXPIREAT k 4102444800000', 1),
    'EXPIRE k 100 NX',
    ...telling('PERSIST k', 1),
    'PERSIST k',
    'EXPIRE nosuch 100',
    ...telling('EXPIRE k -1', 1),
    ...telling('SET k v', 2),
    ...telling('PEXPIREAT k 1', 1),
    ...telling('SET k v', 2),
    ...telling('PEXPIRE k 0', 1),
    ...telling('SET k v PX 1', 4),
  ]),

  scenario('misses', { config: { 'notify-keyspace-events': 'Km' } }, [
    '@l PSUBSCRIBE __keyspace@*',
    'SET k v',
    'GET k',
    ...telling('GET none', 1),
    ...telling('MGET none k none', 2),
    ...telling('EXISTS none k', 1),
    ...telling('TTL none', 1),
    ...telling('TYPE none', 1),
    ...telling('STRLEN none', 1),
    ...telling('GETRANGE none 0 1', 1),
    ...telling('TOUCH none', 1),
    ...telling('GETDEL none', 1),
    ...telling('GETEX none', 1),
    'SET none v NX',
    'DEL none',
    'DEL none',
    'APPEND none x',
  ]),

  scenario('one channel only', { config: { 'notify-keyspace-events': 'Eg' } }, [
    '@l PSUBSCRIBE __key*',
    'SET k v',
    ...telling('EXPIRE k 100', 1),
    ...telling('DEL k', 1),
    'CONFIG SET notify-keyspace-events K$',
    ...telling('SET k v PX 100000', 1),
    'DEL k',
    'CONFIG SET notify-keyspace-events Kx',
    ...telling('SET k v PX 1', 1),
    'CONFIG SET notify-keyspace-events A',
    'SET k v',
    'CONFIG SET notify-keyspace-events KE',
    'SET k v',
    'CONFIG SET notify-keyspace-events ""',
    'DEL k',
  ]),

  scenario('databases have channels of their own', EVERYTHING, [
    '@l SUBSCRIBE __keyspace@1__:k __keyevent@1__:set',
    '@l <-',
    'SET k v',
    'SELECT 1',
    ...telling('SET k v', 2),
    ...telling('DEL k', 1),
    'SELECT 0',
    'SET k w',
    ...telling('MOVE k 1', 1),
  ]),

  scenario('listeners without patterns, and none', EVERYTHING, [
    'SET k v',
    '@l SUBSCRIBE __keyevent@0__:del',
    'SET k v',
    ...telling('DEL k', 1),
    '@l UNSUBSCRIBE',
    'SET k v',
    'DEL k',
  ]),

  scenario('inside a transaction', BY_KEY, [
    '@l PSUBSCRIBE __keyspace@*',
    'MULTI',
    'SET a 1',
    'RENAME a b',
    'DEL b',
    ...telling('EXEC', 6),
  ]),
]);
