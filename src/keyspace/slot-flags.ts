// What the word `meta` of a slot says: the value's type, how it is stored, and whether anything about the key is special.
// The ordinary path tests the whole of `SPECIAL` at once.

/** Types, in Redis' order. */
export const TYPE_MASK = 0xf;
export const STRING = 0;
export const TYPE_NAMES = ['string', 'list', 'set', 'zset', 'hash', 'stream'] as const;

/** A string that was edited in place: OBJECT ENCODING calls it raw whatever its length, as Redis does. */
export const RAW = 1 << 4;

/** The value is kept in a buffer of its own, not behind the key in the arena. */
export const APART = 1 << 8;

/** Somebody waits for changes of this key (WATCH). */
export const INTEREST = 1 << 9;

/** The key has a cas number. */
export const HAS_CAS = 1 << 10;

/** The key was locked by GETL, and the lock may still hold. */
export const GETL_LOCKED = 1 << 11;

export const SPECIAL = INTEREST | HAS_CAS | GETL_LOCKED;
