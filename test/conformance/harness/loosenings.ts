// The named ways in which a reply may differ from redis-server's and still count as equal.
//
// Each turns a reply into a form from which everything allowed to vary is gone (elements sorted, a number in its range
// replaced by the range), and equal forms are equal replies. Recordings hold that form, so recording twice
// gives the same file. A reply that breaks the loosening's own rule has no form and equals nothing.

import { encodeFrame, type Frame, frameOf } from '../../support/resp-frame.ts';

export interface Loosening {
  /** How the line shows it in recordings and failures. */
  readonly label: string;
  /** The comparable form of a reply, or undefined when the reply is outside of what the loosening allows. */
  readonly form: (raw: string) => string | undefined;
}

/** Where in nested arrays: [1, 0] is the first element of the second element. */
export type Path = readonly number[];

const at = (path: Path) => (path.length > 0 ? ` at ${path.join('.')}` : '');

/** The elements of an array or set in any order. */
export const unorderedElements = (path: Path): Loosening => ({
  label: `in any order${at(path)}`,
  form: onFrame(path, (frame) => sortChildren(frame, 1)),
});

/** The pairs of a map, or of RESP2's flat array of keys and values, in any order. */
export const unorderedPairs = (path: Path): Loosening => ({
  label: `pairs in any order${at(path)}`,
  form: onFrame(path, (frame) => sortChildren(frame, frame.kind === '%' || !isListOfLists(frame) ? 2 : 1)),
});

/** A number from `low` to `high`, both included. */
export const range = (low: number, high: number, path: Path): Loosening => ({
  label: `${low} to ${high}${at(path)}`,
  form: onFrame(path, ({ kind, text }) => {
    const value = Number(text);
    return text !== undefined && value >= low && value <= high
      ? { kind, text: `(${low} to ${high})` }
      : undefined;
  }),
});

/** An error whose first word counts, and not its sentence. */
export const errorCodeOnly: Loosening = {
  label: 'error code only',
  form: onFrame([], ({ kind, text = '' }) =>
    kind === '-' ? { kind, text: `${text.split(' ')[0]} ...` } : undefined,
  ),
};

/** Of a map, or of RESP2's flat array of keys and values, only the named fields; all of them must be there. */
export const onlyFields = (names: readonly string[]): Loosening => ({
  label: `fields ${names.join(', ')}`,
  form: onFrame([], ({ kind, children = [] }) => {
    const kept: Frame[] = [];
    for (const name of names) {
      const index = children.findIndex((child, i) => i % 2 === 0 && child.text === name);
      const pair = index === -1 ? [] : children.slice(index, index + 2);
      if (pair.length !== 2) return undefined;
      kept.push(...pair);
    }
    return { kind, children: kept };
  }),
});

/** The types and the nesting, and no value. */
export const shapeOnly: Loosening = { label: 'shape only', form: onFrame([], shape) };

/** A reply whose text (elements joined by spaces) matches. */
export const matchingText = (pattern: RegExp): Loosening => ({
  label: `matching ${pattern}`,
  form: onFrame([], (frame) =>
    pattern.test(flatText(frame)) ? { kind: frame.kind, text: `(${pattern})` } : undefined,
  ),
});

/** A reply that is read and not looked at. */
export const notCompared: Loosening = { label: 'not compared', form: () => '' };

/** Applies `change` to the part of a reply that `path` leads to; the connection's end is no frame and has no form. */
function onFrame(path: Path, change: (frame: Frame) => Frame | undefined): Loosening['form'] {
  const changeAt = (frame: Frame, depth: number): Frame | undefined => {
    const index = path[depth];
    if (index === undefined) return change(frame);
    const child = frame.children?.[index];
    const changed = child && changeAt(child, depth + 1);
    return changed && { kind: frame.kind, children: frame.children?.with(index, changed) ?? [] };
  };
  return (raw) => {
    if (raw === '(closed)') return undefined;
    const changed = changeAt(frameOf(raw), 0);
    return changed && encodeFrame(changed);
  };
}

function sortChildren({ kind, children }: Frame, groupSize: number): Frame | undefined {
  if (children === undefined) return undefined;
  const groups: { readonly members: readonly Frame[]; readonly sortKey: string }[] = [];
  for (let i = 0; i < children.length; i += groupSize) {
    const members = children.slice(i, i + groupSize);
    groups.push({ members, sortKey: members.map(encodeFrame).join('') });
  }
  // Not localeCompare: the order of bytes is the same on every machine.
  groups.sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0));
  return { kind, children: groups.flatMap(({ members }) => members) };
}

function isListOfLists({ children = [] }: Frame): boolean {
  return children.length > 0 && children.every((child) => child.children !== undefined);
}

function shape({ kind, text, children }: Frame): Frame {
  if (children !== undefined) return { kind, children: children.map(shape) };
  return text === undefined || kind === '_' ? { kind, text: 'nil' } : { kind, text: '...' };
}

function flatText({ text = '', children }: Frame): string {
  return children === undefined ? text : children.map(flatText).join(' ');
}
