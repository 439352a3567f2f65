// Pub/sub: subscribing to channels, patterns and shard channels, publishing, and looking at who listens.
//
// Subscribing answers once for each name, and in RESP3 as pushes. On a server that is no cluster a shard channel is just
// a channel of another kind: the two never see each other's messages.

import type { SubscriptionKind } from '../state/pubsub.ts';
import type { Context } from './context.ts';
import { type Argument, type CommandSpec, defineCommand, type KeySpec } from './define.ts';
import { wrongSubcommandUse } from './errors.ts';
import { helpSubcommand } from './help.ts';

/** Answers for one name, or for none; `word` is the command's own. */
function confirm({ client, reply }: Context, kind: SubscriptionKind, word: string, name?: string): void {
  reply.push(3);
  reply.text(word);
  if (name === undefined) reply.null();
  else reply.text(name);
  reply.integer(kind === 'shardChannels' ? client.shardChannels.size : client.subscriptionCount);
}

/** SUBSCRIBE and its kin: all of the names, or none if they are too many. */
function subscribe(ctx: Context, kind: SubscriptionKind): void {
  const { client, reply, request, server } = ctx;
  const names = request.strings(1);
  const added = names.filter((name) => !client[kind].has(name)).length;
  const held = client.subscriptionCount + client.shardChannels.size;
  if (added > 0 && held + added > server.config.values['max-subscriptions-per-client'])
    return reply.error('ERR too many subscriptions (max-subscriptions-per-client)');
  for (const name of names) {
    server.pubsub.subscribe(client, kind, name);
    confirm(ctx, kind, ctx.command.name, name);
  }
}

/** UNSUBSCRIBE and its kin: from the names given, or from all of this kind. */
function unsubscribe(ctx: Context, kind: SubscriptionKind): void {
  const { client, request, server } = ctx;
  const names = request.count > 1 ? request.strings(1) : [...client[kind]];
  if (names.length === 0) return confirm(ctx, kind, ctx.command.name);
  for (const name of names) {
    server.pubsub.unsubscribe(client, kind, name);
    confirm(ctx, kind, ctx.command.name, name);
  }
}

function publish({ reply, request, server }: Context): void {
  reply.integer(server.pubsub.publish(request.string(1), request.view(2)));
}

function publishToShard({ reply, request, server }: Context): void {
  reply.integer(server.pubsub.publishToShard(request.string(1), request.view(2)));
}

/** PUBSUB CHANNELS and SHARDCHANNELS [pattern] */
function listChannels({ reply, request, server }: Context, kind: SubscriptionKind): void {
  if (request.count > 3) return reply.error(wrongSubcommandUse('PUBSUB', request.string(1)));
  reply.texts(server.pubsub.names(kind, request.count === 3 ? request.view(2).copy() : undefined));
}

/** PUBSUB NUMSUB and SHARDNUMSUB [channel…]: a flat array in both protocols. */
function countListeners({ reply, request, server }: Context, kind: SubscriptionKind): void {
  reply.array((request.count - 2) * 2);
  for (let i = 2; i < request.count; i++) {
    reply.bulk(request.view(i));
    reply.integer(server.pubsub.listenerCount(kind, request.string(i)));
  }
}

const CHANNEL: Argument = { name: 'channel', type: 'string' };
const SHARD_CHANNEL: Argument = { name: 'shardchannel', type: 'string' };
const PATTERN: Argument = { name: 'pattern', type: 'pattern' };
const SEVERAL_SHARD_CHANNELS: KeySpec = { access: 'RO', flags: ['not_key'], begin: 1, last: -1 };

/** What all of them have in common. */
const listening = {
  group: 'pubsub',
  flags: ['pubsub', 'noscript', 'loading', 'stale'],
} as const satisfies Partial<CommandSpec>;

const subscribes = {
  ...listening,
  complexity: 'O(N) in the number of names',
  arity: -2,
  replies: [
    'push: for each name the command, the name, how many subscriptions there are now (an array in RESP2)',
  ],
} as const satisfies Partial<CommandSpec>;

const unsubscribes = {
  ...listening,
  complexity: 'O(N) in the number of names',
  arity: -1,
  replies: [
    'push: for each name the command, the name, how many subscriptions are left (an array in RESP2)',
    'push with nil for the name: there was nothing to end',
  ],
} as const satisfies Partial<CommandSpec>;

