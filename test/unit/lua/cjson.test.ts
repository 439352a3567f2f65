// What cjson answers, as recorded from redis-server 7.0.15; test/property/lua-data.test.ts compares at random.

import { beforeEach, describe, expect, test } from 'vitest';
import { CjsonSettings, cjsonLibrary } from '../../../src/lua/library/cjson.ts';
import { CJSON_NULL } from '../../../src/lua/library/cjson-decode.ts';
import { LuaState } from '../../../src/lua/state.ts';
import { LuaTable } from '../../../src/lua/table.ts';
import type { LuaFunction, LuaValue } from '../../../src/lua/value.ts';
import { callsOf, tableOf, tableWith } from '../../support/lua-builtins.ts';

const state = new LuaState();
const settings = new CjsonSettings();
const library = cjsonLibrary(state, settings);
const call = callsOf(library);
const someFunction: LuaFunction = () => undefined;

beforeEach(() => settings.reset());

test('has the names that Redis lists', () => {
  expect([...library.entries()].map(([name]) => name).sort()).toEqual([
    ...['_NAME', '_VERSION', 'decode', 'decode_invalid_numbers', 'decode_max_depth', 'encode'],
    ...['encode_invalid_numbers', 'encode_keep_buffer', 'encode_max_depth', 'encode_number_precision'],
    ...['encode_sparse_array', 'new', 'null'],
  ]);
  expect(library.get('null')).toBe(CJSON_NULL);
});

const holes = (...indices: number[]): LuaTable => {
  const table = new LuaTable();
  for (const index of indices) table.set(index, 1);
  return table;
};

const SPARSE = 'error: Cannot serialise table: excessively sparse array';

test.each<[LuaValue, string]>([
  [undefined, "'null'"],
  [CJSON_NULL, "'null'"],
  [true, "'true'"],
  [0, "'0'"],
  [-0, "'-0'"],
  [1e14, "'1e+14'"],
  [1 / 3, "'0.33333333333333'"],
  [12345678901234.5, "'12345678901234'"],
  [-1.5e-10, "'-1.5e-10'"],
  [Number.NaN, 'error: Cannot serialise number: must not be NaN or Inf'],
  [Number.NEGATIVE_INFINITY, 'error: Cannot serialise number: must not be NaN or Inf'],
  ['', `'""'`],
  ['a/b"\\\b\f\n\r\t', `'"a\\/b\\"\\\\\\b\\f\\n\\r\\t"'`],
  ['\0\x1f\x7f', `'"\\u0000\\u001f\\u007f"'`],
  ['\x80\xff', `'"\\x80\\xff"'`],
  [new LuaTable(), "'{}'"],
  [tableOf([1, [2, {}], 'x']), `'[1,[2,{}],"x"]'`],
  [tableOf({ a: [true], b: { c: 1 } }), `'{"a":[true],"b":{"c":1}}'`],
  [tableWith(1.5, 1), `'{"1.5":1}'`],
  [tableWith(-1, 1), `'{"-1":1}'`],
  [tableWith(0, 1), `'{"0":1}'`],
  [tableWith(2 ** 31, 1), `'{"2147483648":1}'`],
  [tableWith(1e15, 1), `'{"1e+15":1}'`],
  [tableWith(10, 1), "'[null,null,null,null,null,null,null,null,null,1]'"],
  [holes(1, 3), "'[1,null,1]'"],
  [holes(1, 3, 4, 5, 6, 11), "'[1,null,1,1,1,1,null,null,null,null,1]'"],
  [tableWith(11, 1), SPARSE],
  [tableWith(2 ** 31 - 1, 1), SPARSE],
  [holes(1, 3, 4, 5, 12), SPARSE],
  [someFunction, 'error: Cannot serialise function: type not supported'],
  [new LuaTable([someFunction]), 'error: Cannot serialise function: type not supported'],
  [tableWith(true, 1), 'error: Cannot serialise boolean: table key must be a number or string'],
  [tableWith(new LuaTable(), 1), 'error: Cannot serialise table: table key must be a number or string'],
])('encode %#', (value, expected) => expect(call('encode', value)).toBe(expected));

test('a list that has lost its end, or its beginning, still is one', () => {
  const table = new LuaTable([1, 2, undefined]);
  expect(call('encode', table)).toBe("'[1,2]'");
  table.set(1, undefined);
  expect(call('encode', table)).toBe("'[null,2]'");
  table.set(2, undefined);
  expect(call('encode', table)).toBe("'{}'");
});

