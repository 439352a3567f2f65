// Where the memory is: the figures behind INFO memory, MEMORY STATS, MEMORY DOCTOR and MEMORY MALLOC-STATS.
//
// `used` is what maxmemory limits: keys, values, their index and what clients make the server hold. The JavaScript heap
// (code, objects) and what the arenas hold in reserve come on top of it and are told apart from it.

import { type DatabaseMemory, NO_MEMORY } from '../../keyspace/database.ts';
import type { Server } from '../../state/server.ts';

export interface MemoryFigures {
  readonly used: number;
  readonly peak: number;
  readonly rss: number;
  readonly heap: number;
  readonly keys: number;
  /** Bytes of keys and values. */
  readonly dataset: number;
  /** Records, index, client buffers. */
  readonly overhead: number;
  readonly clients: number;
  /** What the arenas' blocks in use hold, and what the arenas took from the system. */
  readonly arenaUsed: number;
  readonly arenaReserved: number;
}

/** The sum over all databases. */
function totalMemory(server: Server): DatabaseMemory {
  const total = { ...NO_MEMORY };
  for (const { memory } of server.keyspace.databases) {
    for (const name of Object.keys(total) as (keyof DatabaseMemory)[]) total[name] += memory[name];
  }
  return total;
}

export function memoryFigures(server: Server): MemoryFigures {
  server.notePeakMemory();
  const { rss, heapUsed } = process.memoryUsage();
  const { arenaUsed, arenaReserved, apart } = totalMemory(server);
  const used = server.usedMemoryBytes;
  const dataset = Math.min(used, arenaUsed + apart);
  return {
    used,
    peak: server.stats.peakMemoryBytes,
    rss,
    heap: heapUsed,
    keys: server.keyspace.databases.reduce((keys, { size }) => keys + size, 0),
    dataset,
    overhead: used - dataset,
    clients: server.clientBytes,
    arenaUsed,
    arenaReserved,
  };
}
