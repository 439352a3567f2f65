// DEBUG: who may use it, and that it does what it says to the server.

import { expect, test } from 'vitest';
import { Ticker } from '../../../src/server/ticker.ts';
import { InProcessServer } from '../../support/in-process.ts';

const NOT_ALLOWED =
  /^-ERR DEBUG command not allowed\. If the enable-debug-command option is set to "local", /;

test('it is off unless the configuration allows it', () => {
  expect(new InProcessServer().run('DEBUG SLEEP 0')).toMatch(NOT_ALLOWED);
  expect(new InProcessServer({ 'enable-debug-command': 'yes' }).run('DEBUG SLEEP 0')).toBe('+OK\r\n');
});

test('"local" allows it to clients of this machine', () => {
  const server = new InProcessServer({ 'enable-debug-command': 'local' });
  expect(server.run('DEBUG SLEEP 0')).toBe('+OK\r\n');
  Object.assign(server.client.address, { isLoopback: false });
  expect(server.run('DEBUG SLEEP 0')).toMatch(NOT_ALLOWED);
});

test('MODULE has the same rule, and then there are no modules', () => {
  expect(new InProcessServer().run('MODULE LOAD x')).toMatch(/^-ERR MODULE command not allowed\. /);
  const server = new InProcessServer({ 'enable-module-command': 'yes' });
  expect(server.run('MODULE LOAD x')).toBe('-ERR modules cannot be loaded\r\n');
  expect(server.run('MODULE UNLOAD x')).toBe(
    '-ERR Error unloading module: no such module with that name\r\n',
  );
});

test('SLEEP stops the process for that long', () => {
  const server = new InProcessServer({ 'enable-debug-command': 'yes' });
  const startMs = performance.now();
  server.run('DEBUG SLEEP 0.02');
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(19);
});

test('CHANGE-REPL-ID gives the data a new name', () => {
  const server = new InProcessServer({ 'enable-debug-command': 'yes' });
  const before = server.state.replicationId;
  expect(server.run('DEBUG CHANGE-REPL-ID')).toBe('+OK\r\n');
  expect(server.state.replicationId).toMatch(/^[0-9a-f]{40}$/);
  expect(server.state.replicationId).not.toBe(before);
  expect(server.run('INFO replication')).toContain(`master_replid:${server.state.replicationId}\r\n`);
});

test('SET-ACTIVE-EXPIRE 0 leaves keys until somebody looks, 1 takes up again', () => {
  const server = new InProcessServer({ 'enable-debug-command': 'yes' });
  const ticker = new Ticker(server.state, () => {});
  server.run('SET a v PX 10');
  server.run('SET b v PX 10');
  server.run('DEBUG SET-ACTIVE-EXPIRE 0');
  server.advance(20);
  ticker.tick();
  expect(server.run('DBSIZE')).toBe(':2\r\n');
  expect(server.run('GET a')).toBe('$-1\r\n');
  server.run('DEBUG SET-ACTIVE-EXPIRE 1');
  ticker.tick();
  ticker.stop();
  expect(server.run('DBSIZE')).toBe(':0\r\n');
});
