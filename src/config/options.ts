// The one table of options: every directive of Redis up to 8.4 and Holdfast's own, with its kind, default, status and
// meaning. Flags, files, environment, CONFIG and docs/configuration.md are derived from it and from nothing else.

import type { Option } from './option.ts';
import { encoding, memory, persistence } from './options/data.ts';
import { clients, listening, tls } from './options/network.ts';
import { cluster, replication } from './options/replication.ts';
import { general, locks, logging, measuring, scripting, security } from './options/server.ts';

export const options = {
  ...locks,
  ...listening,
  ...clients,
  ...security,
  ...memory,
  ...measuring,
  ...scripting,
  ...logging,
  ...general,
  ...persistence,
  ...encoding,
  ...replication,
  ...cluster,
  ...tls,
};

export type OptionName = keyof typeof options;

export type ConfigValues = {
  readonly [Name in OptionName]: (typeof options)[Name] extends Option<infer Value> ? Value : never;
};

/** The same table by section, in the order in which people read about it. */
export const sections: readonly (readonly [title: string, names: readonly OptionName[]])[] = [
  ['Locks and identity', namesOf(locks)],
  ['Listening', namesOf(listening)],
  ['Clients and their limits', namesOf(clients)],
  ['Security', namesOf(security)],
  ['Memory', namesOf(memory)],
  ['Events and measurements', namesOf(measuring)],
  ['Scripts', namesOf(scripting)],
  ['Logging', namesOf(logging)],
  ['Process', namesOf(general)],
  ['Persistence', namesOf(persistence)],
  ['Encoding of data', namesOf(encoding)],
  ['Replication', namesOf(replication)],
  ['Redis Cluster', namesOf(cluster)],
  ['TLS', namesOf(tls)],
];

function namesOf<Section extends object>(section: Section): (keyof Section)[] {
  return Object.keys(section) as (keyof Section)[];
}

export const optionNames: readonly OptionName[] = sections.flatMap(([, names]) => names);

/** Any option, where its type does not matter. */
export const optionOf = (name: OptionName): Option<unknown> => options[name];

const nameBySpelling = new Map<string, OptionName>();
for (const name of optionNames) {
  for (const spelling of [name, ...(optionOf(name).aliases ?? [])]) nameBySpelling.set(spelling, name);
}

/** Names and aliases in the order of the table, as CONFIG GET lists them. */
export const spellings: ReadonlyMap<string, OptionName> = nameBySpelling;

/** Resolves a name or alias, whatever its case. */
export const findOption = (spelling: string): OptionName | undefined =>
  nameBySpelling.get(spelling.toLowerCase());

export function defaultValues(): ConfigValues {
  return Object.fromEntries(optionNames.map((name) => [name, optionOf(name).default])) as ConfigValues;
}
