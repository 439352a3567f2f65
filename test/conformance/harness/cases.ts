// The words that family files are written in. A family file is data: scenarios, each a list of lines.
//
// A bare string is a line whose reply must equal redis-server's byte for byte. Everything looser, and everything that is
// not redis-server's answer, is a word around that line and so visible in it. README.md here explains them.

import {
  errorCodeOnly,
  type Loosening,
  matchingText,
  notCompared,
  onlyFields,
  type Path,
  range,
  shapeOnly,
  unorderedElements,
  unorderedPairs,
} from './loosenings.ts';
import type { Protocol, Reply } from './replies.ts';

export interface Case {
  /** As its author wrote it: `[@connection] [->|<-|>>] words`. */
  readonly line: string;
  readonly loosening?: Loosening;
  /** The reply, when it is not the oracle's; the oracle is not asked then. */
  readonly byHand?: { readonly reply: Reply; readonly why: string };
  /** A part of the reply that later lines write as `{name}`. */
  readonly remember?: { readonly name: string; readonly path: Path };
  /** Set on the step that only lets time pass. */
  readonly waitMs?: number;
}

export type Line = string | Case;

export interface Options {
  /** Directives set by CONFIG SET before the scenario, and put back to what they were after it. */
  readonly config?: Readonly<Record<string, string>>;
  /** Both unless the scenario makes sense in one only. */
  readonly protocols?: readonly Protocol[];
}

export interface Scenario {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly config: Readonly<Record<string, string>>;
  readonly protocols: readonly Protocol[];
}

export interface Family {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

export function conformance(name: string, scenarios: readonly Scenario[]): Family {
  const names = scenarios.map((scenario) => scenario.name);
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) throw new Error(`two scenarios of family ${name} are called '${twice}'`);
  return { name, scenarios };
}

export function scenario(name: string, lines: readonly Line[]): Scenario;
export function scenario(name: string, options: Options, lines: readonly Line[]): Scenario;
export function scenario(name: string, ...rest: [readonly Line[]] | [Options, readonly Line[]]): Scenario {
  const [options, lines] = rest.length === 1 ? [{}, rest[0]] : rest;
  const cases = lines.map(toCase);
  return { name, cases, config: options.config ?? {}, protocols: options.protocols ?? [2, 3] };
}

const toCase = (line: Line): Case => (typeof line === 'string' ? { line } : line);
const loosened = (line: Line, loosening: Loosening): Case => ({ ...toCase(line), loosening });

// Loosenings.

/** Elements in any order; `path` leads to the array, as 1 does in SCAN's reply. */
export const unordered = (line: Line, ...path: Path) => loosened(line, unorderedElements(path));
/** Keys with their values in any order. */
export const pairs = (line: Line, ...path: Path) => loosened(line, unorderedPairs(path));
/** A number from `low` to `high`, both included; `path` leads to it in an array. */
export const within = (line: Line, low: number, high: number, ...path: Path) =>
  loosened(line, range(low, high, path));
/** An error whose first word is the same. */
export const errorCode = (line: Line) => loosened(line, errorCodeOnly);
/** Only these fields of a map. */
export const fields = (line: Line, ...names: readonly string[]) => loosened(line, onlyFields(names));
/** Same types and nesting, any values. */
export const shaped = (line: Line) => loosened(line, shapeOnly);
/** Both replies' text matches the pattern. */
export const matching = (line: Line, pattern: RegExp) => loosened(line, matchingText(pattern));
/** The reply is read and not compared. */
export const ignored = (line: Line) => loosened(line, notCompared);

// Replies that are not the oracle's.

type ByHand = (line: Line, reply: Reply) => Case;

/** For what redis-server 7.0.15 lacks or answers otherwise than Redis 8.4; `source` says how the reply is known. */
export const notIn7 =
  (source: string): ByHand =>
  (line, reply) => ({ ...toCase(line), byHand: { reply, why: `not in 7.0.15: ${source}` } });

/** For what differs from Redis on purpose; `reason` is the page under docs/ that tells users so. */
export const ours =
  (reason: `docs/${string}`): ByHand =>
  (line, reply) => ({ ...toCase(line), byHand: { reply, why: `ours: ${reason}` } });

// Steps.

/** Keeps the reply, or the element that `path` leads to, for later lines to write as `{name}`. */
export const remember = (line: Line, name: string, ...path: Path): Case => ({
  ...toCase(line),
  remember: { name, path },
});
/** Lets time pass, so that a deadline does. */
export const wait = (ms: number): Case => ({ line: `wait ${ms} ms`, waitMs: ms });

/** A case as recordings and failures show it: the line and what is loose about it. */
export function describeCase({ line, loosening }: Case): string {
  return loosening === undefined ? line : `${line}  # ${loosening.label}`;
}
