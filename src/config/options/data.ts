// Options: memory, how data is encoded, and what Redis writes to disk.

import { savePoints } from '../composite-kinds.ts';
import { integer, memorySize, oneOf, text, wordList, yesNo } from '../kinds.ts';
import { latin1 } from '../latin1.ts';
import { IMMUTABLE, implemented, inert, notProvided } from '../option.ts';

const INT_MAX = 2 ** 31 - 1;
const LAZY = 'How Redis frees memory; freeing is always incremental here.';
const EVICTION = 'How Redis picks keys to evict; nothing is evicted here.';
const DEFRAG = "How Redis defragments its allocator's memory.";
const ENCODING = 'When Redis changes how it encodes a small collection.';

export const memory = {
  maxmemory: implemented(
    memorySize(),
    0,
    'Memory from which commands that need more are refused with an OOM error; 0 is no limit.',
  ),
  'maxmemory-policy': implemented(
    oneOf(
      'volatile-lru',
      'volatile-lfu',
      'volatile-random',
      'volatile-ttl',
      'allkeys-lru',
      'allkeys-lfu',
      'allkeys-random',
      'noeviction',
    ),
    'noeviction',
    'What happens at maxmemory. Only `noeviction` is provided: evicting a lock would give it away.',
    {
      rejects: (policy) =>
        policy === 'noeviction'
          ? undefined
          : 'only noeviction is provided, as evicting a lock would give it away',
    },
  ),
  'maxmemory-samples': inert(integer(1, INT_MAX), 5, EVICTION),
  'maxmemory-eviction-tenacity': inert(integer(0, 100), 10, EVICTION),
  'lfu-log-factor': inert(integer(0, INT_MAX), 10, EVICTION),
  'lfu-decay-time': inert(integer(0, INT_MAX), 1, EVICTION),
  'active-expire-effort': inert(
    integer(1, 10),
    1,
    'How hard Redis looks for expired keys; here they expire on time.',
  ),
  'lazyfree-lazy-eviction': inert(yesNo, false, LAZY),
  'lazyfree-lazy-expire': inert(yesNo, false, LAZY),
  'lazyfree-lazy-server-del': inert(yesNo, false, LAZY),
  'lazyfree-lazy-user-del': inert(yesNo, false, LAZY),
  'lazyfree-lazy-user-flush': inert(yesNo, false, LAZY),
  activedefrag: inert(yesNo, false, DEFRAG),
  'active-defrag-cycle-max': inert(integer(1, 99), 25, DEFRAG),
  'active-defrag-cycle-min': inert(integer(1, 99), 1, DEFRAG),
  'active-defrag-ignore-bytes': inert(memorySize(1), 100 * 1024 ** 2, DEFRAG),
  'active-defrag-max-scan-fields': inert(integer(1), 1000, DEFRAG),
  'active-defrag-threshold-lower': inert(integer(0, 1000), 10, DEFRAG),
  'active-defrag-threshold-upper': inert(integer(0, 1000), 100, DEFRAG),
  activerehashing: inert(yesNo, true, 'Lets Redis grow its table in idle time; here growth never pauses.'),
  'key-memory-histograms': inert(yesNo, false, 'Histograms of key sizes. From a Redis after 8.4.', IMMUTABLE),
};

