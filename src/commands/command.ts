// COMMAND and its subcommands: the server's commands described to clients, all of it derived from the specs.

import { globMatches } from '../bytes/glob.ts';
import { Request } from '../protocol/request.ts';
import { categoriesOf } from './categories.ts';
import { replyCommandDocs } from './command-docs.ts';
import { replyCommandInfo, replySimpleSet } from './command-info.ts';
import type { Context } from './context.ts';
import { type Argument, type Command, defineCommand } from './define.ts';
import { SYNTAX_ERROR } from './errors.ts';
import { helpSubcommand } from './help.ts';
import { type KeyPosition, keyPositions, keySpecsOf } from './key-positions.ts';

/** Answers for the commands that arguments from 2 on name; for all if there are none. */
function info(ctx: Context): void {
  const { registry, request, reply } = ctx;
  const commands =
    request.count <= 2
      ? [...registry.commands.values()]
      : request.strings(2).map((name) => registry.named(name));
  reply.array(commands.length);
  for (const command of commands) {
    if (command === undefined) reply.null();
    else replyCommandInfo(reply, command);
  }
}

/** As `info`, but a name that is unknown is left out. */
function docs(ctx: Context): void {
  const { registry, request, reply } = ctx;
  const commands =
    request.count === 2
      ? [...registry.commands.values()]
      : request.strings(2).flatMap((name) => registry.named(name) ?? []);
  reply.map(commands.length);
  for (const command of commands) replyCommandDocs(reply, command);
}

/** COMMAND LIST [FILTERBY MODULE name | ACLCAT category | PATTERN pattern] */
function list(ctx: Context): void {
  const { request, reply, registry } = ctx;
  const filter = filterOf(request);
  if (filter === undefined) return reply.error(SYNTAX_ERROR);
  reply.texts(registry.all.filter(filter).map(({ name }) => name));
}

function filterOf(request: Request): ((command: Command) => boolean) | undefined {
  if (request.count === 2) return () => true;
  if (request.count !== 5 || !request.matches(2, 'FILTERBY')) return undefined;
  if (request.matches(3, 'ACLCAT')) {
    const category = request.string(4).toLowerCase();
    return (command) => categoriesOf(command).some((each) => each === category);
  }
  if (request.matches(3, 'PATTERN')) {
    const pattern = Buffer.from(request.string(4), 'latin1');
    return ({ nameBytes }) => globMatches(pattern, nameBytes, 0, nameBytes.length, true);
  }
  // There are no modules, so no command comes from one.
  return request.matches(3, 'MODULE') ? () => false : undefined;
}

/** The keys of the command that starts at argument 2; undefined when an error has been replied. */
function keysOf(ctx: Context): { positions: readonly KeyPosition[]; inner: Request } | undefined {
  const { request, reply, registry, server } = ctx;
  const inner = new Request(server.seed).fill(request.strings(2));
  const command = registry.findWhole(inner);
  const refuse = (error: string): undefined => reply.error(error) as undefined;
  if (command === undefined) return refuse('ERR Invalid command specified');
  if (keySpecsOf(command).length === 0) return refuse('ERR The command has no key arguments');
  if (!command.accepts(inner.count)) return refuse('ERR Invalid number of arguments specified for command');
  const positions = keyPositions(command, inner);
  if (positions.length === 0 && !command.flags.has('no_mandatory_keys')) {
    return refuse('ERR Invalid arguments specified for command');
  }
  return { positions, inner };
}

function getKeys(ctx: Context): void {
  const found = keysOf(ctx);
  if (found === undefined) return;
  ctx.reply.texts(found.positions.map(({ index }) => found.inner.string(index)));
}

function getKeysAndFlags(ctx: Context): void {
  const found = keysOf(ctx);
  if (found === undefined) return;
  ctx.reply.array(found.positions.length);
  for (const { index, access, does = [] } of found.positions) {
    ctx.reply.array(2);
    ctx.reply.text(found.inner.string(index));
    replySimpleSet(ctx.reply, [access, ...does]);
  }
}

const COMMON = {
  group: 'server',
  flags: ['loading', 'stale'],
  categories: ['connection'],
} as const;

const UNORDERED = ['nondeterministic_output_order'];

const NAMES: readonly Argument[] = [{ name: 'command-name', type: 'string', optional: true, multiple: true }];

const WHOLE_COMMAND: readonly Argument[] = [
  { name: 'command', type: 'string' },
  { name: 'arg', type: 'string', optional: true, multiple: true },
];

const subcommands = [
  defineCommand({
    ...COMMON,
    name: 'command|count',
    summary: 'Tells how many commands there are.',
    since: '2.8.13',
    complexity: 'O(1)',
    arity: 2,
    replies: ['integer: commands, subcommands not counted'],
    handler: ({ reply, registry }) => reply.integer(registry.commands.size),
  }),
  defineCommand({
    ...COMMON,
    name: 'command|docs',
    summary: 'Returns the documentation of the given commands, or of all.',
    since: '7.0.0',
    complexity: 'O(N) in the number of commands looked up',
    arity: -2,
    tips: UNORDERED,
    arguments: NAMES,
    replies: ['map: name to documentation, without the names that are unknown'],
    handler: docs,
  }),
  defineCommand({
    ...COMMON,
    name: 'command|getkeys',
    summary: 'Returns the keys among the arguments of a whole command.',
    since: '2.8.13',
    complexity: 'O(N) in the number of arguments',
    arity: -3,
    arguments: WHOLE_COMMAND,
    replies: ['array: the keys', 'ERR: no such command, or one without keys'],
    handler: getKeys,
  }),
  defineCommand({
    ...COMMON,
    name: 'command|getkeysandflags',
    summary: 'Returns the keys among the arguments of a whole command, and what would happen to each.',
    since: '7.0.0',
    complexity: 'O(N) in the number of arguments',
    arity: -3,
    arguments: WHOLE_COMMAND,
    replies: ['array: pairs of a key and its flags', 'ERR: no such command, or one without keys'],
    handler: getKeysAndFlags,
  }),
  helpSubcommand('command', 'server', '5.0.0', ['connection']),
  defineCommand({
    ...COMMON,
    name: 'command|info',
    summary: 'Returns details of the given commands, or of all.',
    since: '2.8.13',
    complexity: 'O(N) in the number of commands looked up',
    arity: -2,
    tips: UNORDERED,
    history: [['7.0.0', 'Without a name: all commands.']],
    arguments: NAMES,
    replies: ['array: ten fields a command, nil for a name that is unknown'],
    handler: info,
  }),
  defineCommand({
    ...COMMON,
    name: 'command|list',
    summary: 'Returns the names of all commands, or of those that a filter lets through.',
    since: '7.0.0',
    complexity: 'O(N) in the number of commands',
    arity: -2,
    tips: UNORDERED,
    arguments: [
      {
        name: 'filterby',
        type: 'oneof',
        token: 'FILTERBY',
        optional: true,
        arguments: [
          { name: 'module-name', type: 'string', token: 'MODULE' },
          { name: 'category', type: 'string', token: 'ACLCAT' },
          { name: 'pattern', type: 'pattern', token: 'PATTERN' },
        ],
      },
    ],
    replies: ['array: names, those of subcommands as `container|name`'],
    handler: list,
  }),
];

export const commandCommands = [
  defineCommand({
    ...COMMON,
    name: 'command',
    summary: 'Returns details of all commands.',
    since: '2.8.13',
    complexity: 'O(N) in the number of commands',
    arity: -1,
    tips: UNORDERED,
    replies: ['array: ten fields a command'],
    subcommands,
    handler: info,
  }),
];
