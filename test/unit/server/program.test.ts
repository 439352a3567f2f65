// The command from the outside: what it prints, where it listens, what ends it, and with which exit code.

import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Program } from '../../support/program.ts';
import { CLOSED, RespClient } from '../../support/resp-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-program-'));
const running = new Set<Program>();

afterAll(async () => {
  for (const program of running) await program.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

function run(args: readonly string[], env: Record<string, string> = {}): Program {
  const program = new Program(args, env);
  running.add(program);
  void program.outcome.then(() => running.delete(program));
  return program;
}

let sockets = 0;
const newSocket = (): string => join(folder, `${sockets++}.sock`);

/** A server on a unix socket of its own, ready. */
async function serving(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ program: Program; path: string }> {
  const path = newSocket();
  const program = run(['--port', '0', '--unixsocket', path, ...args], env);
  await program.says('is ready on');
  return { program, path };
}

/** Ends in one line on standard error and exit code 1. */
async function refuses(
  args: readonly string[],
  reason: RegExp,
  env: Record<string, string> = {},
): Promise<void> {
  const { code, stdout, stderr } = await run(args, env).outcome;
  expect(stderr).toMatch(reason);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(code).toBe(1);
}

async function listeningElsewhere(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends it with exit code 0, and it leaves nothing behind`, async () => {
    const pidFile = join(folder, `${signal}.pid`);
    const { program, path } = await serving(['--pidfile', pidFile]);
    expect(readFileSync(pidFile, 'utf8')).toBe(`${program.process.pid}\n`);
    const client = await RespClient.connect({ path });
    expect(await client.raw('PING')).toBe('+PONG\r\n');
    const { code, stderr } = await program.stop(signal);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(await client.next()).toBe(CLOSED);
    expect(existsSync(pidFile)).toBe(false);
    expect(existsSync(path)).toBe(false);
  });
}

test('replies under way arrive whole, though the server is told to stop', async () => {
  const { program, path } = await serving();
  const client = await RespClient.connect({ path });
  const value = 'v'.repeat(100_000);
  await client.raw('SET', 'big', value);
  // In one write, so that the server has all of them when it answers the first.
  client.socket.write('*2\r\n$3\r\nGET\r\n$3\r\nbig\r\n'.repeat(200));
  const reply = `$100000\r\n${value}\r\n`;
  expect(await client.next()).toBe(reply);
  program.process.kill('SIGTERM');
  for (let i = 1; i < 200; i++) expect((await client.next()) === reply).toBe(true);
  expect(await client.next()).toBe(CLOSED);
  expect((await program.outcome).code).toBe(0);
});

test('SHUTDOWN ends it as a signal does', async () => {
  const { program, path } = await serving();
  const client = await RespClient.connect({ path });
  client.send('SHUTDOWN');
  expect(await client.next()).toBe(CLOSED);
  const { code, stdout } = await program.outcome;
  expect(code).toBe(0);
  expect(stdout).toContain('SHUTDOWN: closing');
});

test('a client that neither reads nor hangs up does not hold it up', async () => {
  const { program, path } = await serving();
  const client = await RespClient.connect({ path });
  await client.raw('SET', 'big', 'v'.repeat(1_000_000));
  for (let i = 0; i < 50; i++) client.send('GET', 'big');
  await once(client.socket, 'data');
  client.socket.pause();
  expect((await program.stop()).code).toBe(0);
  await client.close();
});

test('a signal says so in the log, and what it listens on, and that locks do not last', async () => {
  const { program, path } = await serving();
  const { stdout } = await program.stop();
  expect(stdout).toMatch(/^Holdfast \d+\.\d+\.\d+ .* is ready on /m);
  expect(stdout).toContain(path);
  expect(stdout).toContain('a restart forgets them');
  expect(stdout).toContain('SIGTERM: closing');
});

test('a server that lets in everybody from everywhere says so when it starts, in one line, and no other does', async () => {
  const openLines = async (...args: string[]): Promise<string[]> => {
    const free = await listeningElsewhere();
    free.close();
    const program = run(['--port', `${free.port}`, '--unixsocket', newSocket(), ...args]);
    await program.says('is ready on');
    const { stdout } = await program.stop();
    return stdout.split('\n').filter((line) => line.includes('whoever reaches this port'));
  };
  const wide = ['--bind', '0.0.0.0', '--protected-mode', 'no'];
  expect(await openLines(...wide)).toEqual([expect.stringMatching(/requirepass.*protected-mode/)]);
  expect(await openLines(...wide, '--requirepass', 'secret')).toEqual([]);
  expect(await openLines('--bind', '0.0.0.0')).toEqual([]);
  expect(await openLines('--bind', '127.0.0.1', '-::1', '--protected-mode', 'no')).toEqual([]);
  expect(await openLines('--bind', 'localhost', '--protected-mode', 'no')).toEqual([]);
});

test('the log goes on when nobody reads standard output any more', async () => {
  const { program, path } = await serving();
  program.process.stdout!.destroy();
  const { code, stderr } = await program.stop();
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('a log file takes all lines; standard output gets none', async () => {
  const logFile = join(folder, 'holdfast.log');
  const path = newSocket();
  const program = run(['--port', '0', '--unixsocket', path, '--logfile', logFile]);
  await expect.poll(() => existsSync(logFile) && readFileSync(logFile, 'utf8')).toContain('is ready on');
  const { code, stdout } = await program.stop();
  expect([code, stdout]).toEqual([0, '']);
  expect(readFileSync(logFile, 'utf8')).toMatch(/^\d+ \d{4}-\d\d-\d\dT.* notice: SIGTERM: closing$/m);
});

test('a log file that can no longer be written ends neither the server nor its way of ending', async () => {
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  const logFile = join(logFolder, 'holdfast.log');
  const path = newSocket();
  const program = run(['--port', '0', '--unixsocket', path, '--logfile', logFile]);
  await expect.poll(() => existsSync(logFile) && readFileSync(logFile, 'utf8')).toContain('is ready on');
  rmSync(logFolder, { recursive: true });
  const { code, stderr } = await program.stop();
  expect(stderr).toMatch(/log/);
  expect(code).toBe(0);
});

test('an address in use', async () => {
  const taken = await listeningElsewhere();
  await refuses(
    ['--port', `${taken.port}`],
    new RegExp(`^holdfast: 127\\.0\\.0\\.1:${taken.port} is in use`),
  );
  taken.close();
});

test('an address this machine does not have', () =>
  refuses(
    ['--port', '0', '--bind', '192.0.2.1', '--port', '7999'],
    /^holdfast: this machine has no address 192\.0\.2\.1/,
  ));

test('nothing to listen on', () => refuses(['--port', '0'], /^holdfast: nothing to listen on/));

test('a configuration file that cannot be read', async () => {
  await refuses([join(folder, 'absent.conf')], /^holdfast: .*absent\.conf/);
  await refuses([folder], /^holdfast: /);
});

test('a configuration file with a mistake is named with its line', async () => {
  const file = join(folder, 'wrong.conf');
  writeFileSync(file, 'port 0\nprot 7000\n');
  await refuses([file], /^holdfast: .*prot/);
});

test('a log file or pid file that cannot be written ends the start', async () => {
  const path = newSocket();
  const absent = join(folder, 'absent', 'file');
  await refuses(['--port', '0', '--unixsocket', path, '--logfile', absent], /^holdfast: .*absent/);
  await refuses(['--port', '0', '--unixsocket', path, '--pidfile', absent], /^holdfast: .*absent/);
  expect(existsSync(path)).toBe(false);
});

test('an option that does not exist, and a value that is none', async () => {
  await refuses(['--prot', '7000'], /^holdfast: .*prot/);
  await refuses(['--port', 'seven'], /^holdfast: .*port/);
  await refuses([], /^holdfast: .*(MAXCLIENTS|maxclients)/, { HOLDFAST_MAXCLIENTS: 'many' });
});

test('--version and --help answer and end', async () => {
  const version = await run(['--version']).outcome;
  expect(version).toMatchObject({ code: 0, stderr: '' });
  expect(version.stdout).toMatch(/\d+\.\d+\.\d+/);
  const help = await run(['--help']).outcome;
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('Usage');
});

test('options come from files, arguments and the environment', async () => {
  const file = join(folder, 'right.conf');
  writeFileSync(file, 'requirepass secret\n');
  const path = newSocket();
  const program = run([file, '--port', '0', '--unixsocket', path], { HOLDFAST_DATABASES: '1' });
  await program.says('is ready on');
  const client = await RespClient.connect({ path });
  expect(await client.raw('GET', 'a')).toMatch(/^-NOAUTH/);
  expect(await client.raw('AUTH', 'secret')).toBe('+OK\r\n');
  expect(await client.raw('SELECT', '1')).toMatch(/^-ERR DB index/);
  await client.close();
  expect((await program.stop()).code).toBe(0);
});

test('ping: PONG and exit code 0 from a server that answers', async () => {
  const { program, path } = await serving();
  expect(await run(['ping', '--unixsocket', path]).outcome).toEqual({
    code: 0,
    stdout: 'PONG\n',
    stderr: '',
  });
  await program.stop();
});

test('ping: with a password, by option or environment; without it, the reason', async () => {
  const { program, path } = await serving(['--requirepass', 'secret']);
  const pong = { code: 0, stdout: 'PONG\n', stderr: '' };
  expect(await run(['ping', '--unixsocket', path, '--requirepass', 'secret']).outcome).toEqual(pong);
  expect(await run(['ping', '--unixsocket', path], { HOLDFAST_REQUIREPASS: 'secret' }).outcome).toEqual(pong);
  await refuses(['ping', '--unixsocket', path], /^holdfast: NOAUTH/);
  await refuses(['ping', '--unixsocket', path, '--requirepass', 'wrong'], /^holdfast: WRONGPASS/);
  await program.stop();
});

test('ping: nobody there, nobody answering, no Redis, and no such port', async () => {
  await refuses(['ping', '--unixsocket', newSocket()], /^holdfast: connect ENOENT/);
  const mute = await listeningElsewhere();
  await refuses(
    ['ping', '--port', `${mute.port}`, '--timeout-ms', '50'],
    /^holdfast: no answer within 50 ms/,
  );
  mute.close();
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(other, 'listening');
  await refuses(
    ['ping', '--port', `${(other.address() as AddressInfo).port}`],
    /^holdfast: .*Protocol error/,
  );
  other.close();
  await refuses(['ping', '--port', 'seven'], /^holdfast: --port must be/);
  await refuses(['ping', '--timeout-ms', 'soon'], /^holdfast: --timeout-ms must be/);
});
