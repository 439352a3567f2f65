// `string.format`: C's printf, for the conversions that Lua 5.1 lets through.
//
// A format is taken apart once and remembered, for most are constants. What is wrong with it is told only when its turn
// comes, as the arguments before it are looked at first. Where Lua hands text to C, it ends at its first zero byte.

import { type Args, checkNumber, checkText } from './arguments.ts';
import { formatExponential, formatFixed, formatGeneral, formatNonFinite, isNegative } from './number.ts';
import { inPieces } from './pieces.ts';
import type { LuaState } from './state.ts';

/** Some literal text, and the conversion after it. */
interface Part {
  readonly before: string;
  /** Its letter; empty at the end of the format. */
  readonly conversion: string;
  readonly flags: string;
  readonly width: number;
  /** -1 if it is not given. */
  readonly precision: number;
}

/** A conversion in which the whole format fails. */
class BrokenPart {
  readonly before: string;
  readonly message: string;

  constructor(before: string, message: string) {
    this.before = before;
    this.message = message;
  }
}

const MAX_FLAGS = 5;
/** From this length on a string is not given to C, unless it may have to be cut. */
const LONG_TEXT_BYTES = 100;
const DEFAULT_PRECISION = 6;
const CONVERSIONS = 'cdiouxXeEfgGqs';

const MAX_REMEMBERED = 500;
const MAX_REMEMBERED_LENGTH = 200;
const remembered = new Map<string, readonly (Part | BrokenPart)[]>();

/** `args[0]` is the format, and the others are what it speaks of. */
export function format(state: LuaState, args: Args): string {
  let out = '';
  let index = 0;
  for (const part of partsOf(checkText(state, args, 0))) {
    out += part.before;
    const isLast = !(part instanceof BrokenPart) && part.conversion === '';
    if (!isLast) {
      if (++index >= args.length) throw state.argumentError(index + 1, 'no value');
      if (part instanceof BrokenPart) throw state.error(part.message);
      out += convert(state, args, index, part);
    }
    state.checkLength(out.length);
  }
  state.claim(out.length);
  return out;
}

function partsOf(text: string): readonly (Part | BrokenPart)[] {
  let parts = remembered.get(text);
  if (parts !== undefined) return parts;
  parts = parse(text);
  if (text.length <= MAX_REMEMBERED_LENGTH) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(text, parts);
  }
  return parts;
}

// --- the format

function parse(text: string): (Part | BrokenPart)[] {
  const parts: (Part | BrokenPart)[] = [];
  let before = '';
  let at = 0;
  for (;;) {
    const percent = text.indexOf('%', at);
    if (percent < 0) break;
    before += text.slice(at, percent);
    if (text[percent + 1] === '%') {
      before += '%';
      at = percent + 2;
      continue;
    }
    const [part, end] = parseConversion(text, percent + 1, before);
    parts.push(part);
    if (part instanceof BrokenPart) return parts;
    before = '';
    at = end;
  }
  const end = { before: before + text.slice(at), conversion: '', flags: '', width: 0, precision: -1 };
  return [...parts, end];
}

/** The conversion, and where it ends. */
function parseConversion(text: string, start: number, before: string): [Part | BrokenPart, number] {
  let at = start;
  while (at < text.length && '-+ #0'.includes(text.charAt(at))) at++;
  const flags = text.slice(start, at);
  if (flags.length > MAX_FLAGS) return [new BrokenPart(before, 'invalid format (repeated flags)'), at];
  const width = twoDigits(text, at);
  at += width.length;
  let precision = -1;
  if (text[at] === '.') {
    const digits = twoDigits(text, at + 1);
    precision = Number(digits);
    at += 1 + digits.length;
  }
  if (isDigit(text.charAt(at)))
    return [new BrokenPart(before, 'invalid format (width or precision too long)'), at];
  const conversion = text.charAt(at);
  if (conversion === '' || !CONVERSIONS.includes(conversion)) {
    const shown = conversion === '\0' ? '' : conversion;
    return [new BrokenPart(before, `invalid option '%${shown}' to 'format'`), at];
  }
  return [{ before, conversion, flags, width: Number(width), precision }, at + 1];
}

const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;

/** At most two. */
function twoDigits(text: string, at: number): string {
  if (!isDigit(text.charAt(at))) return '';
  return text.slice(at, at + (isDigit(text.charAt(at + 1)) ? 2 : 1));
}

// --- the arguments

function convert(state: LuaState, args: Args, index: number, part: Part): string {
  switch (part.conversion) {
    case 's':
      return convertText(checkText(state, args, index), part);
    case 'q':
      return quote(state, checkText(state, args, index));
    case 'c':
      return convertByte(checkNumber(state, args, index), part);
    case 'd':
    case 'i':
      return convertSigned(checkNumber(state, args, index), part);
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return convertUnsigned(checkNumber(state, args, index), part);
    default:
      return convertFloat(checkNumber(state, args, index), part);
  }
}

