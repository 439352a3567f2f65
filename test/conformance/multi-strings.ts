// Many strings at once: MGET, MSET, MSETNX, and MSETEX, which is Redis 8.4's.

import { conformance, notIn7, scenario, within } from './harness/cases.ts';
import { error, nil } from './harness/replies.ts';

const since84 = notIn7('Redis 8.4, MSETEX command page and tests');

const SYNTAX = error('ERR syntax error');
const BAD_COUNT = error('ERR invalid numkeys value');
const BAD_PAIRS = error('ERR wrong number of key-value pairs');
const BAD_TIME = error("ERR invalid expire time in 'msetex' command");

export const family = conformance('multi-strings', [
  scenario('MSET and MGET', [
    'MSET a 1 b 2',
    'MGET a b missing',
    'MGET a a',
    'MSET a 1 a 2',
    'GET a',
    'SET a 1 PX 30000',
    'MSET a 2',
    'TTL a',
    String.raw`MSET "\x00" "\xff" "" ""`,
    String.raw`MGET "\x00" ""`,
    'MSET',
    'MSET a',
    'MSET a 1 b',
    'MGET',
    'GET b',
  ]),

  scenario('MSETNX', [
    'MSETNX a 1 b 2',
    'MSETNX b 3 c 3',
    'MSETNX c 3 b 3',
    'EXISTS c',
    'MSETNX c 3 d 4',
    'MSETNX e 1 e 2',
    'MGET a b c d e',
    'MSETNX f',
    'MSETNX f 1 g',
    'EXISTS f',
  ]),

  scenario('MSETEX', [
    since84('MSETEX 2 a 1 b 2', 1),
    since84('MGET a b', ['1', '2']),
    since84('PTTL a', -1),
    since84('MSETEX 2 a 3 b 4 EX 100', 1),
    since84(within('TTL a', 99, 100), 100),
    since84(within('TTL b', 99, 100), 100),
    since84('MSETEX 2 a 5 c 6 keepttl', 1),
    since84(within('TTL a', 99, 100), 100),
    since84('TTL c', -1),
    since84('msetex 1 a 7 pxat 4102444800123', 1),
    since84('PEXPIRETIME a', 4102444800123),
    since84('MSETEX 1 a 8', 1),
    since84('PTTL a', -1),
    since84('MSETEX 2 a 9 new 9 PXAT 1', 1),
    since84('MGET a new', [nil, nil]),
    since84('MSETEX 2 NX XX PX EX', 1),
    since84('MGET NX PX', ['XX', 'EX']),
  ]),

  scenario('MSETEX with NX and XX', [
    since84('MSETEX 2 a 1 b 2 NX EX 100', 1),
    since84('MSETEX 2 b 3 c 3 NX', 0),
    since84('EXISTS c', 0),
    since84('MSETEX 2 b 3 c 3 XX EX 10', 0),
    since84('MGET b c', ['2', nil]),
    since84('MSETEX 2 b 3 a 3 PX 200000 XX', 1),
    since84(within('TTL a', 199, 200), 200),
    since84('MSETEX 2 c 1 c 2 NX NX', 1),
    since84('GET c', '2'),
  ]),

  scenario('MSETEX with what it does not take', [
    since84('MSETEX', error("ERR wrong number of arguments for 'msetex' command")),
    since84('MSETEX 1 a', error("ERR wrong number of arguments for 'msetex' command")),
    since84('MSETEX a 1 EX 10', BAD_COUNT),
    since84('MSETEX 0 a 1', BAD_COUNT),
    since84('MSETEX -1 a 1', BAD_COUNT),
    since84('MSETEX 2147483648 a 1', BAD_COUNT),
    since84('MSETEX 9223372036854775807 a 1', BAD_COUNT),
    since84('MSETEX 2147483647 a 1', BAD_PAIRS),
    since84('MSETEX 2 a 1 b', BAD_PAIRS),
    since84('MSETEX 1 a 1 b 2', SYNTAX),
    since84('MSETEX 1 a 1 NX XX', SYNTAX),
    since84('MSETEX 1 a 1 EX 10 PX 10', SYNTAX),
    since84('MSETEX 1 a 1 KEEPTTL EX 10', SYNTAX),
    since84('MSETEX 1 a 1 EX', SYNTAX),
    since84('MSETEX 1 a 1 GET', SYNTAX),
    since84('MSETEX 1 a 1 IFEQ 1', SYNTAX),
    since84('MSETEX 1 a 1 PERSIST', SYNTAX),
    since84('MSETEX 1 a 1 EX 0', BAD_TIME),
    since84('MSETEX 1 a 1 EX x', error('ERR value is not an integer or out of range')),
    since84('EXISTS a', 0),
  ]),
]);
