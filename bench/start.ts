// From spawning the server's process to its first PONG, as someone who waits for a container would time it.
// The port is tried every 2 ms, so figures are late by that much at most.

import { type Contestant, defineBench, type Values } from './support/bench.ts';
import { withServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import type { Table } from './support/table.ts';

const parameters = {
  starts: { about: 'starts, of which the median counts', full: 10, smoke: 2 },
};

async function run(
  contestants: readonly Contestant[],
  { starts }: Values<typeof parameters>,
): Promise<Table[]> {
  const rows = [];
  for (const contestant of contestants) {
    const startsMs: number[] = [];
    while (startsMs.length < starts) {
      startsMs.push(await withServer(contestant, {}, async (server) => server.startMs));
    }
    const figures = {
      'median ms': median(startsMs),
      'min ms': Math.min(...startsMs),
      'max ms': Math.max(...startsMs),
    };
    rows.push({ server: contestant.label, starts, ...figures });
  }
  return [{ title: 'From spawn to first PONG', rows }];
}

export const start = defineBench({
  name: 'start',
  summary: 'time from spawn to the first PONG',
  parameters,
  run,
});
