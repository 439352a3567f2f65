// Walks over all keys: KEYS and SCAN with its options.

import { conformance, notIn7, scenario, unordered } from './harness/cases.ts';
import { error } from './harness/replies.ts';

const since72 = notIn7('Redis 7.2 and later read cursors otherwise: src/bytes/integer.ts, parseUint64');

export const family = conformance('scan', [
  scenario('KEYS', [
    'KEYS *',
    'MSET one 1 two 2 three 3 four 4',
    unordered('KEYS *'),
    unordered('KEYS *o*'),
    unordered('KEYS t??'),
    unordered('KEYS [^t]*'),
    'KEYS two',
    'KEYS TWO',
    'KEYS nothing',
    'KEYS ""',
    'KEYS \\\\*',
    String.raw`SET "\xff\x00" v`,
    String.raw`KEYS "\xff*"`,
    'KEYS',
    'KEYS a b',
  ]),

  scenario('SCAN', [
    'SCAN 0',
    'MSET one 1 two 2 three 3 four 4',
    unordered('SCAN 0', 1),
    unordered('SCAN 0 MATCH *o*', 1),
    unordered('scan 0 match t* count 100 type string', 1),
    unordered('SCAN 0 TYPE STRING COUNT 1000 MATCH *', 1),
    unordered('SCAN 0 COUNT 9223372036854775807', 1),
    'SCAN 0 MATCH nothing',
    'SCAN 0 MATCH one COUNT 100',
    'SCAN 0 TYPE hash',
    'SCAN 0 TYPE nothing',
    'SCAN 0 MATCH nothing MATCH one COUNT 100',
    unordered('SCAN 0 TYPE hash TYPE string', 1),
    unordered('SCAN 00', 1),
    unordered('SCAN +0', 1),
  ]),

  // What is found behind the largest cursor depends on where redis-server's secret puts a key: nothing is in the way here.
  scenario('SCAN from the largest cursor', ['SCAN 18446744073709551615']),

  scenario('SCAN with mistakes', [
    'SET k v',
    'SCAN',
    'SCAN x',
    'SCAN "0 "',
    'SCAN 1.0',
    'SCAN 99999999999999999999',
    since72('SCAN -1', error('ERR invalid cursor')),
    since72('SCAN ""', error('ERR invalid cursor')),
    since72('SCAN " 0"', ['0', ['k']]),
    'SCAN x COUNT 0',
    'SCAN 0 MATCH',
    'SCAN 0 COUNT',
    'SCAN 0 TYPE',
    'SCAN 0 COUNT 0',
    'SCAN 0 COUNT -1',
    'SCAN 0 COUNT x',
    'SCAN 0 COUNT 10 COUNT 0',
    'SCAN 0 COUNT 99999999999999999999',
    'SCAN 0 WRONG',
    'SCAN 0 WRONG 1',
    'SCAN 0 MATCH * WRONG 1',
  ]),
]);
