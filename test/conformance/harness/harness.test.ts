// The harness itself: that it sends what lines say, notices every difference, and forgives only what a line forgives.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, redisAvailable, startRedis } from '../../support/redis-server.ts';
import {
  type Case,
  conformance,
  errorCode,
  fields,
  ignored,
  type Line,
  matching,
  notIn7,
  type Options,
  pairs,
  remember,
  type Scenario,
  scenario,
  shaped,
  unordered,
  within,
} from './cases.ts';
import { compare } from './compare.ts';
import { askedOfOracle, expectNoLeftovers, type Recording, recordedReplies } from './recordings.ts';
import {
  bool,
  closed,
  double,
  encodeReply,
  error,
  map,
  nil,
  nilArray,
  ok,
  push,
  set,
  verbatim,
} from './replies.ts';
import { parseLine, runScenario } from './run.ts';

const form = (each: Case, raw: string) => each.loosening?.form(raw);

test('a line names its connection and what it does', () => {
  expect(parseLine('SET k "a b"')).toEqual({ kind: 'call', connection: 'main', words: ['SET', 'k', 'a b'] });
  expect(parseLine('@b -> BLPOP k 0')).toEqual({ kind: 'send', connection: 'b', words: ['BLPOP', 'k', '0'] });
  expect(parseLine('@b <-')).toEqual({ kind: 'read', connection: 'b' });
  expect(parseLine('<-')).toEqual({ kind: 'read', connection: 'main' });
  expect(parseLine(String.raw`>> "*1\r\n$4\r\n" "PING\r\n"`)).toEqual({
    kind: 'bytes',
    connection: 'main',
    bytes: '*1\r\n$4\r\nPING\r\n',
  });
  for (const line of ['', '@b', '@b ->', '<- PING', 'SET "k'])
    expect(() => parseLine(line)).toThrow('cannot read');
});

test('replies written by hand know both protocols', () => {
  const wire = [
    [ok, '+OK\r\n', '+OK\r\n'],
    [1, ':1\r\n', ':1\r\n'],
    [9223372036854775807n, ':9223372036854775807\r\n', ':9223372036854775807\r\n'],
    ['\xff\x00', '$2\r\n\xff\x00\r\n', '$2\r\n\xff\x00\r\n'],
    [nil, '$-1\r\n', '_\r\n'],
    [nilArray, '*-1\r\n', '_\r\n'],
    [error('ERR no'), '-ERR no\r\n', '-ERR no\r\n'],
    [['v', [nil]], '*2\r\n$1\r\nv\r\n*1\r\n$-1\r\n', '*2\r\n$1\r\nv\r\n*1\r\n_\r\n'],
    [map('a', 1), '*2\r\n$1\r\na\r\n:1\r\n', '%1\r\n$1\r\na\r\n:1\r\n'],
    [set('a'), '*1\r\n$1\r\na\r\n', '~1\r\n$1\r\na\r\n'],
    [push('message'), '*1\r\n$7\r\nmessage\r\n', '>1\r\n$7\r\nmessage\r\n'],
    [double('1.5'), '$3\r\n1.5\r\n', ',1.5\r\n'],
    [bool(true), ':1\r\n', '#t\r\n'],
    [verbatim('x'), '$1\r\nx\r\n', '=5\r\ntxt:x\r\n'],
    [closed, '(closed)', '(closed)'],
  ] as const;
  for (const [reply, resp2, resp3] of wire) {
    expect([encodeReply(reply, 2), encodeReply(reply, 3)]).toEqual([resp2, resp3]);
  }
});

test('an order is forgiven, a missing or doubled element is not', () => {
  const keys = unordered('KEYS *');
  expect(form(keys, '*2\r\n+b\r\n+a\r\n')).toBe(form(keys, '*2\r\n+a\r\n+b\r\n'));
  expect(form(keys, '*2\r\n+a\r\n+a\r\n')).not.toBe(form(keys, '*2\r\n+a\r\n+b\r\n'));
  expect(form(keys, ':1\r\n')).toBeUndefined();
  const scan = unordered('SCAN 0', 1);
  expect(form(scan, '*2\r\n$1\r\n0\r\n*2\r\n+b\r\n+a\r\n')).toBe('*2\r\n$1\r\n0\r\n*2\r\n+a\r\n+b\r\n');
});

