// Options: replication and Redis Cluster. Holdfast runs alone, so most of these are inert; the ones that would make
// a promise about other servers are refused or warned about.

import { integer, memorySize, oneOf, text, wordList, yesNo } from '../kinds.ts';
import { IMMUTABLE, inert, notProvided, refused } from '../option.ts';

const INT_MAX = 2 ** 31 - 1;
const REPLICA = 'Belongs to replication, which is not supported.';
const CLUSTER = 'Belongs to Redis Cluster, which is not supported.';
const NO_REPLICAS = 'there are no replicas to wait for, and writes are not refused for lack of them';

const rejectMaster = (words: readonly string[]): string | undefined =>
  words.length === 0 || words.join(' ').toLowerCase() === 'no one'
    ? undefined
    : 'replication is not supported';

export const replication = {
  replicaof: refused(wordList(), [], 'Makes the server a replica of another. `no one` is accepted.', {
    ...IMMUTABLE,
    aliases: ['slaveof'],
    rejects: rejectMaster,
  }),
  masterauth: inert(text(), '', REPLICA, { sensitive: true }),
  masteruser: inert(text(), '', REPLICA, { sensitive: true }),
  'min-replicas-to-write': notProvided(
    integer(0, INT_MAX),
    0,
    'Refuses writes with fewer replicas than this.',
    {
      aliases: ['min-slaves-to-write'],
      rejects: (replicas) => (replicas > 0 ? NO_REPLICAS : undefined),
    },
  ),
  'min-replicas-max-lag': inert(integer(0, INT_MAX), 10, REPLICA, { aliases: ['min-slaves-max-lag'] }),
  'propagation-error-behavior': inert(oneOf('ignore', 'panic', 'panic-on-replicas'), 'ignore', REPLICA),
  'repl-backlog-size': inert(memorySize(1), 1024 ** 2, REPLICA),
  'repl-backlog-ttl': inert(integer(), 3600, REPLICA),
  'repl-disable-tcp-nodelay': inert(yesNo, false, REPLICA),
  'repl-diskless-load': inert(oneOf('disabled', 'on-empty-db', 'swapdb'), 'disabled', REPLICA),
  'repl-diskless-sync': inert(yesNo, true, REPLICA),
  'repl-diskless-sync-delay': inert(integer(0, INT_MAX), 5, REPLICA),
  'repl-diskless-sync-max-replicas': inert(integer(0, INT_MAX), 0, REPLICA),
  'repl-ping-replica-period': inert(integer(1, INT_MAX), 10, REPLICA, {
    aliases: ['repl-ping-slave-period'],
  }),
  'repl-rdb-channel': inert(yesNo, false, REPLICA),
  'repl-timeout': inert(integer(1, INT_MAX), 60, REPLICA),
  'replica-announce-ip': inert(text(), '', REPLICA, { aliases: ['slave-announce-ip'] }),
  'replica-announce-port': inert(integer(0, 65535), 0, REPLICA, { aliases: ['slave-announce-port'] }),
  'replica-announced': inert(yesNo, true, REPLICA),
  'replica-full-sync-buffer-limit': inert(memorySize(), 0, REPLICA),
  'replica-ignore-disk-write-errors': inert(yesNo, false, REPLICA),
  'replica-ignore-maxmemory': inert(yesNo, true, REPLICA, { aliases: ['slave-ignore-maxmemory'] }),
  'replica-lazy-flush': inert(yesNo, false, REPLICA, { aliases: ['slave-lazy-flush'] }),
  'replica-priority': inert(integer(0, INT_MAX), 100, REPLICA, { aliases: ['slave-priority'] }),
  'replica-read-only': inert(yesNo, true, REPLICA, { aliases: ['slave-read-only'] }),
  'replica-serve-stale-data': inert(yesNo, true, REPLICA, { aliases: ['slave-serve-stale-data'] }),
};

const hostName = (name: string): string | undefined =>
  /^[a-z0-9.-]*$/i.test(name)
    ? undefined
    : 'Hostnames may only contain alphanumeric characters, hyphens or dots';

export const cluster = {
  'cluster-enabled': refused(yesNo, false, 'Makes the server a node of a Redis Cluster.', {
    ...IMMUTABLE,
    rejects: (enabled) => (enabled ? 'Redis Cluster is not supported' : undefined),
  }),
  'cluster-allow-pubsubshard-when-down': inert(yesNo, true, CLUSTER),
  'cluster-allow-reads-when-down': inert(yesNo, false, CLUSTER),
  'cluster-allow-replica-migration': inert(yesNo, true, CLUSTER),
  'cluster-announce-bus-port': inert(integer(0, 65535), 0, CLUSTER),
  'cluster-announce-hostname': inert(text(hostName), '', CLUSTER),
  'cluster-announce-human-nodename': inert(text(), '', CLUSTER),
  'cluster-announce-ip': inert(text(), '', CLUSTER),
  'cluster-announce-port': inert(integer(0, 65535), 0, CLUSTER),
  'cluster-announce-tls-port': inert(integer(0, 65535), 0, CLUSTER),
  'cluster-compatibility-sample-ratio': inert(integer(0, 100), 0, CLUSTER),
  'cluster-config-file': inert(text(), 'nodes.conf', CLUSTER, IMMUTABLE),
  'cluster-link-sendbuf-limit': inert(memorySize(), 0, CLUSTER),
  'cluster-migration-barrier': inert(integer(0, INT_MAX), 1, CLUSTER),
  'cluster-node-timeout': inert(integer(), 15000, CLUSTER),
  'cluster-port': inert(integer(0, 65535), 0, CLUSTER, IMMUTABLE),
  'cluster-preferred-endpoint-type': inert(oneOf('ip', 'hostname', 'unknown-endpoint'), 'ip', CLUSTER),
  'cluster-replica-no-failover': inert(yesNo, false, CLUSTER, { aliases: ['cluster-slave-no-failover'] }),
  'cluster-replica-validity-factor': inert(integer(0, INT_MAX), 10, CLUSTER, {
    aliases: ['cluster-slave-validity-factor'],
  }),
  'cluster-require-full-coverage': inert(yesNo, true, CLUSTER),
  'cluster-slot-migration-handoff-max-lag-bytes': inert(memorySize(), 1024 ** 2, CLUSTER),
  'cluster-slot-migration-write-pause-timeout': inert(integer(), 10000, CLUSTER),
  'cluster-slot-stats-enabled': inert(yesNo, false, CLUSTER),
};
