// One line about a client, as CLIENT LIST and CLIENT INFO show it: Redis' fields in Redis' order, as of 8.4.
// Buffers that only Redis has are 0: replies of all clients are written into one buffer here.

import type { Client } from '../state/client.ts';
import { USER } from './authentication.ts';

/** What a client is to CLIENT LIST and CLIENT KILL. There are no replicas and no master here. */
export type ClientType = 'normal' | 'pubsub' | 'replica' | 'master';

const TYPE_OF_WORD: Readonly<Record<string, ClientType>> = {
  normal: 'normal',
  pubsub: 'pubsub',
  replica: 'replica',
  slave: 'replica',
  master: 'master',
};

/** Undefined if there is no such type. */
export function clientTypeOf(word: string): ClientType | undefined {
  const name = word.toLowerCase();
  return Object.hasOwn(TYPE_OF_WORD, name) ? TYPE_OF_WORD[name] : undefined;
}

export const unknownClientType = (word: string): string => `ERR Unknown client type '${word}'`;

export function typeOf(client: Client): ClientType {
  return client.isSubscribed ? 'pubsub' : 'normal';
}

/** Heap that an idle connection takes: sockets, client, decoder (measured on Node 20). */
const CONNECTION_BYTES = 4500;

export function describeClient(client: Client, nowMs: number): string {
  const { address, outlet, transaction } = client;
  const outputBytes = outlet.unsentBytes + client.outboxBytes;
  const fields = {
    id: client.id,
    addr: address.peer,
    laddr: address.local,
    fd: outlet.descriptor,
    name: client.name,
    age: seconds(nowMs - client.createdMs),
    idle: seconds(nowMs - client.lastActiveMs),
    flags: flagsOf(client),
    db: client.database,
    sub: client.channels.size,
    psub: client.patterns.size,
    ssub: client.shardChannels.size,
    multi: transaction?.queued.length ?? -1,
    watch: client.watched.size,
    qbuf: outlet.queryBufferBytes,
    'qbuf-free': Math.max(0, outlet.queryBufferHeldBytes - outlet.queryBufferBytes),
    'argv-mem': 0,
    'multi-mem': transaction?.bytes ?? 0,
    rbs: 0,
    rbp: 0,
    obl: 0,
    oll: client.outbox.length,
    omem: outputBytes,
    'tot-mem': CONNECTION_BYTES + outlet.queryBufferHeldBytes + outputBytes + (transaction?.bytes ?? 0),
    events: outlet.unsentBytes > 0 ? 'rw' : 'r',
    cmd: client.lastCommand || 'NULL',
    user: USER,
    redir: -1,
    resp: client.resp,
    'lib-name': client.libraryName,
    'lib-ver': client.libraryVersion,
    'io-thread': 0,
    'tot-net-in': client.networkInBytes,
    'tot-net-out': client.networkOutBytes,
    'tot-cmds': client.commands,
  };
  return `${Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}\n`;
}

/** One letter each, in Redis' order; N if there is nothing to say. */
function flagsOf(client: Client): string {
  let flags = '';
  if (client.isMonitor) flags += 'O';
  if (client.isSubscribed) flags += 'P';
  if (client.transaction !== undefined) flags += 'x';
  if (client.outlet.isPaused) flags += 'b';
  if (client.isDirty) flags += 'd';
  if (client.isClosing) flags += 'c';
  if (client.address.isUnix) flags += 'U';
  if (client.isNoEvict) flags += 'e';
  if (client.isNoTouch) flags += 'T';
  return flags || 'N';
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
