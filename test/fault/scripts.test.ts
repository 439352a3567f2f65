// Scripts that never end, end late, or end badly: everybody else is told BUSY and not left waiting, what runs can be killed
// as long as it has written nothing, and whatever it was in the middle of is answered once, whole and in order.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.ts';
import { until } from '../support/clients.ts';
import { CLOSED, RespClient } from '../support/resp-client.ts';

const THRESHOLD_MS = 20;
const PATIENCE_MS = 20_000;
const BUSY = '-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n';
const UNKILLABLE = /^-UNKILLABLE Sorry the script already executed write commands against the dataset\./;
const KILLED =
  /^-ERR Script killed by user with SCRIPT KILL\.\.\. script: [0-9a-f]{40}, on @user_script:\d+\.\r\n$/;

let server: RunningServer;
/** Runs the script. */
let runner: RespClient;
/** Is told BUSY. */
let other: RespClient;

beforeEach(async () => {
  server = await startServer({ port: 0, bind: ['127.0.0.1'], 'busy-reply-threshold': THRESHOLD_MS });
  runner = await connect();
  other = await connect();
});
afterEach(async () => {
  await runner.close();
  await other.close();
  await server.close();
});

const connect = (): Promise<RespClient> => RespClient.connect({ port: server.port });

/** Resolves when others are told BUSY. */
async function busy(by = other): Promise<void> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  for (let reply = ''; reply !== BUSY; ) {
    if (performance.now() > giveUpMs) throw new Error(`never busy; the script said ${runner.unread[0]}`);
    reply = await by.raw('GET', 'k');
  }
}

async function kill(): Promise<void> {
  expect(await other.raw('SCRIPT', 'KILL')).toBe('+OK\r\n');
}

/** Takes long, and counts how often it has run. */
const LONG = (turns: number): string =>
  `local n = 0 while n < ${turns} do n = n + 1 end redis.call('INCR', 'runs') return n`;
/** More turns than pass before the threshold. */
const LONG_TURNS = 20_000_000;

describe('what never ends is killed', () => {
  test.each([
    ['while', 'while true do end'],
    ['repeat', 'repeat until false'],
    ['numeric for', 'for i = 1, math.huge do end'],
    ['for that stands still', 'for i = 1, 2, 0 do end while true do end'],
    ['generic for', 'for _ in function() return 1 end do end'],
    ['tail calls', 'local function f() return f() end f()'],
    ['mutual tail calls', 'local f, g function f() return g() end function g() return f() end f()'],
    ['calls of leaves', 'local function f(a) return a end while true do f(1) end'],
    ['caught errors', 'local function f() error("x") end while true do pcall(f) end'],
    ['caught endless loops', 'while true do pcall(function() while true do end end) end'],
    ['caught overflows', 'local function f() f() return 1 end while true do pcall(f) end'],
    ['xpcall', 'while true do xpcall(function() error({}) end, function(e) return e end) end'],
    ['__index', 'local t = setmetatable({}, {__index = function(_, k) return k end}) while t[1] do end'],
    ['inside __index', 'return setmetatable({}, {__index = function() while true do end end}).x'],
    [
      'inside __lt',
      'local m = {__lt = function() while true do end end} return setmetatable({}, m) < setmetatable({}, m)',
    ],
    ['inside __concat', 'return setmetatable({}, {__concat = function() while true do end end}) .. "x"'],
    ['an order function', 'table.sort({3, 1, 2}, function() while true do end end)'],
    ['gsub callbacks', '("x"):gsub("x", function() while true do end end)'],
    [
      'coroutines',
      'local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end',
    ],
    ['inside a coroutine', 'coroutine.wrap(function() while true do end end)()'],
    ['loaded text', 'loadstring("while true do end")()'],
    ['foreach', 'table.foreach({1}, function() while true do end end)'],
    ['reads', 'while true do redis.call("GET", "k") end'],
    ['failing commands', 'while true do redis.pcall("NOSUCH") end'],
    [
      'long strings',
      'local s = string.rep("x", 1e6) while true do local t = s .. "y" local u = t:upper() end',
    ],
    ['long bodies', `while true do ${'local t = {{},{},{}} '.repeat(150)} end`],
  ])('%s', async (_, script) => {
    runner.send('EVAL', script, '0');
    await busy();
    await kill();
    expect(await runner.next()).toMatch(KILLED);
    expect(await other.raw('PING')).toBe('+PONG\r\n');
    expect(await runner.raw('EVAL', 'return 1', '0')).toBe(':1\r\n');
    expect(await other.raw('SCRIPT', 'KILL')).toBe('-NOTBUSY No scripts in execution right now.\r\n');
  });
});

