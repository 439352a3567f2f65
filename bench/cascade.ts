// Latency while a fleet renews a million leases of one TTL, for long enough to cross the timing wheel's cascades:
// with one TTL, all deadlines sit close together in a coarse bucket, and all of them move when its turn comes.
// A renewal that answers "not yours" would be a lease that was lost, and is counted.

import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, progress, type Values } from './support/bench.ts';
import { startLoad, startPing } from './support/load.ts';
import { acquire, type LockCommands, lockCommands, TOKEN } from './support/locks.ts';
import { KEY } from './support/request-template.ts';
import { type Server, withServer } from './support/server.ts';
import { CORRECTION_NOTE, latencyColumns } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

/** Lock libraries renew at a third of the TTL. */
const RENEWALS_A_TTL = 3;

const parameters = {
  leases: { about: 'leases held', full: 1_000_000, smoke: 5_000 },
  ttlMs: { about: 'their TTL; each is renewed three times in it', full: 30_000, smoke: 3_000 },
  seconds: {
    about: 'how long; more than two times 65.5 s crosses a boundary of 2^16 ms twice',
    full: 140,
    smoke: 1,
  },
  connections: { about: 'connections of the fleet', full: 8, smoke: 2 },
};

type Settings = Values<typeof parameters>;

async function idle(server: Server, seconds: number): Promise<Record<string, Cell>> {
  const ping = await startPing(server.tcp);
  await delay(seconds * 1000);
  return { server: server.label, phase: 'idle', ...latencyColumns((await ping.stop()).latencyMs) };
}

async function renewals(
  server: Server,
  locks: LockCommands,
  settings: Settings,
): Promise<Record<string, Cell>> {
  const requestsPerSecond = (settings.leases * RENEWALS_A_TTL * 1000) / settings.ttlMs;
  const fleet = startLoad(server.tcp, locks.renew(KEY, TOKEN, settings.ttlMs), settings.leases, {
    requests: Infinity,
    connections: settings.connections,
    requestsPerSecond,
  });
  await fleet.ready;
  const ping = await startPing(server.tcp);
  // A fleet that fails ends the wait.
  await Promise.race([delay(settings.seconds * 1000), fleet.result]);
  const { latencyMs } = await ping.stop();
  const { acknowledged, refused, elapsedMs } = await fleet.stop();
  return {
    server: server.label,
    phase: `renewing (${locks.form})`,
    ...latencyColumns(latencyMs),
    'renewals/s': (acknowledged / elapsedMs) * 1000,
    'wanted/s': requestsPerSecond,
    lost: refused,
  };
}

async function measure(server: Server, settings: Settings): Promise<Record<string, Cell>[]> {
  progress(`${server.label}: idle, then ${settings.seconds} s of renewals`);
  const calm = await idle(server, Math.min(10, settings.seconds));
  const locks = await lockCommands(server.client);
  await startLoad(server.tcp, acquire(settings.ttlMs), settings.leases).result;
  return [calm, await renewals(server, locks, settings)];
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const rows: Record<string, Cell>[] = [];
  for (const contestant of contestants) {
    rows.push(...(await withServer(contestant, {}, (server) => measure(server, settings))));
  }
  const title = `PING while a fleet renews ${settings.leases} leases of ${settings.ttlMs} ms`;
  return [
    { title, rows, notes: [CORRECTION_NOTE, 'lost: renewals that were refused; more than 0 is a failure'] },
  ];
}

export const cascade = defineBench({
  name: 'cascade',
  summary: 'PING latency while a fleet renews a million leases across wheel cascades',
  parameters,
  run,
});
