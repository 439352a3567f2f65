// The command line of the benches: `npm run bench -- <name> [options]`, with one subcommand a bench whose options
// come from the bench's own parameters, and `smoke`, which runs all of them at tiny scale and judges no timing.
// Results go to stdout as tables and, with --json, to a file together with what they were measured on.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { cascade } from './cascade.ts';
import { connections } from './connections.ts';
import { expiry } from './expiry.ts';
import { flush } from './flush.ts';
import { growth } from './growth.ts';
import { memory } from './memory.ts';
import { roundtrip } from './roundtrip.ts';
import { start } from './start.ts';
import { type Bench, type Contestant, smokeValues, type Value } from './support/bench.ts';
import { cleanUpOnExit } from './support/cleanup.ts';
import { withServer } from './support/server.ts';
import { formatTable, type Table } from './support/table.ts';
import { throughput } from './throughput.ts';

const BENCHES: readonly Bench[] = [
  throughput,
  roundtrip,
  memory,
  expiry,
  cascade,
  growth,
  flush,
  start,
  connections,
];

const OURS = `${process.execPath} --single-threaded-gc dist/main.js --port {port} --unixsocket {socket}`;
const PEER = `redis-server --port {port} --unixsocket {socket} --save '' --appendonly no`;

interface CommonOptions {
  ours: string;
  peer: string | false;
  json?: string;
}

interface Outcome {
  bench: string;
  parameters: Record<string, Value>;
  tables: Table[];
}

function toNumber(text: string): number {
  const number = Number(text.replaceAll('_', ''));
  if (text === '' || !(number >= 0)) throw new InvalidArgumentError('Not a number.');
  return number;
}

function toNumbers(text: string): number[] {
  return text.split(',').map(toNumber);
}

function withCommonOptions(command: Command): Command {
  return command
    .option('--ours <command>', 'how to start ours, with {port} and perhaps {socket} in it', OURS)
    .option('--peer <command>', 'how to start the server to compare with', PEER)
    .option('--no-peer', 'measure ours alone')
    .option('--json <file>', 'write the results to this file as well');
}

function addParameter(command: Command, name: string, about: string, value: Value): void {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') command.option(flag, about, value);
  else if (typeof value === 'string') command.option(`${flag} <text>`, about, value);
  else if (typeof value === 'number') command.option(`${flag} <number>`, about, toNumber, value);
  else command.option(`${flag} <numbers>`, `${about}, with commas`, toNumbers, [...value]);
}

function contestantsOf({ ours, peer }: CommonOptions): Contestant[] {
  const contestants: Contestant[] = [{ label: 'ours', command: ours }];
  if (peer !== false) contestants.push({ label: 'peer', command: peer });
  return contestants;
}

/** A server that answers an error is described by it; one that does not answer at all fails the bench. */
function errorReply(error: Error): string {
  if (error.name !== 'ReplyError') throw error;
  return error.message;
}

/** What each contestant says it is; also the quickest way to learn that one does not start. */
async function describe(contestant: Contestant): Promise<string> {
  return withServer(contestant, {}, async ({ client }) => {
    const info = String(await client.command('INFO', 'server').catch(errorReply));
    const fields =
      info.match(/^(?:server_name|redis_version|holdfast_version|node_version):[^\r\n]*/gm) ?? [];
    return fields.length > 0 ? fields.join(' ') : info;
  });
}

async function runBenches(
  options: CommonOptions,
  chosen: readonly [Bench, Record<string, Value>][],
): Promise<void> {
  const contestants = contestantsOf(options);
  const processors = cpus();
  const machine = `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown'}, Node ${process.version}`;
  const servers: Record<string, string> = {};
  for (const contestant of contestants) servers[contestant.label] = await describe(contestant);
  console.log(`benches on ${machine}`);
  for (const { label, command } of contestants) console.log(`${label}: ${command}  (${servers[label]})`);
  const outcomes: Outcome[] = [];
  for (const [bench, parameters] of chosen) {
    const tables = await bench.run(contestants, parameters);
    for (const table of tables) console.log(`\n${formatTable(table)}`);
    outcomes.push({ bench: bench.name, parameters, tables });
    if (options.json !== undefined) {
      // After each bench, so that a failure late in a long run loses nothing.
      const report = { measuredAt: new Date().toISOString(), machine, contestants, servers, outcomes };
      writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    }
  }
}

function addBench(program: Command, bench: Bench): void {
  const command = withCommonOptions(program.command(bench.name).description(bench.summary));
  for (const [name, { about, full }] of Object.entries(bench.parameters))
    addParameter(command, name, about, full);
  command.action(async (options: CommonOptions & Record<string, Value>) => {
    const values = Object.keys(bench.parameters).map((name) => [name, options[name] as Value] as const);
    await runBenches(options, [[bench, Object.fromEntries(values)]]);
  });
}

function addSmoke(program: Command): void {
  const about = 'every bench at tiny scale, for CI: fails on errors, never on timings';
  withCommonOptions(program.command('smoke').description(about)).action(async (options: CommonOptions) => {
    await runBenches(
      options,
      BENCHES.map((bench) => [bench, smokeValues(bench)]),
    );
  });
}

cleanUpOnExit();
const program = new Command('bench').description('Measures a lock server beside redis-server, in one run.');
for (const bench of BENCHES) addBench(program, bench);
addSmoke(program);
try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? `bench: ${error.message}` : error);
  process.exit(1);
}
