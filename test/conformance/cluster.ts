// CLUSTER and its relatives on a server without cluster mode.

import { conformance, notIn7, scenario } from './harness/cases.ts';
import { error } from './harness/replies.ts';

const DISABLED = error('ERR This instance has cluster support disabled');

const since72 = notIn7('Redis 7.2, CLUSTER MYSHARDID command page');
const since82 = notIn7('Redis 8.2, CLUSTER SLOT-STATS command page');
const since84 = notIn7('Redis 8.4, CLUSTER MIGRATION command page');

export const family = conformance('cluster', [
  scenario('there is no cluster', [
    'CLUSTER INFO',
    'cluster nodes',
    'CLUSTER HELP',
    'CLUSTER MYID',
    since72('CLUSTER MYSHARDID', DISABLED),
    since82('CLUSTER SLOT-STATS SLOTSRANGE 0 1', DISABLED),
    since84('CLUSTER MIGRATION STATUS ALL', DISABLED),
    'CLUSTER SLOTS',
    'CLUSTER SHARDS',
    'CLUSTER LINKS',
    'CLUSTER KEYSLOT k',
    'CLUSTER COUNTKEYSINSLOT 0',
    'CLUSTER GETKEYSINSLOT 0 1',
    'CLUSTER REPLICAS id',
    'CLUSTER SLAVES id',
    'CLUSTER COUNT-FAILURE-REPORTS id',
    'CLUSTER ADDSLOTS 1',
    'CLUSTER ADDSLOTSRANGE 1 2',
    'CLUSTER DELSLOTS 1',
    'CLUSTER DELSLOTSRANGE 1 2',
    'CLUSTER SETSLOT 1 STABLE',
    'CLUSTER FLUSHSLOTS',
    'CLUSTER BUMPEPOCH',
    'CLUSTER SET-CONFIG-EPOCH 1',
    'CLUSTER SAVECONFIG',
    'CLUSTER FAILOVER',
    'CLUSTER FORGET id',
    'CLUSTER MEET 127.0.0.1 1',
    'CLUSTER REPLICATE id',
    'CLUSTER RESET',
    'READONLY',
    'READWRITE',
    'ASKING',
  ]),

  scenario('mistakes come first', [
    'CLUSTER',
    'CLUSTER NOSUCH',
    'CLUSTER NODES x',
    'CLUSTER KEYSLOT',
    'CLUSTER MEET 127.0.0.1',
    'READONLY x',
    'READWRITE x',
    'ASKING x',
  ]),
]);
