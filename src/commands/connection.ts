// Commands about the connection itself: who is there, in which protocol, on which database.

import type { RespVersion } from '../protocol/reply.ts';
import type { Request } from '../protocol/request.ts';
import { authenticate, isPlainName, notPlain, USER, WRONG_PASS } from './authentication.ts';
import type { Context } from './context.ts';
import { readDatabaseIndex } from './database-index.ts';
import { type CommandFlag, defineCommand } from './define.ts';
import { asCString, SYNTAX_ERROR, wrongArity } from './errors.ts';

const NO_PASSWORD_SET =
  'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?';
const HELLO_NEEDS_AUTH =
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time';

/** AUTH [username] password */
function auth({ client, reply, request, server }: Context): void {
  if (request.count > 3) return reply.error(SYNTAX_ERROR);
  // Somebody who believes that there is a password should hear that there is none.
  if (request.count === 2 && server.isOpen) return reply.error(NO_PASSWORD_SET);
  const user = request.count === 3 ? request.string(1) : USER;
  if (!authenticate(server, client, user, request.string(request.count - 1))) return reply.error(WRONG_PASS);
  reply.ok();
}

/** HELLO [version [AUTH username password] [SETNAME name]]: what is wrong first is told, and what came before it holds. */
function hello(ctx: Context): void {
  const { client, reply, request } = ctx;
  let resp: RespVersion | undefined;
  if (request.count > 1) {
    if (request.int64(1) === undefined)
      return reply.error('ERR Protocol version is not an integer or out of range');
    const version = request.integer(1);
    if (version !== 2 && version !== 3) return reply.error('NOPROTO unsupported protocol version');
    resp = version;
  }
  const options = readHelloOptions(ctx);
  if (options === undefined) return;
  if (!client.isAuthenticated) return reply.error(HELLO_NEEDS_AUTH);
  if (options.name !== undefined) client.name = options.name;
  if (resp !== undefined) client.resp = resp;
  ctx.clientReply.resp = client.resp;
  describeServer(ctx);
}

/** Authenticates on the way, as Redis does. Undefined: an error was replied. */
function readHelloOptions({ client, reply, request, server }: Context): { name?: string } | undefined {
  const options: { name?: string } = {};
  for (let i = 2; i < request.count; ) {
    const following = request.count - i - 1;
    if (request.matches(i, 'AUTH') && following >= 2) {
      if (!authenticate(server, client, request.string(i + 1), request.string(i + 2))) {
        reply.error(WRONG_PASS);
        return undefined;
      }
      i += 3;
    } else if (request.matches(i, 'SETNAME') && following >= 1) {
      options.name = request.string(i + 1);
      if (!isPlainName(options.name)) {
        reply.error(notPlain('Client names'));
        return undefined;
      }
      i += 2;
    } else {
      reply.error(`ERR Syntax error in HELLO option '${asCString(request.string(i))}'`);
      return undefined;
    }
  }
  return options;
}

/** Clients decide by these what they may use, so they say what we are compatible with. */
function describeServer({ client, reply, server }: Context): void {
  reply.map(7);
  reply.text('server');
  reply.text('redis');
  reply.text('version');
  reply.text(server.config.values['compat-redis-version']);
  reply.text('proto');
  reply.integer(client.resp);
  reply.text('id');
  reply.integer(client.id);
  reply.text('mode');
  reply.text('standalone');
  reply.text('role');
  reply.text('master');
  reply.text('modules');
  reply.array(0);
}

function ping({ client, reply, request }: Context): void {
  if (request.count > 2) return reply.error(wrongArity('ping'));
  // Among messages, an answer must look like one.
  if (client.resp === 2 && client.isSubscribed) {
    reply.array(2);
    reply.text('pong');
    return request.count === 2 ? reply.bulk(request.view(1)) : reply.text('');
  }
  return request.count === 2 ? reply.bulk(request.view(1)) : reply.simple('PONG');
}

function select(ctx: Context): void {
  const index = readDatabaseIndex(ctx, 1);
  if (index < 0) return;
  ctx.client.database = index;
  ctx.reply.ok();
}

/** What the client sent behind it is not run. */
function quit({ client, reply }: Context): void {
  client.isClosing = true;
  reply.ok();
}

