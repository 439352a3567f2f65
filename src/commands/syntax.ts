// A command's arguments written out for people, in the notation of Redis' documentation:
// [optional], <one | of | these>, and `name [name ...]` for one or more.

import type { Argument, Command } from './define.ts';

/** `SET key value [NX | XX] …`; of a subcommand with its container: `CONFIG GET …`. */
export function syntaxOf(command: Command): string {
  const name = command.name.toUpperCase().replace('|', ' ');
  return [name, ...(command.spec.arguments ?? []).map(syntaxOfArgument)].join(' ');
}

export function syntaxOfArgument(argument: Argument): string {
  const { token, optional = false } = argument;
  const value = bareSyntaxOf(argument, optional && token === undefined);
  const written = [token === '' ? '""' : token, repeated(value, argument)].filter((part) => part).join(' ');
  return optional ? `[${written}]` : written;
}

/** Without token and repetition. Alternatives that stand in brackets already need none of their own. */
function bareSyntaxOf(
  { name, type, displayText, arguments: inner = [], multiple }: Argument,
  isBracketed: boolean,
): string {
  if (type === 'pure-token') return '';
  const parts = inner.map(syntaxOfArgument);
  if (type === 'block') return parts.join(' ');
  if (type !== 'oneof') return displayText ?? name;
  return isBracketed && !multiple ? parts.join(' | ') : `<${parts.join(' | ')}>`;
}

function repeated(value: string, { token, multiple, multipleToken }: Argument): string {
  if (!multiple) return value;
  const again = multipleToken && token !== undefined ? `${token} ${value}` : value;
  return `${value} [${again} ...]`;
}
