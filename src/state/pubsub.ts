// Pub/sub: who listens to which channel, pattern and shard channel, and delivery.
//
// A message is put into bytes once for each protocol in use, whatever the number of listeners, and waits in each one's
// outbox until the end of the turn, so that it never cuts into a reply. Where nobody listens nothing is encoded.

import { globMatches } from '../bytes/glob.ts';
import { type ByteView, copyBytes } from '../bytes/view.ts';
import type { Client } from './client.ts';

/** The three kinds of subscription, as the fields of a client that hold them. */
export type SubscriptionKind = 'channels' | 'patterns' | 'shardChannels';

const KINDS: readonly SubscriptionKind[] = ['channels', 'patterns', 'shardChannels'];

const CR = 0x0d;
const LF = 0x0a;

/** A channel or pattern that somebody listens to. */
class Topic {
  readonly name: string;
  readonly listeners = new Set<Client>();
  #bytes: Buffer | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** The name's bytes, made when first needed: of most channels they never are, of patterns by each message. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.name, 'latin1');
    return this.#bytes;
  }
}

export class PubSub {
  readonly #topics: Readonly<Record<SubscriptionKind, Map<string, Topic>>> = {
    channels: new Map(),
    patterns: new Map(),
    shardChannels: new Map(),
  };
  readonly #enqueue: (client: Client, message: Buffer) => void;

  constructor(enqueue: (client: Client, message: Buffer) => void) {
    this.#enqueue = enqueue;
  }

  /** False if the client had it already. */
  subscribe(client: Client, kind: SubscriptionKind, name: string): boolean {
    if (client[kind].has(name)) return false;
    client[kind].add(name);
    client.isSubscribed = true;
    let topic = this.#topics[kind].get(name);
    if (topic === undefined) {
      topic = new Topic(name);
      this.#topics[kind].set(name, topic);
    }
    topic.listeners.add(client);
    return true;
  }

  /** False if the client did not have it. */
  unsubscribe(client: Client, kind: SubscriptionKind, name: string): boolean {
    if (!client[kind].delete(name)) return false;
    client.isSubscribed = KINDS.some((each) => client[each].size > 0);
    const { listeners } = this.#topics[kind].get(name)!;
    listeners.delete(client);
    if (listeners.size === 0) this.#topics[kind].delete(name);
    return true;
  }

  unsubscribeAll(client: Client): void {
    for (const kind of KINDS) for (const name of client[kind]) this.unsubscribe(client, kind, name);
  }

  /** True while a message could reach somebody by `publish`. */
  get hasListeners(): boolean {
    return this.#topics.channels.size + this.#topics.patterns.size > 0;
  }

  /** Delivers to a channel and to the patterns it matches. Returns how many deliveries that makes. */
  publish(channel: string, message: ByteView): number {
    let deliveries = this.#deliver(this.#topics.channels.get(channel), ['message', channel], message);
    const { patterns } = this.#topics;
    if (patterns.size === 0) return deliveries;
    const bytes = Buffer.from(channel, 'latin1');
    for (const topic of patterns.values()) {
      if (!globMatches(topic.bytes, bytes, 0, bytes.length)) continue;
      deliveries += this.#deliver(topic, ['pmessage', topic.name, channel], message);
    }
    return deliveries;
  }

  publishToShard(channel: string, message: ByteView): number {
    return this.#deliver(this.#topics.shardChannels.get(channel), ['smessage', channel], message);
  }

  #deliver(topic: Topic | undefined, words: readonly string[], message: ByteView): number {
    if (topic === undefined) return 0;
    const encoded: { 2?: Buffer; 3?: Buffer } = {};
    for (const client of topic.listeners) {
      encoded[client.resp] ??= encodeMessage(client.resp === 3 ? '>' : '*', words, message);
      this.#enqueue(client, encoded[client.resp]!);
    }
    return topic.listeners.size;
  }

  /** Names that somebody listens to, in the order they came into being; only those that match, if a pattern is given. */
  names(kind: SubscriptionKind, pattern?: Buffer): string[] {
    const names: string[] = [];
    for (const topic of this.#topics[kind].values()) {
      if (pattern === undefined || globMatches(pattern, topic.bytes, 0, topic.bytes.length))
        names.push(topic.name);
    }
    return names;
  }

  listenerCount(kind: SubscriptionKind, name: string): number {
    return this.#topics[kind].get(name)?.listeners.size ?? 0;
  }

  /** How many different names of this kind somebody listens to. */
  size(kind: SubscriptionKind): number {
    return this.#topics[kind].size;
  }
}

/** An array (RESP2) or push (RESP3) of words and the message's bytes. */
function encodeMessage(type: '*' | '>', words: readonly string[], message: ByteView): Buffer {
  let head = `${type}${words.length + 1}\r\n`;
  for (const word of words) head += `$${word.length}\r\n${word}\r\n`;
  head += `$${message.length}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + message.length + 2);
  bytes.write(head, 0, 'latin1');
  copyBytes(message.buffer, message.start, bytes, head.length, message.length);
  bytes[bytes.length - 2] = CR;
  bytes[bytes.length - 1] = LF;
  return bytes;
}
