// CONFIG GET and SET on a Config, and what its readers see. The texts are redis-server 7.0.15's.

import { expect, test } from 'vitest';
import { Config } from '../../../src/config/config.ts';
import { ConfigError } from '../../../src/config/errors.ts';

function errorOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

const failed = (name: string, reason: string): string =>
  `ERR CONFIG SET failed (possibly related to argument '${name}') - ${reason}`;

test('values are typed, and defaults unless given', () => {
  const config = new Config({ port: 0, maxmemory: 5 });
  expect(config.values.port).toBe(0);
  expect(config.values.maxmemory).toBe(5);
  expect(config.values.bind).toEqual(['127.0.0.1', '-::1']);
  expect(config.values['getl-default-timeout']).toBe(15);
  expect(config.values['getl-max-timeout']).toBe(29);
  expect(config.values['client-output-buffer-limit'].pubsub.hardLimitBytes).toBe(33554432);
});

test('an option given as undefined has its default, as callers in JavaScript expect', () => {
  const given: object = { maxmemory: undefined, port: 1 };
  const { values } = new Config(given);
  expect([values.maxmemory, values.port]).toEqual([0, 1]);
});

test('GET answers a plain name under its asked spelling, once, and a pattern under all names and aliases', () => {
  const config = new Config();
  expect(config.get(['PORT', 'port', 'po[r]t'])).toEqual([['PORT', '6379']]);
  expect(config.get(['slave-read-onl[y]', 'replica-read-only'])).toEqual([
    ['slave-read-only', 'yes'],
    ['replica-read-only', 'yes'],
  ]);
  expect(config.get(['LUA-TIME-LIM?T', '*-reply-threshold'])).toEqual([
    ['lua-time-limit', '5000'],
    ['busy-reply-threshold', '5000'],
  ]);
  expect(config.get(['nosuch', '[', 'include', 'user', 'renam*'])).toEqual([]);
});

test.for([
  [
    'client-output-buffer-limit',
    'normal 1 2 3 pubsub 1mb 2k 3',
    'normal 1 2 3 slave 268435456 67108864 60 pubsub 1048576 2000 3',
  ],
  ['client-output-buffer-limit', 'replica 1 1 1', 'normal 0 0 0 slave 1 1 1 pubsub 33554432 8388608 60'],
  ['client-output-buffer-limit', '', 'normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60'],
  ['maxmemory', '1KB', '1024'],
  ['maxmemory', '', '0'],
  ['maxmemory-clients', '5%', '5%'],
  ['notify-keyspace-events', 'KEA', 'AKE'],
  ['notify-keyspace-events', 'En', 'nE'],
  ['notify-keyspace-events', 'g$lshzxedt', 'A'],
  ['notify-keyspace-events', 'Kd', 'dK'],
  ['latency-tracking-info-percentiles', '0.0 1e1 50.1234567', '0 10 50.123457'],
  ['latency-tracking-info-percentiles', '', ''],
  ['shutdown-on-sigterm', 'force now nosave', 'nosave now force'],
  ['oom-score-adj-values', '3 2 1', '3 2 1'],
  ['loglevel', 'WARNING', 'warning'],
  ['requirepass', 'p\xff \0', 'p\xff \0'],
] as const)('SET %s "%s"', ([name, text, shown]) => {
  const config = new Config();
  config.set([[name, text]]);
  expect(config.get([name])).toEqual([[name, shown]]);
});

