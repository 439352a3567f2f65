// CLIENT: the connections as the server sees them, and what a client may arrange for its own.
// CLIENT MAINT_NOTIFICATIONS and CLIENT CAPA are not known here, and so answer what client libraries take for "no".

import { wordOf } from './arguments.ts';
import { isPlainName, notPlain } from './authentication.ts';
import { clientTypeOf, describeClient, typeOf, unknownClientType } from './client-info.ts';
import { kill } from './client-kill.ts';
import { ABOUT_CLIENTS, readSwitch } from './client-subcommand.ts';
import { clientTrackingSubcommands } from './client-tracking.ts';
import type { Context } from './context.ts';
import { readTimeoutMs } from './deadline.ts';
import { type CommandFlag, defineCommand } from './define.ts';
import { asCString, NOT_AN_INTEGER, SYNTAX_ERROR, wrongSubcommandUse } from './errors.ts';
import { helpSubcommand } from './help.ts';

/** CLIENT LIST [TYPE type | ID id …] */
function list(ctx: Context): void {
  const { reply, request, server } = ctx;
  let clients = [...server.clients.values()];
  if (request.count === 4 && request.matches(2, 'TYPE')) {
    const type = clientTypeOf(request.string(3));
    if (type === undefined) return reply.error(unknownClientType(request.string(3)));
    clients = clients.filter((each) => typeOf(each) === type);
  } else if (request.count > 3 && request.matches(2, 'ID')) {
    const ids: number[] = [];
    for (let i = 3; i < request.count; i++) {
      const id = request.int64(i);
      if (id === undefined) return reply.error('ERR Invalid client ID');
      ids.push(Number(id));
    }
    clients = ids.flatMap((id) => server.clients.get(id) ?? []);
  } else if (request.count > 2) {
    return reply.error(SYNTAX_ERROR);
  }
  reply.verbatim(clients.map((each) => describeClient(each, ctx.nowMs)).join(''));
}

function setName({ client, reply, request }: Context): void {
  const name = request.string(2);
  if (!isPlainName(name)) return reply.error(notPlain('Client names'));
  client.name = name;
  reply.ok();
}

/** CLIENT SETINFO LIB-NAME name | LIB-VER version */
function setInfo({ client, reply, request }: Context): void {
  const attribute = request.string(2);
  const isName = request.matches(2, 'LIB-NAME');
  if (!isName && !request.matches(2, 'LIB-VER'))
    return reply.error(`ERR Unrecognized option '${asCString(attribute)}'`);
  const value = request.string(3);
  if (!isPlainName(value)) return reply.error(notPlain(attribute));
  if (isName) client.libraryName = value;
  else client.libraryVersion = value;
  reply.ok();
}

/** CLIENT REPLY ON | OFF | SKIP: holds from the next reply on, and this command's own is one only for ON. */
function replyMode({ client, clientReply, reply, request }: Context): void {
  if (request.matches(2, 'ON')) {
    client.replyMode = 'on';
    clientReply.unmute();
    reply.ok();
  } else if (request.matches(2, 'OFF')) {
    client.replyMode = 'off';
    clientReply.mute();
  } else if (request.matches(2, 'SKIP')) {
    if (client.replyMode !== 'off') client.replyMode = 'skip';
  } else {
    reply.error(SYNTAX_ERROR);
  }
}

/** CLIENT PAUSE ms [WRITE | ALL] */
function pause(ctx: Context): void {
  const { nowMs, reply, request, server } = ctx;
  if (request.count > 4) return reply.error(wrongSubcommandUse('CLIENT', request.string(1)));
  const isAll = request.count === 3 || request.matches(3, 'ALL');
  if (!isAll && !request.matches(3, 'WRITE'))
    return reply.error('ERR CLIENT PAUSE mode must be WRITE or ALL');
  const timeoutMs = readTimeoutMs(ctx, 2);
  if (timeoutMs === undefined) return;
  server.pause.begin(isAll ? 'all' : 'write', nowMs + Number(timeoutMs));
  reply.ok();
}

function unpause({ reply, server }: Context): void {
  server.pause.end();
  reply.ok();
}

