// WATCH: which clients watch which keys, there or not.
//
// A client learns of a change by `isDirty`; what it watched is forgotten by `forget`, after EXEC, DISCARD, UNWATCH or when it goes.
// A key that ends between WATCH and EXEC has changed, even if nobody has noticed its end yet; one that had ended before WATCH
// was never there.

import { Key } from '../bytes/key.ts';
import type { Database } from '../keyspace/database.ts';
import type { Client } from './client.ts';

/** A key that somebody watches, and who does. */
export interface WatchedKey {
  /** By number, since SWAPDB changes what stands there. */
  readonly database: number;
  readonly key: Key;
  readonly watchers: Set<Client>;
}

const nameOf = (database: Database, key: string): string => `${database.id}:${key}`;

export class Watches {
  readonly #watched = new Map<string, WatchedKey>();

  /** Keys watched by anybody. */
  get size(): number {
    return this.#watched.size;
  }

  isWatching(client: Client, database: Database, key: Key): boolean {
    const watched = this.#watched.get(nameOf(database, key.toString()));
    return watched?.watchers.has(client) ?? false;
  }

  watch(client: Client, database: Database, key: Key): void {
    // What has ended by now is removed before this client would hear of it.
    database.find(key);
    const name = nameOf(database, key.toString());
    let watched = this.#watched.get(name);
    if (watched === undefined) {
      watched = { database: database.id, key: ownCopy(key, database), watchers: new Set() };
      this.#watched.set(name, watched);
      database.addInterest(watched.key);
    }
    watched.watchers.add(client);
    client.watched.add(watched);
  }

  touched(database: Database, key: string): void {
    const watched = this.#watched.get(nameOf(database, key));
    if (watched !== undefined) for (const client of watched.watchers) client.isDirty = true;
  }

  /** Whether a key that the client watches has changed by now. */
  isBroken(client: Client, databases: readonly Database[]): boolean {
    // Looking a key up is how its end, which may have come unnoticed, becomes a change.
    if (!client.isDirty) for (const { database, key } of client.watched) databases[database]!.find(key);
    return client.isDirty;
  }

  /** Ends all watching of a client. */
  forget(client: Client, databases: readonly Database[]): void {
    for (const { database, key, watchers } of client.watched) {
      watchers.delete(client);
      if (watchers.size > 0) continue;
      this.#watched.delete(nameOf(databases[database]!, key.toString()));
      databases[database]!.dropInterest(key.toString());
    }
    client.watched.clear();
    client.isDirty = false;
  }
}

/** A key over bytes that nobody else writes to. */
function ownCopy(key: Key, database: Database): Key {
  return new Key().point(key.copy(), 0, key.length, database.setting.seed);
}