const subscribing = [
  defineCommand({
    ...subscribes,
    name: 'subscribe',
    summary: 'Listens to channels.',
    since: '2.0.0',
    arguments: [{ ...CHANNEL, multiple: true }],
    handler: (ctx) => subscribe(ctx, 'channels'),
  }),
  defineCommand({
    ...subscribes,
    name: 'psubscribe',
    summary: 'Listens to all channels whose names match patterns.',
    since: '2.0.0',
    arguments: [{ name: 'pattern', type: 'block', multiple: true, arguments: [PATTERN] }],
    handler: (ctx) => subscribe(ctx, 'patterns'),
  }),
  defineCommand({
    ...subscribes,
    name: 'ssubscribe',
    summary: 'Listens to shard channels.',
    since: '7.0.0',
    keys: [SEVERAL_SHARD_CHANNELS],
    arguments: [{ ...SHARD_CHANNEL, multiple: true }],
    handler: (ctx) => subscribe(ctx, 'shardChannels'),
  }),
  defineCommand({
    ...unsubscribes,
    name: 'unsubscribe',
    summary: 'Stops listening to channels, to all if none is named.',
    since: '2.0.0',
    arguments: [{ ...CHANNEL, optional: true, multiple: true }],
    handler: (ctx) => unsubscribe(ctx, 'channels'),
  }),
  defineCommand({
    ...unsubscribes,
    name: 'punsubscribe',
    summary: 'Stops listening by patterns, by all if none is named.',
    since: '2.0.0',
    arguments: [{ ...PATTERN, optional: true, multiple: true }],
    handler: (ctx) => unsubscribe(ctx, 'patterns'),
  }),
  defineCommand({
    ...unsubscribes,
    name: 'sunsubscribe',
    summary: 'Stops listening to shard channels, to all if none is named.',
    since: '7.0.0',
    keys: [SEVERAL_SHARD_CHANNELS],
    arguments: [{ ...SHARD_CHANNEL, optional: true, multiple: true }],
    handler: (ctx) => unsubscribe(ctx, 'shardChannels'),
  }),
];

const publishing = [
  defineCommand({
    name: 'publish',
    summary: 'Sends a message to whoever listens to a channel.',
    since: '2.0.0',
    group: 'pubsub',
    complexity: 'O(N+M) in the number of listeners and of all patterns',
    arity: 3,
    flags: ['pubsub', 'loading', 'stale', 'fast', 'may_replicate'],
    arguments: [CHANNEL, { name: 'message', type: 'string' }],
    replies: [
      'integer: how often the message was delivered; a client counts once for each of its subscriptions that match',
    ],
    handler: publish,
  }),
  defineCommand({
    name: 'spublish',
    summary: 'Sends a message to whoever listens to a shard channel.',
    since: '7.0.0',
    group: 'pubsub',
    complexity: 'O(N) in the number of listeners',
    arity: 3,
    flags: ['pubsub', 'loading', 'stale', 'fast', 'may_replicate'],
    keys: [{ access: 'RO', flags: ['not_key'], begin: 1 }],
    arguments: [SHARD_CHANNEL, { name: 'message', type: 'string' }],
    replies: ['integer: how many clients it was delivered to'],
    handler: publishToShard,
  }),
];

/** What all subcommands of PUBSUB but HELP have in common. */
const inspects = {
  group: 'pubsub',
  arity: -2,
  flags: ['pubsub', 'loading', 'stale'],
} as const satisfies Partial<CommandSpec>;

const lists = {
  ...inspects,
  complexity: 'O(N) in the number of active channels',
  arguments: [{ ...PATTERN, optional: true }],
  replies: ['array: names that match, all if no pattern is given'],
} as const satisfies Partial<CommandSpec>;

const counts = {
  ...inspects,
  complexity: 'O(N) in the number of named channels',
  replies: ['array: each name, followed by how many clients listen to it; patterns do not count'],
} as const satisfies Partial<CommandSpec>;

const inspecting = defineCommand({
  name: 'pubsub',
  summary: 'Shows who listens.',
  since: '2.8.0',
  group: 'pubsub',
  complexity: 'Depends on the subcommand',
  arity: -2,
  flags: [],
  subcommands: [
    defineCommand({
      ...lists,
      name: 'pubsub|channels',
      summary: 'Lists the channels that somebody listens to.',
      since: '2.8.0',
      handler: (ctx) => listChannels(ctx, 'channels'),
    }),
    defineCommand({
      ...inspects,
      name: 'pubsub|numpat',
      summary: 'Counts the different patterns that somebody listens by.',
      since: '2.8.0',
      complexity: 'O(1)',
      arity: 2,
      replies: ['integer: the number of patterns'],
      handler: ({ reply, server }) => reply.integer(server.pubsub.size('patterns')),
    }),
    defineCommand({
      ...counts,
      name: 'pubsub|numsub',
      summary: 'Counts who listens to each of some channels.',
      since: '2.8.0',
      arguments: [{ ...CHANNEL, optional: true, multiple: true }],
      handler: (ctx) => countListeners(ctx, 'channels'),
    }),
    defineCommand({
      ...lists,
      name: 'pubsub|shardchannels',
      summary: 'Lists the shard channels that somebody listens to.',
      since: '7.0.0',
      handler: (ctx) => listChannels(ctx, 'shardChannels'),
    }),
    defineCommand({
      ...counts,
      name: 'pubsub|shardnumsub',
      summary: 'Counts who listens to each of some shard channels.',
      since: '7.0.0',
      arguments: [{ ...SHARD_CHANNEL, optional: true, multiple: true }],
      handler: (ctx) => countListeners(ctx, 'shardChannels'),
    }),
    helpSubcommand('pubsub', 'pubsub', '6.2.0'),
  ],
});

export const pubsubCommands = [...subscribing, ...publishing, inspecting];
