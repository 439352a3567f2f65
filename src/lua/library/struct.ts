// The `struct` library: values to and from the layout of C structures, as a format tells.
//
// Sizes and alignment are those of x86-64. Guarantees: nothing outside the data is read, whatever the format, and what
// is made is refused beyond the state's limit. Integers wider than 8 bytes keep C's quirks: their value is in 8 of them.

import {
  type Args,
  checkInteger,
  checkNumber,
  checkText,
  isAbsent,
  MAX_STACK_VALUES,
  toNumber,
} from '../arguments.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaResult, type LuaValue, several } from '../value.ts';
import {
  bytesOfDouble,
  bytesOfFloat,
  castToInt64,
  doubleAt,
  floatAt,
  highHalf,
  lowHalf,
  reversed,
  signedOf,
  unsignedOf,
} from './binary.ts';

/** An `int` holds no more. */
const MAX_INT = 2 ** 31 - 1;
const MAX_INTEGER_BYTES = 32;
const MAX_ALIGNMENT_BYTES = 8;

const INTEGERS = 'bBhHlLTiI';
const FIXED_BYTES: Readonly<Record<string, number>> = {
  ...{ b: 1, B: 1, h: 2, H: 2, l: 8, L: 8, T: 8 },
  ...{ f: 4, d: 8, x: 1 },
};

/** Walks a format: the option at hand, its size, and how it is to be laid out. */
class Format {
  option = '';
  /** Bytes that the option takes; 0 where its value decides, or where it takes none. */
  size = 0;
  isBigEndian = false;
  readonly #state: LuaState;
  readonly #text: string;
  #alignment = 1;
  #at = 0;

  constructor(state: LuaState, text: string) {
    this.#state = state;
    this.#text = text;
  }

  /** Goes to the next option. Like a C string, a format ends at a zero byte. */
  next(): boolean {
    const option = this.#text[this.#at];
    if (option === undefined || option === '\0') return false;
    this.#at++;
    this.option = option;
    this.size = this.#sizeOf(option);
    return true;
  }

