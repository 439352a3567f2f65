// GETL, UNL, CAS and GETS: replies, options and errors. Redis has none of them. How a lock runs out is in test/spec/, what
// it does to every other command in test/unit/commands/getl.test.ts.

import { conformance, matching, ours, remember, scenario, shaped, within } from './harness/cases.ts';
import { error, nil, nilArray, ok, queued, simple } from './harness/replies.ts';

const own = ours('docs/commands/lock.md');

const LOCKED = error('LOCK_ERROR key is locked');
const OTHER_CAS = error('LOCK_ERROR cas does not match the lock');
const NOT_LOCKED = error('NOT_LOCKED key is not locked');
const NOT_FOUND = error('NOT_FOUND no such key');
const STALE = error('EXISTS cas is stale; the key has changed since');
const EXISTS = error('EXISTS key is locked; supply its cas or wait');
const NO_CAS = error('ERR cas must be a positive integer, as GETL, GETS or CAS returned it');
const NOT_AN_INTEGER = error('ERR value is not an integer or out of range');
const SYNTAX = error('ERR syntax error');
const wrongArity = (name: string) => error(`ERR wrong number of arguments for '${name}' command`);
const invalidTime = (name: string) => error(`ERR invalid expire time in '${name}' command`);

/** A line that answers a value and its cas, or several such, and remembers the first cas by `name`. */
const casOf = (line: string, name: string) => remember(own(shaped(line), ['v', 1]), name, 1);
const newCasOf = (line: string, name: string) => remember(own(shaped(line), 1), name);

