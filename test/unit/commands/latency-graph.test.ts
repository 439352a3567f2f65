// The picture of LATENCY GRAPH.

import { expect, test } from 'vitest';
import { drawLatencyGraph } from '../../../src/commands/latency-graph.ts';
import { LatencyEvent } from '../../../src/state/latency-events.ts';

test('columns rise with the samples, and ages stand below', () => {
  const event = new LatencyEvent();
  for (const [epochSeconds, milliseconds] of [
    [1000, 10],
    [4000, 65],
    [4590, 120],
  ] as const) {
    event.add(epochSeconds, milliseconds);
  }
  expect(drawLatencyGraph('command', event, 4600).split('\n')).toEqual([
    'command - high 120 ms, low 10 ms (all time high 120 ms)',
    '-'.repeat(80),
    '  #',
    ' _|',
    ' ||',
    '_||',
    '',
    '111',
    'h00',
    ' ms',
    '',
  ]);
});