/** CLIENT UNBLOCK id [TIMEOUT | ERROR]. No command blocks yet, so there is nobody to unblock; a pause is no blocking. */
function unblock({ reply, request }: Context): void {
  if (request.count > 4) return reply.error(wrongSubcommandUse('CLIENT', request.string(1)));
  if (request.count === 4 && !request.matches(3, 'TIMEOUT') && !request.matches(3, 'ERROR'))
    return reply.error('ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR');
  if (request.int64(2) === undefined) return reply.error(NOT_AN_INTEGER);
  reply.integer(0);
}

function noEvict(ctx: Context): void {
  const isOn = readSwitch(ctx);
  if (isOn === undefined) return;
  ctx.client.isNoEvict = isOn;
  ctx.reply.ok();
}

function noTouch(ctx: Context): void {
  const isOn = readSwitch(ctx);
  if (isOn === undefined) return;
  ctx.client.isNoTouch = isOn;
  ctx.reply.ok();
}

const ADMIN: readonly CommandFlag[] = ['admin', ...ABOUT_CLIENTS.flags];

const aboutOneself = [
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|id',
    summary: 'Returns the id of the connection: higher than those of all earlier connections.',
    since: '5.0.0',
    replies: ['integer: the id'],
    handler: ({ client, reply }) => reply.integer(client.id),
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|info',
    summary: 'Describes the connection.',
    since: '6.2.0',
    tips: ['nondeterministic_output'],
    replies: ['text: one line of fields'],
    handler: ({ client, nowMs, reply }) => reply.verbatim(describeClient(client, nowMs)),
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|getname',
    summary: 'Returns the name of the connection.',
    since: '2.6.9',
    replies: ['bulk string: the name', 'nil: it has none'],
    handler: ({ client, reply }) => (client.name === '' ? reply.null() : reply.text(client.name)),
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|setname',
    summary: 'Names the connection; an empty name takes the name away.',
    since: '2.6.9',
    arity: 3,
    arguments: [{ name: 'connection-name', type: 'string' }],
    replies: ['OK', 'ERR: spaces or special characters in the name'],
    handler: setName,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|setinfo',
    summary: 'Tells which client library the connection belongs to.',
    since: '7.2.0',
    arity: 4,
    arguments: [
      {
        name: 'attr',
        type: 'oneof',
        arguments: [
          { name: 'libname', type: 'string', token: 'LIB-NAME' },
          { name: 'libver', type: 'string', token: 'LIB-VER' },
        ],
      },
    ],
    replies: ['OK', 'ERR: an unknown attribute, or spaces or special characters in its value'],
    handler: setInfo,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|reply',
    summary: 'Turns replies to this connection on or off, or skips the next one.',
    since: '3.2.0',
    arity: 3,
    arguments: [wordOf('on_off_skip', ['ON', 'OFF', 'SKIP'])],
    replies: ['OK: replies are on', 'nothing: OFF and SKIP'],
    handler: replyMode,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|no-evict',
    summary: 'Keeps the connection when memory of clients runs short. No client is closed for that here.',
    since: '7.0.0',
    arity: 3,
    flags: ADMIN,
    arguments: [wordOf('enabled', ['ON', 'OFF'])],
    replies: ['OK'],
    handler: noEvict,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|no-touch',
    summary: 'Lets the commands of the connection leave unchanged how long keys have been idle.',
    since: '7.2.0',
    arity: 3,
    arguments: [wordOf('enabled', ['ON', 'OFF'])],
    replies: ['OK'],
    handler: noTouch,
  }),
];

