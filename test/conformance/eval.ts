// EVAL and its kin: their arguments, scripts by digest, the first line's flags, and scripts beside what else a server does:
// transactions, watched keys, databases, pauses, MONITOR, counters, memory.
//
// Scripts that run for long are in test/unit/commands, because others are needed to watch them.

import { conformance, ignored, matching, scenario, wait } from './harness/cases.ts';
import { evalOf, scripts } from './harness/scripts.ts';

/** `return KEYS[1]` */
const DIGEST = '4a2267357833227dd98abdedb8cf24b15a986445';
const UNKNOWN = '0'.repeat(40);
const FAMILY = ['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO'];

/** A script whose first line is `#!lua` and what is given, run by EVAL and by EVAL_RO. */
const withHeader = (header: string, code = 'return 1'): string[] =>
  ['EVAL', 'EVAL_RO'].map((name) => `${name} "${header}\\n${code}" 0`);

const SORTED = 'table.sort(t) return t';
const ERRORS = evalOf(
  `local t = {} for line in string.gmatch(redis.call('info', 'errorstats'), '[^\\r\\n]+') do t[#t + 1] = line end ${SORTED}`,
);
const CALLS = evalOf(
  `local t = {} for name, rest in string.gmatch(redis.call('info', 'commandstats'), 'cmdstat_(%S-):(%S+)') do
     t[#t + 1] = name .. ' ' .. string.match(rest, 'calls=%d+') .. string.match(rest, ',rejected.*') end ${SORTED}`,
);

