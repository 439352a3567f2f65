// INFO: its sections, how they are asked for, and the fields that clients read.

import { conformance, matching, scenario, shaped } from './harness/cases.ts';

/** A section from its title to its first field. */
const opens = (title: string, field: string) => new RegExp(`^(txt:)?# ${title}\\r\\n${field}:`);

export const family = conformance('info', [
  scenario('INFO by section', [
    matching('INFO server', opens('Server', 'redis_version')),
    matching('INFO SERVER', /\r\nredis_mode:standalone\r\n/),
    matching('INFO server', /\r\nprocess_id:\d+\r\n.*\r\nrun_id:[0-9a-f]{40}\r\ntcp_port:\d+\r\n/s),
    matching('INFO server', /\r\nuptime_in_seconds:\d+\r\nuptime_in_days:\d+\r\nhz:\d+\r\n/),
    matching('INFO server', /\r\nexecutable:[^\r]+\r\nconfig_file:/),
    matching('INFO clients', opens('Clients', 'connected_clients')),
    matching('INFO clients', /\r\nmaxclients:10000\r\n.*\r\nblocked_clients:0\r\ntracking_clients:0\r\n/s),
    matching('INFO memory', opens('Memory', 'used_memory')),
    matching('INFO memory', /\r\nused_memory_human:[\d.]+[BKMG]\r\nused_memory_rss:\d+\r\n/),
    matching('INFO memory', /\r\nmaxmemory:0\r\nmaxmemory_human:0B\r\nmaxmemory_policy:noeviction\r\n/),
    matching('INFO memory', /\r\nmem_fragmentation_ratio:\d+\.\d\d\r\n/),
    matching('INFO persistence', opens('Persistence', 'loading')),
    matching('INFO persistence', /\r\nrdb_bgsave_in_progress:0\r\n.*\r\naof_enabled:0\r\n/s),
    matching('INFO persistence', /\r\naof_last_write_status:ok\r\n/),
    matching('INFO stats', opens('Stats', 'total_connections_received')),
    matching('INFO stats', /\r\ntotal_commands_processed:\d+\r\ninstantaneous_ops_per_sec:\d+\r\n/),
    matching('INFO stats', /\r\nexpired_keys:\d+\r\n.*evicted_keys:0\r\n/s),
    matching('INFO stats', /\r\nkeyspace_hits:\d+\r\nkeyspace_misses:\d+\r\npubsub_channels:0\r\n/),
    matching('INFO replication', opens('Replication', 'role')),
    matching('INFO replication', /\r\nrole:master\r\nconnected_slaves:0\r\n/),
    matching('INFO replication', /\r\nmaster_replid:[0-9a-f]{40}\r\nmaster_replid2:0{40}\r\n/),
    matching('INFO cpu', /^(txt:)?# CPU\r\nused_cpu_sys:\d+\.\d{6}\r\nused_cpu_user:\d+\.\d{6}\r\n/),
    'INFO cluster',
    'INFO modules',
    'INFO module_list',
    'INFO unknown',
    'INFO ""',
  ]),

  scenario('INFO keyspace', [
    'INFO keyspace',
    'MSET a 1 b 2',
    'PEXPIRE a 30000',
    matching('INFO keyspace', /# Keyspace\r\ndb0:keys=2,expires=1,avg_ttl=\d+(,subexpiry=0)?\r\n$/),
    'SELECT 3',
    'SET c 3',
    matching('INFO keyspace', /\r\ndb0:keys=2,[^\r]*\r\ndb3:keys=1,expires=0,avg_ttl=0(,subexpiry=0)?\r\n$/),
  ]),

  scenario('several sections, in the order of INFO', [
    matching('INFO keyspace clients', /^(txt:)?# Clients\r\n[^#]*\r\n\r\n# Keyspace\r\n$/),
    matching('INFO Keyspace nothing CLIENTS clients', /^(txt:)?# Clients\r\n[^#]*\r\n\r\n# Keyspace\r\n$/),
    matching('INFO', /^(txt:)?# Server\r\n.*\r\n\r\n# Clients\r\n.*\r\n\r\n# Memory\r\n/s),
    matching('INFO', /# CPU\r\n.*# Modules\r\n\r\n# Errorstats\r\n.*# Cluster\r\n.*# Keyspace\r\n/s),
    matching('INFO default', /# Modules\r\n\r\n# Errorstats\r\n/),
    matching('INFO all', /# Modules\r\n.*# Commandstats\r\n.*# Errorstats\r\n.*# Latencystats\r\n/s),
    matching('INFO everything', /# Modules\r\n.*# Commandstats\r\n/s),
    matching('INFO default commandstats', /# Modules\r\n\r\n# Commandstats\r\n/),
    shaped('INFO'),
    shaped('INFO default unknown'),
  ]),

  scenario('what commands leave behind', [
    'CONFIG RESETSTAT',
    'SET k v',
    'GET k',
    'GET missing',
    'GET',
    'INCR k',
    'NOSUCH',
    matching(
      'INFO commandstats',
      /cmdstat_get:calls=2,usec=\d+,usec_per_call=[\d.]+,rejected_calls=1,failed_calls=0\r\n/,
    ),
    matching(
      'INFO commandstats',
      /cmdstat_incr:calls=1,usec=\d+,usec_per_call=[\d.]+,rejected_calls=0,failed_calls=1\r\n/,
    ),
    matching('INFO commandstats', /cmdstat_config\|resetstat:calls=1,/),
    'INFO errorstats',
    matching('INFO stats', /\r\nkeyspace_hits:1\r\nkeyspace_misses:1\r\n.*\r\ntotal_error_replies:3\r\n/s),
    matching(
      'INFO latencystats',
      /latency_percentiles_usec_get:p50=\d+\.\d{3},p99=\d+\.\d{3},p99\.9=\d+\.\d{3}\r\n/,
    ),
    'CONFIG RESETSTAT',
    'INFO errorstats',
    matching('INFO stats', /\r\nkeyspace_hits:0\r\nkeyspace_misses:0\r\n.*\r\ntotal_error_replies:0\r\n/s),
  ]),

  scenario('latencies are tracked only if wanted', { config: { 'latency-tracking': 'no' } }, [
    'CONFIG RESETSTAT',
    'SET k v',
    'INFO latencystats',
    'LATENCY HISTOGRAM set',
  ]),
  scenario('percentiles are configured', { config: { 'latency-tracking-info-percentiles': '50 100' } }, [
    'CONFIG RESETSTAT',
    'SET k v',
    matching('INFO latencystats', /latency_percentiles_usec_set:p50=\d+\.\d{3},p100=\d+\.\d{3}\r\n/),
  ]),
]);
