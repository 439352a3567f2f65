// LATENCY's samples: one a second, the longest, and a bounded number of them.

import { expect, test } from 'vitest';
import { LatencyEvents } from '../../../src/state/latency-events.ts';

test('samples of one second are one: the longest', () => {
  const events = new LatencyEvents();
  for (const milliseconds of [5, 9, 7]) events.add('command', 100, milliseconds);
  events.add('command', 101, 6);
  expect(events.get('command')?.samples).toEqual([
    { epochSeconds: 100, milliseconds: 9 },
    { epochSeconds: 101, milliseconds: 6 },
  ]);
  expect(events.get('command')?.maxMilliseconds).toBe(9);
});

test('the last 160 samples stay, and the maximum with them', () => {
  const events = new LatencyEvents();
  for (let second = 1; second <= 200; second++) events.add('command', second, 1000 - second);
  const event = events.get('command');
  expect(event?.samples.length).toBe(160);
  expect(event?.samples[0]).toEqual({ epochSeconds: 41, milliseconds: 959 });
  expect(event?.latest).toEqual({ epochSeconds: 200, milliseconds: 800 });
  expect(event?.maxMilliseconds).toBe(999);
});

test('reset counts the events that were there', () => {
  const events = new LatencyEvents();
  events.add('command', 1, 1);
  events.add('fast-command', 1, 1);
  expect(events.reset(['command', 'command', 'nosuch'])).toBe(1);
  expect(events.reset()).toBe(1);
  expect(events.reset()).toBe(0);
});
