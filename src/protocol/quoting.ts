// Quoted words: how inline commands and configuration lines are split, and how MONITOR and CONFIG REWRITE print bytes.
//
// All strings are latin1, one character a byte. Guarantees: the words that Redis finds in a line, `undefined` where it
// calls the quotes unbalanced, and that splitting what `quoteBytes` wrote gives back exactly the bytes it was given.

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };
const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\x07': '\\a',
  '"': '\\"',
  '\\': '\\\\',
};

/** The words of a line. A NUL byte ends it, as it ends the C string that Redis parses. */
export function splitQuotedWords(line: string): string[] | undefined {
  const text = line.split('\0', 1)[0] as string;
  const words: string[] = [];
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    let word = '';
    // Vertical tabs and form feeds separate words, yet do not end one that has begun without quotes.
    while (at < text.length && !' \n\r\t'.includes(text[at] as string)) {
      const quote = text[at] as string;
      if (quote !== '"' && quote !== "'") {
        word += quote;
        at++;
        continue;
      }
      // Quotes may open within a word, but they end it.
      const close = closingQuote(text, at);
      if (close === -1 || (close + 1 < text.length && skipBlanks(text, close + 1) === close + 1))
        return undefined;
      const quoted = text.slice(at + 1, close);
      word += quote === '"' ? unescapeDouble(quoted) : quoted.replaceAll("\\'", "'");
      at = close + 1;
      break;
    }
    words.push(word);
  }
  return words;
}

/** The bytes between double quotes, in printable ASCII only. */
export function quoteBytes(bytes: string): string {
  return `"${bytes.replace(/[^ !#-[\]-~]/g, (byte) => ESCAPES[byte] ?? `\\x${hexadecimal(byte)}`)}"`;
}

/** Between double quotes a backslash hides whatever follows it, between single quotes only another single quote. */
function closingQuote(text: string, open: number): number {
  const quote = text[open];
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === quote) return i;
    if (text[i] === '\\' && (quote === '"' || text[i + 1] === quote)) i++;
  }
  return -1;
}

/** An unknown escape stands for its character, so "\q" is "q" and "\xZZ" is "xZZ". */
function unescapeDouble(quoted: string): string {
  return quoted.replace(/\\x([\da-f]{2})|\\(.)/gis, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (CONTROLS[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function skipBlanks(text: string, at: number): number {
  while (at < text.length && ' \t\n\v\f\r'.includes(text[at] as string)) at++;
  return at;
}

function hexadecimal(byte: string): string {
  return byte.charCodeAt(0).toString(16).padStart(2, '0');
}
