// ACL, as far as there are users: only `default`, who may do everything, and whose password is `requirepass`.
//
// What it tells is true, and what it cannot do it refuses: a rule that was accepted and not enforced would be worse.

import { createHash, randomBytes } from 'node:crypto';
import { Request } from '../protocol/request.ts';
import { USER } from './authentication.ts';
import { CATEGORIES, categoriesOf } from './categories.ts';
import type { Context } from './context.ts';
import { type Argument, type Command, type CommandFlag, type CommandSpec, defineCommand } from './define.ts';
import { asCString, NOT_AN_INTEGER, wrongArity, wrongSubcommandUse } from './errors.ts';
import { helpSubcommand } from './help.ts';

/** The rules of the default user, by the names under which ACL GETUSER gives them. */
const RULES = { commands: '+@all', keys: '~*', channels: '&*' };

const GENPASS_DEFAULT_BITS = 256;
const GENPASS_MAX_BITS = 4096;

/** `nopass`, or the hash that Redis would store for the password. */
function secretsOf({ server }: Context): { flag: 'nopass' | undefined; hashes: readonly string[] } {
  if (server.isOpen) return { flag: 'nopass', hashes: [] };
  const password = Buffer.from(server.config.values.requirepass, 'latin1');
  return { flag: undefined, hashes: [createHash('sha256').update(password).digest('hex')] };
}

function list(ctx: Context): void {
  const { flag, hashes } = secretsOf(ctx);
  const secret = flag ?? hashes.map((hash) => `#${hash}`).join(' ');
  ctx.reply.texts([`user ${USER} on ${secret} ${RULES.keys} ${RULES.channels} ${RULES.commands}`]);
}

function getUser(ctx: Context): void {
  const { request, reply } = ctx;
  if (request.string(2) !== USER) return reply.null();
  const { flag, hashes } = secretsOf(ctx);
  const flags = ['on', ...(flag === undefined ? [] : [flag])];
  reply.map(6);
  reply.text('flags');
  reply.set(flags.length);
  for (const each of flags) reply.text(each);
  reply.text('passwords');
  reply.texts(hashes);
  for (const [name, rule] of Object.entries(RULES)) {
    reply.text(name);
    reply.text(rule);
  }
  reply.text('selectors');
  reply.array(0);
}

/** ACL CAT [category] */
function cat(ctx: Context): void {
  const { request, reply, registry } = ctx;
  if (request.count === 2) return reply.texts(CATEGORIES);
  if (request.count > 3) return refuseSubcommand(ctx);
  const category = request.string(2).toLowerCase();
  if (!CATEGORIES.some((each) => each === category)) {
    return reply.error(`ERR Unknown category '${asCString(request.string(2))}'`);
  }
  const isInside = (command: Command): boolean => categoriesOf(command).some((each) => each === category);
  reply.texts(registry.all.filter(isInside).map(({ name }) => name));
}

/** ACL GENPASS [bits]: four bits a hexadecimal digit. */
function genPass(ctx: Context): void {
  const { request, reply } = ctx;
  if (request.count > 3) return refuseSubcommand(ctx);
  const bits = request.count === 3 ? request.integer(2) : GENPASS_DEFAULT_BITS;
  if (Number.isNaN(bits)) return reply.error(NOT_AN_INTEGER);
  if (bits <= 0 || bits > GENPASS_MAX_BITS) {
    return reply.error(
      `ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to ${GENPASS_MAX_BITS}`,
    );
  }
  reply.text(
    randomBytes(Math.ceil(bits / 8))
      .toString('hex')
      .slice(0, Math.ceil(bits / 4)),
  );
}

function refuseSubcommand({ request, reply }: Context): void {
  reply.error(wrongSubcommandUse('ACL', request.string(1)));
}

/** ACL DELUSER name …: the default user stays, and there is no other to be removed. */
function delUser({ request, reply }: Context): void {
  if (request.strings(2).includes(USER)) return reply.error("ERR The 'default' user cannot be removed");
  reply.integer(0);
}

/** ACL DRYRUN user command …: the default user may run whatever there is. */
function dryRun({ request, reply, registry, server }: Context): void {
  if (request.string(2) !== USER) return reply.error(`ERR User '${asCString(request.string(2))}' not found`);
  const inner = new Request(server.seed).fill(request.strings(3));
  const command = registry.findWhole(inner);
  if (command === undefined) return reply.error(`ERR Command '${asCString(request.string(3))}' not found`);
  if (!command.accepts(inner.count)) return reply.error(wrongArity(command.name));
  reply.ok();
}

function notProvided({ command, reply }: Context): void {
  const name = command.name.toUpperCase().replace('|', ' ');
  reply.error(`ERR ${name} is not provided: the only user is '${USER}', and requirepass its password`);
}

