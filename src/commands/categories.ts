// The ACL categories of a command, derived from its flags, its group, and what its spec adds to them.
//
// Redis' categories in Redis' order, and one of our own: `lock`.

import type { Command, CommandFlag, CommandGroup } from './define.ts';

export const CATEGORIES = [
  'keyspace',
  'read',
  'write',
  'set',
  'sortedset',
  'list',
  'hash',
  'string',
  'bitmap',
  'hyperloglog',
  'geo',
  'stream',
  'pubsub',
  'admin',
  'fast',
  'slow',
  'blocking',
  'dangerous',
  'connection',
  'transaction',
  'scripting',
  'lock',
] as const;

export type Category = (typeof CATEGORIES)[number];

const OF_FLAG: Partial<Readonly<Record<CommandFlag, readonly Category[]>>> = {
  write: ['write'],
  readonly: ['read'],
  admin: ['admin', 'dangerous'],
  pubsub: ['pubsub'],
  blocking: ['blocking'],
  fast: ['fast'],
};

/** What a group's commands are about. The other groups say it by flags, or are about no one thing. */
const OF_GROUP: Partial<Readonly<Record<CommandGroup, Category>>> = {
  string: 'string',
  generic: 'keyspace',
  connection: 'connection',
  transactions: 'transaction',
  scripting: 'scripting',
  lock: 'lock',
};

const SUBJECTS: ReadonlySet<string> = new Set(Object.values(OF_GROUP));

/** Without the `@`, in the order of `CATEGORIES`. */
export function categoriesOf({ spec, flags, isFast }: Command): Category[] {
  const all = new Set<string>(spec.categories);
  const subject = OF_GROUP[spec.group];
  if (subject !== undefined && spec.subcommands === undefined && isAbout(subject, all)) all.add(subject);
  for (const flag of flags) for (const category of OF_FLAG[flag] ?? []) all.add(category);
  // A script that may only read still runs whatever its text says.
  if (spec.group === 'scripting') all.delete('read');
  if (!isFast) all.add('slow');
  return CATEGORIES.filter((category) => all.has(category));
}

/** A spec that names another subject stands in its group only for the documentation (WAIT is generic, about the connection). */
function isAbout(subject: Category, categories: ReadonlySet<string>): boolean {
  return subject === 'lock' || ![...categories].some((each) => SUBJECTS.has(each));
}
