// How a command's arguments are written for people.

import { expect, test } from 'vitest';
import type { Argument } from '../../../src/commands/define.ts';
import { Registry } from '../../../src/commands/registry.ts';
import { syntaxOf, syntaxOfArgument } from '../../../src/commands/syntax.ts';

const token = (word: string): Argument => ({ name: word.toLowerCase(), type: 'pure-token', token: word });
const integer = (name: string, more: Partial<Argument> = {}): Argument => ({
  name,
  type: 'integer',
  ...more,
});

test.each<[string, Argument]>([
  ['key', { name: 'key', type: 'key' }],
  ['shown', { name: 'key', type: 'key', displayText: 'shown' }],
  ['[count]', integer('count', { optional: true })],
  ['COUNT count', integer('count', { token: 'COUNT' })],
  ['[COUNT count]', integer('count', { token: 'COUNT', optional: true })],
  ['NX', token('NX')],
  ['[NX]', { ...token('NX'), optional: true }],
  ['key [key ...]', { name: 'key', type: 'key', multiple: true }],
  ['[key [key ...]]', { name: 'key', type: 'key', multiple: true, optional: true }],
  [
    'GET pattern [GET pattern ...]',
    { name: 'pattern', type: 'pattern', token: 'GET', multiple: true, multipleToken: true },
  ],
  ['ID id [id ...]', integer('id', { token: 'ID', multiple: true })],
  ['<NX | XX>', { name: 'when', type: 'oneof', arguments: [token('NX'), token('XX')] }],
  ['[NX | XX]', { name: 'when', type: 'oneof', optional: true, arguments: [token('NX'), token('XX')] }],
  [
    '[BY <a | b>]',
    { name: 'by', type: 'oneof', token: 'BY', optional: true, arguments: [integer('a'), integer('b')] },
  ],
  [
    'key value [key value ...]',
    { name: 'data', type: 'block', multiple: true, arguments: [integer('key'), integer('value')] },
  ],
  [
    '[LIMIT offset count]',
    {
      name: 'limit',
      type: 'block',
      token: 'LIMIT',
      optional: true,
      arguments: [integer('offset'), integer('count')],
    },
  ],
])('%s', (written, argument) => {
  expect(syntaxOfArgument(argument)).toBe(written);
});

test('a command is written with its container', () => {
  const registry = new Registry();
  expect(syntaxOf(registry.named('goblin.caexpire')!)).toBe('GOBLIN.CAEXPIRE key expected ms');
  expect(syntaxOf(registry.named('acl|genpass')!)).toBe('ACL GENPASS [bits]');
});

/** Whose grammar says less than the command takes, and why. */
const LOOSE: Readonly<Record<string, string>> = {
  debug: 'its subcommands are for tests, and documented by DEBUG HELP alone',
  'client|kill': 'Redis documents each filter as optional, though one must be there',
  'cluster|slot-stats': 'always refused: there is no cluster',
  'cluster|migration': 'always refused: there is no cluster',
};

test('every command can be called as its syntax says: arity and grammar agree', () => {
  const commands = [...new Registry().commands.values()].flatMap((each) => each.spec.subcommands ?? [each]);
  const wrong = commands.filter(({ arity, name, spec }) => {
    const words = name.split('|').length + fewestWords(spec.arguments ?? []);
    return arity >= 0 ? words !== arity : words < -arity;
  });
  expect(wrong.map(({ name }) => name).sort()).toEqual(Object.keys(LOOSE).sort());
});

/** Words of the shortest call that the grammar allows. */
function fewestWords(args: readonly Argument[]): number {
  return args.reduce((sum, { optional, token: word, type, arguments: inner = [] }) => {
    if (optional) return sum;
    const value = type === 'pure-token' ? 0 : 1;
    if (type === 'block') return sum + (word === undefined ? 0 : 1) + fewestWords(inner);
    if (type === 'oneof')
      return sum + (word === undefined ? 0 : 1) + Math.min(...inner.map((each) => fewestWords([each])));
    return sum + (word === undefined ? 0 : 1) + value;
  }, 0);
}
