// The data libraries of Lua (cjson, cmsgpack, struct, bit) against redis-server 7.0.15: random calls, every result and
// every error text. A batch of calls is one script there; here the builtins are called directly.
//
// Redis writes a table's fields in an order of its own, so tables have one field besides their list, unless what is
// compared is a table again.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bitLibrary } from '../../src/lua/library/bit.ts';
import { CjsonSettings, cjsonLibrary } from '../../src/lua/library/cjson.ts';
import { cmsgpackLibrary } from '../../src/lua/library/cmsgpack.ts';
import { structLibrary } from '../../src/lua/library/struct.ts';
import { LuaError } from '../../src/lua/lua-error.ts';
import { LuaState } from '../../src/lua/state.ts';
import { LuaTable } from '../../src/lua/table.ts';
import { LightUserdata, type LuaFunction, type LuaValue } from '../../src/lua/value.ts';
import { resultsOf } from '../support/lua-builtins.ts';
import { type RunningServer, redisAvailable, startRedis } from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

/** A function, and its arguments; the first may be what another call returns. */
interface Call {
  readonly path: readonly [library: string, name: string];
  readonly args: readonly LuaValue[];
  readonly inner?: Call;
}

const state = new LuaState();
const settings = new CjsonSettings();
const libraries: Readonly<Record<string, LuaTable>> = {
  cjson: cjsonLibrary(state, settings),
  cmsgpack: cmsgpackLibrary(state),
  struct: structLibrary(state),
  bit: bitLibrary(state),
};

// --- the same call here and there

function outcome(call: Call): string {
  try {
    return `true ${resultsOfCall(call).map(show).join(' ')}`;
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    return `false ${show(error.value)}`;
  }
}

function resultsOfCall({ path: [library, name], args, inner }: Call): readonly LuaValue[] {
  const callee = libraries[library]?.get(name) as LuaFunction;
  return resultsOf(callee, inner ? [resultsOfCall(inner)[0], ...args] : args);
}

function show(value: LuaValue): string {
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : doubleHex(value);
  if (typeof value === 'string') return `"${value}"`;
  if (value === undefined) return 'nil';
  if (value instanceof LightUserdata) return 'null';
  if (!(value instanceof LuaTable)) return String(value);
  const fields = [...value.entries()].map(([key, each]) => `[${show(key)}]=${show(each)}`);
  return `{${fields.sort().join(',')}}`;
}

function doubleHex(x: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(x);
  return bytes.toString('hex');
}

const PRELUDE = `
local function show(v)
  if type(v) == 'number' then return v ~= v and 'nan' or (('%02x'):rep(8):format(struct.pack('>d', v):byte(1, 8))) end
  if type(v) == 'string' then return '"' .. v .. '"' end
  if v == cjson.null then return 'null' end
  if type(v) ~= 'table' then return tostring(v) end
  local fields = {}
  for key, each in pairs(v) do fields[#fields + 1] = '[' .. show(key) .. ']=' .. show(each) end
  table.sort(fields)
  return '{' .. table.concat(fields, ',') .. '}'
end
local out = {}
local function report(ok, ...)
  local shown = {}
  for i = 1, select('#', ...) do shown[i] = show((select(i, ...))) end
  out[#out + 1] = tostring(ok) .. ' ' .. table.concat(shown, ' ')
end
cjson.encode_max_depth(1000) cjson.decode_max_depth(1000) cjson.encode_number_precision(14)
cjson.encode_invalid_numbers(false) cjson.decode_invalid_numbers(true) cjson.encode_sparse_array(false, 2, 10)
cjson.encode_keep_buffer(true)
`;

function scriptOf(calls: readonly Call[]): string {
  return `${PRELUDE}${calls.map((call) => `report(${guarded(call)})`).join('\n')}\nreturn out`;
}

function guarded({ path, args, inner }: Call): string {
  const list = args.map(literal);
  if (inner === undefined) return `pcall(${[path.join('.'), ...list].join(', ')})`;
  const first = `(${inner.path.join('.')}(${inner.args.map(literal).join(', ')}))`;
  return `pcall(function() return ${path.join('.')}(${[first, ...list].join(', ')}) end)`;
}

function literal(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'string') return `"${[...value].map((char) => `\\${decimal(char)}`).join('')}"`;
  if (value instanceof LightUserdata) return 'cjson.null';
  if (!(value instanceof LuaTable)) return 'pcall';
  const list = value.list.map(literal);
  const isListed = (key: LuaValue) => typeof key === 'number' && key >= 1 && key <= list.length;
  const keyed = [...value.entries()].filter(([key]) => !isListed(key));
  return `{${[...list, ...keyed.map(([key, each]) => `[${literal(key)}]=${literal(each)}`)].join(', ')}}`;
}

const decimal = (char: string) => String(char.charCodeAt(0)).padStart(3, '0');

function numberLiteral(x: number): string {
  if (Number.isNaN(x)) return '(0/0)';
  if (Object.is(x, -0)) return '(-1/(1/0))'; // as a constant it would be shared with 0
  if (!Number.isFinite(x)) return x > 0 ? '(1/0)' : '(-1/0)';
  return String(x);
}