export const family = conformance('eval', [
  scenario('the number of keys', [
    ...FAMILY,
    ...FAMILY.map((name) => `${name} x`),
    ...['x', '-1', '1', '99999999999999999999', '1.5', '" 1" a', '01 a', '+1 a', '""'].map((count) =>
      evalOf('return 1', count),
    ),
    'EVAL "bad bad" x',
    'EVAL "bad bad" 5',
    evalOf('return {KEYS, ARGV}', '2 a b c d'),
    evalOf('return {KEYS, ARGV}', '0 a'),
    evalOf('return {KEYS, ARGV}', '1 a'),
    evalOf('return {KEYS[1], ARGV[1]}', String.raw`1 "\x00\xff\r\n" "\r\n\x00"`),
  ]),

  scenario('scripts by digest', [
    'SCRIPT FLUSH',
    `EVALSHA ${DIGEST} 1 k`,
    'EVAL "return KEYS[1]" 1 k',
    `EVALSHA ${DIGEST} 1 k`,
    `EVALSHA ${DIGEST.toUpperCase()} 1 k`,
    `EVALSHA_RO ${DIGEST} 1 k`,
    `EVALSHA ${DIGEST} x`,
    `EVALSHA ${DIGEST} 2 k`,
    `EVALSHA ${DIGEST} -1`,
    `EVALSHA ${UNKNOWN} 0`,
    `EVALSHA ${UNKNOWN} x`,
    `EVALSHA ${UNKNOWN}0 0`,
    `EVALSHA x 0`,
    `EVALSHA x x`,
    `EVALSHA "" 0`,
    `EVALSHA_RO ${UNKNOWN} 0`,
    'SCRIPT FLUSH',
    `EVALSHA ${DIGEST} 1 k`,
  ]),

  scenario('scripts that only read', [
    ...[
      "return redis.call('set', 'k', 'v')",
      "return redis.pcall('set', 'k', 'v')",
      "return redis.call('get', 'k')",
      "return redis.call('publish', 'c', 'm')",
      "return redis.call('spublish', 'c', 'm')",
      "return redis.call('flushall')",
      "return redis.call('eval', 'return 1', '0')",
    ].map((script) => evalOf(script).replace('EVAL', 'EVAL_RO')),
  ]),

  scenario('the first line', [
    ...[
      '#!lua',
      '#!lua flags=',
      '#!lua flags=no-writes',
      '#!lua flags=no-writes,allow-oom',
      '#!lua flags=no-writes,nope',
      '#!lua flags=no-writes, allow-oom',
      '#!lua flags=no-writes flags=allow-oom',
      '#!lua flags=allow-stale',
      '#!lua flags=no-cluster',
      '#!lua flags=allow-cross-slot-keys',
      '#!lua FLAGS=no-writes',
      '#!lua flags=NO-WRITES',
      '#!lua flags=,',
      '#!lua flags=no-writes,',
      '#!lua nope=1',
      '#!lua nope',
      '#!lua flags',
      '#!lua name=x',
      '#!js',
      '#!',
      '#! lua',
      '#!LUA',
      '#!luax',
      String.raw`#!lua\r`,
      String.raw`#!lua flags=no-writes\r`,
      '#!lua  flags=no-writes   ',
      String.raw`#!lua\tflags=no-writes`,
      String.raw`#!lua \"flags=no-writes\"`,
      "#!lua 'flags",
      "#!lua flags='a'b",
      String.raw`#!l\x00ua`,
      String.raw`#!lua flags=\x00`,
      ' #!lua',
      '#comment',
      String.raw`#!lua\n#!lua`,
    ].flatMap((header) => withHeader(header)),
    'EVAL "#!lua" 0',
    'EVAL "" 0',
    'EVAL "--" 0',
    ...withHeader('#!lua', "error('on line 2')"),
    ...withHeader('#!lua flags=no-writes', "return redis.call('set', 'k', 'v')"),
    ...withHeader('#!lua flags=no-writes', "return redis.call('publish', 'c', 'm')"),
    ...withHeader('#!lua flags=no-writes', "return redis.call('get', 'k')"),
  ]),

  scenario('in transactions', [
    'SCRIPT FLUSH',
    'MULTI',
    ...scripts(`
      return redis.call('incr', 'n')
      error('x')
      return redis.call('nope')
      bad
    `),
    `EVALSHA ${UNKNOWN} 0`,
    'EVAL "return 1" x',
    'SCRIPT LOAD "return KEYS[1]"',
    `EVALSHA ${DIGEST} 1 k`,
    'EXEC',
    'MULTI',
    'EVAL x',
    'EXEC',
    'MULTI',
    'SCRIPT NOPE',
    'EXEC',
  ]),

  scenario('watched keys', [
    'WATCH k',
    evalOf("return redis.call('get', 'k')"),
    'MULTI',
    'PING',
    'EXEC',
    'WATCH k',
    evalOf("return redis.call('set', 'k', 'v')"),
    'MULTI',
    'PING',
    'EXEC',
    'WATCH k',
    'MULTI',
    evalOf("return redis.call('set', 'k', 'w')"),
    'EXEC',
  ]),

  scenario('SELECT ends with the script', [
    evalOf("redis.call('select', 5) return redis.call('set', 'k', 'in 5')"),
    'EXISTS k',
    evalOf("redis.call('select', 5) error('x')"),
    'EXISTS k',
    evalOf("redis.call('select', 5) return redis.call('get', 'k')"),
    'MULTI',
    evalOf("return redis.call('select', 5)"),
    'SET k "in 0"',
    'EXEC',
    'GET k',
    'SELECT 5',
    'GET k',
  ]),

  scenario('messages and events', { config: { 'notify-keyspace-events': 'KEA' } }, [
    '@b SUBSCRIBE c __keyevent@0__:set',
    '@b <-',
    evalOf("redis.call('set', 'k', 'v') return redis.call('publish', 'c', 'm')"),
    '@b <-',
    '@b <-',
  ]),

  scenario('MONITOR', [
    '@b PING',
    'PING',
    '@b MONITOR',
    evalOf(
      "redis.call('set', KEYS[1], ARGV[1]) redis.pcall('nope') return redis.call('GET', KEYS[1])",
      '1 k v',
    ),
    matching('@b <-', /^[\d.]+ \[0 [^\]]+\] "EVAL" "redis.call/),
    matching('@b <-', /^[\d.]+ \[0 lua\] "set" "k" "v"$/),
    matching('@b <-', /^[\d.]+ \[0 lua\] "GET" "k"$/),
    ignored('@b RESET'),
  ]),

  scenario('counters', [
    'SET word x',
    ...[
      "return redis.call('nope')",
      "return redis.pcall('nope')",
      "redis.pcall('nope')",
      "return redis.call('get')",
      "return redis.call('incr', 'word')",
      "return redis.pcall('incr', 'word')",
      "local e = redis.pcall('incr', 'word') return e.err",
      "local _, e = pcall(redis.call, 'incr', 'word') error(e)",
      "return redis.call('multi')",
      "return redis.call('get', {})",
      'return redis.call()',
      'return redis.log()',
      "error('x')",
      "return {err = 'MYERR x'}",
      "return {{err = 'A x'}, {err = 'A x'}, {err = 'B x'}}",
      "return {redis.pcall('incr', 'word')}",
      "return {err = 'A x', ignore_error_stats_update = true}",
      'bad',
    ].flatMap((script) => ['CONFIG RESETSTAT', evalOf(script), ERRORS, CALLS]),
  ]),

  scenario('without memory', { config: { maxmemory: '0' } }, [
    'SET other value',
    'CONFIG SET maxmemory 1',
    ...scripts(`
      return redis.call('get', 'k')
      return redis.call('set', 'k', 'v')
      redis.pcall('set', 'k', 'v') return redis.pcall('set', 'k', 'v')
      redis.call('del', 'k') return redis.call('set', 'k', 'v')
      return redis.call('del', 'k')
    `),
    ...withHeader('#!lua'),
    ...withHeader('#!lua flags=no-writes', "return redis.call('get', 'k')"),
    ...withHeader('#!lua flags=allow-oom', "return redis.call('set', 'k', 'v')"),
    'SCRIPT LOAD "return 77"',
  ]),

  scenario('CLIENT PAUSE WRITE', [
    '@b PING',
    '@c PING',
    'CLIENT PAUSE 60000 WRITE',
    ...withHeader('#!lua flags=no-writes', "return redis.call('get', 'k')"),
    'EVAL_RO "return 1" 0',
    '@b -> EVAL "return 1" 0',
    '@c -> EVAL "#!lua\\nreturn 2" 0',
    wait(5),
    'CLIENT UNPAUSE',
    '@b <-',
    '@c <-',
  ]),

  scenario('CLIENT REPLY', [
    '-> CLIENT REPLY SKIP',
    '-> EVAL "return 1" 0',
    'PING',
    '-> CLIENT REPLY OFF',
    "-> EVAL \"return redis.call('set', 'k', 'v')\" 0",
    'CLIENT REPLY ON',
    'GET k',
  ]),

  scenario('COMMAND GETKEYS', [
    ...FAMILY.flatMap((name) =>
      ['2 a b c', '0', 'x', '5 a', '-1 a'].map((keys) => `COMMAND GETKEYS ${name} x ${keys}`),
    ),
    ...FAMILY.map((name) => `COMMAND GETKEYSANDFLAGS ${name} x 2 a b c`),
  ]),

  scenario('names of commands from arguments', [
    evalOf('return redis.call(ARGV[1], KEYS[1], ARGV[2])', '1 k SeT v'),
    evalOf('return redis.call(unpack(ARGV))', '0 gEt k'),
  ]),

  scenario('tables in tables', [evalOf('local t = {} for i = 1, 100 do t = {t} end return t')]),
]);