export const family = conformance('getl', [
  scenario('lock, read, write with the cas', [
    'SET k v',
    casOf('GETL k', 'cas'),
    'GET k',
    own('GETS k', [['v', -1]]),
    own('SET k w', EXISTS),
    own('DEL k', EXISTS),
    own('GETL k', LOCKED),
    own('CAS k 1 w', EXISTS),
    newCasOf('CAS k {cas} w', 'next'),
    own('GET k', 'w'),
    own('CAS k {cas} x', STALE),
    own('UNL k {cas}', NOT_LOCKED),
    own(shaped('CAS k {next} x'), 1),
    own('CAS k {next} y', STALE),
    own('GET k', 'x'),
    own('SET k z', ok),
  ]),

  scenario('UNL: the cas from before the lock is valid again', [
    'SET k v',
    remember(own(shaped('GETS k'), [['v', 1]]), 'before', 0, 1),
    casOf('GETL k 15', 'lock'),
    own('UNL k {before}', OTHER_CAS),
    own('CAS k {before} w', EXISTS),
    own('UNL k {lock}', ok),
    own('UNL k {lock}', NOT_LOCKED),
    own('CAS k {lock} w', STALE),
    own(shaped('CAS k {before} w'), 1),
    own('GET k', 'w'),
  ]),

  scenario('GETS: every write changes the cas, and a refused one does not', [
    'SET k v',
    remember(own(shaped('GETS k missing k'), [['v', 1], nilArray, ['v', 1]]), 'cas', 0, 1),
    own('SET k w NX', nil),
    own('GOBLIN.CAD k other', 0),
    own('PERSIST k', 0),
    newCasOf('CAS k {cas} v', 'cas'),
    own('EXPIRE k 100', 1),
    own('CAS k {cas} v', STALE),
    remember(own(shaped('GETS k'), [['v', 1]]), 'cas', 0, 1),
    own('APPEND k v', 2),
    own('CAS k {cas} v', STALE),
    remember(own(shaped('GETS k'), [['vv', 1]]), 'cas', 0, 1),
    own('DEL k', 1),
    own('SET k vv', ok),
    own('CAS k {cas} v', STALE),
    own('GETS', wrongArity('gets')),
  ]),

  scenario('missing keys', [
    own('GETL missing', nilArray),
    own('GETL missing 10', nilArray),
    own('UNL missing 1', NOT_FOUND),
    own('CAS missing 1 v', NOT_FOUND),
    own('GETS missing', [nilArray]),
    own('EXISTS missing', 0),
  ]),

  scenario('how long GETL locks for', [
    'SET k v PX 100000',
    ...[
      '15',
      '0',
      '3600',
      '9223372036854775807',
      'PX 15000',
      'px 5000',
      'PX 0',
      'PX 9223372036854775807',
    ].flatMap((time) => [casOf(`GETL k ${time}`, 'cas'), own('UNL k {cas}', ok)]),
    own('GETL k -1', invalidTime('getl')),
    own('GETL k PX -1', invalidTime('getl')),
    own('GETL missing -9223372036854775808', invalidTime('getl')),
    ...['x', '""', '1.5', '01', 'PX', '9223372036854775808'].map((time) =>
      own(`GETL k ${time}`, NOT_AN_INTEGER),
    ),
    own('GETL k PX x', NOT_AN_INTEGER),
    own('GETL k EX 1', SYNTAX),
    own('GETL k 1 PX', SYNTAX),
    own('GETL k PX 1 1', SYNTAX),
    own('GETL', wrongArity('getl')),
    own('SET k w', ok),
  ]),

  scenario('the time to live after CAS is as after SET', [
    'SET k v PX 100000',
    casOf('GETL k', 'cas'),
    own(within('PTTL k', 99_000, 100_000), 100_000),
    newCasOf('CAS k {cas} w KEEPTTL', 'cas'),
    own(within('PTTL k', 99_000, 100_000), 100_000),
    newCasOf('CAS k {cas} w', 'cas'),
    own('PTTL k', -1),
    newCasOf('CAS k {cas} w PX 5000', 'cas'),
    own(within('PTTL k', 4000, 5000), 5000),
    newCasOf('cas k {cas} w ex 60', 'cas'),
    own(within('PTTL k', 59_000, 60_000), 60_000),
    newCasOf('CAS k {cas} w EXAT 4102444800', 'cas'),
    own('EXPIRETIME k', 4102444800),
    newCasOf('CAS k {cas} w PXAT 4102444800123', 'cas'),
    own('PEXPIRETIME k', 4102444800123),
    newCasOf('CAS k {cas} w PXAT 1', 'cas'),
    own('EXISTS k', 0),
  ]),

  scenario('mistakes in CAS and UNL', [
    'SET k v',
    ...['0', '-1', 'x', '""', '01', '1.0', '+1', '9007199254740993', '18446744073709551615'].flatMap(
      (cas) => [
        own(`CAS k ${cas} w`, NO_CAS),
        own(`UNL k ${cas}`, NO_CAS),
        own(`UNL missing ${cas}`, NO_CAS),
      ],
    ),
    own('CAS k old-token new-token', NO_CAS),
    ...['NX', 'XX', 'GET', 'IFEQ v', 'PERSIST', 'EX', 'EX 1 PX 1', 'KEEPTTL EX 1', 'w'].map((options) =>
      own(`CAS k 1 w ${options}`, SYNTAX),
    ),
    own('CAS k 1 w EX 0', invalidTime('cas')),
    own('CAS k 1 w EX x', NOT_AN_INTEGER),
    own('CAS k 1', wrongArity('cas')),
    own('UNL k', wrongArity('unl')),
    own('UNL k 1 2', wrongArity('unl')),
    own('CAS k 1 w', STALE),
    own('UNL k 1', NOT_LOCKED),
    'GET k',
  ]),

  scenario('transactions: a lock spoils no watch, and a write by its holder does', [
    'SET k v',
    '@w WATCH k',
    casOf('GETL k', 'cas'),
    own('UNL k {cas}', ok),
    own(shaped('GETS k'), [['v', 1]]),
    '@w MULTI',
    '@w GET k',
    '@w EXEC',
    '@w WATCH k',
    casOf('GETL k', 'cas'),
    own(shaped('CAS k {cas} w'), 1),
    own('@w MULTI', ok),
    own('@w GET k', queued),
    own('@w EXEC', nilArray),
    casOf('GETL k', 'cas'),
    own('@w MULTI', ok),
    own('@w SET other 1', queued),
    own('@w SET k x', queued),
    own('@w GETL k', queued),
    own('@w UNL k {cas}', queued),
    own('@w SET k y', queued),
    own('@w EXEC', [ok, EXISTS, LOCKED, ok, ok]),
  ]),

  scenario('FLUSHALL and SWAPDB end locks, and a deleted key has none', [
    'SET k v',
    casOf('GETL k', 'cas'),
    own('FLUSHALL', ok),
    own('UNL k {cas}', NOT_FOUND),
    own('SET k v', ok),
    casOf('GETL k', 'cas'),
    own('SWAPDB 0 1', ok),
    own('SELECT 1', ok),
    own('UNL k {cas}', NOT_LOCKED),
    own('SET k w', ok),
    own('SELECT 0', ok),
    own('SET k v', ok),
    own('UNL k {cas}', NOT_LOCKED),
  ]),

  scenario('MONITOR shows no cas', [
    'SET k v',
    casOf('GETL k', 'cas'),
    '@m MONITOR',
    own('UNL k 5', OTHER_CAS),
    own(matching('@m <-', / "UNL" "k" "\(redacted\)"$/), simple('0 [0 client] "UNL" "k" "(redacted)"')),
    own('CAS k 5 w EX 10', EXISTS),
    own(
      matching('@m <-', / "CAS" "k" "\(redacted\)" "w" "EX" "10"$/),
      simple('0 [0 client] "CAS" "k" "(redacted)" "w" "EX" "10"'),
    ),
    '@m RESET',
  ]),
]);
