// All state of one server, and nothing of the network: configuration, clock, keyspace, clients, subscriptions, counters.
// It is what the keyspace reports to, and what handlers reach through their context.

import { randomBytes, randomInt } from 'node:crypto';
import type { HashSeed } from '../bytes/hash.ts';
import { ByteView } from '../bytes/view.ts';
import type { Config } from '../config/config.ts';
import { Clock, type TimeSource } from '../keyspace/clock.ts';
import type { Database, KeyspaceObserver } from '../keyspace/database.ts';
import { EVENT_CLASS, eventClassesOf, type KeyEvent } from '../keyspace/key-event.ts';
import { Keyspace } from '../keyspace/keyspace.ts';
import { Reclaimer } from '../keyspace/reclaimer.ts';
import type { Request } from '../protocol/request.ts';
import type { DecoderLimits } from '../protocol/request-decoder.ts';
import type { Client } from './client.ts';
import { Measurements } from './measurements.ts';
import { Pause } from './pause.ts';
import { PubSub } from './pubsub.ts';
import { Stats } from './stats.ts';
import type { Transaction } from './transaction.ts';
import { Watches } from './watches.ts';

export class Server implements KeyspaceObserver {
  readonly config: Config;
  readonly clock: Clock;
  readonly keyspace: Keyspace;
  readonly stats = new Stats();
  readonly watches = new Watches();
  readonly pause = new Pause();
  readonly pubsub = new PubSub((client, message) => this.enqueue(client, message));
  /** All connected clients by id. */
  readonly clients = new Map<number, Client>();
  readonly monitors = new Set<Client>();
  readonly seed: HashSeed;
  readonly runId = randomBytes(20).toString('hex');
  readonly measurements: Measurements;
  /** Names the history of the data to replicas, of which there are none (INFO replication). */
  replicationId = randomBytes(20).toString('hex');
  /** False: keys stay after their deadline until somebody looks (DEBUG SET-ACTIVE-EXPIRE). */
  expiresActively = true;
  readonly startedMs: number;
  /** Limits of the request decoder, kept up to date with the configuration. */
  readonly decoderLimits: DecoderLimits;
  /** Filled in by the network: the TCP port in use, 0 if none. */
  port = 0;
  /** One line about something worth telling. Whoever runs the server says where it goes. */
  log: (line: string) => void = () => {};
  /** Runs something soon, but not at once: after the loop has looked at its sockets. Filled in by the network. */
  later: (task: { continue(): void }) => void = () => {};
  /** Asks whoever runs the server to stop (SHUTDOWN). */
  requestShutdown: () => void = () => {};
  /** Memory that clients make the server hold: buffers, kept by the network as it goes, and queued commands. */
  clientBytes = 0;
  /** A script runs for so long already that others are told BUSY. */
  isBusy = false;
  wantedEvents = 0;
  maxMemoryBytes = 0;
  #eventClasses = 0;
  #nextClientId = 1;
  #lastCas = 0;
  /** Clients with messages that wait for the end of the turn. */
  readonly #outboxes = new Set<Client>();

  constructor(config: Config, time?: TimeSource) {
    this.config = config;
    this.clock = new Clock(time);
    const seed = randomBytes(8);
    this.seed = { low: seed.readInt32LE(0), high: seed.readInt32LE(4) };
    this.startedMs = this.clock.nowMs;
    this.measurements = new Measurements(config, this.clock, this.stats);
    this.keyspace = new Keyspace(config.values.databases, {
      clock: this.clock,
      seed: this.seed,
      observer: this,
      due: { atMs: Number.POSITIVE_INFINITY },
      reclaimer: new Reclaimer(),
      nextCas: () => this.nextCas(),
    });
    this.decoderLimits = { maxBulkBytes: 0, maxArguments: 0, maxInlineBytes: 0, queryBufferLimit: 0 };
    this.#follow();
  }

  /** Copies what the hot path reads out of the configuration, now and at every CONFIG SET. */
  #follow(): void {
    const { config, decoderLimits } = this;
    const follow = <Name extends keyof Config['values']>(
      name: Name,
      use: (value: Config['values'][Name]) => void,
    ): void => {
      use(config.values[name]);
      config.onChange(name, use);
    };
    follow('proto-max-bulk-len', (bytes) => (decoderLimits.maxBulkBytes = bytes));
    follow('proto-max-multibulk-len', (count) => (decoderLimits.maxArguments = count));
    follow('proto-max-inline-len', (bytes) => (decoderLimits.maxInlineBytes = bytes));
    follow('client-query-buffer-limit', (bytes) => (decoderLimits.queryBufferLimit = bytes));
    follow('maxmemory', (bytes) => (this.maxMemoryBytes = bytes));
    follow('notify-keyspace-events', (letters) => this.#wantEvents(letters));
  }

