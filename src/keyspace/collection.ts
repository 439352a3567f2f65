// What the keyspace needs to know of a value that is too big to be packed bytes behind its key: what it costs, and what
// to hand to the reclaimer when it goes. What kind of collection it is stays the affair of src/collections and the commands.

export interface Collection {
  /** Bytes in use, as `maxmemory` and MEMORY USAGE count them. */
  readonly usedBytes: number;
  /** All memory taken from the system. It may be given to the reclaimer once nothing reads the collection any more. */
  readonly memory: readonly ArrayBufferLike[];
}