/** There, what is called by Lua code has a position. */
const withoutPosition = (line: string) => line.replace(/^false "user_script:\d+: /, 'false "');

// --- values

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const bytes = fc.string({ unit: byte, maxLength: 20 });
const integer = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc
    .tuple(fc.integer({ min: 0, max: 64 }), fc.integer({ min: -2, max: 2 }))
    .map(([bits, more]) => 2 ** bits + more),
  fc
    .tuple(fc.integer({ min: 0, max: 64 }), fc.integer({ min: -2, max: 2 }))
    .map(([bits, more]) => more - 2 ** bits),
);
const number = fc.oneof(
  integer,
  fc.double(),
  fc.float(),
  fc.tuple(integer, fc.integer({ min: 0, max: 60 })).map(([x, bits]) => x / 2 ** bits),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    12345678901234.5,
    0.5,
    2.5,
  ),
);
const text = fc.oneof(
  bytes,
  fc.constantFrom('', '/', '"\\', '\x7f', '7', '0x10', ' 2 ', 'x', 'a'.repeat(40), 'b'.repeat(300)),
);
const someFunction: LuaFunction = () => undefined;
const scalar = fc.oneof(
  { weight: 4, arbitrary: number },
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom<LuaValue>(true, false, new LightUserdata('null'), someFunction) },
);
const key = fc.oneof(
  text,
  fc.integer({ min: -3, max: 30 }),
  number.filter((x) => !Number.isNaN(x)),
  fc.boolean(),
);

const { value: oneField } = fc.letrec<{ value: LuaValue; table: LuaValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar, tie('table')),
  table: fc
    .tuple(fc.array(tie('value'), { maxLength: 4 }), fc.option(fc.tuple(key, tie('value'))))
    .map(([list, field]) => tableOf(list, field && list.length === 0 ? [field] : [])),
}));

/** No two complaints can come of these: which is first depends on the order. */
const sound = fc.oneof(
  number.filter((x) => Number.isFinite(x)),
  text,
  fc.constantFrom<LuaValue>(true, false, new LightUserdata('null')),
);
const { value: manyFields } = fc.letrec<{ value: LuaValue; table: LuaValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, sound, tie('table'), tie('table')),
  table: fc
    .tuple(
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 12 }),
    )
    .map(([list, fields]) => tableOf(list, fields)),
}));

function tableOf(list: readonly LuaValue[], fields: readonly (readonly [LuaValue, LuaValue])[]): LuaTable {
  const table = new LuaTable([...list]);
  for (const [name, value] of fields) table.set(Object.is(name, -0) ? 0 : name, value);
  return table;
}

/** Arguments as they should not be. */
const wrongArgs = fc.array(fc.oneof(scalar, fc.constant(undefined), fc.constant(new LuaTable())), {
  maxLength: 4,
});

// --- calls

const call = (library: string, name: string, args: fc.Arbitrary<readonly LuaValue[]>): fc.Arbitrary<Call> =>
  args.map((each) => ({ path: [library, name], args: each }));

const flag = fc.constantFrom<LuaValue>(true, false, 'on', 'off', 'null', 'x', undefined, 1);
const limit = fc.constantFrom<LuaValue>(
  0,
  1,
  2,
  3,
  5,
  14,
  15,
  2 ** 30,
  2 ** 31,
  -1,
  '4',
  1.9,
  'x',
  undefined,
);

/** 0 and large ones make arrays that fill the memory. */
const ratio = fc.constantFrom<LuaValue>(1, 2, 3, -1, 2 ** 31, '2', 'x', undefined);

const jsonPiece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '""',
    '"a":',
    '{"b":',
    ' ',
    '\n',
    '\0',
    '1',
    '-',
    '+',
  ),
  fc.constantFrom(
    '0',
    '01',
    '.5',
    '1.',
    'e',
    'e5',
    'E-3',
    '0x1F',
    '0x.8p1',
    'x',
    'nan',
    'inf',
    'Infinity',
    'nan(a_1)',
  ),
  fc.constantFrom(
    'true',
    'false',
    'null',
    'tru',
    '\\n',
    '\\/',
    '\\x',
    '\\u0041',
    '\\u00e9',
    '\\u20ac',
    '\\ud83d\\ude00',
  ),
  fc.constantFrom(
    '\\ud83d',
    '\\ude00',
    '\\u12',
    '\\U0041',
    '\\uFFFF',
    '\\u0000',
    '123456789012345678',
    '0.1',
    '-0',
  ),
  byte,
);
const broken = fc.array(jsonPiece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const quotedPieces = broken.map((inside) => `["${inside}"]`);
const json = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), jsonPiece, fc.integer({ min: 0, max: 2 }))
  .map(([whole, at, piece, cut]) => {
    const latin1 = Buffer.from(whole).toString('latin1');
    const place = at % (latin1.length + 1);
    return cut === 0 ? latin1 : latin1.slice(0, place) + piece + latin1.slice(place + cut);
  });

