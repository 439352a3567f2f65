// TIME, LOLWUT, SHUTDOWN: about the server as a process.

import { HOLDFAST_VERSION } from '../state/product-version.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { BUSY, NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';
import { NOTHING_IS_SAVED } from './persistence.ts';

function time({ reply, server }: Context): void {
  const now = server.clock.readEpochMicroseconds();
  reply.array(2);
  reply.text(String(Math.floor(now / 1_000_000)));
  reply.text(String(now % 1_000_000));
}

const PADLOCK = [
  '     ________',
  '    / ______ \\',
  '   | |      | |',
  '  _|_|______|_|_',
  ' |      __      |',
  ' |     (__)     |',
  ' |      ||      |',
  ' |______________|',
];

/** LOLWUT [VERSION version]: whatever version of the art is asked for, there is one picture. */
function lolwut({ request, reply, server }: Context): void {
  if (request.count >= 3 && request.matches(1, 'VERSION') && Number.isNaN(request.integer(2))) {
    return reply.error(NOT_AN_INTEGER);
  }
  const versions = `Holdfast ver. ${HOLDFAST_VERSION}. Redis ver. ${server.config.values['compat-redis-version']}`;
  reply.verbatim(`${[...PADLOCK, '', versions].join('\n')}\n`);
}

const SHUTDOWN_WORDS = ['NOSAVE', 'SAVE', 'NOW', 'FORCE', 'ABORT'] as const;
type ShutdownWord = (typeof SHUTDOWN_WORDS)[number];

/** SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]: like Redis it answers only when it fails. */
function shutdown({ request, reply, server, client }: Context): void {
  const given = new Set<ShutdownWord>();
  for (let i = 1; i < request.count; i++) {
    const word = SHUTDOWN_WORDS.find((each) => request.matches(i, each));
    if (word === undefined) return reply.error(SYNTAX_ERROR);
    given.add(word);
  }
  const contradicts = given.has('SAVE') && given.has('NOSAVE');
  if (contradicts || (given.has('ABORT') && given.size > 1)) return reply.error(SYNTAX_ERROR);
  // It takes effect at once, so there is never one to abort.
  if (given.has('ABORT')) return reply.error('ERR No shutdown in progress.');
  // Whoever means to lose what a running script has done must say so.
  if (server.isBusy && !given.has('NOSAVE')) return reply.error(BUSY);
  if (given.has('SAVE') && !given.has('FORCE')) return reply.error(NOTHING_IS_SAVED);
  client.isClosing = true;
  server.requestShutdown();
}

export const serverCommands = [
  defineCommand({
    name: 'time',
    summary: "Returns the server's time.",
    since: '2.6.0',
    group: 'server',
    complexity: 'O(1)',
    arity: 1,
    flags: ['loading', 'stale', 'fast'],
    tips: ['nondeterministic_output'],
    replies: ['[unix time, microseconds of the second]'],
    handler: time,
  }),
  defineCommand({
    name: 'lolwut',
    summary: 'Shows a picture, and the versions.',
    since: '5.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -1,
    flags: ['readonly', 'fast'],
    arguments: [{ name: 'version', type: 'integer', token: 'VERSION', optional: true }],
    replies: ['text'],
    handler: lolwut,
  }),
  defineCommand({
    name: 'shutdown',
    summary: 'Stops the server once replies have gone out.',
    since: '1.0.0',
    group: 'server',
    complexity: 'O(1)',
    arity: -1,
    flags: ['admin', 'noscript', 'loading', 'stale', 'no_multi', 'allow_busy'],
    arguments: [
      {
        name: 'nosave_save',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'nosave', type: 'pure-token', token: 'NOSAVE' },
          { name: 'save', type: 'pure-token', token: 'SAVE' },
        ],
      },
      { name: 'now', type: 'pure-token', token: 'NOW', since: '7.0.0', optional: true },
      { name: 'force', type: 'pure-token', token: 'FORCE', since: '7.0.0', optional: true },
      { name: 'abort', type: 'pure-token', token: 'ABORT', since: '7.0.0', optional: true },
    ],
    history: [['7.0.0', 'The options NOW, FORCE and ABORT.']],
    replies: [
      'nothing: the connection closes',
      'ERR: SAVE without FORCE, or nothing to abort',
      'BUSY: a script is running, and NOSAVE was not given',
    ],
    handler: shutdown,
  }),
];
