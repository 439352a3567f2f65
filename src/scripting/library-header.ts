// The first line of a library: `#!lua name=NAME`.
//
// Source: Redis' `functionExtractLibMetaData`, by its behaviour.

import { splitQuotedWords } from '../protocol/quoting.ts';

const INVALID = 'ERR Invalid library metadata';
/** Said of functions too. */
export const WRONG_NAME =
  'ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long';

export const isName = (name: string): boolean => /^\w+$/.test(name);

export interface LibraryHeader {
  readonly name: string;
  /** The library with that line emptied, so that lines keep their numbers. */
  readonly code: string;
}

/** A string is what is wrong with it, as an error reply. */
export function readLibraryHeader(source: string): LibraryHeader | string {
  if (!source.startsWith('#!')) return 'ERR Missing library metadata';
  const end = source.indexOf('\n');
  const words = end < 0 ? undefined : splitQuotedWords(source.slice(0, end));
  if (words === undefined) return INVALID;
  const [engine = '', ...options] = words;
  let name: string | undefined;
  for (const option of options) {
    if (!/^name=/i.test(option)) return `ERR Invalid metadata value given: ${option}`;
    if (name !== undefined) return 'ERR Invalid metadata value, name argument was given multiple times';
    name = option.slice('name='.length);
  }
  if (name === undefined) return 'ERR Library name was not given';
  if (!isName(name)) return WRONG_NAME;
  if (engine.toLowerCase() !== '#!lua') return `ERR Engine '${engine.slice(2)}' not found`;
  return { name, code: source.slice(end) };
}
