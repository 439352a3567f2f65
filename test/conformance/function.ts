// FUNCTION and FCALL: how libraries are loaded and what is wrong with those that cannot be, what their functions see and
// answer, and how libraries move.
//
// Functions that run for long are in test/unit/commands/function.test.ts, because others are needed to watch them.

import { crc64 } from '../../src/bytes/crc64.ts';
import { conformance, ignored, type Line, ours, scenario, unordered } from './harness/cases.ts';
import { ok } from './harness/replies.ts';

const differs = ours('docs/differences.md');

/** FUNCTION LOAD REPLACE of a library `lib`. Its code has no double quotes. */
const load = (code: string): string => `FUNCTION LOAD REPLACE "#!lua name=lib\\n${code}"`;
/** The library's only function is `f`, with this body. */
const f = (body: string): string => load(`redis.register_function('f', function(keys, args) ${body} end)`);
const options = (text: string): string =>
  load(`redis.register_function{function_name='f', callback=function() end, ${text}}`);

const each = (toLoad: (code: string) => string, codes: readonly string[]): Line[] => codes.map(toLoad);
/** A library of each, and what calling its function answers. */
const called = (bodies: readonly string[]): Line[] =>
  bodies.flatMap((body) => [f(body), 'FCALL f 2 k1 k2 a1']);

const LIBRARY_A = String.raw`FUNCTION LOAD "#!lua name=a\nredis.register_function('fa', function() return 'a' end)"`;
const LIBRARY_B = String.raw`FUNCTION LOAD "#!lua name=b\nredis.register_function('fb', function() return 'b' end)"`;

/** What redis-server 7.0.15 makes of a library `a` with functions `fa` and `fa2`, compressed. */
const COMPRESSED =
  'f5c3404d407f1f23216c7561206e616d653d610a72656469732e72656769737465725f66756e630a74696f6e28276661272c20e0000e10292072657475726e2027612720656e6429e013380032e012390164290a000bc67b0709dbd583';

const quoted = (bytes: Buffer): string => `"${bytes.toString('hex').replace(/../g, '\\x$&')}"`;

/** A payload with a proper end. */
function payload(version: number, ...parts: readonly (string | readonly number[])[]): string {
  const body = Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    Buffer.of(version, 0),
  ]);
  const end = Buffer.alloc(8);
  end.writeBigUInt64LE(crc64(body, 0, body.length));
  return quoted(Buffer.concat([body, end]));
}

/** An entry for a library, of which one function has this name. */
function entry(library: string, functionName: string): string {
  const code = `#!lua name=${library}\nredis.register_function('${functionName}', function() end)`;
  return `\xf5\x40${String.fromCharCode(code.length)}${code}`;
}