const FOR_ALL: readonly CommandFlag[] = ['noscript', 'loading', 'stale'];
const FOR_ADMINS: readonly CommandFlag[] = ['admin', ...FOR_ALL];
const USERNAME: Argument = { name: 'username', type: 'string' };

type Described = Pick<CommandSpec, 'name' | 'summary' | 'arity' | 'handler'> & Partial<CommandSpec>;

const subcommand = (spec: Described): Command =>
  defineCommand({ since: '6.0.0', group: 'server', complexity: 'O(1)', flags: FOR_ADMINS, ...spec });

const subcommands = [
  subcommand({
    name: 'acl|cat',
    summary: 'Lists the categories of commands, or the commands of one category.',
    complexity: 'O(N) in the number of commands',
    arity: -2,
    flags: FOR_ALL,
    arguments: [{ name: 'categoryname', type: 'string', optional: true }],
    replies: ['array: names', 'ERR: no such category'],
    handler: cat,
  }),
  subcommand({
    name: 'acl|deluser',
    summary: 'Removes users, of whom there are none but the default one, who stays.',
    arity: -3,
    arguments: [{ ...USERNAME, multiple: true }],
    replies: ['0: no such user', 'ERR: the default user was named'],
    handler: delUser,
  }),
  subcommand({
    name: 'acl|dryrun',
    summary: 'Tells whether a user may run a command.',
    since: '7.0.0',
    arity: -4,
    arguments: [
      USERNAME,
      { name: 'command', type: 'string' },
      { name: 'arg', type: 'string', optional: true, multiple: true },
    ],
    replies: ['OK', 'ERR: no such user, no such command, or not as many arguments as it takes'],
    handler: dryRun,
  }),
  subcommand({
    name: 'acl|genpass',
    summary: 'Makes up a password from secure random bits.',
    arity: -2,
    flags: FOR_ALL,
    arguments: [{ name: 'bits', type: 'integer', optional: true }],
    replies: ['bulk string: hexadecimal digits, for 256 bits unless told otherwise'],
    handler: genPass,
  }),
  subcommand({
    name: 'acl|getuser',
    summary: 'Returns what a user may do.',
    arity: 3,
    arguments: [USERNAME],
    history: [
      ['6.2.0', 'With channel patterns.'],
      ['7.0.0', 'With selectors; patterns are rules, no longer lists.'],
    ],
    replies: ['map: flags, passwords (as SHA-256), commands, keys, channels, selectors', 'nil: no such user'],
    handler: getUser,
  }),
  helpSubcommand('acl', 'server', '6.0.0'),
  subcommand({
    name: 'acl|list',
    summary: 'Lists all users with their rules, in the format of a file.',
    arity: 2,
    replies: ['array: one line a user'],
    handler: list,
  }),
  subcommand({
    name: 'acl|load',
    summary: 'Refused: there is no file of users.',
    arity: 2,
    replies: ['ERR: always'],
    isProvided: false,
    handler: notProvided,
  }),
  subcommand({
    name: 'acl|log',
    summary: 'Refused: nothing is written down about what was denied.',
    arity: -2,
    arguments: [
      {
        name: 'operation',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'count', type: 'integer' },
          { name: 'reset', type: 'pure-token', token: 'RESET' },
        ],
      },
    ],
    replies: ['ERR: always'],
    isProvided: false,
    handler: notProvided,
  }),
  subcommand({
    name: 'acl|save',
    summary: 'Refused: there is no file of users.',
    arity: 2,
    replies: ['ERR: always'],
    isProvided: false,
    handler: notProvided,
  }),
  subcommand({
    name: 'acl|setuser',
    summary: 'Refused: there is one user, and the rules are fixed.',
    arity: -3,
    history: [
      ['6.2.0', 'With channel patterns.'],
      ['7.0.0', 'With selectors, and permissions by key.'],
    ],
    arguments: [USERNAME, { name: 'rule', type: 'string', optional: true, multiple: true }],
    replies: ['ERR: always'],
    isProvided: false,
    handler: notProvided,
  }),
  subcommand({
    name: 'acl|users',
    summary: 'Lists the names of all users.',
    arity: 2,
    replies: ['array: names'],
    handler: ({ reply }) => reply.texts([USER]),
  }),
  subcommand({
    name: 'acl|whoami',
    summary: 'Returns the name of the user that the connection belongs to.',
    arity: 2,
    flags: FOR_ALL,
    replies: ['bulk string: the name'],
    handler: ({ reply }) => reply.text(USER),
  }),
];

export const aclCommands = [
  defineCommand({
    name: 'acl',
    summary: 'Who may do what.',
    since: '6.0.0',
    group: 'server',
    complexity: 'As its subcommands',
    arity: -2,
    flags: [],
    subcommands,
  }),
];
