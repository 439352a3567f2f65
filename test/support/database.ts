// One database without a server around it, on a clock that the test moves, and what it reports.

import { Key } from '../../src/bytes/key.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { Clock } from '../../src/keyspace/clock.ts';
import type { Database } from '../../src/keyspace/database.ts';
import { Keyspace } from '../../src/keyspace/keyspace.ts';
import { Reclaimer } from '../../src/keyspace/reclaimer.ts';

const SEED = { low: 0x12345678, high: -0x12345678 };

export class DatabaseUnderTest {
  readonly keyspace: Keyspace;
  readonly clock: Clock;
  expired = 0;
  /** Names reported as touched, with the number of their database. */
  readonly touched: string[] = [];
  #sourceMs = 0;
  #lastCas = 0;

  constructor(databases = 1) {
    this.clock = new Clock({ monotonicMs: () => this.#sourceMs, epochMs: () => this.#sourceMs });
    this.keyspace = new Keyspace(databases, {
      clock: this.clock,
      seed: SEED,
      due: { atMs: Number.POSITIVE_INFINITY },
      reclaimer: new Reclaimer(),
      nextCas: () => ++this.#lastCas,
      observer: {
        wantedEvents: 0,
        event: () => {},
        touched: (database, name) => this.touched.push(`${database.id}:${name}`),
        expired: () => this.expired++,
      },
    });
  }

  get db(): Database {
    return this.keyspace.databases[0]!;
  }

  readonly key = (name: string): Key => Key.from(ByteView.of(name), SEED);

  /** Lets time pass without telling the wheel: keys end when they are looked up. */
  pass(ms: number): void {
    this.#sourceMs += ms;
    this.clock.refresh();
  }

  /** Lets the wheel do what is due. */
  tick(): void {
    this.keyspace.advance({ isSpent: () => false });
  }
}
