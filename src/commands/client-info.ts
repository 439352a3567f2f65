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
  const fields = { ...whoAndWhat(client, nowMs), ...memory(client), ...protocolAndTotals(client) };
  const words = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return `${words.join(' ')}\n`;
}

function whoAndWhat(client: Client, nowMs: number): object {
  return {
    id: client.id,
    addr: client.address.peer,
    laddr: client.address.local,
    fd: client.outlet.descriptor,
    name: client.name,
    age: seconds(nowMs - client.createdMs),
    idle: seconds(nowMs - client.lastActiveMs),
    flags: flagsOf(client),
    db: client.database,
    sub: client.channels.size,
    psub: client.patterns.size,
    ssub: client.shardChannels.size,
    multi: client.transaction?.queued.length ?? -1,
    watch: client.watched.size,
  };
}

function memory({ outbox, outboxBytes, outlet, transaction }: Client): object {
  const outputBytes = outlet.unsentBytes + outboxBytes;
  const queuedBytes = transaction?.bytes ?? 0;
  return {
    qbuf: outlet.queryBufferBytes,
    'qbuf-free': Math.max(0, outlet.queryBufferHeldBytes - outlet.queryBufferBytes),
    'argv-mem': 0,
    'multi-mem': queuedBytes,
    rbs: 0,
    rbp: 0,
    obl: 0,
    oll: outbox.length,
    omem: outputBytes,
    'tot-mem': CONNECTION_BYTES + outlet.queryBufferHeldBytes + outputBytes + queuedBytes,
  };
}

function protocolAndTotals(client: Client): object {
  return {
    events: client.outlet.unsentBytes > 0 ? 'rw' : 'r',
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
