// INFO as others read it: redis-cli --stat and clients look for field names as substrings, first match first.

import { expect, test } from 'vitest';
import { humanBytes, percent, ratio } from '../../../src/commands/info/format.ts';
import { InProcessServer } from '../../support/in-process.ts';

function infoOf(server: InProcessServer): string {
  server.run('SET k v PX 30000');
  return server.run('INFO everything');
}

/** What redis-cli --stat, ioredis, StackExchange.Redis and Redisson look for (research: 6.1, 6.2). */
const SOUGHT = [
  'db0:keys',
  'used_memory',
  'connected_clients',
  'blocked_clients',
  'total_commands_processed',
  'total_connections_received',
  'rdb_bgsave_in_progress',
  'aof_rewrite_in_progress',
  'loading',
  'redis_version',
  'redis_mode',
  'run_id',
  'role',
  'connected_slaves',
  'aof_enabled',
];

test.each(SOUGHT)('the first place where %s stands is the field', (name) => {
  const text = infoOf(new InProcessServer());
  const field = name === 'db0:keys' ? 'db0:keys=' : `${name}:`;
  expect(text.indexOf(name)).toBe(text.indexOf(`\r\n${field}`) + 2);
});

test('no field comes twice', () => {
  const names = [...infoOf(new InProcessServer()).matchAll(/\r\n([\w.|]+):/g)].map(([, name]) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('what is said of leases is true', () => {
  const server = new InProcessServer();
  server.run('SET a v PX 1000');
  server.run('SET b v PX 3000');
  server.run('SET c v');
  expect(server.run('INFO locks')).toContain('# Locks\r\nleases:2\r\ngetl_locked:0\r\ngetl_errors:0\r\n');
  expect(server.run('INFO keyspace')).toContain('db0:keys=3,expires=2,avg_ttl=2000,');
  server.advance(1500);
  server.run('GET a');
  expect(server.run('INFO locks')).toContain('leases:1\r\n');
  expect(server.run('INFO stats')).toContain('\r\nexpired_keys:1\r\n');
});

test('the peak of memory stays when the keys go', () => {
  const server = new InProcessServer();
  server.call('SET', 'k', 'x'.repeat(100_000));
  const peak = Number(/used_memory_peak:(\d+)/.exec(server.run('INFO memory'))?.[1]);
  expect(peak).toBeGreaterThan(100_000);
  server.run('FLUSHALL');
  const text = server.run('INFO memory');
  expect(text).toContain(`\r\nused_memory_peak:${peak}\r\n`);
  expect(Number(/used_memory:(\d+)/.exec(text)?.[1])).toBeLessThan(peak);
});

test('the uptime and steps of the calendar are told', () => {
  const server = new InProcessServer();
  server.advance(90_000_000);
  expect(server.run('INFO server')).toContain('uptime_in_seconds:90000\r\nuptime_in_days:1\r\n');
  expect(server.run('INFO server')).toContain('clock_steps:0\r\nclock_last_step_ms:0\r\n');
});

test('the version is the one of package.json', async () => {
  const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
  expect(new InProcessServer().run('INFO server')).toContain(`\r\nholdfast_version:${manifest.version}\r\n`);
});

test('sizes are written for people as Redis writes them', () => {
  expect([0, 1023, 1024, 990_360, 25_275_990_016, 2 ** 60].map(humanBytes)).toEqual([
    '0B',
    '1023B',
    '1.00K',
    '967.15K',
    '23.54G',
    '1024.00P',
  ]);
});

test('nothing by nothing is nothing', () => {
  expect(ratio(5, 0)).toBe(0);
  expect(percent(1, 8)).toBe('12.50%');
});
