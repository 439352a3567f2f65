// Pub/sub: who listens to which channel, pattern and shard channel, and delivery.
//
// A message is put into bytes once for each protocol in use, whatever the number of listeners, and waits in each one's
// outbox until the end of the turn, so that it never cuts into a reply.

import { globMatchesString } from '../bytes/glob.ts';
import type { Client } from './client.ts';

/** The three kinds of subscription, each with the words that its messages start with. */
export type SubscriptionKind = 'channels' | 'patterns' | 'shardChannels';

export class PubSub {
  readonly #listeners: Record<SubscriptionKind, Map<string, Set<Client>>> = {
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
    const listeners = this.#listeners[kind].get(name);
    if (listeners) listeners.add(client);
    else this.#listeners[kind].set(name, new Set([client]));
    return true;
  }

  unsubscribe(client: Client, kind: SubscriptionKind, name: string): boolean {
    if (!client[kind].delete(name)) return false;
    const listeners = this.#listeners[kind].get(name)!;
    listeners.delete(client);
    if (listeners.size === 0) this.#listeners[kind].delete(name);
    return true;
  }

  unsubscribeAll(client: Client): void {
    for (const kind of ['channels', 'patterns', 'shardChannels'] as const) {
      for (const name of [...client[kind]]) this.unsubscribe(client, kind, name);
    }
  }

  /** Delivers to a channel and to the patterns it matches. Returns how many deliveries that makes. */
  publish(channel: string, message: string): number {
    let receivers = this.#deliver(this.#listeners.channels.get(channel), ['message', channel, message]);
    for (const [pattern, clients] of this.#listeners.patterns) {
      if (globMatchesString(pattern, channel)) {
        receivers += this.#deliver(clients, ['pmessage', pattern, channel, message]);
      }
    }
    return receivers;
  }

  publishToShard(channel: string, message: string): number {
    return this.#deliver(this.#listeners.shardChannels.get(channel), ['smessage', channel, message]);
  }

  #deliver(clients: Set<Client> | undefined, words: readonly string[]): number {
    if (clients === undefined) return 0;
    const encoded: Record<number, Buffer | undefined> = {};
    for (const client of clients) {
      const message = encoded[client.resp] ?? encodeMessage(words, client.resp);
      encoded[client.resp] = message;
      this.#enqueue(client, message);
    }
    return clients.size;
  }

  /** Names that somebody listens to, in the order they came into being. */
  names(kind: SubscriptionKind, pattern?: string): string[] {
    const all = [...this.#listeners[kind].keys()];
    return pattern === undefined ? all : all.filter((name) => globMatchesString(pattern, name));
  }

  listenerCount(kind: SubscriptionKind, name: string): number {
    return this.#listeners[kind].get(name)?.size ?? 0;
  }

  size(kind: SubscriptionKind): number {
    return this.#listeners[kind].size;
  }
}

function encodeMessage(words: readonly string[], resp: number): Buffer {
  const parts = words.map((word) => `$${word.length}\r\n${word}\r\n`);
  return Buffer.from(`${resp === 3 ? '>' : '*'}${words.length}\r\n${parts.join('')}`, 'latin1');
}