test.for([
  ['client-output-buffer-limit', 'normal 1', 'Wrong number of arguments in buffer limit configuration.'],
  [
    'client-output-buffer-limit',
    'master 1 1 1',
    'Invalid client class specified in buffer limit configuration.',
  ],
  ['client-output-buffer-limit', 'normal  0 0 0', 'Wrong number of arguments in buffer limit configuration.'],
  [
    'client-output-buffer-limit',
    'normal 1 1 -1',
    'Error in hard, soft or soft_seconds setting in buffer limit configuration.',
  ],
  ['notify-keyspace-events', 'q', "Invalid event class character. Use 'Ag$lshzxeKEtmdnoc'."],
  ['shutdown-on-sigint', 'nosave save', "shutdown options SAVE and NOSAVE can't be used simultaneously"],
  ['maxmemory-policy', 'allkeys-lru', 'only noeviction is provided, as evicting a lock would give it away'],
  ['save', '900 1', 'nothing is written to disk yet, so a restart forgets all keys and locks'],
  ['save', '900', 'Invalid save parameters'],
  ['databases', '3', "can't set immutable config"],
  ['dir', '/', "can't set protected config"],
] as const)('SET %s "%s" is refused', ([name, text, reason]) => {
  const config = new Config();
  expect(errorOf(() => config.set([[name, text]]))).toBe(failed(name, reason));
  expect(config.values).toEqual(new Config().values);
});

test('the first mistake among several options is the answer', () => {
  const set = (...pairs: [string, string][]): string => errorOf(() => new Config().set(pairs));
  expect(set(['foo', '1'])).toBe("ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
  expect(set(['include', '1'])).toBe("ERR Unknown option or number of arguments for CONFIG SET - 'include'");
  expect(set(['timeout', '1'], ['TIMEOUT', '2'])).toBe(failed('TIMEOUT', 'duplicate parameter'));
  expect(set(['timeout', '1'], ['foo', '2'], ['databases', '3'])).toMatch(/^ERR Unknown option.*'foo'$/);
  expect(set(['databases', '1'], ['Foo', '2'])).toBe(failed('databases', "can't set immutable config"));
  expect(set(['SLAVE-read-only', 'foo'])).toBe(failed('slave-read-only', "argument must be 'yes' or 'no'"));
});

test('SET changes all or nothing', () => {
  const config = new Config();
  expect(
    errorOf(() =>
      config.set([
        ['timeout', '5'],
        ['hz', 'x'],
      ]),
    ),
  ).toBe(failed('hz', "argument couldn't be parsed into an integer"));
  expect(config.values.timeout).toBe(0);
  config.set([
    ['timeout', '5'],
    ['hz', '20'],
  ]);
  expect([config.values.timeout, config.values.hz]).toEqual([5, 20]);
});

test('protected options open to all, or to local clients, as configured', () => {
  new Config({ 'enable-protected-configs': 'yes' }).set([['dir', '/tmp']]);
  const local = new Config({ 'enable-protected-configs': 'local' });
  expect(errorOf(() => local.set([['dir', '/tmp']], false))).toBe(
    failed('dir', "can't set protected config"),
  );
  local.set([['dir', '/tmp']], true);
  expect(local.values.dir).toBe('/tmp');
});

test('listeners hear of changes only, until they leave', () => {
  const config = new Config();
  const heard: unknown[] = [];
  const leave = config.onChange('timeout', (value, previous) => heard.push([value, previous]));
  config.set([['timeout', '0']]);
  config.set([
    ['timeout', '7'],
    ['hz', '1'],
  ]);
  leave();
  config.set([['timeout', '8']]);
  expect(heard).toEqual([[7, 0]]);
});

test('a listener that cannot follow undoes the whole SET, also for those already told', () => {
  const config = new Config();
  const heard: number[] = [];
  config.onChange('timeout', (value) => heard.push(value));
  config.onChange('maxclients', (value) => {
    if (value > 100_000) throw new ConfigError('The operating system is not able to handle them');
  });
  const set = (): void =>
    config.set([
      ['timeout', '3'],
      ['maxclients', '200000'],
    ]);
  expect(errorOf(set)).toBe(failed('maxclients', 'The operating system is not able to handle them'));
  expect([config.values.timeout, config.values.maxclients]).toEqual([0, 10000]);
  expect(heard).toEqual([3, 0]);
});
