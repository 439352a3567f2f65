// What a script's result is as a reply: which of a table's fields make it a status, an error or another type, and the order
// in which tables in tables are gone through.
//
// Guarantees: the walk takes none of JavaScript's stack, for Redis lets tables be deeper than that; it ends as deep as Redis'.

import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';

type Shape =
  | { readonly kind: 'err' | 'ok' | 'big_number'; readonly text: string }
  | { readonly kind: 'double'; readonly number: number }
  | { readonly kind: 'verbatim_string'; readonly text: string; readonly format: string }
  | Contents;

interface Contents {
  /** The values of a map are key, value, key, value … */
  readonly kind: 'list' | 'map' | 'set';
  readonly values: readonly LuaValue[];
  readonly count: number;
}

/** What Redis' Lua stack holds at most, what it holds beneath the result, and what it must have room for at each value. */
const MAX_SLOTS = 8000;
const RESULT_SLOTS = 2;
const VALUE_SLOTS = 4;
/** What it holds more for a value within a table: the key of a map is there twice. */
const SLOTS = { list: [1, 1], map: [4, 3], set: [3, 3] } as const;

/** The first of these fields that is of the right type decides. */
export function shapeOf(table: LuaTable): Shape {
  for (const kind of ['err', 'ok'] as const) {
    const text = table.getString(kind);
    if (typeof text === 'string') return { kind, text };
  }
  const number = table.getString('double');
  if (typeof number === 'number') return { kind: 'double', number };
  const map = table.getString('map');
  if (map instanceof LuaTable) return contents('map', [...map.entries()].flat());
  const set = table.getString('set');
  if (set instanceof LuaTable)
    return contents(
      'set',
      [...set.entries()].map(([member]) => member),
    );
  const digits = table.getString('big_number');
  if (typeof digits === 'string') return { kind: 'big_number', text: digits };
  return verbatimIn(table.getString('verbatim_string')) ?? listIn(table);
}

function contents(kind: Contents['kind'], values: readonly LuaValue[]): Contents {
  return { kind, values, count: values.length };
}

function verbatimIn(field: LuaValue): Shape | undefined {
  if (!(field instanceof LuaTable)) return undefined;
  const text = field.getString('string');
  const format = field.getString('format');
  if (typeof text !== 'string' || typeof format !== 'string') return undefined;
  return { kind: 'verbatim_string', text, format };
}

function listIn({ list }: LuaTable): Contents {
  const hole = list.indexOf(undefined);
  return { kind: 'list', values: list, count: hole < 0 ? list.length : hole };
}

/** Goes from value to value of a result, outer ones first. */
export class ResultWalk {
  /** The value that has been come to. */
  value: LuaValue;
  #slots = RESULT_SLOTS;
  readonly #open: { readonly contents: Contents; readonly slots: number; next: number }[] = [];

  constructor(result: LuaValue) {
    this.value = result;
  }

  /** Redis would have no room for the value. */
  get isTooDeep(): boolean {
    return this.#slots + VALUE_SLOTS > MAX_SLOTS;
  }

  /** The value is a table, in which the walk goes on. */
  enter(within: Contents): void {
    this.#open.push({ contents: within, slots: this.#slots, next: 0 });
  }

  /** Comes to the next value. False: there is none. */
  step(): boolean {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      const { contents: within, next, slots } = open;
      if (next < within.count) {
        this.#slots = slots + SLOTS[within.kind][next % 2]!;
        this.value = within.values[next];
        open.next++;
        return true;
      }
      this.#open.pop();
    }
    return false;
  }
}