test('plain code that goes deep starts over with code that can', async () => {
  const script = 'local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(15000)';
  expect(await runner.raw('EVAL', script, '0')).toBe(':15000\r\n');
});

test('past the threshold only what helps is allowed, for new connections too', async () => {
  runner.send('EVAL', 'while true do end', '0');
  await busy();
  const late = await connect();
  for (const words of [
    'PING',
    'INFO',
    'CLIENT LIST',
    'SCRIPT FLUSH',
    'SCRIPT EXISTS a',
    'EVAL return 0',
    'SHUTDOWN',
    'SHUTDOWN SAVE',
    'CONFIG GET port',
    'SUBSCRIBE c',
  ])
    expect([words, await late.raw(...words.split(' '))]).toEqual([words, BUSY]);
  for (const words of ['WATCH k', 'UNWATCH', 'MULTI', 'DISCARD'])
    expect([words, await late.raw(...words.split(' '))]).toEqual([words, '+OK\r\n']);
  expect(await late.raw('HELLO', '3')).toMatch(/^%7/);
  expect(await late.raw('RESET')).toBe('+RESET\r\n');
  expect(await late.raw('AUTH', 'x')).toMatch(/^-ERR AUTH/);
  expect(await late.raw('SHUTDOWN', 'ABORT')).toBe('-ERR No shutdown in progress.\r\n');
  expect(await late.raw('MULTI')).toBe('+OK\r\n');
  expect(await late.raw('GET', 'k')).toBe(BUSY);
  expect(await late.raw('EXEC')).toBe(`-EXECABORT Transaction discarded because of: ${BUSY.slice(1)}`);
  expect(await late.raw('QUIT')).toBe('+OK\r\n');
  await kill();
  expect(await runner.next()).toMatch(KILLED);
});

test('what has written cannot be killed, goes on, and has its effects once', async () => {
  await runner.raw('SET', 'k', 'v');
  runner.send('EVAL', `redis.call('INCR', 'runs') redis.call('APPEND', 'k', 'w') ${LONG(LONG_TURNS)}`, '0');
  await busy();
  expect(await other.raw('SCRIPT', 'KILL')).toMatch(UNKILLABLE);
  expect(await runner.next()).toBe(`:${LONG_TURNS}\r\n`);
  expect(await other.raw('MGET', 'runs', 'k')).toBe('*2\r\n$1\r\n2\r\n$2\r\nvw\r\n');
});

test('SHUTDOWN NOSAVE ends it, and the server', async () => {
  runner.send('EVAL', "redis.call('SET', 'k', 'v') while true do end", '0');
  await busy();
  other.send('SHUTDOWN', 'NOSAVE');
  await server.shutdownRequested;
  await server.close();
  expect(await runner.next()).toBe(CLOSED);
});

test('a transaction with a long script in it is answered whole, and nothing comes between', async () => {
  const watcher = await connect();
  const listener = await connect();
  await watcher.raw('WATCH', 'runs');
  await watcher.raw('MULTI');
  await watcher.raw('PING');
  await listener.raw('SUBSCRIBE', 'c');
  const words = [
    ['MULTI'],
    ['SET', 'a', '1'],
    ['EVAL', `redis.call('PUBLISH', 'c', 'm') ${LONG(LONG_TURNS)}`, '0'],
    ['INCR', 'runs'],
    ['EVAL', LONG(LONG_TURNS), '0'],
    ['GET', 'runs'],
    ['EXEC'],
    ['GET', 'a'],
  ];
  for (const each of words) runner.send(...each);
  await busy();
  expect(await other.raw('SET', 'a', '2')).toBe(BUSY);
  expect(await runner.next()).toBe('+OK\r\n');
  for (let i = 0; i < 5; i++) expect(await runner.next()).toBe('+QUEUED\r\n');
  expect(await runner.next()).toBe(`*5\r\n+OK\r\n:${LONG_TURNS}\r\n:2\r\n:${LONG_TURNS}\r\n$1\r\n3\r\n`);
  expect(await runner.next()).toBe('$1\r\n1\r\n');
  expect(await watcher.raw('EXEC')).toBe('*-1\r\n');
  expect(await listener.next()).toBe('*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n');
  await watcher.close();
  await listener.close();
});

