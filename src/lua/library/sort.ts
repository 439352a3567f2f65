// `table.sort`: a quicksort that compares and exchanges the very elements that Lua 5.1 does.
//
// Scripts see which: by the calls of their order function, by where equal elements end up, and by what becomes of the list
// when the order contradicts itself. Such an order ends in an error, in a list that is not sorted, or (if it means it) in
// comparing for ever, as in Redis; each comparison costs fuel, so that the watchdog sees it.

import { checkWritable } from '../arguments.ts';
import { Operators } from '../operators.ts';
import { NO_SITE } from '../site.ts';
import { first, type LuaState } from '../state.ts';
import type { LuaTable } from '../table.ts';
import { isTrue, type LuaFunction, type LuaResult, type LuaValue, NOTHING, type Signal } from '../value.ts';

type Steps<T> = Generator<Signal, T, LuaValue[]>;

/** Sorts the list of `table`; without an order by Lua's `<`. */
export function sort(state: LuaState, table: LuaTable, order: LuaFunction | undefined): LuaResult {
  if (order === undefined && sortAlike(state, table)) return NOTHING;
  return new Sorting(state, table, order).run();
}

/**
 * Sorts a list of nothing but numbers, or nothing but strings. There equal elements are the same, so any way of sorting
 * gives the same; but not with NaN, which has no order, and zeros of different sign, which are equal and yet differ.
 */
function sortAlike(state: LuaState, table: LuaTable): boolean {
  const { list, length } = table;
  if (table.isReadonly || length === 0) return length === 0;
  const type = typeof list[0];
  if (type !== 'number' && type !== 'string') return false;
  for (let i = 0; i < length; i++) {
    const value = list[i];
    if (typeof value !== type || Number.isNaN(value) || Object.is(value, -0)) return false;
  }
  state.spend(length);
  const part = list.slice(0, length);
  const sorted = type === 'number' ? Float64Array.from(part as number[]).sort() : (part as string[]).sort();
  for (let i = 0; i < length; i++) list[i] = sorted[i];
  return true;
}

class Sorting {
  readonly #state: LuaState;
  readonly #operators: Operators;
  readonly #table: LuaTable;
  readonly #order: LuaFunction | undefined;

  constructor(state: LuaState, table: LuaTable, order: LuaFunction | undefined) {
    this.#state = state;
    this.#operators = new Operators(state);
    this.#table = table;
    this.#order = order;
  }

  *run(): Steps<LuaResult> {
    yield* this.#sort(1, this.#table.length);
    return NOTHING;
  }

  /** Sorts from `low` to `high`. Only the smaller part is left to a call, so that these do not go deep. */
  *#sort(low: number, high: number): Steps<void> {
    let from = low;
    let to = high;
    while (from < to) {
      const middle = (from + to) >>> 1;
      yield* this.#exchangeIfLess(to, from);
      if (to - from === 1) return;
      if (!(yield* this.#exchangeIfLess(middle, from))) yield* this.#exchangeIfLess(to, middle);
      if (to - from === 2) return;
      const pivot = yield* this.#partition(from, to, middle);
      if (pivot - from < to - pivot) {
        yield* this.#sort(from, pivot - 1);
        from = pivot + 1;
      } else {
        yield* this.#sort(pivot + 1, to);
        to = pivot - 1;
      }
    }
  }

  /** Brings what is less than the element at `middle` before it and what is greater behind it; returns where it came. */
  *#partition(from: number, to: number, middle: number): Steps<number> {
    const pivot = this.#at(middle);
    this.#exchange(middle, to - 1);
    let left = from;
    let right = to - 1;
    for (;;) {
      while (yield* this.#isLess(this.#at(++left), pivot)) if (left > to) throw this.#invalidOrder();
      while (yield* this.#isLess(pivot, this.#at(--right))) if (right < from) throw this.#invalidOrder();
      if (right < left) break;
      this.#exchange(left, right);
    }
    this.#exchange(to - 1, left);
    return left;
  }

  *#exchangeIfLess(i: number, j: number): Steps<boolean> {
    const isLess = yield* this.#isLess(this.#at(i), this.#at(j));
    if (isLess) this.#exchange(i, j);
    return isLess;
  }

  *#isLess(a: LuaValue, b: LuaValue): Steps<boolean> {
    const state = this.#state;
    if (--state.effort < 0) state.tire();
    if (this.#order !== undefined) return isTrue(first(yield* state.callBack(this.#order, [a, b])));
    const { at } = state;
    const answer = first(yield* state.settled(this.#operators.lessThan(a, b, NO_SITE)));
    state.at = at;
    return isTrue(answer);
  }

  #at(i: number): LuaValue {
    return this.#table.getNumber(i);
  }

  #exchange(i: number, j: number): void {
    checkWritable(this.#state, this.#table);
    const value = this.#at(i);
    this.#table.setNumber(i, this.#at(j));
    this.#table.setNumber(j, value);
  }

  #invalidOrder() {
    return this.#state.error('invalid order function for sorting');
  }
}
