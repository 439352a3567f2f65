// What Linux tells about a process and where it may run: resident memory, CPU time, cores.
// The benches measure servers from outside, so that any server can be measured in the same way.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** User-visible clock ticks are 1/100 s on every Linux architecture that Node supports. */
const MICROSECONDS_A_TICK = 10_000;

function statusField(pid: number | 'self', field: string): string {
  const value = new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (value === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
  return value;
}

export function residentBytes(pid: number): number {
  return Number.parseInt(statusField(pid, 'VmRSS'), 10) * 1024;
}

/** User and system time of all threads so far; its resolution is 10 ms. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may contain anything
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
}

/** The cores this process may use, in order: [0, 1] on an unrestricted machine of two. */
function allowedCores(): number[] {
  return statusField('self', 'Cpus_allowed_list')
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/** One core for servers and another for load, or nulls where they would have to share the only one. */
export function pickCores(): { server: number | null; load: number | null } {
  const cores = allowedCores();
  const server = cores[0];
  const load = cores[1];
  return server === undefined || load === undefined ? { server: null, load: null } : { server, load };
}

export function pin(pid: number, core: number): void {
  const { status, stderr } = spawnSync('taskset', ['-acp', String(core), String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset failed: ${stderr}`);
}