export const family = conformance('function', [
  scenario('headers of libraries', [
    'FUNCTION FLUSH',
    ...each(
      (code) => `FUNCTION LOAD ${code}`,
      [
        'x',
        '""',
        '#!lua',
        '"#!lua name=x"',
        String.raw`"#!lua\n"`,
        String.raw`"#!lua name=x\n"`,
        String.raw`"#!\n"`,
        String.raw`"#! lua name=x\n"`,
        String.raw`"#!js name=x\n"`,
        String.raw`"#!js\n"`,
        String.raw`"#!js name=-\n"`,
        String.raw`"#!lua name=\n"`,
        String.raw`"#!lua name=x-y\n"`,
        String.raw`"#!lua name=\xe9\n"`,
        String.raw`"#!lua name=\"x y\"\n"`,
        String.raw`"#!lua name=x foo=bar\n"`,
        String.raw`"#!lua name=x name=y\n"`,
        String.raw`"#!lua name=x \"a\n"`,
        String.raw`"#!LUA Name=x\nredis.register_function('f', function() end)"`,
        String.raw`"#!lua\tname=\"y\"\r\nredis.register_function('g', function() end)"`,
      ],
    ),
    unordered('FUNCTION LIST'),
  ]),

  scenario('libraries that cannot be loaded', [
    'FUNCTION FLUSH',
    ...each(load, [
      'return 1',
      'local a = = 1',
      'local a = nil + 1',
      'local x = function() foo() end x()',
      'while true do end',
      'local function f() return 1 + f() end f()',
      "redis.register_function('f', function() end) local a = nil + 1",
      '#',
      String.raw`\x1bLua`,
    ]),
    'FUNCTION LIST',
    'FCALL f 0',
  ]),

  scenario('what there is while a library is loaded', [
    'FUNCTION FLUSH',
    ...each(load, [
      "redis.call('GET', 'k')",
      "redis.pcall('GET', 'k')",
      "error('x')",
      'local p = pcall',
      'local k = KEYS',
      'local g = _G',
      'local m = math.random()',
      'foo = 1',
      'redis.foo = 1',
      'function f() end',
      'local a = redis[1]',
      'local a = redis[{}]',
      'local a = redis.REPL_ALL',
      'redis.log(1)',
    ]),
    load(
      "local v = {redis.LOG_DEBUG, redis.LOG_WARNING, ('x'):rep(3)} redis.register_function('f', function() return v end)",
    ),
    'FCALL f 0',
    load(
      "local v = redis.REDIS_VERSION redis.register_function('f', function() return v == redis.REDIS_VERSION end)",
    ),
    'FCALL f 0',
    load(
      "local r = redis redis.register_function('f', function() local t = {} for k in pairs(r) do t[#t+1] = k end table.sort(t) return t end)",
    ),
    'FCALL f 0',
    load(
      "local r = redis redis.register_function('f', function() r.register_function('g', function() end) end)",
    ),
    'FCALL f 0',
    load("local r = redis redis.register_function('f', function() return r.call end)"),
    'FCALL f 0',
  ]),

  scenario('redis.register_function', [
    'FUNCTION FLUSH',
    ...each(
      (args) => load(`redis.register_function${args}`),
      [
        '()',
        "('f')",
        "('f', 1)",
        '({}, function() end)',
        "('f-g', function() end)",
        "('', function() end)",
        "('f', function() end, 1)",
        '{}',
        "{function_name='f'}",
        '{callback=function() end}',
        "{function_name='f', callback=1}",
        '{function_name={}, callback=function() end}',
        '(1, function() end)',
        '{function_name=2, callback=function() end}',
      ],
    ),
    ...each(options, [
      'foo=1',
      '[1]=1',
      '[{}]=1',
      'flags=1',
      "flags={'x'}",
      'flags={1}',
      'description={}',
      "flags={a='no-writes'}",
      "flags={'no-writes', nil, 'x'}",
      "flags={'No-Writes', 'no-writes'}, description=5",
    ]),
    'FUNCTION LIST',
    options(
      "flags={'allow-cross-slot-keys', 'no-cluster', 'allow-stale', 'allow-oom', 'no-writes'}, description='d'",
    ),
    'FUNCTION LIST',
    load("redis.register_function('f', function() end) redis.register_function('f', function() end)"),
    load("redis.register_function('f', redis.log)"),
    'FCALL f 0',
    load("redis.register_function('f', redis.register_function)"),
    'FCALL f 0',
    load("redis.register_function('f', ('x').len)"),
    'FCALL f 0',
  ]),

  scenario('what functions see and answer', [
    'FUNCTION FLUSH',
    'SET k1 v',
    ...called([
      'return {keys, args}',
      "return redis.call('GET', keys[1])",
      "return {redis.call('INCR', 'n'), true, false, 1.9}",
      "return redis.status_reply('fine')",
      "return redis.error_reply('MY boo')",
      "return redis.pcall('GET')",
      "error('boo')",
      "error({err='MY boo'})",
      'error()',
      'error(1)',
      "return redis.call('NOSUCH')",
      "return redis.call('GET')",
      "return redis.call('FCALL', 'f', 0)",
      'return KEYS[1]',
      'return foo',
      'foo = 1',
      '_G.foo = 1',
      'return _G.foo',
      'redis.foo = 1',
      'return redis.foo',
      'redis.register_function()',
      'redis.breakpoint()',
      'redis.replicate_commands()',
      'redis.setresp(4)',
      'local t = {} for k in pairs(_G) do t[#t+1] = k end table.sort(t) return t',
      'local t = {} for k in pairs(redis) do t[#t+1] = k end table.sort(t) return t',
      "return loadstring('return 1 + ...')(2)",
      "return loadstring('return _G.math.pi')()",
      "return {pcall(loadstring('return KEYS'))}",
      'local function g() return 1 + g() end return g()',
      'local t = {} for i = 1, 20000 do t[i] = i end return #t',
      'return select(2, pcall(redis.call))',
      "redis.call('SELECT', 1) return redis.call('SET', 'k', 'v')",
    ]),
    'DBSIZE',
    load(
      "local n = 0 redis.register_function('f', function() n = n + 1 return n end) redis.register_function('g', function() return n end)",
    ),
    'FCALL f 0',
    'FCALL f 0',
    'FCALL g 0',
    load(
      "local held redis.register_function('f', function() held = held or loadstring('local n = 0 return function() n = n + 1 return n end')() return held() end)",
    ),
    'FCALL f 0',
    'FCALL f 0',
    load(
      "local held redis.register_function('f', function() held = held or coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end end) return held() end)",
    ),
    'FCALL f 0',
    'FCALL f 0',
    'FCALL f 0',
    'FCALL f 0',
  ]),

  scenario('FCALL and FCALL_RO', [
    'FUNCTION FLUSH',
    'FCALL f',
    'FCALL f 0',
    'FCALL f x',
    load(
      "redis.register_function{function_name='r', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}} " +
        "redis.register_function{function_name='w', callback=function(keys) return redis.call('SET', keys[1], 'v') end, flags={'no-writes'}} " +
        "redis.register_function('F', function(keys) return redis.call('SET', keys[1], 'v') end)",
    ),
    ...['FCALL', 'FCALL_RO'].flatMap((name) => [
      `${name} f 1 k`,
      `${name} r 1 k`,
      `${name} w 1 k`,
      `${name} r x`,
      `${name} r -1`,
      `${name} r 1`,
      `${name} r 99999999999999999999`,
      `${name} nosuch 0`,
    ]),
    'MULTI',
    'FCALL f 1 k',
    'FUNCTION STATS',
    'FCALL nosuch 0',
    'EXEC',
    "EVAL \"return redis.call('FUNCTION', 'LIST')\" 0",
    'EVAL "return tostring(redis.register_function)" 0',
  ]),

  scenario('which names are taken', [
    'FUNCTION FLUSH',
    LIBRARY_A,
    LIBRARY_A,
    String.raw`FUNCTION LOAD "#!lua name=A\nredis.register_function('FA', function() end)"`,
    String.raw`FUNCTION LOAD "#!lua name=A\nredis.register_function('fA2', function() end)"`,
    LIBRARY_B,
    String.raw`FUNCTION LOAD REPLACE "#!lua name=b\nredis.register_function('fa', function() end)"`,
    String.raw`FUNCTION LOAD replace "#!lua name=b\nredis.register_function('fb', function() return 'new' end)"`,
    String.raw`FUNCTION LOAD REPLACE "#!lua name=b\nfoo()"`,
    'FCALL fb 0',
    'FUNCTION LOAD FOO x',
    'FUNCTION LOAD REPLACE',
    'FUNCTION LOAD REPLACE REPLACE x',
    'FUNCTION LOAD',
    unordered('FUNCTION LIST'),
    'FUNCTION DELETE nosuch',
    'FUNCTION DELETE B',
    'FUNCTION DELETE b',
    'FCALL fb 0',
    'FCALL fa 0',
    'FUNCTION DELETE',
    'FLUSHALL',
    'FCALL fa 0',
  ]),

  scenario('FUNCTION LIST, STATS, FLUSH, KILL and HELP', [
    'FUNCTION FLUSH',
    'FUNCTION LIST',
    'FUNCTION STATS',
    LIBRARY_A,
    'FUNCTION STATS',
    'FUNCTION LIST WITHCODE',
    'FUNCTION LIST LIBRARYNAME',
    'FUNCTION LIST LIBRARYNAME A withcode',
    'FUNCTION LIST libraryname ?',
    'FUNCTION LIST LIBRARYNAME b',
    'FUNCTION LIST LIBRARYNAME a LIBRARYNAME a',
    'FUNCTION LIST WITHCODE WITHCODE',
    'FUNCTION LIST FOO',
    'FUNCTION STATS x',
    'FUNCTION KILL',
    'FUNCTION KILL x',
    'FUNCTION FLUSH FOO',
    'FUNCTION FLUSH SYNC SYNC',
    'FUNCTION LIST LIBRARYNAME a',
    'FUNCTION FLUSH ASYNC',
    'FUNCTION FLUSH sync',
    'FUNCTION LIST',
    'FUNCTION',
    'FUNCTION FOO',
    ignored('FUNCTION HELP'),
    'FUNCTION HELP x',
  ]),

  scenario('FUNCTION DUMP and RESTORE', [
    'FUNCTION FLUSH',
    'FUNCTION DUMP',
    'FUNCTION DUMP x',
    `FUNCTION RESTORE ${quoted(Buffer.from(COMPRESSED, 'hex'))}`,
    'FCALL fa2 0',
    'FUNCTION RESTORE x',
    'FUNCTION RESTORE ""',
    'FUNCTION RESTORE',
    'FUNCTION RESTORE x FOO',
    'FUNCTION RESTORE x FLUSH APPEND',
    'FUNCTION LIST LIBRARYNAME b',
    ...[
      payload(10, entry('b', 'fb')),
      payload(10, entry('b', 'fb')),
      `${payload(10, entry('b', 'fb'))} APPEND`,
      `${payload(10, entry('b', 'fb'))} replace`,
      `${payload(10, entry('b', 'fa'))} REPLACE`,
      `${payload(10, entry('c', 'fa'))} REPLACE`,
      `${payload(10, entry('c', 'fa'), entry('d', 'fa'))} FLUSH`,
      `${payload(10, entry('c', 'fc'), entry('c', 'fd'))} FLUSH`,
      `${payload(10, entry('c', 'fc'), '\xf5\x02xx')} FLUSH`,
      `${payload(10, entry('c', 'fc'), 'x')} FLUSH`,
      `${payload(10, entry('c', 'fc'), '\xf5')} FLUSH`,
      `${payload(10, [0xf5, 0xc0, 1])} FLUSH`,
      `${payload(10, [0xf5, 0xc3, 1])} FLUSH`,
      `${payload(10, [0xf5, 0xc3, 1, 5, 0xff])} FLUSH`,
      `${payload(10, [0xf5, 0xc4, 1, 5, 0xff])} FLUSH`,
      `${payload(10, '\xf5\x20abc')} FLUSH`,
      `${payload(99, entry('c', 'fc'))} FLUSH`,
    ].map((words) => `FUNCTION RESTORE ${words}`),
    unordered('FUNCTION LIST LIBRARYNAME a', 0, 5),
    'FUNCTION LIST LIBRARYNAME b',
    ...[9, 0].map((version) => `FUNCTION RESTORE ${payload(version, entry('b', 'fb'))} FLUSH`),
    differs(`FUNCTION RESTORE ${payload(13, entry('b', 'fb'))} FLUSH`, ok),
    'FUNCTION LIST',
    `FUNCTION RESTORE ${payload(10)} FLUSH`,
    'FUNCTION LIST',
  ]),
]);
