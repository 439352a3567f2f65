// Elements on both sides of every limit of the listpack's encodings, and how long each is there with its back length.
//
// Sizes are written out, not computed: they are what redis-server 7.0.15 makes of these elements.

export interface ElementCase {
  readonly text: string;
  readonly encoding: string;
  /** Bytes of the whole element, its back length included. */
  readonly bytes: number;
}

const string = (length: number, encoding: string, bytes: number): ElementCase => ({
  text: 'x'.repeat(length),
  encoding,
  bytes,
});
const text = (value: string, encoding: string, bytes: number): ElementCase => ({
  text: value,
  encoding,
  bytes,
});

export const elementCases: readonly ElementCase[] = [
  text('0', 'uint7', 2),
  text('127', 'uint7', 2),
  text('128', 'int13', 3),
  text('-1', 'int13', 3),
  text('4095', 'int13', 3),
  text('-4096', 'int13', 3),
  text('4096', 'int16', 4),
  text('-4097', 'int16', 4),
  text('32767', 'int16', 4),
  text('-32768', 'int16', 4),
  text('32768', 'int24', 5),
  text('-32769', 'int24', 5),
  text('8388607', 'int24', 5),
  text('-8388608', 'int24', 5),
  text('8388608', 'int32', 6),
  text('-8388609', 'int32', 6),
  text('2147483647', 'int32', 6),
  text('-2147483648', 'int32', 6),
  text('2147483648', 'int64', 10),
  text('-2147483649', 'int64', 10),
  text('9007199254740991', 'int64', 10),
  text('9007199254740992', 'int64', 10),
  text('-9007199254740991', 'int64', 10),
  text('-9007199254740992', 'int64', 10),
  text('-9007199254740993', 'int64', 10),
  text('9223372036854775807', 'int64', 10),
  text('-9223372036854775808', 'int64', 10),
  // Integers in any other form are strings.
  text('9223372036854775808', 'string6', 21),
  text('-9223372036854775809', 'string6', 22),
  text('-0', 'string6', 4),
  text('01', 'string6', 4),
  text('+1', 'string6', 4),
  text('1 ', 'string6', 4),
  text('-', 'string6', 3),
  text('1.5', 'string6', 5),
  text('', 'string6', 2),
  text('\0\xff\xf4', 'string6', 5),
  string(63, 'string6', 65),
  string(64, 'string12', 67),
  string(125, 'string12', 128),
  string(126, 'string12', 130),
  string(4095, 'string12', 4099),
  string(4096, 'string32', 4103),
  // The last length of each size of the back length takes a byte more.
  string(2 ** 14 - 2 - 5, 'string32', 2 ** 14 - 2 + 2),
  string(2 ** 14 - 1 - 5, 'string32', 2 ** 14 - 1 + 3),
  string(2 ** 14 - 5, 'string32', 2 ** 14 + 3),
  string(2 ** 21 - 2 - 5, 'string32', 2 ** 21 - 2 + 3),
  string(2 ** 21 - 1 - 5, 'string32', 2 ** 21 - 1 + 4),
  string(2 ** 21 - 5, 'string32', 2 ** 21 + 4),
];