  #sizeOf(option: string): number {
    if (option === 'c') return this.#number(1);
    if (option !== 'i' && option !== 'I') return FIXED_BYTES[option] ?? 0;
    const size = this.#number(4);
    if (size <= MAX_INTEGER_BYTES) return size;
    throw this.#state.error(`integral size ${size} is larger than limit of ${MAX_INTEGER_BYTES}`);
  }

  /** The number that stands next, else `absent`. */
  #number(absent: number): number {
    const start = this.#at;
    let number = 0;
    let char = this.#text.charCodeAt(start);
    while (char >= 0x30 && char <= 0x39) {
      number = number * 10 + char - 0x30;
      if (number > MAX_INT) throw this.#state.error('integral size overflow');
      char = this.#text.charCodeAt(++this.#at);
    }
    return this.#at === start ? absent : number;
  }

  /** Bytes to leave out at this position, so that the option is aligned. */
  padding(position: number): number {
    if (this.size === 0 || this.option === 'c') return 0;
    const unit = Math.min(this.size, this.#alignment);
    return (unit - (position & (unit - 1))) & (unit - 1);
  }

  get isInteger(): boolean {
    return INTEGERS.includes(this.option);
  }

  get isSigned(): boolean {
    return this.option >= 'a';
  }

  /** Obeys an option that stands for no value. */
  control(): void {
    const { option } = this;
    if (option === '<' || option === '>') this.isBigEndian = option === '>';
    else if (option === '!') {
      this.#alignment = this.#number(MAX_ALIGNMENT_BYTES);
      if (this.#alignment > 0 && (this.#alignment & (this.#alignment - 1)) === 0) return;
      throw this.#state.error(`alignment ${this.#alignment} is not a power of 2`);
    } else if (option !== ' ') throw this.#state.argumentError(1, `invalid format option '${option}'`);
  }

  /** Bytes that have the highest first, in this format's order. */
  ordered(bytes: string): string {
    return this.isBigEndian ? bytes : reversed(bytes);
  }
}

function pack(state: LuaState, args: Args): string {
  const format = new Format(state, checkText(state, args, 0));
  let out = '';
  let index = 1;
  while (format.next()) {
    if (--state.effort < 0) state.tire();
    out += '\0'.repeat(format.padding(out.length));
    if (format.isInteger) out += packInteger(format, packedNumber(state, args, index++));
    else if (format.option === 'f') out += format.ordered(bytesOfFloat(packedNumber(state, args, index++)));
    else if (format.option === 'd') out += format.ordered(bytesOfDouble(packedNumber(state, args, index++)));
    else if (format.option === 'c' || format.option === 's') out += packText(state, format, args, index++);
    else if (format.option === 'x') out += '\0';
    else format.control();
    state.checkLength(out.length);
  }
  return out;
}

/** Past the last argument stands a nil, says the original. */
function withNil(args: Args, index: number): Args {
  return index < args.length ? args : [...args, undefined];
}

function packedNumber(state: LuaState, args: Args, index: number): number {
  return checkNumber(state, withNil(args, index), index);
}

function packInteger(format: Format, x: number): string {
  const whole = castToInt64(x);
  let high = highHalf(whole);
  let low = lowHalf(whole);
  let bytes = '';
  for (let i = 0; i < format.size; i++) {
    bytes += String.fromCharCode(low & 0xff);
    low = (low >>> 8) | (high << 24);
    high >>>= 8;
  }
  return format.isBigEndian ? reversed(bytes) : bytes;
}

function packText(state: LuaState, format: Format, args: Args, index: number): string {
  const text = checkText(state, withNil(args, index), index);
  if (text.length < format.size) throw state.argumentError(index + 2, 'string too short');
  if (format.option === 's') return `${text}\0`;
  return format.size === 0 ? text : text.slice(0, format.size);
}

/** Takes values out of data, one by one. */
class Unpacker {
  readonly values: LuaValue[] = [];
  /** Counts from 0. */
  position: number;
  readonly #state: LuaState;
  readonly #format: Format;
  readonly #data: string;

  constructor(state: LuaState, format: Format, data: string, position: number) {
    this.#state = state;
    this.#format = format;
    this.#data = data;
    this.position = position;
  }

  /** The option that the format is at. No more than `room` values may have come before it. */
  step(room: number): void {
    const format = this.#format;
    this.position += format.padding(this.position);
    this.#need(format.size);
    if (this.values.length > room) throw this.#state.error('stack overflow (too many results)');
    let { size } = format;
    if (format.isInteger) this.values.push(this.#integer());
    else if (format.option === 'f') this.values.push(floatAt(this.#ordered(), 0));
    else if (format.option === 'd') this.values.push(doubleAt(this.#ordered(), 0));
    else if (format.option === 'c') size = this.#fixedText();
    else if (format.option === 's') size = this.#terminatedText();
    else if (format.option !== 'x') format.control();
    this.position += size;
  }

  #need(bytes: number): void {
    if (this.position >= 0 && this.position <= this.#data.length - bytes) return;
    throw this.#state.argumentError(2, 'data string too short');
  }

  #ordered(): string {
    return this.#format.ordered(this.#data.slice(this.position, this.position + this.#format.size));
  }

  #integer(): number {
    const { size, isBigEndian, isSigned } = this.#format;
    const lowest = isBigEndian ? this.position + size - 1 : this.position;
    const step = isBigEndian ? -1 : 1;
    let high = 0;
    let low = 0;
    for (let i = Math.min(size, 8) - 1; i >= 0; i--) {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | this.#data.charCodeAt(lowest + i * step);
    }
    if (!isSigned) return unsignedOf(high, low);
    // The sign bit and all above it; a machine shifts modulo 64, so with more than 8 bytes this starts anywhere.
    const signAt = (size * 8 - 1) & 63;
    const highMask = signAt < 32 ? -1 : -1 << (signAt - 32);
    const lowMask = signAt < 32 ? -1 << signAt : 0;
    const isNegative = ((high & highMask) | (low & lowMask)) !== 0;
    return isNegative ? signedOf(high | highMask, low | lowMask) : signedOf(high, low);
  }

  /** As long as the format says, or as the value before it, which is used up. */
  #fixedText(): number {
    let { size } = this.#format;
    if (size === 0) {
      const previous = toNumber(this.values.at(-1));
      if (previous === undefined) throw this.#state.error("format 'c0' needs a previous size");
      this.values.pop();
      size = castToInt64(previous);
      this.#need(size < 0 ? Number.POSITIVE_INFINITY : size);
    }
    this.values.push(this.#data.slice(this.position, this.position + size));
    return size;
  }

  #terminatedText(): number {
    const end = this.#data.indexOf('\0', this.position);
    if (end < 0) throw this.#state.error('unfinished string in data');
    this.values.push(this.#data.slice(this.position, end));
    return end + 1 - this.position;
  }
}

function unpack(state: LuaState, args: Args): LuaResult {
  const format = new Format(state, checkText(state, args, 0));
  const data = checkText(state, args, 1);
  const offset = isAbsent(args, 2) ? 1 : checkInteger(state, args, 2);
  if (offset === 0) throw state.argumentError(3, 'offset must be 1 or greater');
  const unpacker = new Unpacker(state, format, data, offset - 1);
  const room = MAX_STACK_VALUES - args.length - 2;
  while (format.next()) {
    if (--state.effort < 0) state.tire();
    unpacker.step(room);
  }
  return several([...unpacker.values, unpacker.position + 1]);
}

function size(state: LuaState, args: Args): number {
  const format = new Format(state, checkText(state, args, 0));
  let position = 0;
  while (format.next()) {
    if (--state.effort < 0) state.tire();
    position += format.padding(position) + format.size;
    if (format.option === 's') throw state.argumentError(1, "option 's' has no fixed size");
    if (format.option === 'c' && format.size === 0)
      throw state.argumentError(1, "option 'c0' has no fixed size");
    if (!/[0-9A-Za-z]/.test(format.option)) format.control();
  }
  return position;
}

export function structLibrary(state: LuaState): LuaTable {
  return LuaTable.from({
    pack: (...args) => pack(state, args),
    unpack: (...args) => unpack(state, args),
    size: (...args) => size(state, args),
  });
}
