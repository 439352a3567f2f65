// docs/commands/*.md, one page a group, and docs/compatibility.md, rendered from the command specs.
// Tests keep the committed files up to date; `npm run docs` writes them.

import { categoriesOf } from './categories.ts';
import { shownFlags } from './command-info.ts';
import type { Command, CommandGroup } from './define.ts';
import { REDIS_COMMANDS, type RedisGroup, type Version } from './redis-commands.ts';
import type { Registry } from './registry.ts';
import { syntaxOf } from './syntax.ts';

const GENERATED = '<!-- Generated from src/commands. Do not edit: `npm run docs` writes it. -->';

/** Titles of pages, and of sections of the compatibility table. */
const TITLES: Readonly<Record<CommandGroup | RedisGroup, string>> = {
  lock: 'Locks',
  string: 'Strings',
  generic: 'Keys',
  connection: 'Connection',
  transactions: 'Transactions',
  pubsub: 'Publish and subscribe',
  scripting: 'Scripting',
  server: 'Server',
  hash: 'Hashes',
  list: 'Lists',
  set: 'Sets',
  'sorted-set': 'Sorted sets',
  stream: 'Streams',
  bitmap: 'Bitmaps',
  hyperloglog: 'HyperLogLogs',
  geo: 'Geospatial indices',
  cluster: 'Cluster',
  sentinel: 'Sentinel',
};

/** Every page by its path below docs/. */
export function renderCommandDocs(registry: Registry): Map<string, string> {
  const pages = new Map<string, string>();
  const commands = everyCommand(registry);
  for (const group of new Set(commands.map(({ spec }) => spec.group))) {
    const members = commands.filter(({ spec }) => spec.group === group);
    pages.set(`commands/${group}.md`, renderGroup(group, members));
  }
  pages.set('compatibility.md', renderCompatibility(registry));
  return pages;
}

/** Containers are followed by their subcommands, which is where what they do is told. */
function everyCommand(registry: Registry): Command[] {
  const byName = [...registry.commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return byName.flatMap(({ family }) => family);
}

function renderGroup(group: CommandGroup, commands: readonly Command[]): string {
  return `${[`# ${TITLES[group]}`, GENERATED, ...commands.map(renderCommand)].join('\n\n')}\n`;
}

function renderCommand(command: Command): string {
  const { summary, replies = [], history = [], deprecated, subcommands } = command.spec;
  const isContainer = subcommands !== undefined && command.arity === -2;
  const parts = [`## ${titleOf(command)}`, `**${summary}**`];
  if (!isContainer) parts.push(['```', syntaxOf(command), '```'].join('\n'));
  if (replies.length > 0) parts.push(table(['reply', 'when'], replies.map(replyCells)));
  if (deprecated !== undefined)
    parts.push(`Deprecated since ${deprecated.since}: use ${deprecated.replacedBy}.`);
  const lock = effectOfLock(command);
  if (lock !== undefined) parts.push(lock);
  if (history.length > 0)
    parts.push(history.map(([version, change]) => `- ${version}: ${change}`).join('\n'));
  parts.push(renderFacts(command));
  return parts.join('\n\n');
}

const titleOf = (command: Command): string => command.name.toUpperCase().replace('|', ' ');

/** `OK: stored` is a reply and when it comes; a text without a colon is only the first. */
function replyCells(reply: string): string[] {
  const colon = reply.indexOf(': ');
  return colon === -1 ? [reply, ''] : [reply.slice(0, colon), reply.slice(colon + 2)];
}

function effectOfLock(command: Command): string | undefined {
  if (command.refusesLocked)
    return 'While GETL has locked a key that this would change: `EXISTS`, and nothing is changed.';
  if (command.spec.locked !== 'decides') return undefined;
  return 'While GETL has locked the key: `EXISTS` if this would change it, else the usual reply.';
}

function renderFacts(command: Command): string {
  const { since, complexity } = command.spec;
  const facts = [`Since ${since}`];
  if (complexity !== '') facts.push(complexity);
  const flags = shownFlags(command);
  if (flags.length > 0) facts.push(`flags: ${flags.join(', ')}`);
  facts.push(
    `categories: ${categoriesOf(command)
      .map((category) => `@${category}`)
      .join(', ')}`,
  );
  return `${facts.join('. ')}.`;
}

// --- docs/compatibility.md

const COMPATIBILITY = `# Compatibility

${GENERATED}

Commands of Redis, up to version 8.4, and whether Holdfast provides them. What is not provided answers
an error. Where a provided command differs from Redis on purpose,
[differences.md](differences.md) says so. Commands of modules (JSON, search, time series, probabilistic structures,
vector sets) are not provided and not listed.`;

function renderCompatibility(registry: Registry): string {
  const all = Object.values(REDIS_COMMANDS).flatMap((versions) => Object.values(versions).flat());
  const provided = all.filter((name) => isProvided(registry, name)).length;
  const sections = Object.entries(REDIS_COMMANDS).map(([group, versions]) => {
    const rows = Object.entries(versions).flatMap(([version, names]) =>
      names.map((name) => compatibilityRow(registry, name, version as Version)),
    );
    return `## ${TITLES[group as RedisGroup]}\n\n${table(['command', 'provided', 'in Redis since'], rows)}`;
  });
  const counts = `${provided} of ${all.length} commands and subcommands are provided.`;
  return `${[COMPATIBILITY, counts, renderOwn(registry), ...sections].join('\n\n')}\n`;
}

function compatibilityRow(registry: Registry, name: string, version: Version): string[] {
  const command = registry.named(name);
  const words = name.toUpperCase().replace('|', ' ');
  if (command?.spec.isProvided === false) return [words, 'no: an error says so', command.spec.since];
  if (command === undefined) return [words, 'no', version === '7.0' ? '7.0 or before' : version];
  const link = `[${words}](commands/${command.spec.group}.md#${words.toLowerCase().replace(/ /g, '-')})`;
  return [link, 'yes', command.spec.since];
}

function isProvided(registry: Registry, name: string): boolean {
  const command = registry.named(name);
  return command !== undefined && command.spec.isProvided !== false;
}

function renderOwn(registry: Registry): string {
  const known = new Set(Object.values(REDIS_COMMANDS).flatMap((versions) => Object.values(versions).flat()));
  const rows = everyCommand(registry)
    .filter(({ name }) => !known.has(name))
    .map((command) => [titleOf(command), command.spec.summary, command.spec.since]);
  return `## What Redis 8.4 does not have\n\n${table(['command', 'what it does', 'since'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
