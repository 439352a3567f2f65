// Floating point as Redis does it: the text of doubles, and the 80-bit arithmetic of INCRBYFLOAT.
//
// INCRBYFLOAT adds C `long double`s (on x86: 64 bits of mantissa) and prints 17 decimals, which is why 0.1 + 0.2 is
// 0.3 there. JavaScript has no such type, so a value here is an exact integer times a power of two, rounded to the
// format's precision, half to even, after parsing and after each addition. Results equal Redis' in every digit.

/** `mantissa × 2^exponent`, exactly; an infinity is ±1 with exponent Infinity. */
export type LongDouble = { readonly mantissa: bigint; readonly exponent: number };

type Format = { readonly precision: number; readonly minExponent: number; readonly maxExponent: number };

/** Values are below 2^maxExponent and are multiples of 2^minExponent. */
const DOUBLE: Format = { precision: 53, minExponent: -1074, maxExponent: 1024 };
const LONG_DOUBLE: Format = { precision: 64, minExponent: -16445, maxExponent: 16384 };

/** The largest finite value, C's LDBL_MAX. */
export const LONG_DOUBLE_MAX: LongDouble = { mantissa: 2n ** 64n - 1n, exponent: 16384 - 64 };

/** Redis parses a long double in a buffer of this size, its end marker included. */
const LONG_DOUBLE_TEXT_BYTES = 5 * 1024;

