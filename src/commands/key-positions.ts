// Which arguments of a request are keys, by the command's key specifications.

import type { Request } from '../protocol/request.ts';
import type { Command, KeySpec } from './define.ts';

export interface KeyPosition {
  readonly index: number;
  readonly access: KeySpec['access'];
  readonly spec: KeySpec;
}

/** Positions of all keys, in the order of the specifications. Those that the request is too short for are left out. */
export function keyPositions(command: Command, request: Request): KeyPosition[] {
  return (command.spec.keys ?? []).flatMap((spec) => positionsOf(spec, request));
}

function positionsOf(spec: KeySpec, request: Request): KeyPosition[] {
  const step = spec.step ?? 1;
  let first = spec.begin;
  let last: number;
  if (spec.counted) {
    const keys = request.integer(spec.begin);
    first = spec.begin + 1;
    last = keys > 0 ? first + (keys - 1) * step : -1;
  } else {
    const end = spec.last ?? 0;
    last = end < 0 ? request.count + end : spec.begin + end;
  }
  const positions: KeyPosition[] = [];
  for (let index = first; index <= last && index < request.count; index += step) {
    positions.push({ index, access: spec.access, spec });
  }
  return positions;
}