/** Back to how a new connection starts. A password has to be given again. */
function reset({ client, clientReply, reply, server }: Context): void {
  server.discardTransaction(client);
  server.pubsub.unsubscribeAll(client);
  server.monitors.delete(client);
  client.reset(server.isOpen);
  clientReply.unmute();
  reply.simple('RESET');
}

/** True for the two words behind AUTH. */
function hidesPassword(request: Request, index: number): boolean {
  return [1, 2].some((distance) => index - distance >= 2 && request.matches(index - distance, 'AUTH'));
}

const COMMON = { group: 'connection', complexity: 'O(1)' } as const;
const BEFORE_AUTH: readonly CommandFlag[] = ['noscript', 'loading', 'stale', 'fast', 'no_auth', 'allow_busy'];

export const connectionCommands = [
  defineCommand({
    ...COMMON,
    name: 'auth',
    summary: 'Authenticates the connection.',
    since: '1.0.0',
    complexity: 'O(1)',
    arity: -2,
    flags: BEFORE_AUTH,
    arguments: [
      { name: 'username', type: 'string', since: '6.0.0', optional: true },
      { name: 'password', type: 'string' },
    ],
    history: [['6.0.0', 'Takes a username before the password.']],
    replies: ['OK', 'WRONGPASS: another password, or an unknown user', 'ERR: there is no password to give'],
    hides: (_, index) => index > 0,
    handler: auth,
  }),
  defineCommand({
    ...COMMON,
    name: 'hello',
    summary: 'Agrees on a protocol, RESP2 or RESP3, and describes the server.',
    since: '6.0.0',
    arity: -1,
    flags: BEFORE_AUTH,
    arguments: [
      {
        name: 'arguments',
        type: 'block',
        optional: true,
        arguments: [
          { name: 'protover', type: 'integer' },
          {
            name: 'username_password',
            type: 'block',
            token: 'AUTH',
            optional: true,
            arguments: [
              { name: 'username', type: 'string' },
              { name: 'password', type: 'string' },
            ],
          },
          { name: 'clientname', type: 'string', token: 'SETNAME', optional: true },
        ],
      },
    ],
    history: [['6.2.0', 'Without a version it only describes.']],
    replies: [
      'map: server, version, proto, id, mode, role, modules',
      'NOPROTO: neither 2 nor 3',
      'NOAUTH: a password is required and was not given',
      'WRONGPASS: another password, or an unknown user',
    ],
    hides: hidesPassword,
    handler: hello,
  }),
  defineCommand({
    ...COMMON,
    name: 'ping',
    summary: 'Answers PONG, or the message given.',
    since: '1.0.0',
    arity: -1,
    flags: ['fast'],
    tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
    arguments: [{ name: 'message', type: 'string', optional: true }],
    replies: ['PONG', 'bulk string: the message'],
    handler: ping,
  }),
  defineCommand({
    ...COMMON,
    name: 'echo',
    summary: 'Answers the message given, byte for byte.',
    since: '1.0.0',
    arity: 2,
    flags: ['loading', 'stale', 'fast'],
    arguments: [{ name: 'message', type: 'string' }],
    replies: ['bulk string: the message'],
    handler: ({ reply, request }) => reply.bulk(request.view(1)),
  }),
  defineCommand({
    ...COMMON,
    name: 'select',
    summary: 'Changes the database that the connection works on.',
    since: '1.0.0',
    arity: 2,
    flags: ['loading', 'stale', 'fast'],
    arguments: [{ name: 'index', type: 'integer' }],
    replies: ['OK', 'ERR: no such database'],
    handler: select,
  }),
  defineCommand({
    ...COMMON,
    name: 'quit',
    summary: 'Closes the connection when its replies have been sent.',
    since: '1.0.0',
    arity: -1,
    flags: BEFORE_AUTH,
    replies: ['OK'],
    handler: quit,
  }),
  defineCommand({
    ...COMMON,
    name: 'reset',
    summary: 'Brings the connection back to how it started.',
    since: '6.2.0',
    arity: 1,
    flags: BEFORE_AUTH,
    replies: ['RESET'],
    handler: reset,
  }),
];
