// A key as the keyspace sees it: bytes plus their hash, computed once a command however often the key is looked up.

import { type HashSeed, hashBytes } from './hash.ts';
import { ByteView } from './view.ts';

export class Key extends ByteView {
  hash = 0;

  static from(view: ByteView, seed: HashSeed): Key {
    return new Key().point(view.buffer, view.start, view.length, seed);
  }

  point(buffer: Buffer, start: number, length: number, seed: HashSeed): this {
    this.set(buffer, start, length);
    this.hash = hashBytes(buffer, start, length, seed);
    return this;
  }
}
