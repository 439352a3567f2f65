// All commands by name. The list of families below is the only place that knows which there are.

import type { Request } from '../protocol/request.ts';
import { aclCommands } from './acl.ts';
import { clientCommands } from './client.ts';
import { clusterCommands } from './cluster.ts';
import { commandCommands } from './command.ts';
import { configCommands } from './config.ts';
import { connectionCommands } from './connection.ts';
import { counterCommands } from './counters.ts';
import { databaseCommands } from './databases.ts';
import { debugCommands } from './debug.ts';
import { Command } from './define.ts';
import { evalCommands } from './eval.ts';
import { expireCommands } from './expire.ts';
import { fcallCommands } from './fcall.ts';
import { functionCommands } from './function.ts';
import { getlCommands } from './getl.ts';
import { goblinCommands } from './goblin.ts';
import { increxCommands } from './increx.ts';
import { infoCommands } from './info.ts';
import { keyCommands } from './keys.ts';
import { latencyCommands } from './latency.ts';
import { lockCommands } from './locks.ts';
import { memoryCommands } from './memory.ts';
import { moduleCommands } from './module.ts';
import { monitorCommands } from './monitor.ts';
import { multiStringCommands } from './multi-strings.ts';
import { objectCommands } from './object.ts';
import { persistenceCommands } from './persistence.ts';
import { pubsubCommands } from './pubsub.ts';
import { renameCommands } from './rename.ts';
import { replicationCommands } from './replication.ts';
import { scanCommands } from './scan.ts';
import { scriptCommands } from './script.ts';
import { serverCommands } from './server.ts';
import { slowLogCommands } from './slowlog.ts';
import { stringCompareCommands } from './string-compare.ts';
import { stringEditCommands } from './string-edits.ts';
import { stringCommands } from './strings.ts';
import { transactionCommands } from './transactions.ts';
import { waitCommands } from './wait.ts';

const FAMILIES: readonly (readonly Command[])[] = [
  clusterCommands,
  configCommands,
  debugCommands,
  infoCommands,
  latencyCommands,
  memoryCommands,
  moduleCommands,
  monitorCommands,
  persistenceCommands,
  replicationCommands,
  serverCommands,
  slowLogCommands,
  aclCommands,
  commandCommands,
  stringCommands,
  multiStringCommands,
  stringEditCommands,
  stringCompareCommands,
  counterCommands,
  increxCommands,
  keyCommands,
  renameCommands,
  expireCommands,
  scanCommands,
  objectCommands,
  databaseCommands,
  waitCommands,
  transactionCommands,
  pubsubCommands,
  evalCommands,
  scriptCommands,
  fcallCommands,
  functionCommands,
  lockCommands,
  getlCommands,
  goblinCommands,
  connectionCommands,
  clientCommands,
];

/** Places of the hash table: a power of two, several times the number of commands. */
const TABLE_BITS = 11;
const TABLE_SIZE = 1 << TABLE_BITS;

export class Registry {
  readonly commands: ReadonlyMap<string, Command>;
  /** Open addressing over the lower-cased name's bytes, so that finding a command makes no string. */
  readonly #table: (Command | undefined)[] = new Array(TABLE_SIZE).fill(undefined);

  constructor(families = FAMILIES) {
    const commands = new Map<string, Command>();
    for (const { spec } of families.flat()) {
      const command = new Command(spec); // each server counts for itself
      if (commands.has(command.name)) throw new Error(`invariant: ${command.name} is defined twice`);
      commands.set(command.name, command);
      this.#insert(command);
    }
    this.commands = commands;
  }

  /** The command that argument 0 names, whatever the case; for a container, the subcommand that argument 1 names, if it has it. */
  find(request: Request): Command | undefined {
    const command = this.#lookup(request.bufferOf(0), request.start(0), request.length(0));
    if (command?.subcommands === undefined || request.count < 2) return command;
    return command.subcommands.get(request.string(1).toLowerCase()) ?? command;
  }

  /** As `find`, for looking only: a container with a subcommand that it does not have is no command. */
  findWhole(request: Request): Command | undefined {
    const command = this.find(request);
    return command?.subcommands !== undefined && request.count > 1 ? undefined : command;
  }

  /** Commands and subcommands, in the order of the families. */
  get all(): Command[] {
    return [...this.commands.values()].flatMap(({ family }) => family);
  }

  /** By full name in any case: `get`, `client|list`. */
  named(name: string): Command | undefined {
    const [container = '', subcommand, ...rest] = name.toLowerCase().split('|');
    const command = rest.length === 0 ? this.commands.get(container) : undefined;
    return subcommand === undefined ? command : command?.subcommands?.get(subcommand);
  }

  #insert(command: Command): void {
    const { nameBytes } = command;
    let place = hashName(nameBytes, 0, nameBytes.length);
    while (this.#table[place] !== undefined) place = (place + 1) % TABLE_SIZE;
    this.#table[place] = command;
  }

  #lookup(buffer: Buffer, start: number, length: number): Command | undefined {
    for (let place = hashName(buffer, start, length); ; place = (place + 1) % TABLE_SIZE) {
      const command = this.#table[place];
      if (command === undefined || isNamed(command.nameBytes, buffer, start, length)) return command;
    }
  }
}

/** Length and four of the bytes tell names apart well enough; whatever meets in one place is compared in full. */
function hashName(buffer: Buffer, start: number, length: number): number {
  const first = buffer[start]! | 0x20;
  const second = buffer[start + 1]! | 0x20;
  const middle = buffer[start + (length >>> 1)]! | 0x20;
  const last = buffer[start + length - 1]! | 0x20;
  const hash = Math.imul(length + (first << 4) + (second << 11) + (middle << 18) + (last << 24), 0x9e3779b1);
  return hash >>> (32 - TABLE_BITS);
}

function isNamed(name: Buffer, buffer: Buffer, start: number, length: number): boolean {
  if (name.length !== length) return false;
  for (let i = 0; i < length; i++) {
    const byte = buffer[start + i]!;
    if (name[i] !== (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)) return false;
  }
  return true;
}
