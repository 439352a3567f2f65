// CLIENT TRACKING and its kin: telling clients when the keys they cache change, which is not provided.

import { wordOf } from './arguments.ts';
import { ABOUT_CLIENTS, readSwitch } from './client-subcommand.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';

const NO_TRACKING =
  'ERR client side caching (CLIENT TRACKING ON) is not provided: without it, no key may be cached';
const NOT_TRACKING =
  'ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled';

/** A client that believes in invalidations which never come would serve stale locks. */
function tracking(ctx: Context): void {
  const isOn = readSwitch(ctx);
  if (isOn === undefined) return;
  if (isOn) ctx.reply.error(NO_TRACKING);
  else ctx.reply.ok();
}

function trackingInfo({ reply }: Context): void {
  reply.map(3);
  reply.text('flags');
  reply.set(1);
  reply.text('off');
  reply.text('redirect');
  reply.integer(-1);
  reply.text('prefixes');
  reply.array(0);
}

export const clientTrackingSubcommands = [
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|tracking',
    summary: 'Tells clients when keys they cache change. Not provided: ON answers an error.',
    since: '6.0.0',
    complexity: 'O(1). Some options may introduce additional complexity.',
    arity: -3,
    arguments: [
      wordOf('status', ['ON', 'OFF']),
      { name: 'client-id', type: 'integer', token: 'REDIRECT', optional: true },
      {
        name: 'prefix',
        type: 'string',
        token: 'PREFIX',
        optional: true,
        multiple: true,
        multipleToken: true,
      },
      { name: 'bcast', type: 'pure-token', token: 'BCAST', optional: true },
      { name: 'optin', type: 'pure-token', token: 'OPTIN', optional: true },
      { name: 'optout', type: 'pure-token', token: 'OPTOUT', optional: true },
      { name: 'noloop', type: 'pure-token', token: 'NOLOOP', optional: true },
    ],
    replies: ['OK: tracking is off', 'ERR: it cannot be turned on'],
    handler: tracking,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|trackinginfo',
    summary: 'Tells how the connection is told of changed keys.',
    since: '6.2.0',
    replies: ['map: flags, redirect, prefixes'],
    handler: trackingInfo,
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|getredir',
    summary: 'Returns the connection that is told of changed keys instead of this one.',
    since: '6.0.0',
    replies: ['-1: keys are not tracked'],
    handler: ({ reply }) => reply.integer(-1),
  }),
  defineCommand({
    ...ABOUT_CLIENTS,
    name: 'client|caching',
    summary: 'Chooses whether the keys of the next command are tracked.',
    since: '6.0.0',
    arity: 3,
    arguments: [wordOf('mode', ['YES', 'NO'])],
    replies: ['ERR: keys are not tracked'],
    handler: ({ reply }) => reply.error(NOT_TRACKING),
  }),
];
