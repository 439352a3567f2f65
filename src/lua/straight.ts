// Tells of a chunk with functions whether each of them ends by itself, and soon: then it need not be able to breathe.
//
// That is so if nothing turns back, all calls are of builtins that call nothing themselves or of the chunk's own functions,
// known by name, and these calls are few, even when followed all the way. A function cannot know itself or a later one by a
// name that is never assigned to; so nothing goes round in circles.

import type { Chunk, Expression, Local } from './ast.ts';

/** Builtins that call functions, and ways to reach functions, or metatables, that the text does not show. */
const CALLING_GLOBALS = [
  ...['_G', 'coroutine', 'load', 'loadstring', 'pcall', 'xpcall'],
  ...['setmetatable', 'getmetatable'],
];
const CALLING_FIELDS = ['gsub', 'sort', 'foreach', 'foreachi'];

const MAX_CALLS = 1_000;
/** Even what goes straight on takes its time if there is much of it. */
const MAX_BYTES = 20_000;

export function isStraightThroughout(chunk: Chunk, source: string): boolean {
  if (chunk.hasLoops || source.length > MAX_BYTES) return false;
  if (CALLING_GLOBALS.some((name) => chunk.globals.has(name))) return false;
  return new Calls().in(chunk.main.body) <= MAX_CALLS;
}

class Calls {
  /** How many calls one of a function's makes, by the function's name. */
  readonly #known = new Map<Local, number>();

  /** So many calls are in a part of the tree, infinitely many if one is of who knows what. */
  in(part: unknown): number {
    if (Array.isArray(part)) return part.reduce((sum: number, each) => sum + this.in(each), 0);
    if (typeof part !== 'object' || part === null) return 0;
    const node = part as Expression | { readonly kind: 'localFunction'; local: Local; body: unknown };
    if (node.kind === 'method') return Number.POSITIVE_INFINITY;
    if (node.kind === 'call') return 1 + this.#of(node.callee) + this.in(node.args);
    if (node.kind !== 'localFunction') return this.in(Object.values(part));
    const calls = this.in(node.body);
    if (!node.local.isAssigned) this.#known.set(node.local, calls);
    return calls;
  }

  #of(callee: Expression): number {
    if (callee.kind === 'local') return this.#known.get(callee.local) ?? Number.POSITIVE_INFINITY;
    if (callee.kind === 'global') return 0;
    const isOfLibrary =
      callee.kind === 'index' &&
      callee.object.kind === 'global' &&
      callee.key.kind === 'string' &&
      !CALLING_FIELDS.includes(callee.key.value);
    return isOfLibrary ? 0 : Number.POSITIVE_INFINITY;
  }
}