const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const HEXADECIMAL = /^([+-]?)0x(?=\.?[\da-f])([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** Parses what C's strtold takes, but no leading space, no NaN, and nothing that overflows or vanishes. */
export function parseLongDouble(text: string): LongDouble | undefined {
  return text.length < LONG_DOUBLE_TEXT_BYTES ? parse(text, LONG_DOUBLE) : undefined;
}

/** The same for a double (a sorted set's score, a timeout). Redis has no limit to its length; we keep that one. */
export function parseDouble(text: string): number | undefined {
  if (text.length >= LONG_DOUBLE_TEXT_BYTES) return undefined;
  if (!DECIMAL.test(text)) return toDouble(parse(text, DOUBLE), text);
  const x = Number(text);
  const vanished = x === 0 && /^[^e]*[1-9]/i.test(text);
  return Number.isFinite(x) && !vanished ? x : undefined;
}

function toDouble(value: LongDouble | undefined, text: string): number | undefined {
  if (value === undefined) return undefined;
  if (value.mantissa === 0n) return text.startsWith('-') ? -0 : 0;
  return Number(value.mantissa) * 2 ** value.exponent;
}

/** The sum, or undefined where it would be NaN or an infinity. */
export function addLongDoubles(a: LongDouble, b: LongDouble): LongDouble | undefined {
  const exponent = Math.min(a.exponent, b.exponent);
  if (!Number.isFinite(Math.max(a.exponent, b.exponent))) return undefined;
  const sum = shift(a.mantissa, a.exponent - exponent) + shift(b.mantissa, b.exponent - exponent);
  const rounded = round(sum, 1n, exponent, LONG_DOUBLE);
  return Number.isFinite(rounded.exponent) ? rounded : undefined;
}

/** Negative, zero or positive, as `a` is below, equal to or above `b`. */
export function compareLongDoubles(a: LongDouble, b: LongDouble): number {
  const infinities = infiniteSign(a) - infiniteSign(b);
  if (infinities !== 0 || a.exponent === Infinity) return infinities;
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = shift(a.mantissa, a.exponent - exponent) - shift(b.mantissa, b.exponent - exponent);
  return difference < 0n ? -1 : Number(difference > 0n);
}

export function negateLongDouble({ mantissa, exponent }: LongDouble): LongDouble {
  return { mantissa: -mantissa, exponent };
}

/** Redis' form for people: never an exponent, at most 17 decimals, no zeros at their end, no negative zero. */
export function formatLongDouble({ mantissa, exponent }: LongDouble): string {
  if (exponent === Infinity) return mantissa < 0n ? '-inf' : 'inf';
  const scaled = mantissa * 10n ** 17n;
  const units = exponent < 0 ? divideHalfEven(scaled, 1n << BigInt(-exponent)) : shift(scaled, exponent);
  const digits = String(abs(units)).padStart(18, '0');
  const text = `${digits.slice(0, -17)}.${digits.slice(-17)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}

/**
 * A double as Redis 7.2 and later reply it: integers up to 2^62 in full, anything else in the fewest digits that read
 * back as the same double. (Redis' Grisu2 misses the fewest for about one double in a thousand; this never does.)
 */
export function formatDouble(x: number): string {
  if (!Number.isFinite(x) || x === 0) return formatSpecial(x);
  if (Math.abs(x) <= 2 ** 62 && Number.isInteger(x)) return String(BigInt(x));
  const { sign, digits, exponent } = decompose(x.toExponential());
  const lastPlace = exponent - digits.length + 1;
  const size = Math.abs(exponent);
  const plain = lastPlace < 0 ? lastPlace > -7 || size < 4 : size < digits.length + 7;
  return sign + (plain ? positional(digits, exponent) : scientific(digits, exponent, 1));
}

/** A double as Redis before 7.2 replied it: C's "%.17g". */
export function formatDouble17(x: number): string {
  if (!Number.isFinite(x) || x === 0) return formatSpecial(x);
  const { sign, digits: padded, exponent } = decompose(toExponential17(x));
  const digits = padded.replace(/0+$/, '');
  const plain = exponent >= -4 && exponent < 17;
  return sign + (plain ? positional(digits, exponent) : scientific(digits, exponent, 2));
}

function formatSpecial(x: number): string {
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
}

/** Seventeen digits. JavaScript rounds an exact tie up where C rounds it to even, so a tie is undone here. */
function toExponential17(x: number): string {
  const [, kept, rest] = /^(-?\d\.\d{16})(\d*)/.exec(x.toExponential(100)) as unknown as [
    string,
    string,
    string,
  ];
  const isTie = /^50*$/.test(rest) && Number(kept.at(-1)) % 2 === 0;
  return isTie ? x.toExponential(17).replace(/5e/, 'e') : x.toExponential(16);
}

function decompose(exponential: string): { sign: string; digits: string; exponent: number } {
  const [, sign, first, rest, exponent] = /^(-?)(\d)\.?(\d*)e(.*)$/.exec(exponential) as unknown as string[];
  return { sign: sign as string, digits: `${first}${rest}`, exponent: Number(exponent) };
}

/** `digits` with the first of them worth 10^exponent. */
function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function scientific(digits: string, exponent: number, exponentDigits: number): string {
  const point = digits.length > 1 ? '.' : '';
  const size = String(Math.abs(exponent)).padStart(exponentDigits, '0');
  return `${digits[0]}${point}${digits.slice(1)}e${exponent < 0 ? '-' : '+'}${size}`;
}

function parse(text: string, format: Format): LongDouble | undefined {
  const infinite = INFINITE.exec(text);
  if (infinite) return infinity(infinite[1] === '-');
  const hexadecimal = HEXADECIMAL.exec(text);
  const [, sign, whole = '', fraction = '', exponentText = '0'] = hexadecimal ?? DECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;

  const digits = BigInt(`${hexadecimal ? '0x' : ''}${whole}${fraction}`);
  if (digits === 0n) return { mantissa: 0n, exponent: 0 };
  const bitsADigit = hexadecimal ? 4 : Math.log2(10);
  const places = hexadecimal ? 4 * fraction.length : fraction.length;
  const exponent = Number(exponentText) - places;
  // Far outside of the format: decided here, so that "1e999999999" does not compute that power.
  const magnitude = bitLength(digits) + exponent * (hexadecimal ? 1 : bitsADigit);
  if (Math.abs(magnitude) > 2 * format.maxExponent) return undefined;

  const signed = sign === '-' ? -digits : digits;
  const value = hexadecimal ? round(signed, 1n, exponent, format) : roundDecimal(signed, exponent, format);
  return value.mantissa === 0n || value.exponent === Infinity ? undefined : value;
}

function roundDecimal(digits: bigint, exponent: number, format: Format): LongDouble {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? round(digits, power, 0, format) : round(digits * power, 1n, 0, format);
}

/** `numerator / denominator × 2^exponent` to the nearest value of the format, half to even. */
function round(numerator: bigint, denominator: bigint, exponent: number, format: Format): LongDouble {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  const magnitude = abs(numerator);
  let bits = bitLength(magnitude) - bitLength(denominator);
  if (shift(magnitude, -bits) >= shift(denominator, bits)) bits += 1;
  // Now 2^(bits - 1) ≤ quotient < 2^bits. Drop what is beyond the precision, or below the smallest subnormal.
  const drop = Math.max(bits - format.precision, format.minExponent - exponent);
  const mantissa = divideHalfEven(shift(numerator, -drop), shift(denominator, drop));
  const overflows = bitLength(abs(mantissa)) + exponent + drop > format.maxExponent;
  return overflows ? infinity(numerator < 0n) : { mantissa, exponent: exponent + drop };
}

function infinity(negative: boolean): LongDouble {
  return { mantissa: negative ? -1n : 1n, exponent: Infinity };
}

/** 1 or -1 for an infinity, 0 for a number. */
function infiniteSign({ mantissa, exponent }: LongDouble): number {
  return exponent === Infinity ? Number(mantissa) : 0;
}

/** The quotient to the nearest integer, half to even. */
function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = abs(numerator);
  let quotient = magnitude / denominator;
  const twice = 2n * (magnitude % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  return numerator < 0n ? -quotient : quotient;
}

/** `n × 2^bits`; a negative count leaves `n` as it is, which suits both sides of a fraction. */
function shift(n: bigint, bits: number): bigint {
  return bits > 0 ? n << BigInt(bits) : n;
}

function bitLength(n: bigint): number {
  const hexadecimal = n.toString(16);
  return 4 * hexadecimal.length - Math.clz32(Number.parseInt(hexadecimal[0] as string, 16)) + 28;
}

function abs(n: bigint): bigint {
  return n < 0n ? -n : n;
}
