// What a bench is: a name, parameters, and a function from contestants to a table.
// Every parameter has a value for the published figures and one for the smoke run, and the command line's
// options are derived from them, so a bench states each of its numbers exactly once.

import type { Table } from './table.ts';

export type Value = number | string | boolean | readonly number[];

export interface Parameter<V extends Value = Value> {
  about: string;
  /** The value behind published figures, and the default on the command line. */
  full: V;
  /** The value that only proves the bench still works, in about a second. */
  smoke: V;
}

type Parameters = Record<string, Parameter>;

type Widened<V> = V extends number
  ? number
  : V extends string
    ? string
    : V extends boolean
      ? boolean
      : readonly number[];

export type Values<P extends Parameters> = { readonly [K in keyof P]: Widened<P[K]['full']> };

/** One side of the comparison: how to start it, as a shell command with {port} and perhaps {socket}. */
export interface Contestant {
  label: 'ours' | 'peer';
  command: string;
}

export interface Bench<P extends Parameters = Parameters> {
  name: string;
  summary: string;
  parameters: P;
  run(contestants: readonly Contestant[], values: Values<P>): Promise<Table[]>;
}

/** Checks a bench against its own parameters, then forgets their names so that all benches fit in one list. */
export function defineBench<const P extends Parameters>(bench: Bench<P>): Bench {
  // Sound because callers only pass values built from this bench's own `parameters`.
  return bench as unknown as Bench;
}

/** Says on stderr what a long bench is at, so that stdout has only results. */
export function progress(message: string): void {
  process.stderr.write(`  ${message}\n`);
}

export function smokeValues(bench: Bench): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(bench.parameters).map(([name, parameter]) => [name, parameter.smoke]),
  );
}
