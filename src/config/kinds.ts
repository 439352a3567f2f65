// The kinds of value an option can have: how words become a value, how CONFIG GET shows it, how CONFIG REWRITE
// writes it. Parsing accepts and refuses exactly what Redis does and in Redis' words, with one exception: numbers
// end at 2^53 - 1, the largest integer a JavaScript number holds exactly, where Redis' end at 2^63 or 2^64.
// Strings here are latin1: one character a byte.

import { INT64_MAX, INT64_MIN } from '../bytes/integer.ts';
import { quoteBytes } from '../protocol/quoting.ts';
import { ConfigError } from './errors.ts';

export interface Kind<T> {
  /** What may be written, for the documentation and `--help`. */
  readonly syntax: string;
  /** Whether a line may hold several words. A kind that takes one is given exactly one. */
  readonly takesWords: boolean;
  /** Throws a ConfigError whose message is the reason alone. Kinds whose lines add up go on from `previous`. */
  parse(words: readonly string[], previous: T): T;
  /** The value as CONFIG GET shows it. */
  render(value: T): string;
  /** The value as file lines without the option's name; none if nothing needs to be said. */
  lines(value: T): string[];
}

export type KindParts<T> = Pick<Kind<T>, 'syntax' | 'parse'> & Partial<Kind<T>>;

export function kind<T>(parts: KindParts<T>): Kind<T> {
  const render = parts.render ?? String;
  return { takesWords: false, render, lines: (value) => [render(value)], ...parts };
}

function checkRange(value: number, min: number, max: number): number {
  if (value < min || value > max) {
    throw new ConfigError(`argument must be between ${min} and ${max} inclusive`);
  }
  return value;
}

export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Kind<number> {
  return kind({
    syntax: max === Number.MAX_SAFE_INTEGER ? `integer ≥ ${min}` : `${min} to ${max}`,
    parse([word = '']) {
      // At most 19 digits, since reading a number of a million digits exactly would stall the server.
      const isCanonical = /^(0|-?[1-9]\d{0,18})$/.test(word);
      if (!isCanonical || BigInt(word) > INT64_MAX || BigInt(word) < INT64_MIN) {
        throw new ConfigError("argument couldn't be parsed into an integer");
      }
      return checkRange(Number(word), min, max);
    },
  });
}

/** A file mode. Redis reads and shows it in octal. */
export const octal: Kind<number> = kind({
  syntax: 'octal number',
  parse([word = '']) {
    if (!/^[0-7]+$/.test(word)) throw new ConfigError("argument couldn't be parsed as an octal number");
    return checkRange(Number.parseInt(word, 8), 0, 0o777);
  },
  render: (mode) => mode.toString(8),
});

const UNIT_BYTES = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1000],
  ['kb', 1024],
  ['m', 1e6],
  ['mb', 1024 ** 2],
  ['g', 1e9],
  ['gb', 1024 ** 3],
]);

/** Undefined if the word is not a memory size. Redis reads the empty word as 0, so this does too. */
function parseMemorySize(word: string): number | undefined {
  const [, digits, unit = ''] = /^(\d*)([a-z]*)$/i.exec(word) ?? [];
  const unitBytes = UNIT_BYTES.get(unit.toLowerCase());
  if (digits === undefined || unitBytes === undefined || (digits === '' && unit !== '')) return undefined;
  return Number(digits) * unitBytes;
}

/** The largest unit that leaves a whole number, so that a rewritten file stays readable. */
function formatMemorySize(bytes: number): string {
  for (const unit of ['gb', 'mb', 'kb']) {
    const unitBytes = UNIT_BYTES.get(unit) ?? 1;
    if (bytes >= unitBytes && bytes % unitBytes === 0) return `${bytes / unitBytes}${unit}`;
  }
  return String(bytes);
}

export function memorySize(min = 0, max = Number.MAX_SAFE_INTEGER): Kind<number> {
  return kind({
    syntax: 'memory size',
    parse([word = '']) {
      const bytes = parseMemorySize(word);
      if (bytes === undefined) throw new ConfigError('argument must be a memory value');
      return checkRange(bytes, min, max);
    },
    lines: (bytes) => [formatMemorySize(bytes)],
  });
}

