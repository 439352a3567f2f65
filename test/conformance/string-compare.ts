// LCS; and DIGEST and DELEX, which are Redis 8.4's.

import { conformance, notIn7, scenario } from './harness/cases.ts';
import { error, nil, ok } from './harness/replies.ts';

const since84 = notIn7('Redis 8.4, DIGEST and DELEX command pages, and what clients test them with');

const NOT_A_DIGEST = error('ERR must be exactly 16 hexadecimal characters');
const BAD_ARITY = error("ERR wrong number of arguments for 'delex' command");

export const family = conformance('string-compare', [
  scenario('LCS', [
    'MSET x ohmytext y mynewtext empty ""',
    'LCS x y',
    'LCS x y LEN',
    'LCS x y IDX',
    'LCS x y IDX MINMATCHLEN 4 WITHMATCHLEN',
    'LCS x y withmatchlen idx',
    'LCS x y IDX MINMATCHLEN 100',
    'LCS x y IDX MINMATCHLEN -1',
    'LCS x y IDX MINMATCHLEN 9223372036854775807',
    'LCS x y IDX MINMATCHLEN 1 MINMATCHLEN 4',
    'LCS x y MINMATCHLEN 4',
    'LCS x y LEN LEN WITHMATCHLEN',
    'LCS x x IDX',
    'LCS x missing',
    'LCS x missing IDX',
    'LCS empty missing LEN',
    String.raw`MSET a "\x00\xff\r\nz" b "\xff\r\n\x00"`,
    'LCS a b',
  ]),

  scenario('LCS with what it does not take', [
    'MSET x ohmytext y mynewtext',
    'LCS x y LEN IDX',
    'LCS x y WRONG',
    'LCS x y MINMATCHLEN',
    'LCS x y MINMATCHLEN x',
    'LCS x y MINMATCHLEN x LEN IDX',
    'LCS x',
    'LCS missing missing WRONG',
  ]),

  scenario('LCS of strings too long', { config: { 'proto-max-bulk-len': '1048576' } }, [
    'SETRANGE x 510 x',
    'SETRANGE y 510 x',
    'LCS x y LEN',
    'SETRANGE y 511 x',
    'LCS x y LEN',
  ]),

  scenario('DIGEST', [
    since84('DIGEST missing', nil),
    since84('SET k "Hello world"', ok),
    since84('DIGEST k', 'b6acb9d84a38ff74'),
    since84('SET k ""', ok),
    since84('DIGEST k', '2d06800538d394c2'),
    since84('SET k v8', ok),
    since84('digest k', '0cc76dbb41381419'),
    since84('DIGEST', error("ERR wrong number of arguments for 'digest' command")),
    since84('DIGEST k k', error("ERR wrong number of arguments for 'digest' command")),
  ]),

  scenario('DELEX', [
    since84('DELEX k', 0),
    since84('SET k hello', ok),
    since84('DELEX k', 1),
    since84('EXISTS k', 0),
    since84('SET k hello', ok),
    since84('DELEX k IFEQ other', 0),
    since84('DELEX k ifne hello', 0),
    since84('DELEX k IfEq hello', 1),
    since84('SET k 0123', ok),
    since84('DELEX k IFEQ 123', 0),
    since84('DELEX k IFNE 123', 1),
    since84('SET k hello', ok),
    since84('DELEX k IFDEQ 0000000000000000', 0),
    since84('DELEX k IFDNE 9555E8555C62DCFD', 0),
    since84('DELEX k IFDEQ zzzzzzzzzzzzzzzz', 0),
    since84('DELEX k IFDEQ 9555e8555c62dcfd', 1),
    since84('EXISTS k', 0),
  ]),

  scenario('DELEX with what it does not take', [
    since84('DELEX', BAD_ARITY),
    since84('DELEX k IFEQ', BAD_ARITY),
    since84('DELEX k IFEQ a b', BAD_ARITY),
    since84('DELEX missing WRONG x', 0),
    since84('DELEX missing IFDEQ 1', 0),
    since84('SET k hello', ok),
    since84('DELEX k WRONG x', error('ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE')),
    since84('DELEX k IFDEQ 9555e8555c62dcf', NOT_A_DIGEST),
    since84('DELEX k IFDNE ""', NOT_A_DIGEST),
    since84('EXISTS k', 1),
  ]),
]);
