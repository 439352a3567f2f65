// Reading redis.conf-style files: comments, quoting, `include` with patterns. A file becomes a flat list of directives
// that know where they came from; what they mean is not this file's business.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, parse as parsePath, sep } from 'node:path';
import { globMatchesString } from '../bytes/glob.ts';
import { splitQuotedWords } from '../protocol/quoting.ts';
import { ConfigError } from './errors.ts';

export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  /** For messages: "redis.conf:12: port", "--port", "HOLDFAST_PORT". */
  readonly origin: string;
}

/** The part of the file system that is needed here, so that tests can do without one. Paths and contents are latin1. */
export interface ConfigFiles {
  /** "-" is standard input. */
  read(path: string): string;
  list(directory: string): string[];
}

const toBytes = (path: string): Buffer => Buffer.from(path, 'latin1');

export const realFiles: ConfigFiles = {
  read: (path) => readFileSync(path === '-' ? 0 : toBytes(path), 'latin1'),
  list: (directory) => readdirSync(toBytes(directory), 'buffer').map((name) => name.toString('latin1')),
};

export const hasWildcard = (pattern: string): boolean => /[[*?]/.test(pattern);

export interface ConfigLine {
  readonly text: string;
  readonly number: number;
  /** Absent for comments and empty lines. */
  readonly words?: readonly string[] | undefined;
}

export function parseLines(contents: string, path: string): ConfigLine[] {
  return contents.split('\n').map((raw, i) => {
    const text = raw.replace(/^[ \t\r]+|[ \t\r]+$/g, '');
    const number = i + 1;
    if (text === '' || text.startsWith('#')) return { text, number };
    const words = splitQuotedWords(text);
    if (words === undefined) throw new ConfigError(`${path}:${number}: unbalanced quotes`);
    return words.length === 0 ? { text, number } : { text, number, words };
  });
}

const MAX_INCLUDE_DEPTH = 16;

/** The directives of a file, with those of included files in the place of the `include`. */
export function readConfigFile(path: string, files: ConfigFiles, depth = 0): Directive[] {
  if (depth > MAX_INCLUDE_DEPTH) throw new ConfigError(`${path}: files include each other too deeply`);
  return parseLines(readOrExplain(path, files), path).flatMap(({ words, number }) => {
    if (words === undefined) return [];
    const [name = '', ...rest] = words;
    const directive = { name: name.toLowerCase(), words: rest, origin: `${path}:${number}: ${name}` };
    return expandInclude(directive, files, depth);
  });
}

/** Any directive but `include` stands for itself. */
export function expandInclude(directive: Directive, files: ConfigFiles, depth = 0): Directive[] {
  if (directive.name !== 'include') return [directive];
  const [pattern = ''] = directive.words;
  if (directive.words.length !== 1 || pattern === '') {
    throw new ConfigError(`${directive.origin}: takes one file or pattern`);
  }
  const paths = hasWildcard(pattern) ? findFiles(pattern, files) : [pattern];
  return paths.flatMap((path) => readConfigFile(path, files, depth + 1));
}

function readOrExplain(path: string, files: ConfigFiles): string {
  try {
    return files.read(path);
  } catch (cause) {
    throw new ConfigError(`can't read the configuration file '${path}': ${reasonOf(cause)}`, { cause });
  }
}

const REASON_OF_CODE: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
};

/** A failed system call in a few words. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? String(cause.code) : '';
  return REASON_OF_CODE[code] ?? cause.message;
}

/** Files that match, in the order of their names. A directory that cannot be listed holds no match. */
function findFiles(pattern: string, files: ConfigFiles): string[] {
  const { root } = parsePath(pattern);
  let found = [root];
  for (const segment of pattern.slice(root.length).split(sep).filter(Boolean)) {
    found = found.flatMap((directory) =>
      hasWildcard(segment) ? matchingNames(directory, segment, files) : [join(directory, segment)],
    );
  }
  return found.filter((path) => exists(path, files));
}

function matchingNames(directory: string, pattern: string, files: ConfigFiles): string[] {
  return listOrNothing(directory || '.', files)
    .filter((name) => globMatchesString(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
    .sort()
    .map((name) => join(directory, name));
}

function exists(path: string, files: ConfigFiles): boolean {
  return listOrNothing(dirname(path), files).includes(parsePath(path).base);
}

function listOrNothing(directory: string, files: ConfigFiles): string[] {
  try {
    return files.list(directory);
  } catch {
    return [];
  }
}
