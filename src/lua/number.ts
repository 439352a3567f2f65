// Numbers as text, as C does it: printf's `%g`, `%e` and `%f` to the last digit, and what strtod takes for a number.
//
// JavaScript's own conversions are exact, but round what lies halfway between two results up, where C rounds to the one
// whose last digit is even. So a tie is looked for, which multiplications by powers of two tell exactly, and undone.
//
// A NaN has no sign here. It is printed `-nan`, which is what nearly all that x86 computes print (0/0 among them).

const DEFAULT_PRECISION = 14;
/** Integers below this are printed in full by `%.14g`. */
const PLAIN_LIMIT = 10 ** DEFAULT_PRECISION;
/** From the one to below the other, `toPrecision` has no exponent, as `%g`, and has decimals, even if it rounds up. */
const POINT_MINIMUM = 1e-4;
const POINT_LIMIT = PLAIN_LIMIT / 100;
/** `toFixed` gives up here. There are only integers from here on. */
const FIXED_LIMIT = 1e21;
/** 5^23 has more than the 53 bits of a double: no tie at that place or above. */
const MAX_TIE_PLACE = 22;

/** As C's `%.14g`, which is what `tostring` gives. */
export function formatNumber(x: number): string {
  const size = Math.abs(x);
  if (size < PLAIN_LIMIT && Number.isInteger(x)) return Object.is(x, -0) ? '-0' : String(x);
  if (size < POINT_MINIMUM || !(size < POINT_LIMIT)) return formatGeneral(x, DEFAULT_PRECISION);
  const text = x.toPrecision(DEFAULT_PRECISION);
  const isRoundedWrong = isTie(size, text.length - 1 - text.indexOf('.'));
  return withoutLastZeros(isRoundedWrong ? toEven(text) : text);
}

/** Of a text with a decimal point, which goes too if no decimals are left. */
function withoutLastZeros(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  if (text.charCodeAt(end - 1) === 46) end--;
  return text.slice(0, end);
}

/** As C's `%.{precision}g`; `keepsZeros` is its flag `#`. */
export function formatGeneral(x: number, precision: number, keepsZeros = false): string {
  if (!Number.isFinite(x)) return formatNonFinite(x);
  const sign = isNegative(x) ? '-' : '';
  const size = Math.abs(x);
  const count = Math.max(1, precision);
  const rounded = roundToDigits(size, count);
  const { exponent } = rounded;
  // What only rounding has made too large for its digits loses its zeros in glibc, flag or no flag: `1.e+14`.
  const isCarried = exponent === count && size < Number(`1e${count}`);
  const digits = keepsZeros && !isCarried ? rounded.digits : rounded.digits.replace(/(?!^)0+$/, '');
  if (exponent < -4 || exponent >= count) return sign + scientific(digits, exponent, keepsZeros);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return sign + withFraction(whole, digits.slice(exponent + 1), keepsZeros);
}

/** As C's `%.{precision}e` of a finite number that is not negative; `keepsPoint` is its flag `#`. */
export function formatExponential(x: number, precision: number, keepsPoint = false): string {
  const { digits, exponent } = roundToDigits(x, precision + 1);
  return scientific(digits, exponent, keepsPoint);
}

/** As C's `%.{precision}f` of a finite number that is not negative; `keepsPoint` is its flag `#`. */
export function formatFixed(x: number, precision: number, keepsPoint = false): string {
  if (x >= FIXED_LIMIT) return withFraction(String(BigInt(x)), '0'.repeat(precision), keepsPoint);
  const text = x.toFixed(precision);
  const rounded = isTie(x, precision) ? toEven(text) : text;
  return keepsPoint && precision === 0 ? `${rounded}.` : rounded;
}

export function formatNonFinite(x: number): string {
  return Number.isNaN(x) ? '-nan' : x < 0 ? '-inf' : 'inf';
}

export const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);

/** The first digits of a number, the first of them worth 10^exponent. */
function roundToDigits(x: number, count: number): { digits: string; exponent: number } {
  const text = x.toExponential(count - 1);
  const end = text.indexOf('e');
  const digits = text.charAt(0) + text.slice(2, end);
  const exponent = Number(text.slice(end + 1));
  return { digits: isTie(x, count - 1 - exponent) ? toEven(digits) : digits, exponent };
}

