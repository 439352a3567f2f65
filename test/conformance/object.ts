// OBJECT: encodings of strings, idle time, and what is not counted.

import { conformance, notIn7, ours, scenario } from './harness/cases.ts';
import { simple } from './harness/replies.ts';

const since82 = notIn7('redis/redis#13806 (8.2): a key and its value are one object, so none is shared');
const differs = ours('docs/differences.md');

const A44 = 'a'.repeat(44);

export const family = conformance('object', [
  scenario('OBJECT ENCODING', [
    'SET k 0',
    'OBJECT ENCODING k',
    'SET k -9223372036854775808',
    'OBJECT ENCODING k',
    'SET k 9223372036854775807',
    'object encoding k',
    'SET k 9223372036854775808',
    'OBJECT ENCODING k',
    'SET k 01',
    'OBJECT ENCODING k',
    'SET k -0',
    'OBJECT ENCODING k',
    'SET k " 1"',
    'OBJECT ENCODING k',
    'SET k ""',
    'OBJECT ENCODING k',
    `SET k ${A44}`,
    'OBJECT ENCODING k',
    `SET k ${A44}a`,
    'OBJECT ENCODING k',
    'SET k 123',
    'APPEND k 4',
    'OBJECT ENCODING k',
    'COPY k copied',
    'OBJECT ENCODING copied',
    'RENAME copied renamed',
    'OBJECT ENCODING renamed',
    'MOVE renamed 1',
    'SELECT 1',
    'OBJECT ENCODING renamed',
    'SELECT 0',
    'INCR k',
    'OBJECT ENCODING k',
    'SETRANGE k 0 9',
    'OBJECT ENCODING k',
    'SET k v',
    'OBJECT ENCODING k',
    'OBJECT ENCODING missing',
  ]),

  scenario('the other questions', [
    'SET k v',
    'OBJECT IDLETIME k',
    'OBJECT IDLETIME missing',
    'OBJECT FREQ k',
    'OBJECT FREQ missing',
    'OBJECT REFCOUNT k',
    'OBJECT REFCOUNT missing',
    'SET n 1',
    since82('OBJECT REFCOUNT n', 1),
    'OBJECT',
    'OBJECT WRONG',
    'OBJECT WRONG k',
    'OBJECT ENCODING',
    'OBJECT ENCODING k k',
    'OBJECT HELP x',
    differs(
      'OBJECT HELP',
      [
        'OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:',
        'ENCODING key',
        '    Tells how the value of a key is stored.',
        'FREQ key',
        '    Would tell how often a key is used, which is not counted here.',
        'IDLETIME key',
        '    Tells for how many seconds a key has not been used.',
        'REFCOUNT key',
        '    Tells how many keys share the value: one, always.',
        'HELP',
        '    Prints this help.',
      ].map(simple),
    ),
  ]),
]);
