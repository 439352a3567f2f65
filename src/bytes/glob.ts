// Glob patterns as Redis matches them: KEYS, SCAN MATCH, PSUBSCRIBE, CONFIG GET.
//
// Guarantees: the answers of Redis' own matcher, byte for byte and with its odd edges (noted below), and
// O(pattern × subject) time however hostile the pattern. Nothing is allocated by `globMatches`.

const STAR = 0x2a;
const QUESTION = 0x3f;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const CARET = 0x5e;
const DASH = 0x2d;
const BACKSLASH = 0x5c;

/** Redis gives up, answering "no match", on a pattern with more runs of stars than this before its last token. */
const MAX_STARS = 1000;

/** Does `pattern` match the bytes `start … start + length` of `bytes`? `nocase` folds ASCII letters only. */
export function globMatches(
  pattern: Uint8Array,
  bytes: Uint8Array,
  start: number,
  length: number,
  nocase = false,
): boolean {
  // Redis' loop never looks at a pattern once the subject is used up, so "*" does not match the empty string.
  if (length === 0) return pattern.length === 0;
  const end = start + length;
  let p = 0;
  let s = start;
  let afterStar = -1; // where the pattern goes on after the last star, and
  let starEnd = 0; // where that star's match ends at present
  let stars = 0;
  while (s < end) {
    if (pattern[p] === STAR) {
      p = skipStars(pattern, p);
      if (p === pattern.length) return true;
      if (++stars > MAX_STARS) return false;
      afterStar = p;
      starEnd = s;
      continue;
    }
    p = p < pattern.length ? matchToken(pattern, p, bytes[s] as number, nocase) : -1;
    if (p !== -1) {
      s++;
      continue;
    }
    // Only the last star needs to grow: every token takes exactly one byte, so if the leftmost place for what
    // stands between two stars does not lead to a match, no later place does. That keeps this from exploding.
    if (afterStar === -1) return false;
    p = afterStar;
    s = ++starEnd;
  }
  return skipStars(pattern, p) === pattern.length;
}

/** The same for latin1 strings, one character a byte. */
export function globMatchesString(pattern: string, subject: string, nocase = false): boolean {
  const bytes = Buffer.from(subject, 'latin1');
  return globMatches(Buffer.from(pattern, 'latin1'), bytes, 0, bytes.length, nocase);
}

function skipStars(pattern: Uint8Array, p: number): number {
  while (pattern[p] === STAR) p++;
  return p;
}

/** The offset after the one-byte token at `p` if it takes `byte`, or -1. */
function matchToken(pattern: Uint8Array, p: number, byte: number, nocase: boolean): number {
  let expected = pattern[p] as number;
  if (expected === QUESTION) return p + 1;
  if (expected === OPEN) return matchClass(pattern, p + 1, byte, nocase);
  // A backslash at the very end stands for itself.
  if (expected === BACKSLASH && p + 1 < pattern.length) expected = pattern[++p] as number;
  return sameByte(expected, byte, nocase) ? p + 1 : -1;
}

/**
 * A class, from behind its "[". One that is never closed ends with the pattern; "[]" matches nothing and "[^]"
 * anything; an escaped byte is compared with its case even when `nocase`, as in Redis.
 */
function matchClass(pattern: Uint8Array, p: number, byte: number, nocase: boolean): number {
  const negated = pattern[p] === CARET;
  if (negated) p++;
  let found = false;
  for (; p < pattern.length && pattern[p] !== CLOSE; p++) {
    const first = pattern[p] as number;
    if (first === BACKSLASH && p + 1 < pattern.length) {
      if (pattern[++p] === byte) found = true;
    } else if (pattern[p + 1] === DASH && p + 2 < pattern.length) {
      p += 2; // the end of a range may be any byte, "]" too
      if (inRange(first, pattern[p] as number, byte, nocase)) found = true;
    } else if (sameByte(first, byte, nocase)) {
      found = true;
    }
  }
  return found === negated ? -1 : Math.min(p + 1, pattern.length);
}

/** Ranges compare bytes as signed (C's `char` on x86), may be written in reverse, and are put in order before folding. */
function inRange(first: number, last: number, byte: number, nocase: boolean): boolean {
  let low = signed(first);
  let high = signed(last);
  if (low > high) [low, high] = [high, low];
  if (nocase) return lower(low) <= lower(signed(byte)) && lower(signed(byte)) <= lower(high);
  return low <= signed(byte) && signed(byte) <= high;
}

function sameByte(a: number, b: number, nocase: boolean): boolean {
  return a === b || (nocase && lower(a) === lower(b));
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function signed(byte: number): number {
  return (byte << 24) >> 24;
}
