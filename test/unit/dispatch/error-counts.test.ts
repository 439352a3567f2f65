// An error is counted once, for the command that replied it: also for one that EXEC runs.

import { expect, test } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

/** `calls, rejected, failed` of a command, by INFO. */
function callsOf(server: InProcessServer, command: string): string {
  const line = new RegExp(`cmdstat_${command}:calls=(\\d+),.*rejected_calls=(\\d+),failed_calls=(\\d+)`);
  return line.exec(server.run('INFO commandstats'))?.slice(1).join(', ') ?? 'none';
}

test('errors within EXEC are those of the commands it ran', () => {
  const server = new InProcessServer();
  server.run('CONFIG RESETSTAT');
  server.run('SET k v');
  for (const line of ['MULTI', 'INCR k', 'HELLO 99', 'INCR k', 'EXEC']) server.run(line);
  const { errorReplies, errorsByCode } = server.state.stats;
  expect(errorReplies).toBe(3);
  expect([...errorsByCode]).toEqual([
    ['ERR', 2],
    ['NOPROTO', 1],
  ]);
  expect(callsOf(server, 'incr')).toBe('2, 0, 2');
  expect(callsOf(server, 'hello')).toBe('1, 0, 1');
  expect(callsOf(server, 'exec')).toBe('1, 0, 0');
});

test('a command that is refused has not failed, and its EXEC has', () => {
  const server = new InProcessServer();
  server.run('CONFIG RESETSTAT');
  for (const line of ['MULTI', 'INCR', 'EXEC']) server.run(line);
  expect([...server.state.stats.errorsByCode]).toEqual([
    ['ERR', 1],
    ['EXECABORT', 1],
  ]);
  expect(callsOf(server, 'incr')).toBe('0, 1, 0');
  expect(callsOf(server, 'exec')).toBe('1, 0, 1');
});
