// SCRIPT: the scripts that are kept, and the one that runs.

import { conformance, ours, scenario } from './harness/cases.ts';
import { error, simple } from './harness/replies.ts';

const differs = ours('docs/differences.md');

/** `return 1` */
const DIGEST = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db';

export const family = conformance('script', [
  scenario('SCRIPT LOAD', [
    'SCRIPT LOAD',
    'SCRIPT LOAD "return 1"',
    'SCRIPT LOAD "return 1" x',
    'SCRIPT LOAD "bad bad"',
    'SCRIPT LOAD ""',
    String.raw`SCRIPT load "#!lua\nreturn 1"`,
    String.raw`SCRIPT LOAD "#!js\nreturn 1"`,
    `EVALSHA ${DIGEST} 0`,
  ]),

  scenario('SCRIPT EXISTS', [
    'SCRIPT FLUSH',
    'SCRIPT EXISTS',
    `SCRIPT EXISTS ${DIGEST}`,
    'EVAL "return 1" 0',
    `SCRIPT EXISTS ${DIGEST} ${DIGEST.toUpperCase()} x ${'0'.repeat(40)}`,
  ]),

  scenario('SCRIPT FLUSH', [
    ...['', ' SYNC', ' async', ' x', ' SYNC x'].flatMap((mode) => [
      'SCRIPT LOAD "return 1"',
      `SCRIPT FLUSH${mode}`,
      `SCRIPT EXISTS ${DIGEST}`,
    ]),
  ]),

  scenario('SCRIPT KILL with nothing to kill', ['SCRIPT KILL', 'SCRIPT KILL x']),

  scenario('SCRIPT DEBUG', [
    'SCRIPT DEBUG',
    'SCRIPT DEBUG x',
    'SCRIPT DEBUG NO',
    'SCRIPT DEBUG no x',
    differs(
      'SCRIPT DEBUG YES',
      error('ERR SCRIPT DEBUG is not supported: there is no Lua debugger in this server'),
    ),
  ]),

  scenario('others', [
    'SCRIPT',
    'SCRIPT NOPE',
    'SCRIPT HELP x',
    differs('SCRIPT HELP', [
      simple('SCRIPT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:'),
      simple('LOAD script'),
      simple('    Compiles a script and keeps it for EVALSHA.'),
      simple('EXISTS sha1 [sha1 ...]'),
      simple('    Tells which scripts are known.'),
      simple('FLUSH [ASYNC | SYNC]'),
      simple('    Forgets all scripts.'),
      simple('KILL'),
      simple('    Ends the script that is running, if it has not written anything.'),
      simple('DEBUG <YES | SYNC | NO>'),
      simple('    Redis turns its debugger for scripts on by this; here there is none.'),
      simple('HELP'),
      simple('    Prints this help.'),
    ]),
  ]),
]);