test('a kill inside a transaction fails that command only', async () => {
  for (const each of [
    ['MULTI'],
    ['SET', 'a', '1'],
    ['EVAL', 'while true do end', '0'],
    ['GET', 'a'],
    ['EXEC'],
  ])
    runner.send(...each);
  await busy();
  await kill();
  for (let i = 0; i < 4; i++) await runner.next();
  expect(await runner.next()).toMatch(/^\*3\r\n\+OK\r\n-ERR Script killed by user.*\r\n\$1\r\n1\r\n$/);
});

test('it goes on when its client hangs up, and can still be killed', async () => {
  runner.send('EVAL', LONG(LONG_TURNS), '0');
  await busy();
  await runner.close();
  for (let runs = ''; runs !== '$1\r\n1\r\n'; ) runs = await other.raw('GET', 'runs');
  runner = await connect();
  runner.send('EVAL', 'while true do end', '0');
  await busy();
  await runner.close();
  await kill();
  await until('it is dead', () => !server.state.isBusy);
  expect(await other.raw('PING')).toBe('+PONG\r\n');
});

test.each([
  ['OFF', []],
  ['SKIP', ['$4\r\npong\r\n']],
])('CLIENT REPLY %s holds for a long script', async (mode, replies) => {
  runner.send('CLIENT', 'REPLY', mode);
  runner.send('EVAL', LONG(LONG_TURNS), '0');
  runner.send('PING', 'pong');
  await busy();
  for (let runs = ''; runs !== '$1\r\n1\r\n'; ) runs = await other.raw('GET', 'runs');
  if (mode === 'OFF') runner.send('CLIENT', 'REPLY', 'ON');
  expect(await runner.next()).toBe(mode === 'OFF' ? '+OK\r\n' : replies[0]);
  expect(runner.unread).toEqual([]);
});

test('what is pipelined behind a long script is answered behind it', async () => {
  runner.send('EVAL', LONG(LONG_TURNS), '0');
  runner.send('GET', 'runs');
  runner.send('EVAL', LONG(LONG_TURNS), '0');
  runner.send('GET', 'runs');
  await busy();
  expect(await other.raw('EVAL', 'return 1', '0')).toBe(BUSY);
  const replies = [await runner.next(), await runner.next(), await runner.next(), await runner.next()];
  expect(replies).toEqual([`:${LONG_TURNS}\r\n`, '$1\r\n1\r\n', `:${LONG_TURNS}\r\n`, '$1\r\n2\r\n']);
});

test('a key that was there at the start is there until the end, and then gone', async () => {
  await runner.raw('CONFIG', 'SET', 'notify-keyspace-events', 'Ex');
  const listener = await connect();
  await listener.raw('SUBSCRIBE', '__keyevent@0__:expired');
  await runner.raw('SET', 'k', 'v', 'PX', String(THRESHOLD_MS * 2));
  runner.send('EVAL', `${LONG(LONG_TURNS)} .. redis.call('GET', 'k') .. redis.call('PTTL', 'k')`, '0');
  await busy();
  expect(await runner.next()).toMatch(new RegExp(`^\\$\\d+\\r\\n${LONG_TURNS}v[1-9]\\d*\\r\\n$`));
  expect(await listener.next()).toBe('*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n');
  expect(await runner.raw('GET', 'k')).toBe('$-1\r\n');
  await listener.close();
});

test('a message to the client of a long script comes behind its reply', async () => {
  await runner.raw('HELLO', '3');
  await runner.raw('SUBSCRIBE', 'c');
  runner.send('EVAL', `redis.call('PUBLISH', 'c', 'm') ${LONG(LONG_TURNS)}`, '0');
  await busy();
  expect(await runner.next()).toBe(`:${LONG_TURNS}\r\n`);
  expect(await runner.next()).toBe('>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n');
});

test('with a threshold of 0 nobody is told BUSY: all wait', async () => {
  await other.raw('CONFIG', 'SET', 'busy-reply-threshold', '0');
  runner.send('EVAL', `${LONG(LONG_TURNS)}`, '0');
  expect(await runner.next()).toBe(`:${LONG_TURNS}\r\n`);
  expect(await other.raw('GET', 'runs')).toBe('$1\r\n1\r\n');
});

test('the server closes in the middle of a script', async () => {
  runner.send('EVAL', 'while true do end', '0');
  await busy();
  await server.close();
  expect(await runner.next()).toBe(CLOSED);
});