  #wantEvents(letters: string): void {
    const bits = eventClassesOf(letters);
    this.#eventClasses = bits;
    const channels = bits & (EVENT_CLASS.keyspace | EVENT_CLASS.keyevent);
    this.wantedEvents = channels === 0 ? 0 : bits & ~channels;
  }

  // --- what the keyspace reports

  event(database: Database, event: KeyEvent, key: string): void {
    if (!this.pubsub.hasListeners) return;
    if ((this.#eventClasses & EVENT_CLASS.keyspace) !== 0) {
      this.pubsub.publish(`__keyspace@${database.id}__:${key}`, ByteView.of(event.name));
    }
    if ((this.#eventClasses & EVENT_CLASS.keyevent) !== 0) {
      this.pubsub.publish(`__keyevent@${database.id}__:${event.name}`, ByteView.of(key));
    }
  }

  touched(database: Database, key: string): void {
    this.watches.touched(database, key);
  }

  expired(): void {
    this.stats.expiredKeys++;
  }

  /** A hybrid logical clock in microseconds: strictly increasing, and below 2^53 until the year 2255. */
  nextCas(): number {
    this.#lastCas = Math.max(this.#lastCas + 1, this.clock.epochMs * 1000);
    return this.#lastCas;
  }

  /** A number in [0, 1) that nobody can foresee. */
  random(): number {
    return randomInt(2 ** 32) / 2 ** 32;
  }

  // --- clients

  nextClientId(): number {
    return this.#nextClientId++;
  }

  addClient(client: Client): void {
    this.clients.set(client.id, client);
    this.stats.connectionsReceived++;
  }

  /** Forgets a client whose connection is gone. */
  removeClient(client: Client): void {
    this.clients.delete(client.id);
    this.monitors.delete(client);
    this.pause.forget(client);
    this.#outboxes.delete(client);
    this.pubsub.unsubscribeAll(client);
    this.discardTransaction(client);
  }

  // --- transactions

  /** Queues a request behind the client's MULTI, and counts the memory it takes. */
  queue(transaction: Transaction, request: Request, isDenyOom: boolean): void {
    const before = transaction.bytes;
    transaction.queue(request, isDenyOom);
    this.clientBytes += transaction.bytes - before;
  }

  /** Ends a client's transaction, if there is one, and all its watching. */
  discardTransaction(client: Client): void {
    this.clientBytes -= client.transaction?.bytes ?? 0;
    client.transaction = undefined;
    this.unwatch(client);
  }

  unwatch(client: Client): void {
    if (client.watched.size > 0 || client.isDirty) this.watches.forget(client, this.keyspace.databases);
  }

  // --- messages

  /**
   * Gives a client a message to be sent at the end of the turn. One that has too much unsent already is cut off: it
   * must not make the server hold more and more for it.
   */
  enqueue(client: Client, message: Buffer): void {
    if (client.isClosing) return;
    client.outbox.push(message);
    client.outboxBytes += message.length;
    this.#outboxes.add(client);
    client.outlet.closeIfOverOutputLimit();
    if (client.isClosing) client.emptyOutbox();
  }

  /** The turn is over: messages for other clients leave. */
  flushOutboxes(): void {
    if (this.#outboxes.size === 0) return;
    for (const client of this.#outboxes) client.flushOutbox();
    this.#outboxes.clear();
  }

  /** The data goes on under a new name (DEBUG CHANGE-REPL-ID). */
  changeReplicationId(): void {
    this.replicationId = randomBytes(20).toString('hex');
  }

  /** Called about once a second. */
  everySecond(): void {
    this.measurements.rates.sample(this.stats, this.clock.nowMs);
    this.notePeakMemory();
  }

  /** Remembers how much memory there was at most, as far as anybody looked. */
  notePeakMemory(): void {
    const { stats, usedMemoryBytes } = this;
    if (usedMemoryBytes <= stats.peakMemoryBytes) return;
    stats.peakMemoryBytes = usedMemoryBytes;
    stats.peakMemoryAtMs = this.clock.nowMs;
  }

  /** True if clients need no password. */
  get isOpen(): boolean {
    return this.config.values.requirepass === '';
  }

  /** Memory the server can see: keyspace and what clients make it hold. */
  get usedMemoryBytes(): number {
    return this.keyspace.usedBytes + this.clientBytes;
  }
}
