// A database that has hardly any addresses left refuses what takes memory, as Redis does beyond its maxmemory.

import { expect, test, vi } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

const OUT_OF_MEMORY = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";

test('a full database refuses commands that take memory, and those only', () => {
  const server = new InProcessServer();
  server.run('SET k v');
  const isFull = vi.spyOn(server.db, 'isFull', 'get').mockReturnValue(true);
  for (const line of ['SET k w', 'MSET a 1 b 2', 'APPEND k x', 'INCR n', 'SETNX a b'])
    expect(server.run(line)).toBe(OUT_OF_MEMORY);
  expect(server.run('GET k')).toBe('$1\r\nv\r\n');
  expect(server.run('EXPIRE k 10')).toBe(':1\r\n');
  expect(server.run('SELECT 1')).toBe('+OK\r\n');
  expect(server.run('SET k w')).toBe('+OK\r\n');
  expect(server.run('SELECT 0')).toBe('+OK\r\n');
  expect(server.run('DEL k')).toBe(':1\r\n');
  isFull.mockReturnValue(false);
  expect(server.run('SET k w')).toBe('+OK\r\n');
});

test('a transaction that was open before the database was full is refused when it takes memory', () => {
  const server = new InProcessServer();
  for (const line of ['MULTI', 'SET k v']) server.run(line);
  vi.spyOn(server.db, 'isFull', 'get').mockReturnValue(true);
  expect(server.run('EXEC')).toContain('EXECABORT');
  expect(server.run('EXISTS k')).toBe(':0\r\n');
});
