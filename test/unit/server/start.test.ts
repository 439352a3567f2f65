// A server inside the test's own process: its addresses, its clock, and its end, with both ways of reading sockets.

import { expect, test } from 'vitest';
import { startServer } from '../../../src/index.ts';
import { CLOSED, RespClient } from '../../support/resp-client.ts';

for (const sharesReads of [true, false]) {
  const way = sharesReads ? 'one buffer for all sockets' : 'data events';

  test(`time is the test's own, and a lease ends at its millisecond (${way})`, async () => {
    let nowMs = 5000;
    const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs };
    const server = await startServer({ port: 0, time, sharesReads, 'notify-keyspace-events': 'Ex' });
    const holder = await RespClient.connect({ port: server.port });
    const listener = await RespClient.connect({ port: server.port });
    await listener.call('SUBSCRIBE', '__keyevent@0__:expired');
    expect(await holder.call('SET', 'lock', 'token', 'NX', 'PX', '30000')).toBe('OK');
    expect(await holder.call('PTTL', 'lock')).toBe(30_000);
    nowMs += 29_999;
    server.tick();
    expect(await holder.call('GET', 'lock')).toBe('token');
    expect(await holder.call('PTTL', 'lock')).toBe(1);
    nowMs += 1;
    server.tick();
    expect(await listener.nextValue()).toEqual(['message', '__keyevent@0__:expired', 'lock']);
    expect(await holder.call('GET', 'lock')).toBe(null);
    await server.close();
  });

  test(`close ends all connections, and the port is free again (${way})`, async () => {
    const server = await startServer({ port: 0, sharesReads });
    const clients = await Promise.all([1, 2, 3].map(() => RespClient.connect({ port: server.port })));
    for (const client of clients) expect(await client.call('PING')).toBe('PONG');
    await server.close();
    for (const client of clients) expect(await client.next()).toBe(CLOSED);
    const again = await startServer({ port: server.port, sharesReads });
    expect(again.port).toBe(server.port);
    await again.close();
  });

  test(`a client that has sent its last still gets all replies (${way})`, async () => {
    const server = await startServer({ port: 0, sharesReads });
    const client = await RespClient.connect({ port: server.port });
    client.write('SET a 1\r\nGET a\r\nPING');
    client.socket.end('\r\n');
    expect(await client.next()).toBe('+OK\r\n');
    expect(await client.next()).toBe('$1\r\n1\r\n');
    expect(await client.next()).toBe('+PONG\r\n');
    expect(await client.next()).toBe(CLOSED);
    await server.close();
  });
}

test('with port 0 all addresses share the port that was free', async () => {
  const server = await startServer({ port: 0, bind: ['127.0.0.1', '127.0.0.2'] });
  expect(server.addresses).toEqual([`127.0.0.1:${server.port}`, `127.0.0.2:${server.port}`]);
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const client = await RespClient.connect({ port: server.port, host });
    expect(await client.call('PING')).toBe('PONG');
    await client.close();
  }
  await server.close();
});

test('an address that may be missing is left out, one that must be there is an error', async () => {
  const server = await startServer({ port: 0, bind: ['127.0.0.1', '-192.0.2.1'] });
  expect(server.addresses).toEqual([`127.0.0.1:${server.port}`]);
  await server.close();
  await expect(startServer({ port: 0, bind: ['192.0.2.1'] })).rejects.toThrow('EADDRNOTAVAIL');
});

test('a start that fails gives back the addresses it had', async () => {
  const taken = await startServer({ port: 0, bind: ['127.0.0.2'] });
  await expect(startServer({ port: taken.port, bind: ['127.0.0.1', '127.0.0.2'] })).rejects.toThrow(
    'EADDRINUSE',
  );
  const server = await startServer({ port: taken.port, bind: ['127.0.0.1'] });
  await server.close();
  await taken.close();
});

test('a step of the calendar is told, and moves no lease', async () => {
  let [nowMs, stepMs] = [5000, 0];
  const lines: string[] = [];
  const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs + stepMs };
  const server = await startServer({ port: 0, time, log: (line) => lines.push(line) });
  const client = await RespClient.connect({ port: server.port });
  await client.call('SET', 'lock', 'token', 'PX', '30000');
  nowMs += 1000;
  stepMs = 3_600_000;
  server.tick();
  expect(await client.call('PTTL', 'lock')).toBe(29_000);
  expect(server.state.clock.steps).toEqual({ count: 1, lastMs: 3_600_000 });
  expect(lines).toEqual(['the system clock was set, by 3600000 ms; no lease was moved']);
  await server.close();
});

test('closing twice is closing once', async () => {
  const server = await startServer({ port: 0 });
  await Promise.all([server.close(), server.close()]);
  await server.close();
});
