// What INFO and MEMORY STATS say of libraries.

import { expect, test } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

const field = (info: string, name: string): number =>
  Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);

test('INFO counts libraries, functions and what they take', () => {
  const server = new InProcessServer();
  const counts = (): number[] => {
    const info = server.run('INFO memory');
    return ['number_of_libraries', 'number_of_functions', 'used_memory_functions'].map((name) =>
      field(info, name),
    );
  };
  expect(counts()).toEqual([0, 0, 0]);
  const register =
    "redis.register_function('f', function() end) redis.register_function('g', function() end)";
  server.call('FUNCTION', 'LOAD', `#!lua name=x\n${register}`);
  const [libraries, functions, bytes = 0] = counts();
  expect([libraries, functions]).toEqual([1, 2]);
  expect(bytes).toBeGreaterThan(register.length);
  expect(server.run('MEMORY STATS')).toContain(`functions.caches\r\n:${bytes}\r\n`);
  server.run('FUNCTION FLUSH');
  expect(counts()).toEqual([0, 0, 0]);
});
