// The first line of a script or library that begins with `#!`: the engine, and what the code asks for.
//
// Source: Redis' `evalExtractShebangFlags`, by its behaviour.

import { splitQuotedWords } from '../protocol/quoting.ts';

/** What a script says of itself. */
export const SCRIPT_FLAGS = [
  'no-writes',
  'allow-oom',
  'allow-stale',
  'no-cluster',
  'allow-cross-slot-keys',
] as const;

export type ScriptFlag = (typeof SCRIPT_FLAGS)[number];

export const isScriptFlag = (word: string): word is ScriptFlag =>
  (SCRIPT_FLAGS as readonly string[]).includes(word);

export interface Shebang {
  /** Undefined if the script says nothing: then the old rules hold, by which every command is looked at for itself. */
  readonly flags: ReadonlySet<ScriptFlag> | undefined;
  /** The script with that line emptied, so that lines keep their numbers. */
  readonly code: string;
}

/** A string is what is wrong with it, as an error reply. */
export function readShebang(source: string): Shebang | string {
  if (!source.startsWith('#!')) return { flags: undefined, code: source };
  const end = source.indexOf('\n');
  const zero = source.indexOf('\0');
  if (end < 0 || (zero >= 0 && zero < end)) return 'ERR Invalid script shebang';
  const words = splitQuotedWords(source.slice(0, end));
  if (words === undefined) return 'ERR Invalid engine in script shebang';
  const [engine = '', ...options] = words;
  if (engine !== '#!lua') return `ERR Unexpected engine in script shebang: ${engine}`;
  const flags = new Set<ScriptFlag>();
  for (const option of options) {
    if (!option.startsWith('flags=')) return `ERR Unknown lua shebang option: ${option}`;
    const names = option.slice('flags='.length);
    for (const name of names === '' ? [] : names.split(',')) {
      if (!isScriptFlag(name)) return `ERR Unexpected flag in script shebang: ${name}`;
      flags.add(name);
    }
  }
  return { flags, code: source.slice(end) };
}
