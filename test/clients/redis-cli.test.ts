// redis-cli against our server, in every mode that needs no terminal. What a terminal shows beyond that (hints while
// typing) comes from the same COMMAND DOCS that `help` prints here.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RespClient } from '../support/resp-client.ts';
import { type OurServer, startOurs } from '../support/server.ts';

const version = installedVersion();
if (version === undefined) test.skip('redis-cli is not installed');

const PASSWORD = 'correct horse';

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

describe.skipIf(version === undefined)('redis-cli', () => {
  let server: OurServer;
  let client: RespClient;

  beforeAll(async () => {
    server = await startOurs();
    client = await RespClient.connect(server.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(async () => {
    await client.call('FLUSHALL');
  });

  const cli = (args: readonly string[], input = '') => run(server.endpoint.port, args, input);
  const help = async (topic: string) => plain((await cli([], `help ${topic}\n`)).stdout);

  test('runs one command', async () => {
    expect(await cli(['SET', 'lock', 'token', 'NX', 'PX', '30000'])).toEqual({
      stdout: 'OK\n',
      stderr: '',
      code: 0,
    });
    expect((await cli(['--no-raw', 'GOBLIN.CAEXPIRE', 'lock', 'token', '60000'])).stdout).toBe(
      '(integer) 1\n',
    );
    expect((await cli(['--no-raw', 'GOBLIN.CAD', 'lock', 'other'])).stdout).toBe('(integer) 0\n');
    expect((await cli(['--no-raw', 'GET', 'missing'])).stdout).toBe('(nil)\n');
    expect((await cli(['--csv', 'MGET', 'lock', 'missing'])).stdout).toBe('"token",NULL\n');
  });

  test('fails with -e when the reply is an error', async () => {
    const { stderr, code } = await cli(['-e', 'NOSUCH']);
    expect(stderr).toContain("ERR unknown command 'NOSUCH'");
    expect(code).toBe(1);
  });

  test('speaks RESP3', async () => {
    const { stdout } = await cli(['-3', '--no-raw', 'HELLO']);
    expect(stdout).toMatch(/1# "server" => "\w+"/);
    expect(stdout).toContain('"proto" => (integer) 3');
  });

  test('selects a database', async () => {
    await cli(['-n', '3', 'SET', 'k', 'v']);
    expect((await cli(['-n', '3', 'GET', 'k'])).stdout).toBe('v\n');
    expect((await cli(['--no-raw', 'GET', 'k'])).stdout).toBe('(nil)\n');
    expect((await cli(['-n', '99', 'PING'])).stderr).toContain('DB index is out of range');
  });

  test('logs in', async () => {
    const closed = await startOurs({ requirepass: PASSWORD });
    const { port } = closed.endpoint;
    expect((await run(port, ['PING'])).stdout).toContain('NOAUTH');
    expect((await run(port, ['-a', PASSWORD, '--no-auth-warning', 'PING'])).stdout).toBe('PONG\n');
    expect((await run(port, ['-3', '--user', 'default', '--pass', PASSWORD, 'PING'])).stdout).toBe('PONG\n');
    expect((await run(port, ['-a', 'wrong', '--no-auth-warning', 'PING'])).stderr).toContain('WRONGPASS');
    await closed.stop();
  });

  test('reads commands from standard input', async () => {
    const { stdout, stderr } = await cli([], 'SET "a key" "x y"\nGET "a key"\nselect 2\nDBSIZE\n');
    expect({ stdout, stderr }).toEqual({ stdout: 'OK\nx y\nOK\n0\n', stderr: '' });
  });

  test('helps with our own commands as with those of Redis', async () => {
    const own = await help('goblin.caexpire');
    expect(own).toContain('GOBLIN.CAEXPIRE key expected ms');
    expect(own).toContain('group: lock');
    const theirs = await help('SET');
    expect(theirs).toMatch(/SET key value \[NX\|XX\|.*\] \[GET\] \[EX seconds\|PX milliseconds\|/);
    expect(theirs).toContain('since: 1.0.0');
    const subcommand = await help('acl cat');
    expect(subcommand).toContain('ACL CAT [categoryname]');
  });

  test('lists the commands of a group', async () => {
    const stdout = await help('@lock');
    expect(stdout).toContain('GOBLIN.CAD key expected');
    expect(stdout).toContain('GOBLIN.CAEXPIRE key expected ms');
  });

  test('shows statistics once a second', async () => {
    await client.call('SET', 'k', 'v');
    const output = await runUntil(
      server.endpoint.port,
      ['--stat', '-i', '0.05'],
      (text) => lines(text).length >= 5,
    );
    expect(output).toMatch(/keys +mem +clients +blocked +requests +connections/);
    expect(lines(output)[2]).toMatch(/^1 +[\d.]+[BKMG] +\d+ +0 +\d+ \(\+\d+\) +\d+/);
  });

  test('measures latency', async () => {
    const { stdout, code } = await cli(['--latency', '--raw', '-i', '0.1']);
    expect(stdout).toMatch(/^\d+ \d+ [\d.]+ \d+\n$/);
    expect(code).toBe(0);
  });

  test('looks for big keys', async () => {
    await client.call('MSET', 'small', 'v', 'big', 'x'.repeat(1000));
    const { stdout, code } = await cli(['--bigkeys']);
    expect(stdout).toMatch(/Biggest string found '?"big"'? has 1000 bytes/);
    expect(stdout).toContain('Sampled 2 keys in the keyspace!');
    expect(code).toBe(0);
  });

  test('looks for keys that take much memory', async () => {
    await client.call('MSET', 'small', 'v', 'big', 'x'.repeat(1000));
    const { stdout, code } = await cli(['--memkeys']);
    expect(stdout).toMatch(/Biggest string found '?"big"'? has \d{4,} bytes/);
    expect(code).toBe(0);
  });

  test('is told that hot keys need another policy', async () => {
    await client.call('SET', 'k', 'v');
    const { stdout, stderr, code } = await cli(['--hotkeys']);
    expect(stdout + stderr).toContain('LFU');
    expect(code).toBe(1);
  });

  test('scans', async () => {
    await client.call(
      'MSET',
      ...Array.from({ length: 500 }, (_, i) => [`lock:${i}`, 'v']).flat(),
      'other',
      'v',
    );
    const { stdout } = await cli(['--scan', '--pattern', 'lock:*']);
    expect(new Set(lines(stdout)).size).toBe(500);
    expect(stdout).not.toContain('other');
  });

  test('loads a file of commands', async () => {
    const commands = Array.from({ length: 1000 }, (_, i) => `SET k${i} v\r\n`).join('');
    const { stdout, code } = await cli(['--pipe'], commands);
    expect(stdout).toContain('errors: 0, replies: 1000');
    expect(code).toBe(0);
    expect(await client.call('DBSIZE')).toBe(1000);
  });

  test('monitors, and sees no password', async () => {
    const { port } = server.endpoint;
    const output = await runUntil(
      port,
      ['MONITOR'],
      (text) => text.includes('"DEL"'),
      async () => {
        await client.call('SET', 'k', 'a "b"\n\xff');
        await client.call('AUTH', 'default', PASSWORD);
        await client.call('DEL', 'k');
      },
    );
    expect(lines(output)[0]).toBe('OK');
    expect(output).toMatch(/^\d+\.\d{6} \[0 127\.0\.0\.1:\d+\] "SET" "k" "a \\"b\\"\\n\\xff"$/m);
    expect(output).not.toContain(PASSWORD);
  });

  test.each([['-2'], ['-3']])('subscribes, %s', async (protocol) => {
    const args = [protocol, '--no-raw', 'SUBSCRIBE', 'news'];
    const output = await runUntil(
      server.endpoint.port,
      args,
      (text) => text.includes('"hello"'),
      async () => {
        await client.call('PUBLISH', 'news', 'hello');
      },
    );
    expect(output).toMatch(
      /1\) "subscribe"\n2\) "news"\n3\) \(integer\) 1\n1\) "message"\n2\) "news"\n3\) "hello"\n/,
    );
  });
});

