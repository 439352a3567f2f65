// ACL categories: what follows from flags and group, and the two exceptions.

import { expect, test } from 'vitest';
import { CATEGORIES, categoriesOf } from '../../../src/commands/categories.ts';
import { type CommandSpec, defineCommand } from '../../../src/commands/define.ts';
import { Registry } from '../../../src/commands/registry.ts';

const categories = (spec: Partial<CommandSpec>): string =>
  categoriesOf(
    defineCommand({
      name: 'x',
      summary: 'For the test.',
      since: '1.0.0',
      group: 'server',
      complexity: 'O(1)',
      arity: 1,
      flags: [],
      ...spec,
    }),
  ).join(' ');

test.each<[Partial<CommandSpec>, string]>([
  [{}, 'slow'],
  [{ flags: ['fast'] }, 'fast'],
  [{ group: 'string', flags: ['write', 'fast'] }, 'write string fast'],
  [{ group: 'generic', flags: ['readonly'] }, 'keyspace read slow'],
  [{ group: 'generic', flags: ['write'], categories: ['dangerous'] }, 'keyspace write slow dangerous'],
  [{ flags: ['admin'] }, 'admin slow dangerous'],
  [{ group: 'pubsub', flags: ['pubsub', 'fast'] }, 'pubsub fast'],
  [{ group: 'transactions', flags: ['fast'] }, 'fast transaction'],
  [{ flags: ['write', 'blocking'] }, 'write slow blocking'],
])('%o', (spec, expected) => {
  expect(categories(spec)).toBe(expected);
});

test('a subject that the spec names stands instead of its group, but a lock command is one whatever else it is about', () => {
  expect(categories({ group: 'generic', categories: ['connection'] })).toBe('slow connection');
  expect(categories({ group: 'lock', categories: ['string'], flags: ['fast'] })).toBe('string fast lock');
});

test('a container is about nothing, its subcommands are', () => {
  const group = 'generic';
  expect(categories({ group, subcommands: [] })).toBe('slow');
});

test('reading scripts are not in @read', () => {
  expect(categories({ group: 'scripting', flags: ['readonly'] })).toBe('slow scripting');
});

test('no command is in a category that there is not', () => {
  const known = new Set<string>(CATEGORIES);
  const commands = [...new Registry().commands.values()].flatMap((each) => [
    each,
    ...(each.spec.subcommands ?? []),
  ]);
  const wrong = commands.filter(({ spec }) => spec.categories?.some((category) => !known.has(category)));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
