// INFO's sections about what the server does and holds: stats, commands, errors, latencies, locks, keyspace.

import type { Server } from '../../state/server.ts';
import type { Registry } from '../registry.ts';
import type { Field } from './format.ts';

const KIBIBYTE = 1024;

export function statsSection({ stats, measurements, pubsub }: Server): Field[] {
  const { rates } = measurements;
  const kilobytes = (bytes: number): string => (bytes / KIBIBYTE).toFixed(2);
  return [
    ['total_connections_received', stats.connectionsReceived],
    ['total_commands_processed', stats.commandsProcessed],
    ['instantaneous_ops_per_sec', Math.round(rates.commandsPerSecond)],
    ['total_net_input_bytes', stats.networkInBytes],
    ['total_net_output_bytes', stats.networkOutBytes],
    ['instantaneous_input_kbps', kilobytes(rates.inBytesPerSecond)],
    ['instantaneous_output_kbps', kilobytes(rates.outBytesPerSecond)],
    ['rejected_connections', stats.connectionsRejected],
    ['sync_full', 0],
    ['sync_partial_ok', 0],
    ['sync_partial_err', 0],
    ['expired_keys', stats.expiredKeys],
    ['evicted_keys', 0],
    ['evicted_clients', 0],
    ['keyspace_hits', stats.keyspaceHits],
    ['keyspace_misses', stats.keyspaceMisses],
    ['pubsub_channels', pubsub.size('channels')],
    ['pubsub_patterns', pubsub.size('patterns')],
    ['pubsubshard_channels', pubsub.size('shardChannels')],
    ['latest_fork_usec', 0],
    ['total_forks', 0],
    ['unexpected_error_replies', stats.unexpectedErrorReplies],
    ['total_error_replies', stats.errorReplies],
    ['total_reads_processed', stats.readsProcessed],
    ['total_writes_processed', stats.writesProcessed],
    ['client_query_buffer_limit_disconnections', stats.queryBufferLimitDisconnections],
    ['client_output_buffer_limit_disconnections', stats.outputBufferLimitDisconnections],
  ];
}

export function commandStatsSection({ all }: Registry): Field[] {
  return all
    .filter(({ calls, rejectedCalls }) => calls + rejectedCalls > 0)
    .map(({ name, calls, microseconds, rejectedCalls, failedCalls }) => {
      const each = calls === 0 ? 0 : microseconds / calls;
      const times = `calls=${calls},usec=${Math.round(microseconds)},usec_per_call=${each.toFixed(2)}`;
      return [`cmdstat_${name}`, `${times},rejected_calls=${rejectedCalls},failed_calls=${failedCalls}`];
    });
}

export function errorStatsSection({ stats }: Server): Field[] {
  const byCode = [...stats.errorsByCode].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCode.map(([code, count]) => [`errorstat_${code}`, `count=${count}`]);
}

export function latencyStatsSection(server: Server, registry: Registry): Field[] {
  const percentiles = server.config.values['latency-tracking-info-percentiles'];
  return registry.all.flatMap(({ name, latency }): Field[] => {
    if (latency === undefined) return [];
    const times = percentiles.map((each) => `p${each}=${latency.percentile(each).toFixed(3)}`);
    return [[`latency_percentiles_usec_${name}`, times.join(',')]];
  });
}

/**
 * A lock that is a plain key cannot be told from any other key with a time to live, so those are counted as what they
 * are: leases. GETL locks are known.
 */
export function locksSection({ keyspace, stats }: Server): Field[] {
  let leases = 0;
  let getlLocked = 0;
  for (const database of keyspace.databases) {
    leases += database.expires;
    getlLocked += database.getl.count();
  }
  return [
    ['leases', leases],
    ['getl_locked', getlLocked],
    ['getl_errors', stats.getlErrors],
  ];
}

export function keyspaceSection({ keyspace }: Server): Field[] {
  return keyspace.databases
    .filter(({ size }) => size > 0)
    .map(({ id, size, expires, averageTtlMs }) => [
      `db${id}`,
      `keys=${size},expires=${expires},avg_ttl=${averageTtlMs},subexpiry=0`,
    ]);
}