/** Is `x`, which is not negative, halfway between two numbers of so many decimals? They may be negative: -2 is hundreds. */
function isTie(x: number, decimals: number): boolean {
  if (decimals >= 0) {
    const scaled = x * 2 ** (decimals + 1);
    return Number.isInteger(scaled) && scaled % 2 === 1; // it has one decimal more, and that is a 5
  }
  if (-decimals > MAX_TIE_PLACE) return false;
  const unit = Number(`1e${-decimals}`);
  return x % unit === unit / 2;
}

/** Digits of a tie, rounded up, to those rounded to even. An odd digit is never zero, so nothing is borrowed. */
function toEven(roundedUp: string): string {
  const last = Number(roundedUp.at(-1));
  return last % 2 === 0 ? roundedUp : roundedUp.slice(0, -1) + (last - 1);
}

function withFraction(whole: string, fraction: string, keepsPoint: boolean): string {
  return fraction === '' && !keepsPoint ? whole : `${whole}.${fraction}`;
}

function scientific(digits: string, exponent: number, keepsPoint: boolean): string {
  const size = String(Math.abs(exponent)).padStart(2, '0');
  const mantissa = withFraction(digits.charAt(0), digits.slice(1), keepsPoint);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
}

const DECIMAL = /^[\t-\r ]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*$/i;
const OTHER = /^[\t-\r ]*([+-]?)(?:0x([\da-f.]*)(?:p([+-]?\d+))?|(inf(?:inity)?)|nan(?:\(\w*\))?)[\t-\r ]*$/i;
/** Of a hexadecimal number, with at least one digit before or after its point. */
const MANTISSA = /^(?=\.?[\da-f])([\da-f]*)\.?([\da-f]*)$/i;
/** Up to so many decimal digits are exact, and so is the sum that they make. */
const QUICK_DIGITS = 15;

/**
 * What Lua's `tonumber` makes of a string, undefined if it spells no number. Hexadecimal, infinities and NaNs count, as C
 * has them; a zero byte ends the string.
 */
export function parseNumber(text: string): number | undefined {
  const quick = parseDigits(text);
  if (quick >= 0) return quick;
  const decimal = DECIMAL.exec(text);
  if (decimal) return Number(decimal[1]);
  const zero = text.indexOf('\0');
  if (zero >= 0) return parseNumber(text.slice(0, zero));
  const other = OTHER.exec(text);
  if (other === null) return undefined;
  const [, sign, mantissa, exponent = '0', infinity] = other;
  const size = mantissa === undefined ? (infinity ? Infinity : NaN) : hexadecimal(mantissa, Number(exponent));
  return sign === '-' && size !== undefined ? -size : size;
}

/** A few digits and nothing else; -1 for anything else. */
function parseDigits(text: string): number {
  if (text.length === 0 || text.length > QUICK_DIGITS) return -1;
  let x = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    x = x * 10 + digit;
  }
  return x;
}

function hexadecimal(text: string, exponent: number): number | undefined {
  const [, whole, fraction = ''] = MANTISSA.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0;
  return scaled(digits, exponent - 4 * fraction.length);
}

/** Hexadecimal digits (the first is not 0) times 2^exponent, rounded once, half to even. */
function scaled(digits: string, exponent: number): number {
  const bits = 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
  if (bits + exponent > 1024) return Infinity;
  if (bits + exponent < -1074) return 0;
  const mantissa = BigInt(`0x${digits}`);
  const drop = Math.max(bits - 53, -1074 - exponent); // what no double holds: beyond 53 bits, or below the least of all
  if (drop <= 0) return Number(mantissa) * 2 ** exponent;
  return Number(halfEven(mantissa, BigInt(drop))) * 2 ** (exponent + drop);
}

/** `n / 2^bits` to the nearest integer. */
function halfEven(n: bigint, bits: bigint): bigint {
  const quotient = n >> bits;
  const twice = (n - (quotient << bits)) * 2n;
  const unit = 1n << bits;
  const isUp = twice > unit || (twice === unit && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
