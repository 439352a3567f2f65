// What others get to see of the commands that run: MONITOR's lines, and the entries of SLOWLOG and LATENCY.
// Secrets among the arguments are shown as "(redacted)". Called only while somebody watches, or for a slow command.

import type { Context } from '../commands/context.ts';
import { quoteBytes } from '../protocol/quoting.ts';

const REDACTED = '(redacted)';

/** MONITOR: shows a command that has run to all who watch. Administrative commands are not shown. */
export function showToMonitors(ctx: Context): void {
  const { client, command, request, server } = ctx;
  if (command.flags.has('admin')) return;
  const { peer, isUnix } = client.address;
  const isScript = ctx.reply !== ctx.clientReply;
  const source = isScript ? 'lua' : isUnix ? `unix:${peer.slice(0, peer.lastIndexOf(':'))}` : peer;
  let line = `+${timestamp(server.clock.readEpochMicroseconds())} [${client.database} ${source}]`;
  for (let i = 0; i < request.count; i++) line += ` ${quoteBytes(shown(ctx, i))}`;
  const message = Buffer.from(`${line}\r\n`, 'latin1');
  for (const monitor of server.monitors) server.enqueue(monitor, message);
}

/** A command took remarkably long: enters it where that is kept. */
export function noteSlowCommand(ctx: Context, microseconds: number): void {
  const { client, command, server } = ctx;
  const { measurements } = server;
  measurements.addLatency(command.isFast ? 'fast-command' : 'command', microseconds / 1000);
  if (microseconds < measurements.slowMicroseconds || command.flags.has('skip_slowlog')) return;
  measurements.slowLog.add(
    {
      epochSeconds: Math.floor(server.clock.epochMs / 1000),
      microseconds: Math.floor(microseconds),
      words: shortenedWords(ctx),
      peer: client.address.peer,
      clientName: client.name,
    },
    server.config.values['slowlog-max-len'],
  );
}

function timestamp(epochMicroseconds: number): string {
  const fraction = String(epochMicroseconds % 1_000_000).padStart(6, '0');
  return `${Math.floor(epochMicroseconds / 1_000_000)}.${fraction}`;
}

function shown({ command, request }: Context, index: number): string {
  return command.spec.hides?.(request, index) ? REDACTED : request.string(index);
}

/** At most so many words, the last of which says how many more there were, and each at most so long. */
function shortenedWords(ctx: Context): string[] {
  const { values } = ctx.server.config;
  const { count } = ctx.request;
  const limit = values['slowlog-entry-max-argc'];
  const kept = count > limit ? limit - 1 : count;
  const words = Array.from({ length: kept }, (_, i) =>
    shortened(shown(ctx, i), values['slowlog-entry-max-string-len']),
  );
  if (count > kept) words.push(`... (${count - kept} more arguments)`);
  return words;
}

function shortened(word: string, maxLength: number): string {
  if (word.length <= maxLength) return word;
  return `${word.slice(0, maxLength)}... (${word.length - maxLength} more bytes)`;
}