const aboutOthers = [
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|list',
    summary: 'Describes all connections, those of a type, or some by id.',
    since: '2.4.0',
    complexity: 'O(N) in the number of connections',
    arity: -2,
    flags: ADMIN,
    tips: ['nondeterministic_output'],
    arguments: [
      wordOf('normal_master_replica_pubsub', ['NORMAL', 'MASTER', 'REPLICA', 'PUBSUB'], {
        token: 'TYPE',
        since: '5.0.0',
        optional: true,
      }),
      {
        name: 'id',
        type: 'block',
        token: 'ID',
        since: '6.2.0',
        optional: true,
        arguments: [{ name: 'client-id', type: 'integer', multiple: true }],
      },
    ],
    history: [
      ['2.8.12', 'Shows the id.'],
      ['5.0.0', 'TYPE.'],
      ['6.0.0', 'Shows the user.'],
      ['6.2.0', 'ID; shows argv-mem, tot-mem, laddr and redir.'],
      ['7.0.0', 'Shows resp, multi-mem, rbs and rbp.'],
      ['7.0.3', 'Shows ssub.'],
      ['7.2.0', 'Shows lib-name and lib-ver.'],
      ['7.4.0', 'Shows watch.'],
      ['8.0.0', 'Shows io-thread.'],
    ],
    replies: ['text: a line of fields for each connection'],
    handler: list,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|kill',
    summary: 'Closes connections: the one from an address, or all that pass every filter.',
    since: '2.4.0',
    complexity: 'O(N) in the number of connections',
    arity: -3,
    flags: ADMIN,
    arguments: [
      {
        name: 'filter',
        type: 'oneof',
        arguments: [
          { name: 'ip:port', type: 'string' },
          {
            name: 'new-format',
            type: 'oneof',
            multiple: true,
            arguments: [
              { name: 'client-id', type: 'integer', token: 'ID', since: '2.8.12', optional: true },
              wordOf(
                'normal_master_slave_pubsub',
                ['NORMAL', 'MASTER 3.2.0', 'SLAVE', 'REPLICA 5.0.0', 'PUBSUB'],
                {
                  token: 'TYPE',
                  since: '2.8.12',
                  optional: true,
                },
              ),
              { name: 'username', type: 'string', token: 'USER', optional: true },
              { name: 'ip:port', type: 'string', token: 'ADDR', optional: true },
              { name: 'ip:port', type: 'string', token: 'LADDR', since: '6.2.0', optional: true },
              { name: 'yes/no', type: 'string', token: 'SKIPME', optional: true },
              { name: 'maxage', type: 'integer', token: 'MAXAGE', since: '7.4.0', optional: true },
            ],
          },
        ],
      },
    ],
    history: [
      ['2.8.12', 'Filters.'],
      ['2.8.12', 'ID.'],
      ['3.2.0', 'TYPE master.'],
      ['5.0.0', 'TYPE replica, formerly slave.'],
      ['6.2.0', 'LADDR.'],
      ['7.4.0', 'MAXAGE.'],
    ],
    replies: [
      'OK: closed, by address',
      'integer: how many were closed, by filters',
      'ERR: nobody at the address',
    ],
    handler: kill,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|pause',
    summary: 'Lets commands wait, those that write or all. Leases run out meanwhile.',
    since: '2.9.50',
    arity: -3,
    flags: ADMIN,
    arguments: [
      { name: 'timeout', type: 'integer' },
      wordOf('mode', ['WRITE', 'ALL'], { since: '6.2.0', optional: true }),
    ],
    history: [['6.2.0', 'WRITE and ALL.']],
    replies: ['OK'],
    handler: pause,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|unpause',
    summary: 'Ends a pause.',
    since: '6.2.0',
    complexity: 'O(N) in the number of connections that wait',
    flags: ADMIN,
    replies: ['OK'],
    handler: unpause,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|unblock',
    summary: 'Ends the wait of a connection in a blocking command.',
    since: '5.0.0',
    arity: -3,
    flags: ADMIN,
    arguments: [
      { name: 'client-id', type: 'integer' },
      wordOf('timeout_error', ['TIMEOUT', 'ERROR'], { optional: true }),
    ],
    replies: ['1: it waits no more', '0: it was not waiting, or there is none'],
    handler: unblock,
  }),
];

export const clientCommands = [
  defineCommand({
    name: 'client',
    summary: 'A container for commands about connections.',
    since: '2.4.0',
    group: 'connection',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      ...aboutOneself,
      ...aboutOthers,
      ...clientTrackingSubcommands,
      helpSubcommand('client', 'connection', '5.0.0'),
    ],
  }),
];
