// What our commands say about themselves against what a live redis-server says, field by field: everything that
// clients route, cache, hint or authorise by. Only texts for people (summaries, notes, complexity) are our own, and what
// ours says has come after 7.0 is left out before comparing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REDIS_COMMANDS } from '../../src/commands/redis-commands.ts';
import { ORACLE_VERSION, type RunningServer, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';
import type { Value } from '../support/resp-frame.ts';
import { startOurs } from '../support/server.ts';
import { DIFFERENCES } from './harness/metadata-differences.ts';

/** A command or subcommand: what is compared, by the name of the field. */
type Description = Readonly<Record<string, unknown>>;

if (!redisAvailable) test.skip(`no live redis-server ${ORACLE_VERSION} to compare with`);

describe.skipIf(!redisAvailable)('command metadata', () => {
  let servers: readonly RunningServer[] = [];
  let ours: ReadonlyMap<string, Description>;
  let redis: ReadonlyMap<string, Description>;

  beforeAll(async () => {
    servers = [await startOurs(), await startRedis()];
    const [first, second] = await Promise.all(servers.map(describeCommands));
    ours = first ?? new Map();
    redis = second ?? new Map();
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  test('is compared for the commands that both have', () => {
    expect([...ours.keys()].filter((name) => redis.has(name)).length).toBeGreaterThan(10);
  });

  test('equals redis-server', () => {
    const found = [...ours].flatMap(([name, mine]) => differencesOf(name, mine, redis.get(name)));
    const unlisted = found.filter(({ field, name }) => DIFFERENCES[name]?.[field] === undefined);
    expect(unlisted.map((each) => JSON.stringify(each))).toEqual([]);
  });

  test('differs wherever a difference is listed', () => {
    const listed = Object.entries(DIFFERENCES).flatMap(([name, fields]) =>
      Object.keys(fields).map((field) => `${name} ${field}`),
    );
    const found = [...ours].flatMap(([name, mine]) => differencesOf(name, mine, redis.get(name)));
    const real = new Set(found.map(({ name, field }) => `${name} ${field}`));
    expect(listed.filter((each) => !real.has(each))).toEqual([]);
  });

  test('is listed for the compatibility table, by group, for every command of redis-server', () => {
    const listed = Object.entries(REDIS_COMMANDS).flatMap(([group, versions]) =>
      versions['7.0'].map((name) => `${group} ${name}`),
    );
    const real = [...redis].map(([name, { group }]) => `${group} ${name}`);
    expect(listed.sort()).toEqual(real.sort());
  });

  test('has texts of our own', () => {
    const incomplete = [...ours].filter(([, { summary }]) => !/^[A-Z`].*\.$/.test(String(summary)));
    expect(incomplete.map(([name]) => name)).toEqual([]);
    const same = [...ours].filter(([name, { summary }]) => redis.get(name)?.['summary'] === summary);
    expect(same.map(([name]) => name)).toEqual([]);
  });
});

function differencesOf(name: string, mine: Description, theirs: Description | undefined) {
  if (theirs === undefined) return [];
  return Object.keys(mine)
    .filter((field) => field !== 'summary' && !isSame(mine[field], theirs[field]))
    .map((field) => ({ name, field, ours: mine[field], redis: theirs[field] }));
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

async function describeCommands({ endpoint }: RunningServer): Promise<Map<string, Description>> {
  const client = await RespClient.connect(endpoint);
  await client.call('HELLO', '3');
  const infos = list(await client.call('COMMAND', 'INFO'));
  const docs = await client.call('COMMAND', 'DOCS');
  await client.close();
  const found = new Map<string, Description>();
  for (const info of infos) collect(list(info), field(docs, String(list(info)[0])), found);
  return found;
}

/** Adds a command and its subcommands. */
function collect(info: readonly Value[], docs: Value, into: Map<string, Description>): void {
  const [name, arity, flags, first, last, step, categories, tips, keySpecs, subcommands] = info;
  into.set(String(name), {
    arity,
    flags: sorted(flags),
    range: [first, last, step],
    categories: sorted(categories),
    tips: sorted(tips),
    keySpecs: list(keySpecs).map(describeKeySpec),
    summary: field(docs, 'summary'),
    since: field(docs, 'since'),
    group: field(docs, 'group'),
    docFlags: sorted(field(docs, 'doc_flags')),
    deprecatedSince: field(docs, 'deprecated_since'),
    history: list(field(docs, 'history'))
      .map((change) => list(change)[0])
      .filter(isIn70),
    arguments: describeArguments(field(docs, 'arguments')),
  });
  const subcommandDocs = field(docs, 'subcommands');
  for (const each of list(subcommands))
    collect(list(each), field(subcommandDocs, String(list(each)[0])), into);
}

function describeKeySpec(spec: Value): unknown {
  const step = (name: string) => [
    field(field(spec, name), 'type'),
    entries(field(field(spec, name), 'spec')),
  ];
  return { flags: sorted(field(spec, 'flags')), begin: step('begin_search'), find: step('find_keys') };
}

const describeArguments = (args: Value): unknown[] =>
  list(args)
    .filter((each) => isIn70(field(each, 'since')))
    .map(describeArgument);

/** Without the text to display, which is a matter of taste and newer than 7.0. */
function describeArgument(argument: Value): unknown {
  const inner = describeArguments(field(argument, 'arguments'));
  const plain = ['name', 'type', 'token', 'key_spec_index', 'since'].map((name) => field(argument, name));
  return [...plain, ...sorted(field(argument, 'flags')), ...(inner.length > 0 ? [inner] : [])];
}

/** Of a version, or of no version: whether 7.0 has it. Versions of our own are newer than all of Redis'. */
function isIn70(since: Value | undefined): boolean {
  if (typeof since !== 'string') return true;
  const [major = 0, minor = 0] = since.split('.').map(Number);
  return major < 7 || (major === 7 && minor === 0);
}

function list(value: Value | undefined): readonly Value[] {
  if (value === undefined || value === null) return [];
  if (value instanceof Set) return [...value];
  if (Array.isArray(value)) return value;
  throw new Error(`not a list: ${String(value)}`);
}

const sorted = (value: Value | undefined): string[] => list(value).map(String).sort();

function field(map: Value, name: string): Value {
  return map instanceof Map ? (map.get(name) ?? null) : null;
}

const entries = (map: Value): unknown => (map instanceof Map ? [...map] : map);
