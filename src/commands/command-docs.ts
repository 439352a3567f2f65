// A command as COMMAND DOCS shows it: what redis-cli makes its hints and `HELP` of.
// redis-cli aborts on a wrong shape: every text is a byte string, but flags are status lines.

import type { Reply } from '../protocol/reply.ts';
import { replySimpleSet } from './command-info.ts';
import type { Argument, Command, CommandSpec } from './define.ts';

/** A field of a map, and how to write its value. */
type Field = readonly [name: string, write: () => void];

/** The command's name and the map that describes it: one pair of the reply. */
export function replyCommandDocs(reply: Reply, command: Command): void {
  reply.text(command.name);
  replyFields(reply, docFields(reply, command));
}

function docFields(reply: Reply, { spec }: Command): Field[] {
  const { summary, since, group, complexity, deprecated, history, arguments: args, subcommands } = spec;
  const text = (value: string) => () => reply.text(value);
  const fields: Field[] = [
    ['summary', text(summary)],
    ['since', text(since)],
    ['group', text(group)],
  ];
  if (complexity !== '') fields.push(['complexity', text(complexity)]);
  const flags = docFlags(spec);
  if (flags.length > 0) fields.push(['doc_flags', () => replySimpleSet(reply, flags)]);
  if (deprecated !== undefined) {
    fields.push(['deprecated_since', text(deprecated.since)], ['replaced_by', text(deprecated.replacedBy)]);
  }
  if (history !== undefined) fields.push(['history', () => replyHistory(reply, history)]);
  if (args !== undefined) fields.push(['arguments', () => replyArguments(reply, args)]);
  if (subcommands !== undefined) fields.push(['subcommands', () => replySubcommands(reply, subcommands)]);
  return fields;
}

function docFlags({ deprecated, isInternal }: CommandSpec): string[] {
  const flags = [];
  if (deprecated !== undefined) flags.push('deprecated');
  if (isInternal) flags.push('syscmd');
  return flags;
}

function replyFields(reply: Reply, fields: readonly Field[]): void {
  reply.map(fields.length);
  for (const [name, write] of fields) {
    reply.text(name);
    write();
  }
}

function replyHistory(reply: Reply, history: readonly (readonly [string, string])[]): void {
  reply.set(history.length);
  for (const change of history) reply.texts(change);
}

function replySubcommands(reply: Reply, subcommands: readonly Command[]): void {
  reply.map(subcommands.length);
  for (const subcommand of subcommands) replyCommandDocs(reply, subcommand);
}

function replyArguments(reply: Reply, args: readonly Argument[]): void {
  reply.array(args.length);
  for (const arg of args) replyFields(reply, argumentFields(reply, arg));
}

function argumentFields(reply: Reply, argument: Argument): Field[] {
  const { name, type, displayText, keySpec, token, since, arguments: inner } = argument;
  const text = (value: string) => () => reply.text(value);
  const fields: Field[] = [
    ['name', text(name)],
    ['type', text(type)],
  ];
  if (inner === undefined) fields.push(['display_text', text(displayText ?? name)]);
  if (keySpec !== undefined) fields.push(['key_spec_index', () => reply.integer(keySpec)]);
  if (token !== undefined) fields.push(['token', text(token)]);
  if (since !== undefined) fields.push(['since', text(since)]);
  const flags = argumentFlags(argument);
  if (flags.length > 0) fields.push(['flags', () => replySimpleSet(reply, flags)]);
  if (inner !== undefined) fields.push(['arguments', () => replyArguments(reply, inner)]);
  return fields;
}

function argumentFlags({ optional, multiple, multipleToken }: Argument): string[] {
  const flags = [];
  if (optional) flags.push('optional');
  if (multiple) flags.push('multiple');
  if (multipleToken) flags.push('multiple_token');
  return flags;
}