/** Bytes, or a share of maxmemory kept as a negative number (-5 is 5%). */
export const memorySizeOrPercent: Kind<number> = kind({
  syntax: 'memory size or percentage',
  parse([word = '']) {
    if (/^\d+%$/.test(word)) {
      const percent = Number(word.slice(0, -1));
      if (percent > 100) throw new ConfigError('percentage argument must be less or equal to 100');
      return percent === 0 ? 0 : -percent;
    }
    const bytes = parseMemorySize(word);
    if (bytes === undefined) throw new ConfigError('argument must be a memory or percent value');
    return checkRange(bytes, 0, Number.MAX_SAFE_INTEGER);
  },
  render: (value) => (value < 0 ? `${-value}%` : String(value)),
  lines: (value) => [value < 0 ? `${-value}%` : formatMemorySize(value)],
});

export const yesNo: Kind<boolean> = kind({
  syntax: '`yes` or `no`',
  parse([word = '']) {
    const answer = word.toLowerCase();
    if (answer !== 'yes' && answer !== 'no') throw new ConfigError("argument must be 'yes' or 'no'");
    return answer === 'yes';
  },
  render: (value) => (value ? 'yes' : 'no'),
});

function notOneOf(choices: readonly string[]): ConfigError {
  return new ConfigError(`argument(s) must be one of the following: ${choices.join(', ')}`);
}

const listChoices = (choices: readonly string[]): string =>
  choices.map((choice) => `\`${choice}\``).join(', ');

export function oneOf<const T extends string>(...choices: T[]): Kind<T> {
  return kind<T>({
    syntax: listChoices(choices),
    parse([word = '']) {
      const choice = choices.find((candidate) => candidate === word.toLowerCase());
      if (choice === undefined) throw notOneOf(choices);
      return choice;
    },
  });
}

/** What a shutdown signal does: any of the words together, shown in the order Redis has them. */
export const shutdownFlags: Kind<readonly string[]> = (() => {
  const choices = ['default', 'save', 'nosave', 'now', 'force'];
  const render = (flags: readonly string[]): string => (flags.length === 0 ? 'default' : flags.join(' '));
  return kind<readonly string[]>({
    syntax: `${listChoices(choices)}; several together`,
    takesWords: true,
    parse(words) {
      const given = words.map((word) => word.toLowerCase());
      if (given.length === 0 || !given.every((word) => choices.includes(word))) throw notOneOf(choices);
      if (given.includes('save') && given.includes('nosave')) {
        throw new ConfigError("shutdown options SAVE and NOSAVE can't be used simultaneously");
      }
      return choices.filter((choice) => choice !== 'default' && given.includes(choice));
    },
    render,
  });
})();

/** `check` returns the reason to refuse the value, if there is one. */
export function text(check?: (value: string) => string | undefined): Kind<string> {
  return kind({
    syntax: 'string',
    parse([word = '']) {
      const reason = check?.(word);
      if (reason !== undefined) throw new ConfigError(reason);
      return word;
    },
    lines: (value) => [quoteBytes(value)],
  });
}

/** A list of words. An empty word is how a file says "none". */
export function wordList(maxWords = Number.MAX_SAFE_INTEGER, tooMany = ''): Kind<readonly string[]> {
  return kind<readonly string[]>({
    syntax: 'words',
    takesWords: true,
    parse(words) {
      if (words.length > maxWords) throw new ConfigError(tooMany);
      return words.filter((word) => word !== '');
    },
    render: (words) => words.join(' '),
    lines: (words) => [words.length === 0 ? '""' : words.map(bareOrQuoted).join(' ')],
  });
}

function bareOrQuoted(word: string): string {
  return /^[\w.:*%/-]+$/.test(word) ? word : quoteBytes(word);
}

/** Directives that only a file has, such as `user`: every line is kept as its words. */
export const fileLines: Kind<readonly (readonly string[])[]> = kind<readonly (readonly string[])[]>({
  syntax: 'words',
  takesWords: true,
  parse: (words, previous) => [...previous, words],
  render: (lines) => lines.map((words) => words.join(' ')).join('\n'),
  lines: (lines) => lines.map((words) => words.map(bareOrQuoted).join(' ')),
});
