// Glob patterns as CONFIG GET and `include` know them: * ? [a-z] [^a-z] and \ before a character.
// Only the last * is ever retried, so a hostile pattern costs at most pattern length times text length.

export const hasWildcard = (pattern: string): boolean => /[[*?]/.test(pattern);

/** Compares without regard to case, as option names do. Pass equal cases where case matters. */
export function matchesGlob(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern);
  let token = 0;
  let at = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < text.length) {
    const current = tokens[token];
    if (current === '*') {
      starToken = token++;
      starAt = at;
    } else if (current?.(text.charAt(at))) {
      token++;
      at++;
    } else if (starToken !== -1) {
      token = starToken + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}

type Token = '*' | ((character: string) => boolean);

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (const [part, set] of pattern.matchAll(/\[((?:\\.|[^\]\\])*)(?:\]|$)|\*+|\\?./gs)) {
    if (set !== undefined) tokens.push(oneOfSet(set));
    else if (part.startsWith('*')) tokens.push('*');
    else if (part === '?') tokens.push(() => true);
    else tokens.push(sameLetter(part.length > 1 ? part.slice(1) : part));
  }
  return tokens;
}

const sameLetter =
  (letter: string) =>
  (character: string): boolean =>
    character.toLowerCase() === letter.toLowerCase();

function oneOfSet(set: string): (character: string) => boolean {
  const isNegated = set.startsWith('^');
  const ranges: [string, string][] = [];
  const parts = (isNegated ? set.slice(1) : set).matchAll(/\\(.)|(.)-(.)|(.)/gs);
  for (const [, escaped, from, to, single] of parts) {
    const first = (escaped ?? from ?? single ?? '').toLowerCase();
    const last = (escaped ?? to ?? single ?? '').toLowerCase();
    ranges.push(first <= last ? [first, last] : [last, first]);
  }
  return (character) => {
    const letter = character.toLowerCase();
    return ranges.some(([first, last]) => first <= letter && letter <= last) !== isNegated;
  };
}
