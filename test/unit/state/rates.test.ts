// What INFO calls instantaneous: growth between two samples, by the time between them.

import { expect, test } from 'vitest';
import { Rates } from '../../../src/state/rates.ts';
import { Stats } from '../../../src/state/stats.ts';

test('growth is divided by the time it took', () => {
  const stats = new Stats();
  const rates = new Rates(stats, 1000);
  stats.commandsProcessed = 300;
  stats.networkInBytes = 4096;
  rates.sample(stats, 2500);
  expect(rates.commandsPerSecond).toBe(200);
  expect(rates.inBytesPerSecond).toBeCloseTo(2730.67, 1);
  rates.sample(stats, 3500);
  expect(rates.commandsPerSecond).toBe(0);
});

test('while no time passes the rates stay as they are', () => {
  const stats = new Stats();
  const rates = new Rates(stats, 1000);
  stats.commandsProcessed = 10;
  rates.sample(stats, 2000);
  stats.commandsProcessed = 99;
  rates.sample(stats, 2000);
  expect(rates.commandsPerSecond).toBe(10);
});

test('counters that were reset have not shrunk: they count from nothing', () => {
  const stats = new Stats();
  stats.commandsProcessed = 1000;
  const rates = new Rates(stats, 1000);
  stats.reset();
  stats.commandsProcessed = 7;
  rates.sample(stats, 2000);
  expect(rates.commandsPerSecond).toBe(7);
});
