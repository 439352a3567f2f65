// Which arguments of a request are keys, and what happens to each, by the command's key specifications.
//
// Two readings of the same specifications: the positions in one request, and the one range "first, last, step"
// that clients from before key specifications go by.

import type { Request } from '../protocol/request.ts';
import type { Command, KeySpec, KeyUse } from './define.ts';

export interface KeyPosition extends KeyUse {
  readonly index: number;
}

/** Positions of all keys, in the order of the specifications. Those that the request is too short for are left out. */
export function keyPositions(command: Command, request: Request): KeyPosition[] {
  return keySpecsOf(command).flatMap((spec) => positionsOf(spec, request));
}

/** Without those of arguments that are only routed like keys (shard channels). */
export function keySpecsOf({ spec }: Command): readonly KeySpec[] {
  return (spec.keys ?? []).filter(({ flags }) => !flags?.includes('not_key'));
}

function positionsOf(spec: KeySpec, request: Request): KeyPosition[] {
  const { access, does = [] } = spec.useIn?.(request) ?? spec;
  const step = spec.step ?? 1;
  const first = spec.counted ? spec.begin + 1 : spec.begin;
  const last = spec.counted ? lastCounted(spec, request) : lastOfRange(spec, request);
  const positions: KeyPosition[] = [];
  for (let index = first; index <= last && index < request.count; index += step) {
    positions.push({ index, access, does });
  }
  return positions;
}

function lastOfRange({ begin, last = 0 }: KeySpec, request: Request): number {
  return last < 0 ? request.count + last : begin + last;
}

/** A count that is no number, or that promises more keys than there are arguments, leads to no key at all. */
function lastCounted({ begin, step = 1 }: KeySpec, request: Request): number {
  if (begin >= request.count) return -1;
  const keys = request.integer(begin);
  const last = begin + 1 + (keys - 1) * step;
  return keys > 0 && last < request.count ? last : -1;
}

/** The arguments `first`, `first + step` … `last`; `last` counts from the end if negative. */
export interface KeyRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
  /** False if there are keys outside: clients must ask COMMAND GETKEYS ("movablekeys"). */
  readonly isComplete: boolean;
}

/** The one range that stands for all keys, or for as many of the first ones as one range can. */
export function keyRange(specs: readonly KeySpec[]): KeyRange {
  let range: KeyRange = { first: 0, last: 0, step: 0, isComplete: true };
  for (const spec of specs) {
    const { begin, last = 0, step = 1, flags = [] } = spec;
    const isComplete = range.isComplete && !flags.includes('incomplete');
    if (spec.counted || !continues(range, spec, specs.length)) range = { ...range, isComplete: false };
    else range = { first: range.first || begin, last: last < 0 ? last : begin + last, step, isComplete };
  }
  return range;
}

/** A range joins another only when it follows at once, both without gaps; alone it may have any step. */
function continues({ last }: KeyRange, { begin, step = 1 }: KeySpec, specCount: number): boolean {
  return (step === 1 || specCount === 1) && (last === 0 || last === begin - 1);
}