function installedVersion(): string | undefined {
  try {
    return execFileSync('redis-cli', ['--version'], { encoding: 'latin1' }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const ESCAPE = String.fromCharCode(27);

/** Help without its colours, which it has even when nobody sees them. */
const plain = (text: string): string => text.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '');

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function start(port: number, args: readonly string[]) {
  // Neither the password nor the history of whoever runs the tests.
  const { REDISCLI_AUTH: _, ...env } = process.env;
  return spawn('redis-cli', ['-p', String(port), ...args], {
    env: { ...env, REDISCLI_HISTFILE: '/dev/null' },
  });
}

async function run(port: number, args: readonly string[], input = ''): Promise<Output> {
  const child = start(port, args);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('latin1').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { stdout, stderr, code };
}

/** For modes without an end: what was printed until `isEnough`. `act` runs once there is a first line. */
async function runUntil(
  port: number,
  args: readonly string[],
  isEnough: (text: string) => boolean,
  act: () => Promise<void> = async () => {},
): Promise<string> {
  const child = start(port, args);
  let text = '';
  let acting: Promise<void> | undefined;
  for await (const chunk of child.stdout.setEncoding('latin1')) {
    text += chunk;
    acting ??= act();
    if (isEnough(text)) break;
  }
  child.kill();
  await acting;
  return text;
}
