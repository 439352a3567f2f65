// CRC-64 with Jones' polynomial, bits reflected: the checksum at the end of a DUMP payload and of an RDB file.
//
// Table-driven, one byte a step, on 32-bit halves: a few milliseconds a megabyte, and one bigint for the result.

/** 0xad93d23594c935a9 with its bits in reverse. */
const POLYNOMIAL_LOW = 0xac4bc9b5;
const POLYNOMIAL_HIGH = 0x95ac9329;

const TABLE_LOW = new Int32Array(256);
const TABLE_HIGH = new Int32Array(256);

for (let byte = 0; byte < 256; byte++) {
  let low = byte;
  let high = 0;
  for (let bit = 0; bit < 8; bit++) {
    const carry = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (carry === 1) {
      low ^= POLYNOMIAL_LOW;
      high ^= POLYNOMIAL_HIGH;
    }
  }
  TABLE_LOW[byte] = low;
  TABLE_HIGH[byte] = high;
}

/** The checksum of `length` bytes from `start`. */
export function crc64(bytes: Uint8Array, start: number, length: number): bigint {
  let low = 0;
  let high = 0;
  const end = start + length;
  for (let i = start; i < end; i++) {
    const index = (low ^ (bytes[i] as number)) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (TABLE_LOW[index] as number);
    high = (high >>> 8) ^ (TABLE_HIGH[index] as number);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
