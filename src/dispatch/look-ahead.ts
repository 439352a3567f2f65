// Touches the memory that the next requests of a pipeline will need, before the first of them runs.
//
// Finding a key means three reads that depend on each other, of memory that is seldom in a cache: index, record, block.
// Once there are many keys, waiting for them is a good part of what a command costs. The keys of the requests that come
// next lie in the read buffer already; touched all together, the processor waits for many reads at a time.
//
// Nothing is decided here and nothing changes: a word of a request is taken for a key, and where it is none, a little time
// is lost.

import { type HashSeed, hashBytes } from '../bytes/hash.ts';
import type { Database } from '../keyspace/database.ts';
import type { RequestDecoder } from '../protocol/request-decoder.ts';

/** As many requests as a processor can wait for at a time. */
const REQUESTS = 16;
/** With less than this in the buffer there is hardly a second request. */
const WORTHWHILE_BYTES = 128;

export class LookAhead {
  readonly #seed: HashSeed;
  readonly #starts = new Int32Array(REQUESTS);
  readonly #lengths = new Int32Array(REQUESTS);
  readonly #hashes = new Int32Array(REQUESTS);
  /** Where in the decoder's buffer the last look ended. */
  #lookedTo = 0;

  constructor(seed: HashSeed) {
    this.#seed = seed;
  }

  /** A read event starts. */
  reset(): void {
    this.#lookedTo = 0;
  }

  /** Called before each request is decoded; looks when the requests seen last time have been run. */
  look(decoder: RequestDecoder, database: Database): void {
    if (decoder.position < this.#lookedTo || decoder.unreadBytes < WORTHWHILE_BYTES) return;
    const count = decoder.peekWords(this.#starts, this.#lengths);
    this.#lookedTo = decoder.peekedTo;
    if (count < 2) return;
    for (let i = 0; i < count; i++) {
      this.#hashes[i] = hashBytes(decoder.buffer, this.#starts[i]!, this.#lengths[i]!, this.#seed);
    }
    database.touchAhead(this.#hashes, count);
  }
}
