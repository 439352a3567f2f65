// The command `holdfast`: from arguments to a running server or an answer, and to the exit code.
// Whatever keeps the server from starting ends in one line on standard error and exit code 1.

import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Command, CommanderError } from 'commander';
import { buildProgram, normalizeArguments } from '../config/command-line.ts';
import { ConfigError } from '../config/errors.ts';
import { realFiles } from '../config/file.ts';
import { type CommandLine, configFrom } from '../config/load.ts';
import { HOLDFAST_VERSION } from '../state/product-version.ts';
import { checkHealth } from './health.ts';
import { Log, pathOf } from './log.ts';
import { type RunningServer, start } from './start.ts';

const UNTIL_DURABLE = 'locks are kept in memory: a restart forgets them';
const OPEN_TO_ALL =
  'whoever reaches this port may take and release every lock: it is open beyond this machine, without a password (requirepass) and with protected-mode off';

/** Runs the program; resolves with the exit code when it is over. */
export async function runProgram(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let serving: Promise<void> | undefined;
  const program = buildProgram({
    version: HOLDFAST_VERSION,
    start: (commandLine) => {
      serving = serve(commandLine, env);
      return serving;
    },
  });
  addPing(program, env);
  try {
    await program.parseAsync(normalizeArguments(argv), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0; // --help, --version
    process.stderr.write(`holdfast: ${explain(error)}\n`);
    return 1;
  }
}

async function serve(commandLine: CommandLine, env: NodeJS.ProcessEnv): Promise<void> {
  const signalled = stopSignal();
  const config = configFrom(commandLine, env, realFiles);
  const log = new Log(config);
  for (const warning of config.warnings) log.write('warning', warning);
  const running = await start({ config, log: (line) => log.write('warning', line) });
  const pidFile = pathOf(config.values.pidfile);
  try {
    if (pidFile !== '') writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    await running.close();
    throw error;
  }
  log.write(
    'notice',
    `Holdfast ${HOLDFAST_VERSION} (Redis ${config.values['compat-redis-version']} protocol) is ready on ${running.addresses.join(', ')}; ${UNTIL_DURABLE}`,
  );
  if (isOpenToAll(running)) log.write('warning', OPEN_TO_ALL);
  const reason = await Promise.race([signalled, running.shutdownRequested.then(() => 'SHUTDOWN')]);
  log.write('notice', `${reason}: closing`);
  await running.close();
  if (pidFile !== '') await rm(pidFile, { force: true });
}

/** True if a client from another machine gets in without being asked anything. */
function isOpenToAll({ addresses, state }: RunningServer): boolean {
  const { unixsocket, 'protected-mode': isProtected } = state.config.values;
  if (isProtected || !state.isOpen) return false;
  return addresses.some((address) => address !== pathOf(unixsocket) && !LOOPBACK.test(address));
}

const LOOPBACK = /^(?:127\.|localhost:|\[::1\]:)/;

/**
 * Resolves with the name of the signal that asks to stop. A second one does not wait for clients.
 * Asked for before anything starts: a signal that comes while starting must not be lost, nor cut a start in half.
 */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (++count > 1) process.exit(1);
        resolve(signal);
      });
    }
  });
}

interface PingOptions {
  readonly host: string;
  readonly port: string;
  readonly unixsocket?: string;
  readonly requirepass: string;
  readonly timeoutMs: string;
}

function addPing(program: Command, env: NodeJS.ProcessEnv): void {
  // In Kubernetes a service called holdfast sets HOLDFAST_PORT to an address; that is not ours (docs/configuration.md).
  const port = /^\d+$/.test(env['HOLDFAST_PORT'] ?? '') ? env['HOLDFAST_PORT'] : '6379';
  program
    .command('ping')
    .description('ask a running server whether it answers; exits 0 if it does and 1 if not')
    .option('--host <host>', 'address of the server', '127.0.0.1')
    .option('--port <port>', 'its port', port)
    .option('--unixsocket <path>', 'its unix socket, instead of address and port')
    .option('--requirepass <password>', 'its password', env['HOLDFAST_REQUIREPASS'] ?? '')
    .option('--timeout-ms <ms>', 'how long to wait', '2000')
    .action(async (options: PingOptions) => {
      const target =
        options.unixsocket === undefined
          ? { host: options.host, port: wholeNumber('--port', options.port, 65_535) }
          : { path: options.unixsocket };
      const timeoutMs = wholeNumber('--timeout-ms', options.timeoutMs, 2 ** 31 - 1);
      await checkHealth({ target, password: options.requirepass, timeoutMs });
      process.stdout.write('PONG\n');
    });
}

function wholeNumber(option: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) > 0 && Number(text) <= most) return Number(text);
  throw new ConfigError(`${option} must be a whole number from 1 to ${most}, and is '${text}'`);
}

/** One line about what went wrong, in words that say what to do. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, address, port, message } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const place = port === undefined || port < 0 ? (address ?? '') : `${address}:${port}`;
  if (code === 'EADDRINUSE') return `${place} is in use by another process`;
  if (code === 'EACCES') return `no permission for ${place || message}`;
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${place}`;
  return message.replaceAll('\n', ' ');
}
