// INFO's sections about the process: server, clients, memory, persistence, replication, CPU.
// What Redis counts and nothing here does (forks, jemalloc, a heap of Lua's own) is left out rather than given as 0.

import os from 'node:os';
import { latin1 } from '../../config/latin1.ts';
import type { ScriptEngine } from '../../scripting/engine.ts';
import { HOLDFAST_VERSION } from '../../state/product-version.ts';
import type { Server } from '../../state/server.ts';
import { type Field, percent, ratio, sizeFields } from './format.ts';
import { memoryFigures } from './memory-figures.ts';

const SECONDS_A_DAY = 86_400;

export function serverSection(server: Server): Field[] {
  const { clock, config, runId, port } = server;
  const uptimeSeconds = Math.floor((clock.nowMs - server.startedMs) / 1000);
  const { count: steps, lastMs: lastStepMs } = clock.steps;
  return [
    ['redis_version', config.values['compat-redis-version']],
    ['server_name', 'holdfast'],
    ['holdfast_version', HOLDFAST_VERSION],
    ['redis_mode', 'standalone'],
    ['os', `${os.type()} ${os.release()} ${os.machine()}`],
    ['arch_bits', ['arm', 'ia32', 'mips', 'mipsel', 'ppc', 's390'].includes(process.arch) ? 32 : 64],
    ['node_version', process.versions.node],
    ['process_id', process.pid],
    ['process_supervised', 'no'],
    ['run_id', runId],
    ['tcp_port', port],
    ['server_time_usec', clock.readEpochMicroseconds()],
    ['uptime_in_seconds', uptimeSeconds],
    ['uptime_in_days', Math.floor(uptimeSeconds / SECONDS_A_DAY)],
    ['hz', config.values.hz],
    ['configured_hz', config.values.hz],
    ['executable', latin1(process.argv[1] ?? process.execPath)],
    ['config_file', config.file ?? ''],
    ['io_threads_active', 0],
    ['clock_steps', steps],
    ['clock_last_step_ms', lastStepMs],
  ];
}

export function clientsSection(server: Server): Field[] {
  let inputBytes = 0;
  let outputBytes = 0;
  let subscribed = 0;
  let watching = 0;
  for (const client of server.clients.values()) {
    inputBytes = Math.max(inputBytes, client.outlet.queryBufferBytes);
    outputBytes = Math.max(outputBytes, client.outlet.unsentBytes);
    if (client.isSubscribed) subscribed++;
    if (client.watched.size > 0) watching++;
  }
  return [
    ['connected_clients', server.clients.size],
    ['cluster_connections', 0],
    ['maxclients', server.config.values.maxclients],
    ['client_recent_max_input_buffer', inputBytes],
    ['client_recent_max_output_buffer', outputBytes],
    ['blocked_clients', 0],
    ['tracking_clients', 0],
    ['pubsub_clients', subscribed],
    ['watching_clients', watching],
    ['clients_in_timeout_table', 0],
    ['total_watched_keys', server.watches.size],
    ['total_blocking_keys', 0],
    ['total_blocking_keys_on_nokey', 0],
    ['monitor_clients', server.monitors.size],
  ];
}

export function memorySection(server: Server, engine: ScriptEngine): Field[] {
  const { config, clock, stats } = server;
  const memory = memoryFigures(server);
  const { maxmemory } = config.values;
  const inUse = memory.used + memory.heap;
  return [
    ...sizeFields('used_memory', memory.used),
    ...sizeFields('used_memory_rss', memory.rss),
    ...sizeFields('used_memory_peak', memory.peak),
    ['used_memory_peak_time', Math.floor(clock.toEpochMs(stats.peakMemoryAtMs) / 1000)],
    ['used_memory_peak_perc', percent(memory.used, memory.peak)],
    ['used_memory_overhead', memory.overhead],
    ['used_memory_startup', 0],
    ['used_memory_dataset', memory.dataset],
    ['used_memory_dataset_perc', percent(memory.dataset, memory.used)],
    ...scriptFields(engine),
    ['allocator_allocated', memory.arenaUsed],
    ['allocator_active', memory.arenaReserved],
    ...sizeFields('total_system_memory', os.totalmem()),
    ...sizeFields('js_heap', memory.heap),
    ...sizeFields('maxmemory', maxmemory),
    ['maxmemory_policy', config.values['maxmemory-policy']],
    ['allocator_frag_ratio', ratio(memory.arenaReserved, memory.arenaUsed).toFixed(2)],
    ['allocator_frag_bytes', memory.arenaReserved - memory.arenaUsed],
    ['mem_fragmentation_ratio', ratio(memory.rss, inUse).toFixed(2)],
    ['mem_fragmentation_bytes', memory.rss - inUse],
    ['mem_not_counted_for_evict', 0],
    ['mem_replication_backlog', 0],
    ['mem_clients_slaves', 0],
    ['mem_clients_normal', memory.clients],
    ['mem_aof_buffer', 0],
    ['mem_allocator', 'holdfast-arena'],
    ['active_defrag_running', 0],
    ['lazyfree_pending_objects', 0],
  ];
}

function scriptFields({ functions, scripts }: ScriptEngine): Field[] {
  return [
    ['used_memory_scripts_eval', scripts.bytes],
    ['number_of_cached_scripts', scripts.count],
    ['number_of_functions', functions.functionCount],
    ['number_of_libraries', functions.count],
    ['used_memory_functions', functions.bytes],
    ...sizeFields('used_memory_scripts', scripts.bytes + functions.bytes),
  ];
}

/** Nothing is written to disk yet, and these fields say that. */
export function persistenceSection(server: Server): Field[] {
  return [
    ['loading', 0],
    ['async_loading', 0],
    ['rdb_changes_since_last_save', server.keyspace.changes],
    ['rdb_bgsave_in_progress', 0],
    ['rdb_last_save_time', Math.floor(server.clock.toEpochMs(server.startedMs) / 1000)],
    ['rdb_last_bgsave_status', 'ok'],
    ['rdb_last_bgsave_time_sec', -1],
    ['rdb_current_bgsave_time_sec', -1],
    ['rdb_saves', 0],
    ['aof_enabled', 0],
    ['aof_rewrite_in_progress', 0],
    ['aof_rewrite_scheduled', 0],
    ['aof_last_rewrite_time_sec', -1],
    ['aof_current_rewrite_time_sec', -1],
    ['aof_last_bgrewrite_status', 'ok'],
    ['aof_rewrites', 0],
    ['aof_last_write_status', 'ok'],
  ];
}

export function replicationSection(server: Server): Field[] {
  return [
    ['role', 'master'],
    ['connected_slaves', 0],
    ['master_failover_state', 'no-failover'],
    ['master_replid', server.replicationId],
    ['master_replid2', '0'.repeat(40)],
    ['master_repl_offset', 0],
    ['second_repl_offset', -1],
    ['repl_backlog_active', 0],
    ['repl_backlog_size', server.config.values['repl-backlog-size']],
    ['repl_backlog_first_byte_offset', 0],
    ['repl_backlog_histlen', 0],
  ];
}

export function cpuSection(): Field[] {
  const { system, user } = process.cpuUsage();
  const seconds = (microseconds: number): string => (microseconds / 1e6).toFixed(6);
  return [
    ['used_cpu_sys', seconds(system)],
    ['used_cpu_user', seconds(user)],
    ['used_cpu_sys_children', seconds(0)],
    ['used_cpu_user_children', seconds(0)],
  ];
}