const cjsonCall = fc.oneof(
  { weight: 12, arbitrary: call('cjson', 'encode', fc.tuple(oneField)) },
  { weight: 12, arbitrary: call('cjson', 'decode', fc.tuple(fc.oneof(json, broken, quotedPieces))) },
  ...['encode_max_depth', 'decode_max_depth', 'encode_number_precision'].map((name) =>
    call('cjson', name, fc.array(limit, { maxLength: 2 })),
  ),
  ...['encode_invalid_numbers', 'decode_invalid_numbers', 'encode_keep_buffer'].map((name) =>
    call('cjson', name, fc.array(flag, { maxLength: 2 })),
  ),
  call('cjson', 'encode_sparse_array', fc.tuple(flag, ratio, limit)),
  call('cjson', 'encode', wrongArgs),
  call('cjson', 'decode', wrongArgs),
);

const messageStart = fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code));
const message = fc.array(fc.oneof(messageStart, byte, fc.constantFrom('\0\0', '\0\0\0\x01', '\0\x02')), {
  maxLength: 12,
});
const packed = message.map((pieces) => pieces.join(''));
const cmsgpackCall = fc.oneof(
  { weight: 4, arbitrary: call('cmsgpack', 'pack', fc.array(oneField, { maxLength: 3 })) },
  { weight: 4, arbitrary: call('cmsgpack', 'unpack', fc.tuple(packed)) },
  call('cmsgpack', 'unpack_one', fc.tuple(packed, limit)),
  call('cmsgpack', 'unpack_limit', fc.tuple(packed, limit, limit)),
  ...['unpack', 'unpack_one', 'unpack_limit'].map((name) => call('cmsgpack', name, wrongArgs)),
);

const option = fc.oneof(
  fc.constantFrom(
    'b',
    'B',
    'h',
    'H',
    'l',
    'L',
    'T',
    'i',
    'I',
    'i3',
    'I5',
    'i8',
    'i9',
    'I16',
    'i32',
    'i33',
    'i0',
  ),
  fc.constantFrom(
    'f',
    'd',
    's',
    'c',
    'c0',
    'c2',
    'x',
    ' ',
    '>',
    '<',
    '!',
    '!2',
    '!4',
    '!16',
    '!3',
    '=',
    'z',
    '\0',
    '9',
  ),
);
const format = fc.array(option, { maxLength: 7 }).map((options) => options.join(''));
const structCall = fc.oneof(
  call('struct', 'size', fc.tuple(format)),
  call('struct', 'pack', fc.tuple(format, ...Array.from({ length: 5 }, () => fc.oneof(number, text)))),
  call('struct', 'pack', fc.tuple(format, ...Array.from({ length: 5 }, () => integer))),
  call('struct', 'unpack', fc.tuple(format, fc.string({ unit: byte, maxLength: 60 }), limit)),
  call('struct', 'unpack', fc.tuple(format, fc.string({ unit: byte, minLength: 30, maxLength: 90 }))),
  ...['pack', 'unpack', 'size'].map((name) => call('struct', name, wrongArgs)),
);

const bits = fc.oneof(number, fc.integer(), fc.constantFrom('7', '0x1f', '-1'));
const bitCall = fc.oneof(
  ...['tobit', 'bnot', 'bswap', 'tohex'].map((name) => call('bit', name, fc.tuple(bits))),
  ...['band', 'bor', 'bxor'].map((name) => call('bit', name, fc.array(bits, { maxLength: 4 }))),
  ...['lshift', 'rshift', 'arshift', 'rol', 'ror', 'tohex'].map((name) =>
    call('bit', name, fc.tuple(bits, integer)),
  ),
  ...['bnot', 'band', 'rol', 'tohex'].map((name) => call('bit', name, wrongArgs)),
);

/** There and back again, for tables of many fields. */
const roundTrip = manyFields.chain((value) =>
  fc.constantFrom<Call>(
    { path: ['cjson', 'decode'], args: [], inner: { path: ['cjson', 'encode'], args: [value] } },
    { path: ['cmsgpack', 'unpack'], args: [], inner: { path: ['cmsgpack', 'pack'], args: [value] } },
  ),
);

describe.skipIf(!redisAvailable)('the data libraries answer as those of Redis', () => {
  let server: RunningServer;
  let client: RespClient;

  beforeAll(async () => {
    server = await startRedis();
    client = await RespClient.connect(server.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  test.each([
    ['cjson', cjsonCall],
    ['cmsgpack', cmsgpackCall],
    ['struct', structCall],
    ['bit', bitCall],
    ['there and back', roundTrip],
  ])('%s', async (_, calls) => {
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 60, size: 'max' }), async (batch) => {
        settings.reset();
        const expected = await client.call('EVAL', scriptOf(batch), '0');
        const got = batch.map(outcome);
        expect(got).toEqual((expected as string[]).map(withoutPosition));
      }),
      { numRuns: 60 },
    );
  });
});
