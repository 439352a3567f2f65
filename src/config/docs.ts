// docs/configuration.md, rendered from the table. A test keeps the committed file up to date; `npx vitest run -u`
// on that test writes it.

import type { Option, Status } from './option.ts';
import { type OptionName, optionNames, optionOf, sections } from './options.ts';

const INTRODUCTION = `# Configuration

<!-- Generated from src/config/options.ts. Do not edit. -->

Every option can be given in four places. A later one wins:

1. a file in the format of \`redis.conf\`: \`holdfast holdfast.conf\`, or \`holdfast -\` to read standard input;
2. the environment: \`HOLDFAST_MAXCLIENTS=100\`, dashes as underscores;
3. the command line: \`holdfast [file] --maxclients 100 --bind 0.0.0.0 -::1\`, an option taking all words up to the next;
4. \`CONFIG SET\`, while the server runs. \`CONFIG REWRITE\` brings the file up to date.

Each directive of Redis is one of these:

- **implemented**: does what it says;
- **inert**: accepted and reported by \`CONFIG GET\`, without an effect;
- **not provided**: asking for it prints a warning at start, is an error of \`CONFIG SET\`, and leaves the default;
- **refused**: asking for it ends the start with one line, because going on would be unsafe or pointless.

So a stock \`redis.conf\` starts Holdfast. A name that neither Redis nor Holdfast knows ends the start, and so does an
unknown variable \`HOLDFAST_…\`. Variables that Kubernetes adds for a service called \`holdfast\` are ignored:
\`HOLDFAST_PORT\` when it holds an address such as \`tcp://10.0.0.1:6379\`, \`HOLDFAST_PORT_…\` and \`HOLDFAST_SERVICE_…\`.

Memory sizes are bytes or have a unit: \`1k\` is 1000 bytes, \`1kb\` 1024, and likewise \`m\`, \`mb\`, \`g\`, \`gb\`. Numbers end
at 9007199254740991. The column **set** says whether \`CONFIG SET\` may change the option.`;

export function renderConfigurationDocs(): string {
  const tables = sections.map(([title, names]) => [`## ${title}`, renderTable(names)].join('\n\n'));
  return `${[INTRODUCTION, renderCounts(), ...tables].join('\n\n')}\n`;
}

function renderCounts(): string {
  const count = (status: Status): number =>
    optionNames.filter((name) => optionOf(name).status === status).length;
  return `${optionNames.length} options: ${count('implemented')} implemented, ${count('inert')} inert, ${count('not provided')} not provided, ${count('refused')} refused.`;
}

function renderTable(names: readonly OptionName[]): string {
  const rows = names.map((name) => {
    const option = optionOf(name);
    return row(
      nameCell(name, option),
      statusCell(option),
      option.kind.syntax,
      defaultCell(option),
      setCell(option),
      option.summary,
    );
  });
  return [
    row('option', 'status', 'values', 'default', 'set', 'meaning'),
    row('---', '---', '---', '---', '---', '---'),
    ...rows,
  ].join('\n');
}

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const nameCell = (name: OptionName, { aliases = [] }: Option<unknown>): string =>
  [name, ...aliases].map((spelling) => `\`${spelling}\``).join(', ');

const statusCell = ({ status, own }: Option<unknown>): string => (own ? `${status} (ours)` : status);

function defaultCell({ kind, default: value, defaultText }: Option<unknown>): string {
  const shown = kind.render(value);
  return defaultText ?? (shown === '' ? 'empty' : `\`${shown}\``);
}

function setCell(option: Option<unknown>): string {
  if (option.immutable || option.fileOnly) return 'no';
  return option.protected ? 'protected' : 'yes';
}
