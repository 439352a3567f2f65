// Resuming in slices: all are served, in order and once, and the loop turns in between.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Resumptions } from '../../../src/net/resumptions.ts';
import { until } from '../../support/clients.ts';

/** Takes more than a slice. */
function dawdle(): void {
  const endMs = performance.now() + 1.5;
  while (performance.now() < endMs);
}

test('continues in order, not at once, and each only once for being asked twice', async () => {
  const resumptions = new Resumptions();
  const order: number[] = [];
  const connections = [0, 1, 2].map((i) => ({ continue: () => order.push(i) }));
  for (const each of [...connections, ...connections]) resumptions.add(each);
  expect(order).toEqual([]);
  await turn();
  expect(order).toEqual([0, 1, 2]);
});

test('lets the loop turn after each slice', async () => {
  const resumptions = new Resumptions();
  let served = 0;
  const slow = () => {
    dawdle();
    served++;
  };
  for (let i = 0; i < 5; i++) resumptions.add({ continue: slow });
  await turn();
  expect(served).toBe(1);
  await until('all are served', () => served === 5);
});

test('who is gone is not continued', async () => {
  const resumptions = new Resumptions();
  const order: string[] = [];
  const gone = { continue: () => order.push('gone') };
  resumptions.add({ continue: () => resumptions.delete(gone) });
  resumptions.add(gone);
  resumptions.add({ continue: () => order.push('last') });
  await until('the last is served', () => order.length > 0);
  expect(order).toEqual(['last']);
});

test('once stopped, nothing is continued, whether it waited or comes later', async () => {
  const resumptions = new Resumptions();
  const order: string[] = [];
  const again = { continue: () => order.push('later') };
  const first = {
    continue() {
      order.push('first');
      resumptions.stop();
      resumptions.add(again);
    },
  };
  resumptions.add(first);
  resumptions.add({ continue: () => order.push('second') });
  await turn();
  await turn();
  expect(order).toEqual(['first']);
});
