// Which scripts are known, and for how long.

import { expect, test } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

const digestOf = (server: InProcessServer, script: string): string =>
  server.call('SCRIPT', 'LOAD', script).slice(5, 45);
const exists = (server: InProcessServer, digest: string): boolean =>
  server.call('SCRIPT', 'EXISTS', digest) === '*1\r\n:1\r\n';
const evalMany = (server: InProcessServer, from: number, count: number): void => {
  for (let i = from; i < from + count; i++) server.call('EVAL', `return ${i}`, '0');
};

test('of the scripts that only EVAL has brought, the last 500 are kept', () => {
  const server = new InProcessServer();
  const digest = digestOf(new InProcessServer(), 'return 0');
  evalMany(server, 0, 500);
  expect(exists(server, digest)).toBe(true);
  evalMany(server, 500, 1);
  expect(exists(server, digest)).toBe(false);
});

test('being run again keeps a script longer', () => {
  const server = new InProcessServer();
  const digest = digestOf(new InProcessServer(), 'return 0');
  evalMany(server, 0, 500);
  evalMany(server, 0, 1);
  evalMany(server, 500, 499);
  expect(exists(server, digest)).toBe(true);
});

test('a script that was loaded, or that EVALSHA has found, stays', () => {
  const server = new InProcessServer();
  const loaded = digestOf(server, 'return 0');
  const found = digestOf(new InProcessServer(), 'return 1');
  server.call('EVAL', 'return 1', '0');
  expect(server.call('EVALSHA', found, '0')).toBe(':1\r\n');
  evalMany(server, 2, 1000);
  expect(exists(server, loaded)).toBe(true);
  expect(exists(server, found)).toBe(true);
});
