// From arguments, environment and files to a Config, and the one line a mistake ends in.

import { existsSync, readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram, loadConfig, normalizeArguments } from '../../../src/config/command-line.ts';
import { ConfigError } from '../../../src/config/errors.ts';
import type { ConfigFiles } from '../../../src/config/file.ts';
import { optionNames, optionOf } from '../../../src/config/options.ts';

/** Files that exist only here. */
function filesOf(contents: Readonly<Record<string, string>>): ConfigFiles {
  return {
    read(path) {
      const text = contents[path];
      if (text === undefined) throw Object.assign(new Error('absent'), { code: 'ENOENT' });
      return text;
    },
    list: (directory) =>
      Object.keys(contents).flatMap((path) =>
        path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : [],
      ),
  };
}

function errorOf(
  argv: string[],
  env: Record<string, string> = {},
  contents: Record<string, string> = {},
): string {
  try {
    loadConfig(argv, env, filesOf(contents));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

test('flags work as with redis-server', () => {
  const argv = [
    '--port',
    '7000',
    '--save',
    '',
    '--BIND',
    '0.0.0.0',
    '-::1',
    '--list-max-ziplist-size',
    '-5',
    '--no-appendfsync-on-rewrite',
    'yes',
    '--maxmemory=1mb',
  ];
  const { values, warnings, file } = loadConfig(argv);
  expect(values.port).toBe(7000);
  expect(values.bind).toEqual(['0.0.0.0', '-::1']);
  expect(values['list-max-listpack-size']).toBe(-5);
  expect(values['no-appendfsync-on-rewrite']).toBe(true);
  expect(values.maxmemory).toBe(1024 ** 2);
  expect(warnings).toEqual([]);
  expect(file).toBeUndefined();
});

test('every option of the table is a flag, and says its own default without a warning', () => {
  const argv = optionNames.flatMap((name) => {
    const { kind, default: value, fileOnly } = optionOf(name);
    return fileOnly ? [] : [`--${name}`, kind.render(value)];
  });
  const config = loadConfig(argv);
  expect(config.values).toEqual(loadConfig([]).values);
  expect(config.warnings).toEqual([]);
});

test('file, then environment, then flags: the last one wins', () => {
  const contents = { 'a.conf': 'port 1\ntimeout 1\nhz 1\n' };
  const env = { HOLDFAST_TIMEOUT: '2', HOLDFAST_HZ: '2' };
  const { values, file } = loadConfig(['a.conf', '--hz', '3'], env, filesOf(contents));
  expect([values.port, values.timeout, values.hz]).toEqual([1, 2, 3]);
  expect(file).toBe(`${process.cwd()}/a.conf`);
});

test('standard input is a file without a path', () => {
  const config = loadConfig(['-', '--hz', '3'], {}, filesOf({ '-': 'port 1' }));
  expect(config.values.port).toBe(1);
  expect(config.file).toBeUndefined();
});

test('arguments and environment become the bytes they were written as', () => {
  expect(loadConfig(['--requirepass', 'é']).values.requirepass).toBe('\xc3\xa9');
  expect(loadConfig([], { HOLDFAST_REQUIREPASS: 'é' }).values.requirepass).toBe('\xc3\xa9');
});

test('what is not provided warns, and CONFIG GET does not claim it', () => {
  const contents = {
    'a.conf': 'appendonly yes\nsave 900 1\nsave 300 10\ndaemonize yes\nmaxmemory-policy allkeys-lru\n',
  };
  const config = loadConfig(['a.conf'], {}, filesOf(contents));
  expect(config.warnings).toEqual([
    'a.conf:1: appendonly: nothing is written to disk yet, so a restart forgets all keys and locks',
    'a.conf:3: save: nothing is written to disk yet, so a restart forgets all keys and locks',
    'a.conf:4: daemonize: Holdfast stays in the foreground; let a service manager or container run it',
    'a.conf:5: maxmemory-policy: only noeviction is provided, as evicting a lock would give it away',
  ]);
  expect(
    config.get(['appendonly', 'save', 'daemonize', 'maxmemory-policy']).map(([, value]) => value),
  ).toEqual(['no', '', 'no', 'noeviction']);
  const takenBack = loadConfig(['a.conf', '--appendonly', 'no', '--save', ''], {}, filesOf(contents));
  expect(takenBack.warnings).toHaveLength(2);
});

test.for([
  [['--foo', 'x'], "unknown option '--foo'"],
  [['--prot', '7'], "unknown option '--prot' (Did you mean --port?)"],
  [['--port'], '--port: a value is missing'],
  [['--bind', '--port', '1'], '--bind: a value is missing'],
  [['--port', '1', 'a.conf'], '--port: takes one value, not 2 (a file comes before all options)'],
  [['--port', 'x'], "--port: argument couldn't be parsed into an integer"],
  [['--port', '65536'], '--port: argument must be between 0 and 65535 inclusive'],
  [['--unixsocketperm', '900'], "--unixsocketperm: argument couldn't be parsed as an octal number"],
  [['a.conf', 'b.conf'], 'too many arguments. Expected 1 argument but got 2.'],
  [['none.conf'], "can't read the configuration file 'none.conf': no such file or directory"],
  [['--cluster-enabled', 'yes'], '--cluster-enabled: Redis Cluster is not supported'],
  [['--slaveof', 'h', '1'], '--slaveof: replication is not supported'],
  [['--loadmodule', '/m.so'], '--loadmodule: modules cannot be loaded'],
  [['--tls-port', '6380'], '--tls-port: TLS is not served yet; put a TLS proxy in front, or remove tls-port'],
] as const)('%o ends the start', ([argv, message]) => {
  expect(errorOf([...argv], {}, { 'a.conf': '' })).toBe(message);
});

test('a file that is refused says where', () => {
  const inFile = (text: string): string => errorOf(['a.conf'], {}, { 'a.conf': text });
  expect(inFile('\n# x\nfoo bar\n')).toBe('a.conf:3: foo: no option has this name');
  expect(inFile('port 1 2')).toBe('a.conf:1: port: wrong number of arguments');
  expect(inFile('port')).toBe('a.conf:1: port: wrong number of arguments');
  expect(inFile('requirepass "a')).toBe('a.conf:1: unbalanced quotes');
  expect(inFile('user bob on >secret')).toMatch(/^a\.conf:1: user: ACL users are not supported yet/);
  expect(inFile('rename-command CONFIG ""')).toMatch(
    /^a\.conf:1: rename-command: commands cannot be renamed/,
  );
  expect(inFile('user bob on >secret')).not.toMatch(/secret/);
});

test('variables that Kubernetes and links inject are ignored, others must be options', () => {
  const injected = {
    HOLDFAST_PORT: 'tcp://10.0.0.1:6379',
    HOLDFAST_PORT_6379_TCP: 'tcp://10.0.0.1:6379',
    HOLDFAST_PORT_6379_TCP_ADDR: '10.0.0.1',
    HOLDFAST_SERVICE_HOST: '10.0.0.1',
    HOLDFAST_SERVICE_PORT_REDIS: '6379',
    HOLDFAST_HEADLESS_SERVICE_HOST: 'None',
    HOLDFAST_HEADLESS_PORT: 'tcp://10.0.0.1:6379',
    HOLDFASTX: '1',
  };
  expect(loadConfig([], injected).values).toEqual(loadConfig([]).values);
  expect(loadConfig([], { HOLDFAST_PORT: '7' }).values.port).toBe(7);
  expect(loadConfig([], { HOLDFAST_SERVER_CPULIST: '0-1' }).values.server_cpulist).toBe('0-1');
  expect(loadConfig([], { HOLDFAST_BIND: '0.0.0.0 ::1' }).values.bind).toEqual(['0.0.0.0', '::1']);
  expect(loadConfig([], { HOLDFAST_SAVE: '' }).values.save).toEqual([]);
  expect(errorOf([], { HOLDFAST_MAX_CLIENTS: '1' })).toBe('HOLDFAST_MAX_CLIENTS: no option has this name');
  expect(errorOf([], { HOLDFAST_PORT: 'x' })).toBe(
    "HOLDFAST_PORT: argument couldn't be parsed into an integer",
  );
});

test('subcommands keep their own options, and --help and --version are no mistakes', async () => {
  const started: string[] = [];
  const written: string[] = [];
  const program = (): ReturnType<typeof buildProgram> => {
    const built = buildProgram({ version: '1.2.3', start: ({ file }) => void started.push(`start ${file}`) });
    built.configureOutput({ writeOut: (text) => written.push(text), outputError: () => {} });
    built
      .command('ping')
      .option('--port <port>')
      .action(({ port }) => void started.push(`ping ${port}`));
    return built;
  };
  const parse = (...argv: string[]) => program().parseAsync(normalizeArguments(argv), { from: 'user' });
  await parse('ping', '--port', '7');
  await parse('a.conf', '--port', '7');
  expect(started).toEqual(['ping 7', 'start a.conf']);
  await expect(parse('--version')).rejects.toThrow(CommanderError);
  await expect(parse('--help')).rejects.toMatchObject({ exitCode: 0 });
  expect(written[0]).toBe('1.2.3\n');
  expect(written[1]).toMatch(/--getl-default-timeout <value>/);
  expect(written[1]).not.toMatch(/--appendonly/);
});

const STOCK = '/etc/redis/redis.conf';

function canRead(path: string): boolean {
  try {
    return existsSync(path) && readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

test.skipIf(!canRead(STOCK))("Debian's redis.conf starts us", () => {
  const { values, warnings } = loadConfig([STOCK]);
  expect(values.bind).toEqual(['127.0.0.1', '-::1']);
  expect(values['client-output-buffer-limit'].replica.hardLimitBytes).toBe(256 * 1024 ** 2);
  expect(warnings.every((line) => / (daemonize|supervised): /.test(line))).toBe(true);
});
