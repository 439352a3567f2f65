// LATENCY: what took long, by kind of event, and how the times of each command are distributed.

import type { LatencyEvent, LatencyEventName } from '../state/latency-events.ts';
import type { Context } from './context.ts';
import { type Command, type CommandFlag, type CommandSpec, defineCommand } from './define.ts';
import { asCString } from './errors.ts';
import { helpSubcommand } from './help.ts';
import { drawLatencyGraph } from './latency-graph.ts';

const ADMIN: readonly CommandFlag[] = ['admin', 'noscript', 'loading', 'stale'];
const EVERY_NODE_OWN = ['nondeterministic_output', 'request_policy:all_nodes', 'response_policy:special'];

function latest({ reply, server }: Context): void {
  const events = server.measurements.latencyEvents.entries();
  reply.array(events.length);
  for (const [name, event] of events) {
    reply.array(4);
    reply.text(name);
    reply.integer(event.latest.epochSeconds);
    reply.integer(event.latest.milliseconds);
    reply.integer(event.maxMilliseconds);
  }
}

function history({ request, reply, server }: Context): void {
  const samples = server.measurements.latencyEvents.get(request.string(2))?.samples ?? [];
  reply.array(samples.length);
  for (const { epochSeconds, milliseconds } of samples) {
    reply.array(2);
    reply.integer(epochSeconds);
    reply.integer(milliseconds);
  }
}

function graph({ request, reply, server }: Context): void {
  const name = request.string(2);
  const event = server.measurements.latencyEvents.get(name);
  if (event === undefined) return reply.error(`ERR No samples available for event '${asCString(name)}'`);
  reply.verbatim(drawLatencyGraph(name, event, Math.floor(server.clock.epochMs / 1000)));
}

function reset({ request, reply, server }: Context): void {
  const names = request.count > 2 ? request.strings(2) : undefined;
  reply.integer(server.measurements.latencyEvents.reset(names));
}

/** LATENCY HISTOGRAM [command …]; a container stands for its subcommands. */
function histogram({ request, reply, registry }: Context): void {
  const chosen =
    request.count === 2
      ? registry.all
      : request.strings(2).flatMap((name) => registry.named(name)?.family ?? []);
  const measured = chosen.filter(({ latency }) => latency !== undefined);
  reply.map(measured.length);
  for (const { name, latency } of measured) {
    const steps = latency?.cumulative() ?? [];
    reply.text(name);
    reply.map(2);
    reply.text('calls');
    reply.integer(latency?.total ?? 0);
    reply.text('histogram_usec');
    reply.map(steps.length);
    for (const { microseconds, calls } of steps) {
      reply.integer(microseconds);
      reply.integer(calls);
    }
  }
}

/** What an event of each kind means, and what can be done about it. */
const ADVICE: Readonly<Record<LatencyEventName, string>> = {
  command:
    'commands that are not O(1) or O(log N) took long: see SLOWLOG GET for which, and give them less to do at a time (SCAN instead of KEYS, UNLINK in portions, smaller scripts)',
  'fast-command':
    'commands that do little took long, so something outside of them held the process up: look for other work on its processor, a paused container or virtual machine, or swapping',
  'expire-cycle':
    'removing keys whose time had come took longer than its slice: the process was held up from outside, or keyspace events of many keys were delivered to many clients',
};

function doctor({ reply, server }: Context): void {
  const { latencyEvents, lateMilliseconds } = server.measurements;
  if (lateMilliseconds === Number.POSITIVE_INFINITY) {
    return reply.verbatim(
      'Nothing is recorded: latency-monitor-threshold is 0. CONFIG SET latency-monitor-threshold <milliseconds> starts recording.\n',
    );
  }
  const events = latencyEvents.entries();
  if (events.length === 0) {
    return reply.verbatim(
      `Nothing took ${lateMilliseconds} ms or longer since recording began or was reset.\n`,
    );
  }
  const reports = events.map(([name, event]) => report(name, event));
  reply.verbatim(`${reports.join('\n')}\n`);
}

function report(name: string, { samples, maxMilliseconds }: LatencyEvent): string {
  const sum = samples.reduce((total, { milliseconds }) => total + milliseconds, 0);
  const mean = (sum / samples.length).toFixed(1);
  const advice = name in ADVICE ? ADVICE[name as LatencyEventName] : '';
  return `${name}: in ${samples.length} different seconds, ${mean} ms on average, ${maxMilliseconds} ms at worst: ${advice}.`;
}

type Part = Pick<CommandSpec, 'name' | 'summary' | 'arity' | 'handler'> & Partial<CommandSpec>;

const subcommand = (part: Part): Command =>
  defineCommand({
    since: '2.8.13',
    group: 'server',
    complexity: 'O(1)',
    flags: ADMIN,
    tips: EVERY_NODE_OWN,
    ...part,
  });

export const latencyCommands = [
  defineCommand({
    name: 'latency',
    summary: 'Shows what took long.',
    since: '2.8.13',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      subcommand({
        name: 'latency|latest',
        summary: 'Returns the latest sample of each event.',
        arity: 2,
        replies: ['array of [event, unix time, milliseconds, most milliseconds ever]'],
        handler: latest,
      }),
      subcommand({
        name: 'latency|history',
        summary: 'Returns the samples of an event.',
        arity: 3,
        arguments: [{ name: 'event', type: 'string' }],
        replies: ['array of [unix time, milliseconds]'],
        handler: history,
      }),
      subcommand({
        name: 'latency|reset',
        summary: 'Forgets the samples of events, of all if none is named.',
        arity: -2,
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        arguments: [{ name: 'event', type: 'string', optional: true, multiple: true }],
        replies: ['integer: how many events had samples'],
        handler: reset,
      }),
      subcommand({
        name: 'latency|graph',
        summary: 'Draws the samples of an event.',
        arity: 3,
        arguments: [{ name: 'event', type: 'string' }],
        replies: ['text', 'ERR: no samples'],
        handler: graph,
      }),
      subcommand({
        name: 'latency|doctor',
        summary: 'Says what took long and what can be done about it.',
        arity: 2,
        replies: ['text'],
        handler: doctor,
      }),
      subcommand({
        name: 'latency|histogram',
        summary: 'Returns how the times of commands are distributed.',
        since: '7.0.0',
        complexity: 'O(N) where N is the number of commands shown',
        arity: -2,
        arguments: [{ name: 'command', type: 'string', optional: true, multiple: true }],
        replies: ['map of command to calls and histogram_usec (calls up to so many microseconds)'],
        handler: histogram,
      }),
      helpSubcommand('latency', 'server', '2.8.13'),
    ],
  }),
];
