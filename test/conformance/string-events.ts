// Keyspace events of the string commands, in their order. What changes nothing is silent: each scenario ends with an event
// of another kind, so that one too many would stand in its place.

import { conformance, type Line, notIn7, scenario } from './harness/cases.ts';
import { double, nil, ok, push } from './harness/replies.ts';

const since84 = notIn7('Redis 8.4 and 8.8: the events that their own tests expect');

const config = { 'notify-keyspace-events': 'E$gxn' };
const LISTEN = '@listener PSUBSCRIBE __keyevent@0__:*';
const EVENT = '@listener <-';

const events = (count: number): string[] => new Array(count).fill(EVENT);

/** A line with as many events. */
const told = (line: string, count: number): string[] => [line, ...events(count)];

/** One event that 7.0.15 cannot be asked for. */
const event = (name: string, key: string): Line =>
  since84(EVENT, push('pmessage', '__keyevent@0__:*', `__keyevent@0__:${name}`, key));

export const family = conformance('string-events', [
  scenario('SET', { config }, [
    LISTEN,
    ...told('SET k v', 2),
    ...told('SET k v', 1),
    ...told('SET k v EX 10', 2),
    ...told('SET k v KEEPTTL', 1),
    ...told('SET k v XX PXAT 4102444800123', 2),
    'SET k v NX',
    'SET missing v XX',
    ...told('SET k v GET', 1),
    'SETNX k v',
    ...told('SETNX new v', 2),
    ...told('SETEX k 10 v', 2),
    ...told('PSETEX k 10000 v', 2),
    ...told('GETSET k v', 1),
    ...told('GETDEL k', 1),
    'GETDEL k',
    ...told('SET k v', 2),
  ]),

  scenario('GETEX', { config }, [
    LISTEN,
    ...told('SET k v', 2),
    'GETEX k',
    'GETEX k PERSIST',
    ...told('GETEX k EX 10', 1),
    ...told('GETEX k PX 10', 1),
    ...told('GETEX k PERSIST', 1),
    ...told('GETEX k EXAT 1', 1),
    'GETEX k EX 10',
    ...told('SET k v', 2),
  ]),

  scenario('counters and edits', { config }, [
    LISTEN,
    ...told('INCR n', 2),
    ...told('DECR n', 1),
    ...told('INCRBY n 0', 1),
    ...told('DECRBY n 5', 1),
    ...told('INCRBYFLOAT n 1.5', 1),
    'INCR n',
    'INCRBYFLOAT n x',
    ...told('APPEND k v', 2),
    ...told('APPEND k ""', 1),
    ...told('SETRANGE k 3 v', 1),
    'SETRANGE k 3 ""',
    'SETRANGE missing 3 ""',
    ...told('SETRANGE new 3 v', 2),
    ...told('DEL k', 1),
  ]),

  scenario('many keys', { config }, [
    LISTEN,
    ...told('MSET a 1 b 2', 4),
    ...told('MSET a 1 a 2', 2),
    'MSETNX a 1 c 2',
    ...told('MSETNX c 1 d 2', 4),
    ...told('DEL a', 1),
  ]),

  scenario('what Redis 8 added', { config }, [
    LISTEN,
    ...told('SET k v', 2),
    since84('SET k a IFEQ x', nil),
    since84('SET k a IFEQ v', ok),
    event('set', 'k'),
    since84('SET k a EXAT 1', ok),
    event('del', 'k'),
    since84('SET k a EXAT 1', ok),
    since84('INCREX n EX 10', [1, 1]),
    event('new', 'n'),
    event('incrby', 'n'),
    event('expire', 'n'),
    since84('INCREX n PERSIST', [2, 1]),
    event('incrby', 'n'),
    event('persist', 'n'),
    since84('INCREX n BYFLOAT 1 LBOUND 5', [double('2'), double('0')]),
    since84('INCREX n EXAT 1', [3, 1]),
    event('del', 'n'),
    since84('MSETEX 1 m 1 EX 10', 1),
    event('new', 'm'),
    event('set', 'm'),
    event('expire', 'm'),
    since84('DELEX m IFEQ 2', 0),
    since84('DELEX m IFEQ 1', 1),
    event('del', 'm'),
  ]),
]);
