// Which commands the lines show, to find those that have none.
//
// A container command's subcommands count one by one, named as in COMMAND LIST: `config|get`.

import type { RespClient } from '../../support/resp-client.ts';
import type { Value } from '../../support/resp-frame.ts';
import type { Family } from './cases.ts';
import { parseLine } from './run.ts';

/** Every command and subcommand that the server says it has. */
export async function listCommands(client: RespClient): Promise<string[]> {
  const infos = await client.call('COMMAND', 'INFO');
  const names = list(infos).flatMap((info) => {
    const subcommands = list(list(info)[SUBCOMMANDS]).map((sub) => String(list(sub)[0]));
    return [String(list(info)[0]), ...subcommands];
  });
  return names.sort();
}

/** Place of the subcommands in an element of COMMAND INFO. */
const SUBCOMMANDS = 9;

function list(value: Value | undefined): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new Error('COMMAND INFO has another shape than in Redis 7');
}

/** The commands that lines send, and their subcommands, if they have some. */
export function coveredCommands(families: readonly Family[]): Set<string> {
  const covered = new Set<string>();
  for (const { line, waitMs } of families.flatMap(({ scenarios }) =>
    scenarios.flatMap(({ cases }) => cases),
  )) {
    if (waitMs !== undefined) continue;
    const step = parseLine(line);
    if (step.kind !== 'call' && step.kind !== 'send') continue;
    const [name = '', subcommand = ''] = step.words.map((word) => word.toLowerCase());
    covered.add(name);
    covered.add(`${name}|${subcommand}`);
  }
  return covered;
}