test('pairs change places as pairs', () => {
  const hash = pairs('HGETALL h');
  expect(form(hash, '*4\r\n+b\r\n+1\r\n+a\r\n+2\r\n')).toBe('*4\r\n+a\r\n+2\r\n+b\r\n+1\r\n');
  expect(form(hash, '%2\r\n+b\r\n+1\r\n+a\r\n+2\r\n')).toBe('%2\r\n+a\r\n+2\r\n+b\r\n+1\r\n');
});

test('a number has to be in its range', () => {
  const ttl = within('PTTL k', 1, 1000);
  expect(form(ttl, ':1\r\n')).toBe(form(ttl, ':1000\r\n'));
  for (const outside of [':0\r\n', ':1001\r\n', '+OK\r\n', '$-1\r\n', '*0\r\n', '(closed)']) {
    expect(form(ttl, outside)).toBeUndefined();
  }
  expect(form(ttl, '$1\r\n5\r\n')).not.toBe(form(ttl, ':5\r\n'));
});

test('an error code, fields, a shape and a pattern stand for the rest', () => {
  expect(form(errorCode('X'), '-ERR a b\r\n')).toBe(form(errorCode('X'), '-ERR c\r\n'));
  expect(form(errorCode('X'), '-NOAUTH a\r\n')).not.toBe(form(errorCode('X'), '-ERR a\r\n'));
  expect(form(errorCode('X'), '+OK\r\n')).toBeUndefined();

  const hello = fields('HELLO', 'proto');
  expect(form(hello, '*4\r\n+id\r\n:7\r\n+proto\r\n:2\r\n')).toBe('*2\r\n+proto\r\n:2\r\n');
  expect(form(hello, '%1\r\n+id\r\n:7\r\n')).toBeUndefined();

  expect(form(shaped('TIME'), '*2\r\n:1\r\n+a\r\n')).toBe(form(shaped('TIME'), '*2\r\n:2\r\n+b\r\n'));
  expect(form(shaped('TIME'), '*1\r\n:1\r\n')).not.toBe(form(shaped('TIME'), '*1\r\n+1\r\n'));

  expect(form(matching('PING', /^P/), '+PONG\r\n')).toBe(form(matching('PING', /^P/), '+PANG\r\n'));
  expect(form(matching('PING', /^P/), '+ONG\r\n')).toBeUndefined();
  expect(form(ignored('PING'), '+A\r\n')).toBe(form(ignored('PING'), '-B\r\n'));
});

test('a difference is reported with the line, what was expected and what came', () => {
  const one = scenario('s', ['GET k', notIn7('8.4')('DIGEST k', nil), within('TTL k', 1, 2)]);
  const replies = (...raws: string[]) =>
    raws.map((raw, i) => ({ raw, form: one.cases[i] && (form(one.cases[i], raw) ?? raw) }));
  const recorded = ['$1\r\nv\r\n', null, ':(1 to 2)\r\n'];
  expect(compare(one, 2, replies('$1\r\nv\r\n', '$-1\r\n', ':2\r\n'), recorded)).toBe('');
  expect(compare(one, 2, [undefined, undefined, undefined], recorded)).toBe('');
  expect(compare(one, 2, replies('$1\r\nw\r\n', '$-1\r\n', ':2\r\n'), recorded)).toBe(
    '\nline 1    GET k\nexpected  "$1\\r\\nv\\r\\n"  (redis-server 7.0.15)\ngot       "$1\\r\\nw\\r\\n"',
  );
  expect(compare(one, 3, replies('$1\r\nv\r\n', '$-1\r\n', ':2\r\n'), recorded)).toContain(
    'line 2    DIGEST k',
  );
  expect(compare(one, 2, replies('$1\r\nv\r\n', '$-1\r\n', ':3\r\n'), recorded)).toContain('line 3    TTL k');
});

