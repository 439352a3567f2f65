// WATCH: which clients watch which keys, there or not.
// A client learns of a change by `isDirty`; what it watched is forgotten by `forget`, after EXEC, DISCARD, UNWATCH or when it goes.

import type { Key } from '../bytes/key.ts';
import type { Database } from '../keyspace/database.ts';
import type { Client } from './client.ts';

const entryOf = (database: number, key: string): string => `${database}:${key}`;

export class Watches {
  readonly #watchers = new Map<string, Set<Client>>();

  /** Keys watched by anybody. */
  get size(): number {
    return this.#watchers.size;
  }

  /** `databases` is asked by number, since SWAPDB changes what stands there. */
  watch(client: Client, database: Database, key: Key): void {
    const entry = entryOf(database.id, key.toString());
    if (client.watched.has(entry)) return;
    client.watched.add(entry);
    let watchers = this.#watchers.get(entry);
    if (watchers === undefined) {
      watchers = new Set();
      this.#watchers.set(entry, watchers);
      database.addInterest(key);
    }
    watchers.add(client);
  }

  touched(database: Database, key: string): void {
    const watchers = this.#watchers.get(entryOf(database.id, key));
    if (watchers !== undefined) for (const client of watchers) client.isDirty = true;
  }

  /** Ends all watching of a client. */
  forget(client: Client, databases: readonly Database[]): void {
    for (const entry of client.watched) {
      const watchers = this.#watchers.get(entry)!;
      watchers.delete(client);
      if (watchers.size > 0) continue;
      this.#watchers.delete(entry);
      const colon = entry.indexOf(':');
      databases[Number(entry.slice(0, colon))]!.dropInterest(entry.slice(colon + 1));
    }
    client.watched.clear();
    client.isDirty = false;
  }
}