const at = (what: string, character: number) => `error: Expected ${what} at character ${character}`;

test.each<[string, string]>([
  ['', at('value but found T_END', 1)],
  ['a', at('value but found invalid token', 1)],
  ['{"a"}', at('colon but found T_OBJ_END', 5)],
  ['{a:1}', at('object key string but found invalid token', 2)],
  ['{1:2}', at('object key string but found T_NUMBER', 2)],
  ['{"a":1,}', at('object key string but found T_OBJ_END', 8)],
  ['{"a":1 "b"', at('comma or object end but found T_STRING', 8)],
  ['[1,]', at('value but found T_ARR_END', 4)],
  ['[1 2]', at('comma or array end but found T_NUMBER', 4)],
  ['[true false]', at('comma or array end but found T_BOOLEAN', 7)],
  ['[1 {', at('comma or array end but found T_OBJ_BEGIN', 4)],
  ['[1 [', at('comma or array end but found T_ARR_BEGIN', 4)],
  ['[:]', at('value but found T_COLON', 2)],
  ['[,1]', at('value but found T_COMMA', 2)],
  ['[1 -]', at('comma or array end but found invalid number', 4)],
  ['[1 "a', at('comma or array end but found unexpected end of string', 6)],
  ['{"a\\q":1}', at('object key string but found invalid escape code', 4)],
  ['nullnull', at('the end but found T_NULL', 5)],
  ['1 x', at('the end but found invalid token', 3)],
  ['12\0xyz', '12'],
  ['1\0', 'error: JSON parser does not support UTF-16 or UTF-32'],
  ['\0', at('value but found T_END', 1)],
  ['[1\0]', at('comma or array end but found T_END', 3)],
  ['"abc', at('value but found unexpected end of string', 5)],
  ['"a\0b"', at('value but found unexpected end of string', 3)],
  ['"a\\', at('value but found invalid escape code', 3)],
  ['"\\u12G4"', at('value but found invalid unicode escape code', 2)],
  ['"\\udc00"', at('value but found invalid unicode escape code', 2)],
  ['"\\ud83dx"', at('value but found invalid unicode escape code', 2)],
  ['"\\ud83d\\u0041"', at('value but found invalid unicode escape code', 2)],
  ['"\\ud83d\\ude00\\u00e9\\u20AC\\u0000x"', "'\\xf0\\x9f\\x98\\x80\\xc3\\xa9\\xe2\\x82\\xac\\x00x'"],
  ['"\\/\\b\\f\\n\\r\\t\\"\\\\"', `'/\\x08\\x0c\\x0a\\x0d\\x09"\\'`],
  ['"\x01\n\x7f\xff"', "'\\x01\\x0a\\x7f\\xff'"],
  ['\t\n\r 1 \v', at('the end but found invalid token', 7)],
  ['[[],{},[{}]]', '{[1]={},[2]={},[3]={[1]={}}}'],
  ['{"a":null,"a":3}', "{['a']=3}"],
  ['[null,1,null]', '{[1]=null,[2]=1,[3]=null}'],
  ['{"1":1}', "{['1']=1}"],
  ['-0', '-0'],
  ['123456789012345678', '123456789012345680'],
  ['1e-400', '0'],
  ['1e400', 'Infinity'],
  ['1.', '1'],
  ['-.5', '-0.5'],
  ['.5', at('value but found invalid token', 1)],
  ['1e+', at('the end but found invalid token', 2)],
  ['- 1', at('value but found invalid number', 1)],
  ['+1', '1'],
  ['01', '1'],
  ['-0x.8p1', '-1'],
  ['0x', at('the end but found invalid token', 2)],
  ['0x123456789abcdef01', '20988295479420645000'],
  ['[nan,NaN]', '{[1]=NaN,[2]=NaN}'],
  ['nan(a_1)', 'NaN'],
  ['nano', at('the end but found invalid token', 4)],
  ['-iNfInItY', '-Infinity'],
])('decode %j', (text, expected) => expect(call('decode', text)).toBe(expected));

