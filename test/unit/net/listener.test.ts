// Who is let in: addresses, unix sockets that are taken or left behind, maxclients, protected mode.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerOptions, startServer } from '../../../src/index.ts';
import type { RunningServer } from '../../../src/server/start.ts';
import { until } from '../../support/clients.ts';
import { CLOSED, RespClient } from '../../support/resp-client.ts';

let folder: string;
let path: string;
const running: RunningServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listener-'));
  path = join(folder, 'holdfast.sock');
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  rmSync(folder, { recursive: true });
});

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ port: 0, bind: ['127.0.0.1'], ...options });
  running.push(server);
  return server;
}

describe('a unix socket', () => {
  test('has the mode asked for, shows its path as address, and is removed at the end', async () => {
    const server = await start({ unixsocket: path, unixsocketperm: 0o700 });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const client = await RespClient.connect({ path });
    expect(await client.call('CLIENT', 'INFO')).toContain(` addr=${path}:0 laddr=${path}:0 `);
    await client.close();
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  test('left behind by a server that was killed is replaced', async () => {
    const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen, path]);
    expect(existsSync(path)).toBe(true);
    await start({ unixsocket: path });
    const client = await RespClient.connect({ path });
    expect(await client.raw('PING')).toBe('+PONG\r\n');
    await client.close();
  });

  test('on which a server answers is not taken away from it', async () => {
    const first = await start({ unixsocket: path });
    await expect(start({ unixsocket: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const client = await RespClient.connect({ path });
    expect(await client.raw('PING')).toBe('+PONG\r\n');
    await client.close();
    await until('the probe is gone', () => first.state.clients.size === 0);
  });

  test('does not replace a file of another kind', async () => {
    writeFileSync(path, 'precious');
    await expect(start({ unixsocket: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(statSync(path).size).toBe(8);
  });
});

test('maxclients: one more is told and closed, and has a place when another leaves', async () => {
  const { port, state } = await start({ maxclients: 2 });
  const first = await RespClient.connect({ port });
  const second = await RespClient.connect({ port });
  await second.raw('PING');
  const third = await RespClient.connect({ port });
  expect(await third.next()).toBe('-ERR max number of clients reached\r\n');
  expect(await third.next()).toBe(CLOSED);
  expect([state.stats.connectionsRejected, state.stats.connectionsReceived, state.clients.size]).toEqual([
    1, 2, 2,
  ]);
  await first.close();
  await until('the first is gone', () => state.clients.size === 1);
  const fourth = await RespClient.connect({ port });
  expect(await fourth.raw('PING')).toBe('+PONG\r\n');
  await fourth.close();
  await second.close();
});

test('all IPv4 and all IPv6 addresses are two addresses with one port', async () => {
  const server = await start({ bind: ['*', '-::*'] });
  expect(server.addresses[0]).toBe(`0.0.0.0:${server.port}`);
  for (const address of server.addresses) {
    const host = address.startsWith('[') ? '::1' : '127.0.0.1';
    const client = await RespClient.connect({ port: server.port, host });
    expect(await client.call('CLIENT', 'INFO')).toContain(
      ` laddr=${host === '::1' ? '[::1]' : host}:${server.port} `,
    );
    await client.close();
  }
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

describe.skipIf(outside === undefined)('protected mode, bound beyond loopback', () => {
  const host = outside as string;
  const wide = { bind: ['0.0.0.0'] };

  test('turns away whoever comes from elsewhere while there is no password', async () => {
    const { port, state } = await start(wide);
    const client = await RespClient.connect({ port, host });
    expect(await client.next()).toMatch(/^-DENIED Redis is running in protected mode /);
    expect(await client.next()).toBe(CLOSED);
    expect(state.stats.connectionsRejected).toBe(1);
    const local = await RespClient.connect({ port });
    expect(await local.raw('CONFIG', 'SET', 'protected-mode', 'no')).toBe('+OK\r\n');
    const again = await RespClient.connect({ port, host });
    expect(await again.raw('PING')).toBe('+PONG\r\n');
    await again.close();
    await local.close();
  });

  test('lets in with a password, once it is given', async () => {
    const { port } = await start({ ...wide, requirepass: 'secret' });
    const client = await RespClient.connect({ port, host });
    expect(await client.raw('PING')).toBe('-NOAUTH Authentication required.\r\n');
    expect(await client.raw('AUTH', 'secret')).toBe('+OK\r\n');
    await client.close();
  });
});
