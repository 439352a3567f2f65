// Scripts as lines of a family file: EVAL with the script quoted as redis-cli would.

import { quoteBytes } from '../../../src/protocol/quoting.ts';

/** EVAL of a script without keys, or with `more` after it: the number of keys, keys, arguments. */
export const evalOf = (script: string, more = '0'): string => `EVAL ${quoteBytes(script)} ${more}`;

/** One script a line. */
export const scripts = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => evalOf(line.trim()));