export const encoding = {
  'hash-max-listpack-entries': inert(integer(), 512, ENCODING, { aliases: ['hash-max-ziplist-entries'] }),
  'hash-max-listpack-value': inert(memorySize(), 64, ENCODING, { aliases: ['hash-max-ziplist-value'] }),
  'list-max-listpack-size': inert(integer(-INT_MAX - 1, INT_MAX), -2, ENCODING, {
    aliases: ['list-max-ziplist-size'],
  }),
  'list-compress-depth': inert(integer(0, INT_MAX), 0, 'How much of a list Redis leaves uncompressed.'),
  'list-max-ziplist-entries': inert(wordList(), [], 'Obsolete in Redis too.', { fileOnly: true }),
  'list-max-ziplist-value': inert(wordList(), [], 'Obsolete in Redis too.', { fileOnly: true }),
  'set-max-intset-entries': inert(integer(), 512, ENCODING),
  'set-max-listpack-entries': inert(integer(), 128, ENCODING),
  'set-max-listpack-value': inert(memorySize(), 64, ENCODING),
  'zset-max-listpack-entries': inert(integer(), 128, ENCODING, { aliases: ['zset-max-ziplist-entries'] }),
  'zset-max-listpack-value': inert(memorySize(), 64, ENCODING, { aliases: ['zset-max-ziplist-value'] }),
  'hll-sparse-max-bytes': inert(memorySize(), 3000, 'Size up to which a HyperLogLog is sparse.'),
  'stream-node-max-bytes': inert(memorySize(), 4096, 'Bytes in a node of a stream.'),
  'stream-node-max-entries': inert(integer(), 100, 'Entries in a node of a stream.'),
  'stream-idmp-duration': inert(integer(), 100, 'Idempotent production to streams. From a Redis after 8.4.'),
  'stream-idmp-maxsize': inert(integer(), 100, 'Idempotent production to streams. From a Redis after 8.4.'),
  'vset-force-single-threaded-execution': inert(yesNo, false, 'How Redis searches vector sets.'),
};

const IN_MEMORY_ONLY = 'nothing is written to disk yet, so a restart forgets all keys and locks';
const SNAPSHOT = 'Belongs to snapshots, which are not written yet.';
const APPEND_ONLY = 'Belongs to the append-only file, which is not written yet.';

export const persistence = {
  save: notProvided(savePoints, [], 'When to write a snapshot. Empty by default, unlike in Redis.', {
    rejects: (points) => (points.length > 0 ? IN_MEMORY_ONLY : undefined),
  }),
  appendonly: notProvided(yesNo, false, 'Logs every write to disk.', {
    rejects: (isOn) => (isOn ? IN_MEMORY_ONLY : undefined),
  }),
  dir: inert(text(), latin1(process.cwd()), 'Working directory for files that are not written yet.', {
    protected: true,
    defaultText: 'where it was started',
  }),
  dbfilename: inert(text(), 'dump.rdb', SNAPSHOT, { protected: true }),
  rdbchecksum: inert(yesNo, true, SNAPSHOT, IMMUTABLE),
  rdbcompression: inert(yesNo, true, SNAPSHOT),
  'rdb-del-sync-files': inert(yesNo, false, SNAPSHOT),
  'rdb-save-incremental-fsync': inert(yesNo, true, SNAPSHOT),
  'sanitize-dump-payload': inert(oneOf('no', 'yes', 'clients'), 'no', 'How far RESTORE checks a payload.'),
  'stop-writes-on-bgsave-error': inert(yesNo, true, SNAPSHOT),
  appendfilename: inert(text(), 'appendonly.aof', APPEND_ONLY, IMMUTABLE),
  appenddirname: inert(text(), 'appendonlydir', APPEND_ONLY, IMMUTABLE),
  appendfsync: inert(oneOf('everysec', 'always', 'no'), 'everysec', APPEND_ONLY),
  'no-appendfsync-on-rewrite': inert(yesNo, false, APPEND_ONLY),
  'auto-aof-rewrite-percentage': inert(integer(0, INT_MAX), 100, APPEND_ONLY),
  'auto-aof-rewrite-min-size': inert(memorySize(), 64 * 1024 ** 2, APPEND_ONLY),
  'aof-disable-auto-gc': inert(yesNo, false, APPEND_ONLY),
  'aof-load-truncated': inert(yesNo, true, APPEND_ONLY),
  'aof-load-corrupt-tail-max-size': inert(memorySize(), 0, APPEND_ONLY),
  'aof-rewrite-incremental-fsync': inert(yesNo, true, APPEND_ONLY),
  'aof-timestamp-enabled': inert(yesNo, false, APPEND_ONLY),
  'aof-use-rdb-preamble': inert(yesNo, true, APPEND_ONLY),
};
