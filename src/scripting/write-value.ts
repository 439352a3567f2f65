// A script's result as a reply, by Redis' conversion: numbers are cut to integers, true is 1, false and nil are nothing, a
// list ends at its first nil, and tables with certain fields are statuses, errors, and the types of RESP3.

import { toCString } from '../lua/arguments.ts';
import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';
import type { Reply, RespVersion } from '../protocol/reply.ts';
import { COUNTED } from './redis-library.ts';

/** So deep may tables nest: each level takes room on Redis' Lua stack (LUAI_MAXCSTACK). */
const MAX_DEPTH = 3_990;
const TOO_DEEP = 'ERR reached lua stack limit';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** `scriptResp` is what the script has asked for by `redis.setresp`: in 3 a boolean stays one. */
export function writeValue(reply: Reply, value: LuaValue, scriptResp: RespVersion): void {
  // What nearly all scripts return.
  if (typeof value === 'string') reply.text(value);
  else if (typeof value === 'number') writeInteger(reply, value);
  else new ValueWriter(reply, scriptResp).write(value, 0);
}

class ValueWriter {
  readonly #reply: Reply;
  readonly #scriptResp: RespVersion;

  constructor(reply: Reply, scriptResp: RespVersion) {
    this.#reply = reply;
    this.#scriptResp = scriptResp;
  }

  write(value: LuaValue, depth: number): void {
    const reply = this.#reply;
    if (typeof value === 'string') reply.text(value);
    else if (typeof value === 'number') writeInteger(reply, value);
    else if (typeof value === 'boolean') this.#boolean(value);
    else if (value instanceof LuaTable) this.#table(value, depth);
    else reply.null();
  }

  #boolean(value: boolean): void {
    if (this.#scriptResp === 3) this.#reply.boolean(value);
    else if (value) this.#reply.integer(1);
    else this.#reply.null();
  }

  #table(table: LuaTable, depth: number): void {
    const reply = this.#reply;
    if (depth >= MAX_DEPTH) return reply.error(TOO_DEEP);
    const failure = table.getString('err');
    if (typeof failure === 'string')
      return reply.error(oneLine(toCString(failure)), table.getString(COUNTED) === true);
    const status = table.getString('ok');
    if (typeof status === 'string') return reply.simple(oneLine(toCString(status)));
    const double = table.getString('double');
    if (typeof double === 'number') return reply.double(double);
    const map = table.getString('map');
    if (map instanceof LuaTable) return this.#map(map, depth);
    const set = table.getString('set');
    if (set instanceof LuaTable) return this.#set(set, depth);
    const digits = table.getString('big_number');
    if (typeof digits === 'string') return reply.bigNumber(oneLine(digits));
    const verbatim = table.getString('verbatim_string');
    if (verbatim instanceof LuaTable && this.#verbatim(verbatim)) return;
    this.#list(table, depth);
  }

  #verbatim(table: LuaTable): boolean {
    const text = table.getString('string');
    const format = table.getString('format');
    if (typeof text !== 'string' || typeof format !== 'string') return false;
    this.#reply.verbatim(text, toCString(format).padEnd(3).slice(0, 3));
    return true;
  }

  #map(map: LuaTable, depth: number): void {
    const entries = [...map.entries()];
    this.#reply.map(entries.length);
    for (const [key, value] of entries) {
      this.write(key, depth + 1);
      this.write(value, depth + 1);
    }
  }

  #set(set: LuaTable, depth: number): void {
    const entries = [...set.entries()];
    this.#reply.set(entries.length);
    for (const [member] of entries) this.write(member, depth + 1);
  }

  #list({ list }: LuaTable, depth: number): void {
    const hole = list.indexOf(undefined);
    const count = hole < 0 ? list.length : hole;
    this.#reply.array(count);
    for (let i = 0; i < count; i++) this.write(list[i], depth + 1);
  }
}

/** Cut as x86 casts a double to 64 bits. */
function writeInteger(reply: Reply, x: number): void {
  const whole = Math.trunc(x);
  if (Number.isSafeInteger(whole)) return reply.integer(whole + 0);
  const big = Number.isFinite(whole) ? BigInt(whole) : MIN_INT64;
  reply.int64(big >= MIN_INT64 && big <= MAX_INT64 ? big : MIN_INT64);
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');
