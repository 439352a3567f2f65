// The configuration of a running server: typed values to read, and CONFIG GET, SET and REWRITE on top of the table.
// `set` changes everything it is given or nothing, and answers in Redis' words. Strings are latin1, a character a byte.

import { globMatchesString } from '../bytes/glob.ts';
import { ConfigError } from './errors.ts';
import { hasWildcard } from './file.ts';
import type { Option } from './option.ts';
import {
  type ConfigValues,
  defaultValues,
  findOption,
  type OptionName,
  optionOf,
  spellings,
} from './options.ts';

type Listener<Name extends OptionName> = (value: ConfigValues[Name], previous: ConfigValues[Name]) => void;

interface Change {
  readonly spelling: string;
  readonly name: OptionName;
  readonly value: unknown;
  readonly previous: unknown;
}

export interface ConfigOrigin {
  /** Absolute path of the file the server was started with. */
  readonly file?: string | undefined;
  /** One line each: what was asked for and is not provided. */
  readonly warnings?: readonly string[];
}

export class Config {
  /** The path CONFIG REWRITE writes to, if the server was started with a file. */
  readonly file: string | undefined;
  readonly warnings: readonly string[];
  readonly #values: Record<string, unknown>;
  readonly #listeners = new Map<OptionName, Set<(value: unknown, previous: unknown) => void>>();

  /** What is not given, or given as undefined, has its default, so that tests say only what they care about. */
  constructor(values: Partial<ConfigValues> = {}, origin: ConfigOrigin = {}) {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    this.#values = { ...defaultValues(), ...Object.fromEntries(given) };
    this.file = origin.file;
    this.warnings = origin.warnings ?? [];
  }

  /** A live view. A reader on the hot path copies the field it needs and keeps the copy fresh with onChange. */
  get values(): ConfigValues {
    return this.#values as ConfigValues;
  }

  /** One value as CONFIG GET shows it. */
  render(name: OptionName): string {
    return optionOf(name).kind.render(this.#values[name]);
  }

  /**
   * Calls the listener after CONFIG SET changed the option; the returned function ends that. A listener that cannot
   * follow throws a ConfigError with the reason, which undoes the whole CONFIG SET and becomes its answer.
   */
  onChange<Name extends OptionName>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    const untyped = listener as (value: unknown, previous: unknown) => void;
    listeners.add(untyped);
    return () => listeners.delete(untyped);
  }

  /** Answers CONFIG GET. A plain name is answered under the spelling it was asked for, a pattern under all it matches. */
  get(patterns: readonly string[]): [name: string, value: string][] {
    const found = new Map<string, [string, string]>();
    const add = (spelling: string, name: OptionName): void => {
      const key = spelling.toLowerCase();
      if (!found.has(key) && !optionOf(name).fileOnly) found.set(key, [spelling, this.render(name)]);
    };
    for (const pattern of patterns) {
      if (hasWildcard(pattern)) {
        for (const [spelling, name] of spellings) {
          if (globMatchesString(pattern, spelling, true)) add(spelling, name);
        }
      } else {
        const name = findOption(pattern);
        if (name !== undefined) add(pattern, name);
      }
    }
    return [...found.values()];
  }

  /** Answers CONFIG SET: throws a ConfigError whose message is the whole error reply, and then nothing has changed. */
  set(pairs: readonly (readonly [name: string, value: string])[], isLocalClient = false): void {
    const names = this.#checkNames(pairs, isLocalClient);
    const changes = pairs.map(([spelling, text], i) => this.#parse(names[i] as OptionName, spelling, text));
    for (const { name, value } of changes) this.#values[name] = value;
    this.#announce(changes);
  }

  /** All names are judged before any value is, and the first mistake is the answer. */
  #checkNames(pairs: readonly (readonly [string, string])[], isLocalClient: boolean): OptionName[] {
    const seen = new Set<string>();
    return pairs.map(([spelling]) => {
      const name = findOption(spelling);
      if (name === undefined || optionOf(name).fileOnly) {
        throw new ConfigError(`ERR Unknown option or number of arguments for CONFIG SET - '${spelling}'`);
      }
      if (optionOf(name).immutable) throw failed(spelling, "can't set immutable config");
      if (optionOf(name).protected && !this.#allowsProtected(isLocalClient)) {
        throw failed(spelling, "can't set protected config");
      }
      if (seen.has(spelling.toLowerCase())) throw failed(spelling, 'duplicate parameter');
      seen.add(spelling.toLowerCase());
      return name;
    });
  }

  #allowsProtected(isLocalClient: boolean): boolean {
    const allowed = this.values['enable-protected-configs'];
    return allowed === 'yes' || (allowed === 'local' && isLocalClient);
  }

  /** Messages about a value name the option in lower case, those about a name as it was written. Redis does so too. */
  #parse(name: OptionName, writtenAs: string, text: string): Change {
    const option = optionOf(name);
    const spelling = writtenAs.toLowerCase();
    const previous = this.#values[name];
    try {
      const value = option.kind.parse(wordsOf(option, text), previousForSet(option, previous));
      const reason = option.rejects?.(value);
      if (reason !== undefined) throw new ConfigError(reason);
      return { spelling, name, value, previous };
    } catch (error) {
      if (error instanceof ConfigError) throw failed(spelling, error.message);
      throw error;
    }
  }

  #announce(changes: readonly Change[]): void {
    const changed = changes.filter(({ name, value, previous }) => {
      const { kind } = optionOf(name);
      return kind.render(value) !== kind.render(previous);
    });
    for (const [i, { spelling, name, value, previous }] of changed.entries()) {
      try {
        this.#notify(name, value, previous);
      } catch (error) {
        for (const change of changes) this.#values[change.name] = change.previous;
        // The ones told so far are told again; the one that failed has not followed.
        for (const told of changed.slice(0, i)) this.#notify(told.name, told.previous, told.value);
        throw error instanceof ConfigError ? failed(spelling, error.message) : error;
      }
    }
  }

  #notify(name: OptionName, value: unknown, previous: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value, previous);
  }
}

function failed(spelling: string, reason: string): ConfigError {
  return new ConfigError(`ERR CONFIG SET failed (possibly related to argument '${spelling}') - ${reason}`);
}

/** One argument of CONFIG SET, or one environment variable, as words. Redis splits at every single space. */
export function wordsOf(option: Option<unknown>, text: string): string[] {
  if (!option.kind.takesWords) return [text];
  return text === '' ? [] : text.split(' ');
}

/** CONFIG SET replaces lists that add up in a file, but classes of clients it does not name keep their limits. */
function previousForSet(option: Option<unknown>, previous: unknown): unknown {
  return Array.isArray(previous) ? option.default : previous;
}
