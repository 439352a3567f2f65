// A command's answer as a script sees it: the values of Redis' conversion, built as the handler writes them.
//
// In RESP2 (what scripts have until `redis.setresp(3)`) nothing is false, a status is a table with `ok`, a map is a list; in
// RESP3 nothing is nil, and what RESP2 has no type for is a table that names its type.

import { formatDouble } from '../bytes/double.ts';
import type { ByteView } from '../bytes/view.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';
import type { Reply, RespVersion } from '../protocol/reply.ts';

/** An aggregate that is being filled: a list, or pairs of key and value. */
interface Open {
  readonly table: LuaTable;
  readonly kind: 'list' | 'pairs' | 'members';
  filled: number;
  left: number;
  key: LuaValue;
}

export class LuaReply implements Reply {
  resp: RespVersion = 2;
  /** The text of the error that was replied. */
  failure: string | undefined = undefined;
  #value: LuaValue = undefined;
  readonly #open: Open[] = [];

  /** Forgets the last answer. */
  begin(): void {
    this.failure = undefined;
    this.#value = undefined;
    if (this.#open.length > 0) this.#open.length = 0;
  }

  /** The answer, if it is no error. */
  get value(): LuaValue {
    return this.#value;
  }

  /** An answer given before, given once more. */
  putAgain(value: LuaValue): undefined {
    this.#value = value;
  }

  #put(value: LuaValue): void {
    if (this.#open.length === 0) this.#value = value;
    else this.#add(value);
  }

  #add(value: LuaValue): void {
    const open = this.#open[this.#open.length - 1]!;
    // Where the list has holes, how long it is to Lua depends on how it was made.
    if (open.kind === 'list') open.table.setNumber(++open.filled, value);
    else if (open.kind === 'members') open.table.set(value, true);
    else if (open.left % 2 === 0) open.key = value;
    else open.table.set(open.key, value);
    open.left--;
    while (this.#open.length > 0 && this.#open[this.#open.length - 1]!.left === 0) this.#open.pop();
  }

  /** Puts `outer`, and lets the next `left` values fill `table`. */
  #begin(outer: LuaTable, table: LuaTable, kind: Open['kind'], left: number): void {
    this.#put(outer);
    if (left > 0) this.#open.push({ table, kind, filled: 0, left, key: undefined });
  }

  // --- one value

  ok(): void {
    this.simple('OK');
  }

  simple(text: string): void {
    this.#put(field('ok', text));
  }

  error(text: string): void {
    if (this.#open.length === 0) this.failure = text;
    else this.#add(field('err', text));
  }

  integer(n: number): void {
    this.#put(n);
  }

  int64(n: bigint): void {
    this.#put(Number(n));
  }

  bulk(view: ByteView): void {
    this.#put(view.toString());
  }

  text(text: string): void {
    this.#put(text);
  }

  null(): void {
    this.#put(this.resp === 3 ? undefined : false);
  }

  nullArray(): void {
    this.null();
  }

  boolean(value: boolean): void {
    if (this.resp === 3) this.#put(value);
    else this.#put(value ? 1 : 0);
  }

  double(x: number): void {
    this.#put(this.resp === 3 ? field('double', x) : formatDouble(x));
  }

  doubleText(digits: string): void {
    this.#put(this.resp === 3 ? field('double', Number(digits)) : digits);
  }

  verbatim(text: string, format = 'txt'): void {
    if (this.resp === 2) return this.#put(text);
    this.#put(field('verbatim_string', LuaTable.from({ format, string: text })));
  }

  bigNumber(digits: string): void {
    this.#put(this.resp === 3 ? field('big_number', digits) : digits);
  }

  // --- aggregates

  array(count: number): void {
    const table = new LuaTable();
    this.#begin(table, table, 'list', count);
  }

  map(pairs: number): void {
    if (this.resp === 2) return this.array(pairs * 2);
    const table = new LuaTable();
    this.#begin(field('map', table), table, 'pairs', pairs * 2);
  }

  set(count: number): void {
    if (this.resp === 2) return this.array(count);
    const table = new LuaTable();
    this.#begin(field('set', table), table, 'members', count);
  }

  push(count: number): void {
    this.array(count);
  }

  /** A script has no use for them: they fill a table that is not kept. */
  attribute(pairs: number): void {
    if (pairs > 0)
      this.#open.push({ table: new LuaTable(), kind: 'list', filled: 0, left: pairs * 2, key: undefined });
  }

  texts(values: readonly string[]): void {
    this.#put(new LuaTable([...values]));
  }

  simples(values: readonly string[]): void {
    this.#put(new LuaTable(values.map((value) => field('ok', value))));
  }
}

function field(name: string, value: LuaValue): LuaTable {
  const table = new LuaTable();
  table.setString(name, value);
  return table;
}
