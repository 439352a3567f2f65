// The server as a process, and what it says of persistence, replication, modules and clusters that it does not have.

import { conformance, errorCode, matching, ours, scenario, shaped, within } from './harness/cases.ts';
import { error } from './harness/replies.ts';

const differs = ours('docs/differences.md');
const NOT_SAVED = error('ERR nothing is written to disk yet: a restart forgets all keys and locks');
const NO_REPLICATION = error(
  'ERR replication is not provided: this server has no replicas and cannot be one',
);

export const family = conformance('server', [
  scenario('TIME, LASTSAVE and ROLE', [
    matching('TIME', /^\d{10} \d{1,6}$/),
    shaped('TIME'),
    'TIME x',
    within('LASTSAVE', 1_600_000_000, 4_102_444_800),
    'LASTSAVE x',
    'ROLE',
    'ROLE x',
  ]),

  scenario('LOLWUT', [
    matching('LOLWUT', /Redis ver\. \d+\.\d+\.\d+\n$/),
    matching('LOLWUT VERSION 5', /Redis ver\. \d+\.\d+\.\d+\n$/),
    shaped('LOLWUT x'),
    'LOLWUT VERSION x',
  ]),

  scenario('saving', [
    differs('SAVE', NOT_SAVED),
    differs('BGSAVE', NOT_SAVED),
    differs('BGSAVE schedule', NOT_SAVED),
    'BGSAVE x',
    'BGSAVE SCHEDULE x',
    differs('BGREWRITEAOF', NOT_SAVED),
    'SAVE x',
    'BGREWRITEAOF x',
    'MULTI',
    'SAVE',
    'DISCARD',
  ]),

  scenario('SHUTDOWN that does not', [
    'SHUTDOWN x',
    'SHUTDOWN ABORT',
    'SHUTDOWN SAVE NOSAVE',
    'SHUTDOWN ABORT NOW',
    differs('SHUTDOWN SAVE', NOT_SAVED),
  ]),

  scenario('REPLICAOF and FAILOVER', [
    'REPLICAOF NO ONE',
    'replicaof no one',
    'SLAVEOF NO ONE',
    'REPLICAOF localhost x',
    'REPLICAOF localhost 65536',
    'REPLICAOF localhost -1',
    'REPLICAOF NO',
    differs('REPLICAOF localhost 6379', NO_REPLICATION),
    differs('SLAVEOF localhost 6379', NO_REPLICATION),
    'FAILOVER',
    'FAILOVER ABORT',
    'FAILOVER ABORT x',
    'FAILOVER TO h',
    'FAILOVER TO h x',
    'FAILOVER TO h 1',
    'FAILOVER TO h 1 FORCE',
    'FAILOVER TO h 1 TO h 1',
    'FAILOVER TIMEOUT x',
    'FAILOVER TIMEOUT 0',
    'FAILOVER timeout 10 force',
    'FAILOVER FORCE FORCE',
    'FAILOVER x',
  ]),

  scenario('what replicas send', [
    differs('REPLCONF capa eof', NO_REPLICATION),
    differs('PSYNC ? -1', NO_REPLICATION),
    differs('SYNC', NO_REPLICATION),
    'PSYNC ?',
    'SYNC x',
  ]),

  scenario('MODULE', [
    'MODULE LIST',
    'MODULE LOAD x',
    'MODULE LOADEX x',
    'MODULE UNLOAD x',
    'MODULE',
    'MODULE NOSUCH',
    'MODULE UNLOAD',
    matching('MODULE HELP', /^MODULE <subcommand> .* LIST .* HELP/),
  ]),

  scenario('SENTINEL', ['SENTINEL MASTERS', 'SENTINEL']),

  scenario('DEBUG', [
    'DEBUG',
    'DEBUG NOSUCH',
    'DEBUG SLEEP 0',
    'DEBUG SLEEP 0.001',
    'DEBUG SLEEP x',
    'DEBUG SLEEP',
    'DEBUG ERROR "CODE some text"',
    'DEBUG ERROR',
    'DEBUG CHANGE-REPL-ID',
    'DEBUG OBJECT missing',
    'SET n 12',
    'SET s hello',
    matching(
      'DEBUG OBJECT n',
      /^Value at:0x[0-9a-f]+ refcount:\d+ encoding:int serializedlength:\d+ .*lru_seconds_idle:\d+$/,
    ),
    matching('DEBUG OBJECT s', /^Value at:0x[0-9a-f]+ refcount:1 encoding:embstr serializedlength:\d+ /),
    'DEBUG SET-ACTIVE-EXPIRE 0',
    'DEBUG SET-ACTIVE-EXPIRE 1',
    'DEBUG SET-ACTIVE-EXPIRE',
    differs('DEBUG RELOAD', NOT_SAVED),
    differs('DEBUG LOADAOF', NOT_SAVED),
    matching('DEBUG HELP', /^DEBUG <subcommand> .* SLEEP /),
    errorCode('DEBUG JMAP'),
  ]),

  scenario('samples of all types of reply', [
    ...['string', 'INTEGER', 'double', 'bignum', 'null', 'array', 'set', 'map', 'verbatim'].map(
      (type) => `DEBUG PROTOCOL ${type}`,
    ),
    'DEBUG PROTOCOL true',
    'DEBUG PROTOCOL false',
    'DEBUG PROTOCOL nosuch',
  ]),
]);
