// Words on a line of configuration, split and written with the quoting rules of Redis' files and inline commands:
// "double quotes" know \n \r \t \b \a \xHH and a backslash before any other character, 'single quotes' only \'.
// Latin1 in and out, so that every byte survives: splitWords(quoteWord(word)) is [word].

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };
const LETTER_OF = new Map(Object.entries(ESCAPES).map(([letter, character]) => [character, letter]));

const SPACE = /[ \t\n\v\f\r]*/y;
const BARE = /[^ \t\n\v\f\r"']+/y;
const SINGLE_QUOTED = /'((?:\\'|[^'])*)'(?![^ \t\n\v\f\r])/y;
const DOUBLE_QUOTED = /"((?:\\.|[^"\\])*)"(?![^ \t\n\v\f\r])/sy;

/** Undefined if a quote is not closed, or is closed in the middle of a word. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match) at = pattern.lastIndex;
    return match;
  }

  for (;;) {
    take(SPACE);
    if (at === line.length) return words;
    // A quote may open in the middle of a word, and always ends it.
    const bare = take(BARE)?.[0] ?? '';
    if (line[at] === '"') {
      const quoted = take(DOUBLE_QUOTED)?.[1];
      if (quoted === undefined) return undefined;
      words.push(bare + unescapeText(quoted));
    } else if (line[at] === "'") {
      const quoted = take(SINGLE_QUOTED)?.[1];
      if (quoted === undefined) return undefined;
      words.push(bare + quoted.replaceAll("\\'", "'"));
    } else {
      words.push(bare);
    }
  }
}

function unescapeText(quoted: string): string {
  return quoted.replace(/\\(?:x([0-9a-f]{2})|(.))/gis, (_, hex?: string, character = '') =>
    hex === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The word in double quotes, printable. */
export function quoteWord(word: string): string {
  const escaped = word.replace(/["\\]|[^\x20-\x7e]/g, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const letter = LETTER_OF.get(character);
    if (letter !== undefined) return `\\${letter}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** Node.js decodes arguments and environment as UTF-8; the configuration holds their bytes. */
export function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
