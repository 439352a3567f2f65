// The HELP subcommand of container commands: written out of the other subcommands' grammar and summaries.

import { type Command, type CommandGroup, defineCommand } from './define.ts';
import { syntaxOf } from './syntax.ts';

/** Defines `<container>|help`: each subcommand with its arguments, and what it does. */
export function helpSubcommand(
  container: string,
  group: CommandGroup,
  since: string,
  categories: readonly string[] = [],
): Command {
  return defineCommand({
    name: `${container}|help`,
    summary: 'Prints this help.',
    since,
    group,
    complexity: 'O(1)',
    arity: 2,
    flags: ['loading', 'stale'],
    categories,
    replies: ['array of simple strings'],
    handler: ({ reply, registry }) => {
      const subcommands = registry.named(container)?.subcommands?.values() ?? [];
      reply.simples(helpLines(container, [...subcommands]));
    },
  });
}

function helpLines(container: string, subcommands: readonly Command[]): string[] {
  const prefix = container.length + 1;
  return [
    `${container.toUpperCase()} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:`,
    ...subcommands.flatMap((each) => [syntaxOf(each).slice(prefix), `    ${each.spec.summary}`]),
  ];
}
