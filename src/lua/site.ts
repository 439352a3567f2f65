// A place in a script where something can go wrong: its line, and the names under which the script knows the values there.

/** For error messages. One for each call and operation of a chunk; compiled code names it by a number. */
export interface Site extends CallSite {
  readonly line: number;
  /** How each operand is called: `local 'x'`, `field 'y'`, or nothing for a value without a name. */
  readonly operands: readonly string[];
}

/** What there is to know of a call besides. */
export interface CallSite {
  /** The bare name of what is called, `?` if it has none. */
  readonly name: string;
  readonly isMethod: boolean;
  /** A call of Lua code that takes the place of its caller. */
  readonly isTail: boolean;
}

/** The sites of one chunk. */
export interface SiteTable {
  /** What stands before the line in messages. */
  readonly chunkName: string;
  readonly sites: readonly Site[];
}

// A number for a site: which of the running chunks (the script itself, then what it loads), and which site in it.
const SITE_BITS = 20;
const MAX_SITE = (1 << SITE_BITS) - 1;
/** The highest number of a chunk. */
export const MAX_CHUNK = (1 << (30 - SITE_BITS)) - 1;

/** Stands for a caller that is no Lua code. */
export const NO_SITE = -1;

export const siteNumber = (chunk: number, site: number): number =>
  (Math.min(chunk, MAX_CHUNK) << SITE_BITS) | Math.min(site, MAX_SITE);
export const chunkOf = (at: number): number => at >> SITE_BITS;
export const siteOf = (at: number): number => at & MAX_SITE;
