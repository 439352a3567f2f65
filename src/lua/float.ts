// What C does with doubles and JavaScript lacks, or does less exactly: `frexp`, `ldexp` and `pow`.

/** `x` is the fraction, from a half up to one, times two to the exponent. */
export function fractionAndExponent(x: number): readonly [fraction: number, exponent: number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  // The logarithm may be off by one, and the power of two must stay finite. (`+ 0`: no negative zero.)
  let exponent = Math.max(-1023, Math.ceil(Math.log2(Math.abs(x)))) + 0;
  let fraction = x * 2 ** -exponent;
  for (; Math.abs(fraction) >= 1; exponent++) fraction /= 2;
  for (; Math.abs(fraction) < 0.5; exponent--) fraction *= 2;
  return [fraction, exponent];
}

/** `x` times two to `by`, rounded once. */
export function scale(x: number, by: number): number {
  const [fraction, own] = fractionAndExponent(x);
  if (fraction === 0 || !Number.isFinite(x)) return x;
  const exponent = Math.min(Math.max(own + by, -1200), 1100);
  // Two steps, of which the first is exact, because a power of two beyond the range of doubles is 0 or infinite.
  if (exponent < -1000) return fraction * 2 ** (exponent + 200) * 2 ** -200;
  return fraction * 2 ** (exponent - 1) * 2;
}

/** Beyond this, powers are 0, infinite, or of something so close to 1 that nobody knows their last digit. */
const MAX_EXACT_EXPONENT = 1100;

/**
 * C's `pow`: 1 to any power is 1, and the last digit is right for whole exponents, so that 10^-5 is 1e-5. JavaScript's is
 * wrong there now and then.
 */
export function power(x: number, y: number): number {
  if (y === 2) return x * x;
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  const isExact = Number.isInteger(y) && Math.abs(y) <= MAX_EXACT_EXPONENT && x !== 0 && Number.isFinite(x);
  return isExact ? wholePower(x, y) : x ** y;
}

/** A number with twice the digits, as a sum (`low` is what `high` has lost), times two to the exponent. */
interface Precise {
  readonly high: number;
  readonly low: number;
  readonly exponent: number;
}

function wholePower(x: number, y: number): number {
  const [fraction, exponent] = fractionAndExponent(x);
  let square: Precise = { high: fraction, low: 0, exponent };
  let result: Precise = { high: 1, low: 0, exponent: 0 };
  for (let rest = Math.abs(y); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square);
    square = product(square, square);
  }
  if (y >= 0) return scale(result.high + result.low, result.exponent);
  const inverse = 1 / result.high;
  const error = 1 - inverse * result.high - lostInProduct(inverse, result.high) - inverse * result.low;
  return scale(inverse + error * inverse, -result.exponent);
}

function product(a: Precise, b: Precise): Precise {
  const high = a.high * b.high;
  const low = lostInProduct(a.high, b.high) + (a.high * b.low + a.low * b.high);
  const [sum, exponent] = fractionAndExponent(high + low);
  const scaling = 2 ** -exponent;
  return {
    high: sum,
    low: (high - (high + low) + low) * scaling,
    exponent: a.exponent + b.exponent + exponent,
  };
}

/** What rounding takes from a product, by the halves of both factors (Dekker). */
function lostInProduct(a: number, b: number): number {
  const [aHigh, bHigh] = [upperHalf(a), upperHalf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  return aHigh * bHigh - a * b + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** The first 26 bits of the 53 (Veltkamp). */
function upperHalf(x: number): number {
  const scaled = x * (2 ** 27 + 1);
  return scaled - (scaled - x);
}
