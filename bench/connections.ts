// A thousand idle connections and a thousand busy ones, each with one renewal in flight: throughput, memory, the
// latency of a bystander, and whether the server lets go of every connection afterwards. With --seconds 3600, a soak.

import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Contestant, defineBench, type Values } from './support/bench.ts';
import { type Client, connected } from './support/client.ts';
import { residentBytes } from './support/linux.ts';
import { loadLocks, startLoad, startPing } from './support/load.ts';
import { LONG_TTL_MS, lockCommands, TOKEN } from './support/locks.ts';
import { KEY } from './support/request-template.ts';
import { type Server, withServer } from './support/server.ts';
import { CORRECTION_NOTE, latencyColumns } from './support/statistics.ts';
import type { Cell, Table } from './support/table.ts';

const LEFT_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

const parameters = {
  idle: { about: 'idle connections', full: 1_000, smoke: 20 },
  busy: { about: 'busy connections', full: 1_000, smoke: 20 },
  seconds: { about: 'how long', full: 30, smoke: 0.5 },
  locks: { about: 'locks held and renewed', full: 100_000, smoke: 1_000 },
};

type Settings = Values<typeof parameters>;

async function clientCount(client: Client): Promise<number> {
  const found = /^connected_clients:(\d+)/m.exec(String(await client.command('INFO', 'clients')));
  if (found === null) throw new Error('INFO has no connected_clients');
  return Number(found[1]);
}

/** An idle connection is only worth something if it still answers. */
async function answersPing(socket: Socket): Promise<void> {
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('an idle connection was closed')));
  });
  socket.write('PING\r\n');
  if ((await answer) !== '+PONG\r\n') throw new Error('an idle connection answered something else than PONG');
}

async function waitForLeaving(server: Server, before: number): Promise<void> {
  for (let waitedMs = 0; (await clientCount(server.client)) > before; waitedMs += POLL_MS) {
    if (waitedMs > LEFT_TIMEOUT_MS)
      throw new Error(`${server.label} still counts connections that are closed`);
    await delay(POLL_MS);
  }
}

async function measure(server: Server, settings: Settings): Promise<Record<string, Cell>> {
  await loadLocks(server, settings.locks);
  const locks = await lockCommands(server.client);
  const clientsBefore = await clientCount(server.client);
  const bytesBefore = residentBytes(server.pid);
  const idle: Socket[] = [];
  while (idle.length < settings.idle) idle.push(await connected(server.tcp));
  const bytesIdle = residentBytes(server.pid);
  const fleet = startLoad(server.tcp, locks.renew(KEY, TOKEN, LONG_TTL_MS), settings.locks, {
    requests: Infinity,
    connections: settings.busy,
    inFlightPerConnection: 1,
  });
  await fleet.ready;
  const ping = await startPing(server.tcp);
  await Promise.race([delay(settings.seconds * 1000), fleet.result]);
  const bytesBusy = residentBytes(server.pid);
  const { latencyMs } = await ping.stop();
  const { acknowledged, elapsedMs, refused } = await fleet.stop();
  if (refused > 0) throw new Error(`${server.label} refused ${refused} renewals`);
  await Promise.all(idle.map(answersPing));
  for (const socket of idle) socket.destroy();
  await waitForLeaving(server, clientsBefore);
  return {
    server: server.label,
    renewals: locks.form,
    'renewals/s': (acknowledged / elapsedMs) * 1000,
    ...latencyColumns(latencyMs),
    'KiB an idle connection': (bytesIdle - bytesBefore) / 1024 / settings.idle,
    'MiB at start': bytesBefore / 2 ** 20,
    'MiB at end': bytesBusy / 2 ** 20,
  };
}

async function run(contestants: readonly Contestant[], settings: Settings): Promise<Table[]> {
  const rows: Record<string, Cell>[] = [];
  for (const contestant of contestants) {
    rows.push(await withServer(contestant, {}, (server) => measure(server, settings)));
  }
  const title = `${settings.idle} idle and ${settings.busy} busy connections for ${settings.seconds} s`;
  return [{ title, rows, notes: [CORRECTION_NOTE] }];
}

export const connections = defineBench({
  name: 'connections',
  summary: '1,000 idle and 1,000 busy connections; a soak with --seconds',
  parameters,
  run,
});
