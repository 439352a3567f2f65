// What is shown of commands, and what is not: MONITOR, SLOWLOG and LATENCY on a clock that the test moves.

import { beforeEach, expect, test } from 'vitest';
import type { ConfigValues } from '../../../src/config/options.ts';
import { InProcessServer } from '../../support/in-process.ts';

const SLOW_MS = 20;

/** A server on which `CONFIG SET timeout …` takes 20 ms. */
function serverWithSlowCommand(config: Partial<ConfigValues> = {}): InProcessServer {
  const server = new InProcessServer(config);
  server.state.config.onChange('timeout', () => server.advance(SLOW_MS));
  return server;
}

/** What monitors were sent since the last time, a line each. */
function monitored(server: InProcessServer, ...commands: readonly (readonly string[])[]): string[] {
  const seen: string[] = [];
  server.state.enqueue = (_, message) => seen.push(message.toString('latin1'));
  for (const words of commands) server.call(...words);
  return seen;
}

let server: InProcessServer;
beforeEach(() => {
  server = serverWithSlowCommand();
});

test('a line has the time, the database, the client, and the words in quotes', () => {
  server.run('MONITOR');
  server.advance(1234.5);
  expect(monitored(server, ['ECHO', '\x00"\xff']).map(String)).toEqual([
    '+1700000001.234500 [0 unix:test] "ECHO" "\\x00\\"\\xff"\r\n',
  ]);
});

test('passwords are not shown', () => {
  server.run('MONITOR');
  const lines = monitored(
    server,
    ['AUTH', 'secret'],
    ['HELLO', '2', 'AUTH', 'default', 'secret', 'SETNAME', 'me'],
  );
  expect(lines.join('')).toContain('"AUTH" "(redacted)"');
  expect(lines.join('')).toContain('"HELLO" "2" "AUTH" "(redacted)" "(redacted)" "SETNAME" "me"');
  expect(lines.join('')).not.toContain('secret');
});

test('administrative commands and refused ones are not shown; those that EXEC runs are, before it', () => {
  server.run('MONITOR');
  const lines = monitored(
    server,
    ['CONFIG', 'GET', 'x'],
    ['GET'],
    ['NOSUCH'],
    ['MULTI'],
    ['PING', 'n'],
    ['EXEC'],
  );
  expect(lines.map((line) => line.split('] ')[1]?.trim())).toEqual(['"MULTI"', '"PING" "n"', '"EXEC"']);
});

test('nothing is put into words while nobody monitors', () => {
  expect(monitored(server, ['SET', 'k', 'v'])).toEqual([]);
});

test('only a command over the threshold is slow', () => {
  server.run('GET k');
  server.run('CONFIG SET timeout 1');
  const [entry, ...others] = server.state.measurements.slowLog.newest(10);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    id: 0,
    microseconds: SLOW_MS * 1000,
    words: ['CONFIG', 'SET', 'timeout', '1'],
    peer: 'test:0',
  });
});

test('the threshold follows the configuration, and -1 logs nothing', () => {
  server.run('CONFIG SET slowlog-log-slower-than -1');
  server.run('CONFIG SET timeout 1');
  expect(server.state.measurements.slowLog.length).toBe(0);
  server.run('CONFIG SET slowlog-log-slower-than 0');
  server.run('GET k');
  // The one that set it has ended after it did.
  expect(server.state.measurements.slowLog.newest(9).map(({ words }) => words[0])).toEqual(['GET', 'CONFIG']);
});

test('the slow log keeps as many as it may, the newest', () => {
  server.run('CONFIG SET slowlog-log-slower-than 0 slowlog-max-len 3');
  for (const key of ['a', 'b', 'c', 'd']) server.run(`GET ${key}`);
  const { slowLog } = server.state.measurements;
  expect(slowLog.newest(9).map(({ id, words }) => [id, words[1]])).toEqual([
    [4, 'd'],
    [3, 'c'],
    [2, 'b'],
  ]);
  slowLog.clear();
  server.run('GET e');
  expect(slowLog.newest(1)[0]?.id).toBe(5);
});

test('LATENCY has an event when its threshold is set and reached', () => {
  server.run('CONFIG SET timeout 1');
  expect(server.state.measurements.latencyEvents.entries()).toEqual([]);
  server.run(`CONFIG SET latency-monitor-threshold ${SLOW_MS}`);
  server.run('CONFIG SET timeout 2');
  server.run(`CONFIG SET latency-monitor-threshold ${SLOW_MS + 1}`);
  server.advance(1000);
  server.run('CONFIG SET timeout 3');
  expect(server.state.measurements.latencyEvents.get('command')?.samples).toEqual([
    { epochSeconds: 1_700_000_000, milliseconds: SLOW_MS },
  ]);
});

test('the time of each command is in its statistics', () => {
  server.run('CONFIG SET timeout 1');
  expect(server.run('LATENCY HISTOGRAM config|set')).toBe(
    '*2\r\n$10\r\nconfig|set\r\n*4\r\n$5\r\ncalls\r\n:1\r\n$14\r\nhistogram_usec\r\n*2\r\n:33816\r\n:1\r\n',
  );
  expect(server.run('INFO commandstats')).toContain('cmdstat_config|set:calls=1,usec=20000,');
});

test('two servers in one process count their commands each', () => {
  server.run('GET k');
  server.run('CLIENT ID');
  const other = new InProcessServer();
  expect(other.run('INFO commandstats')).not.toContain('cmdstat_');
});