function convertText(text: string, part: Part): string {
  if (part.precision < 0 && text.length >= LONG_TEXT_BYTES) return text;
  const known = upToZero(text);
  return pad('', part.precision < 0 ? known : known.slice(0, part.precision), part, false);
}

function upToZero(text: string): string {
  const zero = text.indexOf('\0');
  return zero < 0 ? text : text.slice(0, zero);
}

/** As a string that Lua reads back. */
function quote(state: LuaState, text: string): string {
  const escaped = (char: string): string => {
    if (char === '\r') return '\\r';
    return char === '\0' ? '\\000' : `\\${char}`;
  };
  return `"${inPieces(state, text, (piece) => piece.replace(/["\\\n\r\0]/g, escaped))}"`;
}

function convertByte(x: number, part: Part): string {
  const whole = Math.trunc(x);
  const isInt = whole >= -(2 ** 31) && whole < 2 ** 31; // what is none becomes the least there is, whose last byte is 0
  return upToZero(pad('', String.fromCharCode(isInt ? whole & 0xff : 0), part, false));
}

/** Up to here digits of a double are those of its integer. */
const isPlainInteger = (whole: number): boolean => Math.abs(whole) <= Number.MAX_SAFE_INTEGER;
const MIN_INT64 = -(2n ** 63n);

function convertSigned(x: number, part: Part): string {
  const whole = Math.trunc(x);
  const digits = isPlainInteger(whole) ? String(Math.abs(whole)) : largeSize(whole);
  // What no 64-bit integer holds, NaN among it, becomes the least there is.
  const isBelowZero = whole < 0 || !(whole < 2 ** 63);
  return convertInteger(signOf(isBelowZero, part), digits, part);
}

function largeSize(whole: number): string {
  const isInt64 = Math.abs(whole) < 2 ** 63;
  return String(isInt64 ? BigInt(Math.abs(whole)) : -MIN_INT64);
}

function signOf(isBelowZero: boolean, { flags }: Part): string {
  if (isBelowZero) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

const RADIX: Readonly<Record<string, number>> = { o: 8, u: 10, x: 16, X: 16 };

function convertUnsigned(x: number, part: Part): string {
  const { conversion, flags, precision } = part;
  const value = toUint64(Math.trunc(x));
  const lower = value.toString(RADIX[conversion]);
  const digits = conversion === 'X' ? lower.toUpperCase() : lower;
  if (!flags.includes('#') || conversion === 'u') return convertInteger('', digits, part);
  if (conversion !== 'o') return convertInteger(value > 0 ? `0${conversion}` : '', digits, part);
  return convertInteger('', digits, part, digits.length >= precision ? '0' : '');
}

/** As x86 converts a double to `unsigned long`. */
function toUint64(whole: number): number | bigint {
  if (whole >= 0 && whole < 2 ** 53) return whole;
  if (whole >= 2 ** 64) return 0;
  if (whole >= -(2 ** 63)) return BigInt.asUintN(64, BigInt(whole));
  return -MIN_INT64;
}

/** `leadingZero` is there if nothing else puts a zero first. */
function convertInteger(prefix: string, digits: string, part: Part, leadingZero = ''): string {
  const known = digits === '0' && (part.precision === 0 || leadingZero !== '') ? '' : digits;
  const body = (leadingZero + known).padStart(part.precision, '0');
  return pad(prefix, body, part, part.precision < 0);
}

function convertFloat(x: number, part: Part): string {
  const hasDigits = Number.isFinite(x);
  const lower = hasDigits ? finiteDigits(Math.abs(x), part) : formatNonFinite(x).replace('-', '');
  const text = part.conversion < 'a' ? lower.toUpperCase() : lower;
  const isBelowZero = isNegative(x) || Number.isNaN(x); // as number.ts has it
  return pad(signOf(isBelowZero, part), text, part, hasDigits);
}

function finiteDigits(size: number, { conversion, flags, precision: given }: Part): string {
  const precision = given < 0 ? DEFAULT_PRECISION : given;
  const isAlternate = flags.includes('#');
  if (conversion === 'f') return formatFixed(size, precision, isAlternate);
  if (conversion === 'e' || conversion === 'E') return formatExponential(size, precision, isAlternate);
  return formatGeneral(size, precision, isAlternate);
}

/** To the width of the conversion: by zeros after the prefix, if they are allowed and asked for, or by spaces. */
function pad(prefix: string, body: string, { flags, width }: Part, allowsZeros: boolean): string {
  const missing = width - prefix.length - body.length;
  if (missing <= 0) return prefix + body;
  if (flags.includes('-')) return prefix + body + ' '.repeat(missing);
  if (allowsZeros && flags.includes('0')) return prefix + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + prefix + body;
}
