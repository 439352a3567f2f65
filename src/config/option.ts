// What one option is. The sections in options/ are lists of these, and everything else (flags, files, environment,
// CONFIG, documentation) is derived from them.

import type { Kind } from './kinds.ts';

/**
 * implemented: does what Redis' directive of that name does, or is our own.
 * inert: accepted and reported, without an effect; nothing Redis promises is lost by that.
 * not provided: asking for it warns at start and is an error of CONFIG SET; it keeps its default.
 * refused: asking for it ends the start.
 */
export type Status = 'implemented' | 'inert' | 'not provided' | 'refused';

export interface Option<T> extends OptionTraits<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  readonly status: Status;
  /** One sentence for the documentation and `--help`. */
  readonly summary: string;
}

export interface OptionTraits<T> {
  readonly aliases?: readonly string[];
  /** CONFIG SET is refused. */
  readonly immutable?: true;
  /** CONFIG SET is refused unless enable-protected-configs allows it. */
  readonly protected?: true;
  /** Never shown in a message. */
  readonly sensitive?: true;
  /** A directive of files and flags that CONFIG does not know. */
  readonly fileOnly?: true;
  /** Ours; Redis has no such directive. */
  readonly own?: true;
  /** Shown in the documentation in place of a default that depends on where the server runs. */
  readonly defaultText?: string;
  /** Why this value cannot be had, if it cannot. */
  rejects?(value: T): string | undefined;
}

export const IMMUTABLE = { immutable: true } as const;

export function implemented<T>(
  kind: Kind<T>,
  defaultValue: NoInfer<T>,
  summary: string,
  traits: OptionTraits<T> = {},
): Option<T> {
  return { kind, default: defaultValue, status: 'implemented', summary, ...traits };
}

export function inert<T>(
  kind: Kind<T>,
  defaultValue: NoInfer<T>,
  summary: string,
  traits: OptionTraits<T> = {},
): Option<T> {
  return { kind, default: defaultValue, status: 'inert', summary, ...traits };
}

/** `rejects` says which values ask for what is missing. */
export function notProvided<T>(
  kind: Kind<T>,
  defaultValue: NoInfer<T>,
  summary: string,
  traits: OptionTraits<T> & Required<Pick<OptionTraits<T>, 'rejects'>>,
): Option<T> {
  return { kind, default: defaultValue, status: 'not provided', summary, ...traits };
}

/** `rejects` says which values end the start. */
export function refused<T>(
  kind: Kind<T>,
  defaultValue: NoInfer<T>,
  summary: string,
  traits: OptionTraits<T> & Required<Pick<OptionTraits<T>, 'rejects'>>,
): Option<T> {
  return { kind, default: defaultValue, status: 'refused', summary, ...traits };
}
