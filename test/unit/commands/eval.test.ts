// What conformance lines cannot show of scripts: results too deep for the replies of a test, keys that end meanwhile,
// and what is measured.

import { describe, expect, test, vi } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

/** How often a part occurs in a text. */
const count = (text: string, part: string): number => text.split(part).length - 1;

/** Aggregates and errors in the reply, as redis-server 7.0.15 answers. */
describe('a result that Redis has no room for ends in errors', () => {
  test.each([
    ["local t = 'x' for i = 1, 7994 do t = {t} end return t", 7994, 0],
    ["local t = 'x' for i = 1, 7995 do t = {t} end return t", 7995, 1],
    ['local t = {} t[1] = t return t', 7995, 1],
    ['local t = {} t[1] = 1 t[2] = t t[3] = 3 return t', 7995, 3],
    ['local t = {} t.map = {a = t} return t', 2665, 2],
    ['local t = {} t.map = {[t] = 1} return t', 1999, 2],
    ['local t = {} t.set = {[t] = true} return t', 2665, 1],
    ['local t = {} t[1] = {map = {a = t}} return t', 3998, 2],
    ['local t = {} t.map = {a = t} return {t, 5}', 2666, 2],
  ])('%s', (script, aggregates, errors) => {
    const reply = new InProcessServer().call('EVAL', script, '0');
    expect([count(reply, '*'), count(reply, '-ERR reached lua stack limit\r\n')]).toEqual([
      aggregates,
      errors,
    ]);
  });
});

test('a key that is there when a script starts is there until it ends', () => {
  const server = new InProcessServer();
  vi.spyOn(server.state, 'log').mockImplementation(() => server.advance(5));
  server.run('SET k v PX 5');
  const script = 'redis.log(3, "") return {redis.call("get", KEYS[1]), redis.call("pttl", KEYS[1])}';
  expect(server.call('EVAL', script, '1', 'k')).toBe('*2\r\n$1\r\nv\r\n:5\r\n');
  expect(server.run('GET k')).toBe('$-1\r\n');
});

test('SLOWLOG has a script by its own words, and not what it has run', () => {
  const server = new InProcessServer({ 'slowlog-log-slower-than': 1000 });
  vi.spyOn(server.state, 'log').mockImplementation(() => server.advance(5));
  server.call('EVAL', 'redis.log(3, "") return redis.call("get", KEYS[1])', '1', 'k');
  expect(server.run('SLOWLOG LEN')).toBe(':1\r\n');
  expect(server.run('SLOWLOG GET')).toContain('$4\r\nEVAL\r\n');
});

test('scripts are counted where memory is told of', () => {
  const server = new InProcessServer();
  server.call('EVAL', 'return 1', '0');
  server.call('SCRIPT', 'LOAD', 'return 2');
  expect(server.run('INFO memory')).toMatch(
    /\r\nused_memory_scripts_eval:[1-9]\d+\r\nnumber_of_cached_scripts:2\r\n/,
  );
  expect(server.run('MEMORY STATS')).toMatch(/\r\nlua\.caches\r\n:[1-9]\d+\r\n/);
  server.run('SCRIPT FLUSH');
  expect(server.run('INFO memory')).toContain('\r\nnumber_of_cached_scripts:0\r\n');
  expect(server.run('INFO memory')).toContain('\r\nused_memory_scripts_eval:0\r\n');
});