test.each<[string, string]>([
  ['01', at('value but found invalid number', 1)],
  ['-0x1', at('value but found invalid number', 1)],
  ['-inf', at('value but found invalid number', 1)],
  ['[1 01]', at('comma or array end but found invalid number', 4)],
  ['+1', at('value but found invalid token', 1)],
  ['nan', at('value but found invalid token', 1)],
  ['-.5', '-0.5'],
  ['1e400', 'Infinity'],
  ['10', '10'],
])('decode %j without invalid numbers', (text, expected) => {
  call('decode_invalid_numbers', false);
  expect(call('decode', text)).toBe(expected);
});

describe('depth', () => {
  const nested = (open: string, depth: number) => open.repeat(depth);
  const cycle = (key: LuaValue, ...inside: LuaValue[]): LuaTable => {
    const table = new LuaTable();
    table.set(key, inside.length === 0 ? table : tableWith(inside[0], table));
    return table;
  };

  test('ends by the settings', () => {
    expect(call('encode', cycle(1))).toBe('error: Cannot serialise, excessive nesting (1001)');
    expect(call('decode', nested('[', 1001))).toBe(
      'error: Found too many nested data structures (1001) at character 1001',
    );
    expect(call('decode', `${nested('[', 1000)}1${nested(']', 1000)}`)).toMatch(/^\{\[1\]=\{/);
    call('encode_max_depth', 5);
    call('decode_max_depth', 1);
    expect(call('encode', cycle('x'))).toBe('error: Cannot serialise, excessive nesting (6)');
    expect(call('decode', '[{}]')).toBe('error: Found too many nested data structures (2) at character 2');
  });

  test.each<[LuaTable, number]>([
    [cycle(1), 7998],
    [cycle('x'), 4000],
    [cycle(1, 'x'), 5333],
    [cycle('x', 1), 5332],
  ])("ends where Lua's stack does, encoding %#", (table, depth) => {
    call('encode_max_depth', 1e6);
    expect(call('encode', table)).toBe(`error: Cannot serialise, excessive nesting (${depth})`);
  });

  test.each<[string, number, number]>([
    ['[', 7999, 7999],
    ['{"x":', 4000, 19996],
    ['{"x":[', 5333, 15997],
    ['[{"x":', 5333, 15997],
  ])("ends where Lua's stack does, decoding %j", (open, depth, character) => {
    call('decode_max_depth', 1e6);
    expect(call('decode', nested(open, 9000))).toBe(
      `error: Found too many nested data structures (${depth}) at character ${character}`,
    );
  });
});

describe('settings', () => {
  const outOf = (min: number, max: number) =>
    `error: bad argument #1 to '?' (expected integer between ${min} and ${max})`;

  test.each<[name: string, args: LuaValue[], expected: string]>([
    ['encode_max_depth', [], '1000'],
    ['encode_max_depth', ['7.9'], '7'],
    ['encode_max_depth', [2 ** 32 + 5], '5'],
    ['encode_max_depth', [0], outOf(1, 2147483647)],
    ['encode_max_depth', [2 ** 31], outOf(1, 2147483647)],
    ['encode_max_depth', [undefined, 1], "error: bad argument #2 to '?' (found too many arguments)"],
    ['encode_max_depth', [true], "error: bad argument #1 to '?' (number expected, got boolean)"],
    ['decode_max_depth', [3], '3'],
    ['encode_number_precision', [], '14'],
    ['encode_number_precision', [15], outOf(1, 14)],
    ['encode_keep_buffer', [], 'true'],
    ['encode_keep_buffer', ['off'], 'false'],
    ['decode_invalid_numbers', [], 'true'],
    ['decode_invalid_numbers', ['null'], "error: bad argument #1 to '?' (invalid option 'null')"],
    ['encode_invalid_numbers', [], 'false'],
    ['encode_invalid_numbers', ['null'], "'null'"],
    ['encode_invalid_numbers', ['on'], 'true'],
    ['encode_invalid_numbers', [1], "error: bad argument #1 to '?' (invalid option '1')"],
    [
      'encode_invalid_numbers',
      [new LuaTable()],
      "error: bad argument #1 to '?' (string expected, got table)",
    ],
    ['encode_sparse_array', [], 'false 2 10'],
    ['encode_sparse_array', [true, 3, 4], 'true 3 4'],
    ['encode_sparse_array', [undefined, undefined, -1], outOf(0, 2147483647)],
    ['encode_sparse_array', [1, 2, 3, 4], "error: bad argument #4 to '?' (found too many arguments)"],
    ['encode', [], "error: bad argument #1 to '?' (expected 1 argument)"],
    ['encode', [1, 2], "error: bad argument #1 to '?' (expected 1 argument)"],
    ['decode', [], "error: bad argument #1 to '?' (expected 1 argument)"],
    ['decode', [new LuaTable()], "error: bad argument #1 to '?' (string expected, got table)"],
    ['decode', [12], '12'],
  ])('%s %#', (name, args, expected) => {
    expect(call(name, ...args)).toBe(expected);
    if (!expected.startsWith('error') && name.includes('_')) expect(call(name)).toBe(expected);
  });

  test('invalid numbers are written as the setting says', () => {
    call('encode_invalid_numbers', true);
    const infinite = Number.NEGATIVE_INFINITY;
    expect(call('encode', new LuaTable([Number.NaN, infinite]))).toBe("'[nan,-inf]'");
    expect(call('encode', tableWith(infinite, 1))).toBe(`'{"-inf":1}'`);
    call('encode_invalid_numbers', 'null');
    expect(call('encode', new LuaTable([Number.NaN, infinite]))).toBe("'[null,null]'");
  });

  test('numbers have as many digits as the setting says', () => {
    call('encode_number_precision', 3);
    expect(call('encode', new LuaTable([1 / 3, 12345, 0.00001234, 2.125, -0]))).toBe(
      "'[0.333,1.23e+04,1.23e-05,2.12,-0]'",
    );
  });

  test('sparse arrays are written as the setting says', () => {
    call('encode_sparse_array', true);
    expect(call('encode', tableWith(11, 1))).toBe(`'{"11":1}'`);
    call('encode_sparse_array', false, 0);
    expect(call('encode', tableWith(12, 1))).toBe(`'[${'null,'.repeat(11)}1]'`);
    call('encode_sparse_array', false, 2 ** 30, 0);
    expect(call('encode', holes(1, 2, 4)), 'an int overflows').toBe(SPARSE);
  });

  test('reset undoes what a script has set', () => {
    call('encode_max_depth', 1);
    call('encode_sparse_array', true, 5, 6);
    settings.reset();
    expect([call('encode_max_depth'), call('encode_sparse_array')]).toEqual(['1000', 'false 2 10']);
  });

  test('new makes a library with settings of its own', () => {
    call('encode_max_depth', 9);
    const other = (library.get('new') as LuaFunction)() as LuaTable;
    const callOther = callsOf(other);
    expect(callOther('encode_max_depth', 1)).toBe('1');
    expect(call('encode_max_depth')).toBe('9');
    expect(other.get('null')).toBe(CJSON_NULL);
    expect(callOther('encode', tableOf([[]]))).toBe('error: Cannot serialise, excessive nesting (2)');
  });
});

describe('limits', () => {
  test('what is too long is refused', () => {
    const small = new LuaState();
    small.maxStringBytes = 1000;
    const wide = new LuaTable();
    for (let i = 1; i <= 10; i++) wide.set(i, new LuaTable(Array(50).fill('abcdefgh')));
    expect(callsOf(cjsonLibrary(small))('encode', wide)).toBe('error: not enough memory');
  });

  test('long work asks whether it may go on', () => {
    const over = new Error('time is over');
    const limited = new LuaState(() => {
      throw over;
    });
    const callLimited = callsOf(cjsonLibrary(limited));
    const long = new LuaTable(Array(20_000).fill(1));
    expect(() => callLimited('encode', long)).toThrow(over);
    expect(() => callLimited('decode', `[${'1,'.repeat(20_000)}1]`)).toThrow(over);
    expect(callLimited('decode', '[1]'), 'and is as good as new').toBe('{[1]=1}');
  });
});

test('errors begin with where the script calls', () => {
  const running = new LuaState();
  const site = { line: 3, operands: [], name: 'decode', isMethod: false, isTail: false };
  running.begin({ chunkName: 'user_script', sites: [site] }, false);
  running.at = 0;
  const callRunning = callsOf(cjsonLibrary(running));
  expect(callRunning('decode', 'x')).toBe(
    'error: user_script:3: Expected value but found invalid token at character 1',
  );
  expect(callRunning('decode')).toBe(
    "error: user_script:3: bad argument #1 to 'decode' (expected 1 argument)",
  );
});