test('a recording of other lines is refused', () => {
  const one = scenario('s', ['GET k', notIn7('8.4')('DIGEST k', nil)]);
  const family = conformance('f', [one]);
  const recorded = (recording: Recording) => () => recordedReplies(family, recording, one, 3);
  expect(
    recorded({
      s: [
        ['GET k', '$-1\r\n', '_\r\n'],
        ['DIGEST k', null],
      ],
    })(),
  ).toEqual(['_\r\n', null]);
  expect(recorded({})).toThrow(
    "does not know this: 's' line 1: GET k\nRecord again: RECORD=f npx vitest run",
  );
  expect(
    recorded({
      s: [
        ['GET j', ':1\r\n'],
        ['DIGEST k', null],
      ],
    }),
  ).toThrow('line 1: GET k');
  expect(
    recorded({
      s: [
        ['GET k', ':1\r\n'],
        ['DIGEST k', ':1\r\n'],
      ],
    }),
  ).toThrow('line 2: DIGEST k');
  expect(
    recorded({
      s: [
        ['GET k', ':1\r\n'],
        ['DIGEST k', null],
        ['GET k', ':1\r\n'],
      ],
    }),
  ).toThrow('does not know');
  expect(() => expectNoLeftovers(family, { gone: [] })).toThrow("'gone', which is recorded but not written");
});

test('scenarios of one family have different names', () => {
  expect(() => conformance('f', [scenario('s', []), scenario('s', [])])).toThrow(
    "two scenarios of family f are called 's'",
  );
});

let redis: RunningServer | undefined;
beforeAll(async () => {
  if (redisAvailable) redis = await startRedis();
});
afterAll(async () => redis?.stop());

async function play(each: Scenario, protocol: 2 | 3): Promise<(string | undefined)[]> {
  if (redis === undefined) throw new Error('redis-server is not running');
  const outcomes = await runScenario(redis, each, protocol, askedOfOracle);
  return outcomes.map((outcome) => outcome?.form);
}

const lines = (...all: Line[]) => scenario('s', all);

test.skipIf(!redisAvailable)('connections take turns, and messages are awaited', async () => {
  await expect(play(lines('@b SUBSCRIBE c', 'PUBLISH c m', '@b <-'), 3)).resolves.toEqual([
    '>3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n',
    ':1\r\n',
    '>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n',
  ]);
  const blocked = lines('@b -> BLPOP k 0', '@c -> BLPOP k 0', 'RPUSH k 1 2', '@b <-', '@c <-', '@c PING');
  for (let round = 0; round < 20; round++) {
    const replies = await play(blocked, 2);
    expect(replies.slice(2)).toEqual([
      ':2\r\n',
      '*2\r\n$1\r\nk\r\n$1\r\n1\r\n',
      '*2\r\n$1\r\nk\r\n$1\r\n2\r\n',
      '+PONG\r\n',
    ]);
  }
});

test.skipIf(!redisAvailable)('bytes go out as they are, and the end of a connection is seen', async () => {
  await expect(
    play(lines(String.raw`>> "PING\r\nECHO a\r\n"`, '<-', '<-', 'QUIT', '<-'), 2),
  ).resolves.toEqual(['', '+PONG\r\n', '$1\r\na\r\n', '+OK\r\n', '(closed)']);
});

test.skipIf(!redisAvailable)('what is remembered is written into later lines', async () => {
  const each = lines('RPUSH k a b', remember('LRANGE k 0 -1', 'second', 1), 'ECHO {second}', 'ECHO {other}');
  expect((await play(each, 2)).slice(2)).toEqual(['$1\r\nb\r\n', '$7\r\n{other}\r\n']);
});

test.skipIf(!redisAvailable)('a reply that no line reads fails the scenario', async () => {
  await expect(play(lines('-> PING', 'GET k'), 2)).rejects.toThrow('no line reads this on @main');
});

test.skipIf(!redisAvailable)(
  'directives are put back, and lines for other servers are not sent',
  async () => {
    const options: Options = { config: { 'maxmemory-samples': '7' } };
    const set7 = scenario('s', options, [
      'CONFIG GET maxmemory-samples',
      notIn7('x')('SET k v', ok),
      'EXISTS k',
    ]);
    const reply = (value: string) => `*2\r\n$17\r\nmaxmemory-samples\r\n$1\r\n${value}\r\n`;
    await expect(play(set7, 2)).resolves.toEqual([reply('7'), undefined, ':0\r\n']);
    await expect(play(lines('CONFIG GET maxmemory-samples'), 2)).resolves.toEqual([reply('5')]);
  },
);
