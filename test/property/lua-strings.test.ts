// The string library of Lua, and numbers as text, against redis-server 7.0.15: random calls, every result and every error
// text. A batch of calls is one script there; here the builtins are called directly.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDouble17 } from '../../src/bytes/double.ts';
import { toNumber, toText } from '../../src/lua/arguments.ts';
import { stringLibrary } from '../../src/lua/library/string.ts';
import { LuaError } from '../../src/lua/lua-error.ts';
import { finished, LuaState } from '../../src/lua/state.ts';
import { LuaTable } from '../../src/lua/table.ts';
import { type LuaFunction, type LuaValue, Several } from '../../src/lua/value.ts';
import {
  installedRedisVersion,
  type RunningServer,
  redisAvailable,
  startRedis,
} from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';

/** A function of the library or of the prelude, and its arguments. */
interface Call {
  readonly name: string;
  readonly args: readonly LuaValue[];
}

const state = new LuaState();
const library = stringLibrary(state);

// --- what both sides have: two functions, and what `gsub` may be given as its third argument

const PRELUDE = `
local n, nan = tonumber, 0/0
local function show(ok, ...)
  local shown = {tostring(ok)}
  for i = 1, select('#', ...) do
    local v = select(i, ...)
    if type(v) == 'number' then v = v ~= v and 'nan' or string.format('%.17g', v)
    elseif type(v) == 'string' then v = '"' .. v .. '"' end
    shown[i + 1] = tostring(v)
  end
  return table.concat(shown, ' ')
end
local function every(text, pattern)
  local shown = {}
  for a, b in string.gmatch(text, pattern) do shown[#shown + 1] = show(a, b) end
  return table.concat(shown, ';')
end
local FIELDS = setmetatable({a = 'X', b = false, ab = 7}, {__index = {c = 'C'}})
local function BY(a, b) if a == 'b' then return nil end if b then return b end return a == 1 and 'one' or 2.5 end
`;

const first: LuaFunction = (a, b) => {
  if (a === 'b') return undefined;
  return b !== undefined ? b : a === 1 ? 'one' : 2.5;
};
const fields = LuaTable.from({ a: 'X', b: false, ab: 7 });
fields.metatable = LuaTable.from({ __index: LuaTable.from({ c: 'C' }) });

const every: LuaFunction = (text, pattern) => {
  const next = valuesOf('gmatch', [text, pattern])[0] as LuaFunction;
  const shown: string[] = [];
  for (;;) {
    const [a, b] = all(next());
    if (a === undefined) return shown.join(';');
    shown.push(`${typeof a === 'string' ? a : formatDouble17(a as number)} ${showValue(b)}`);
  }
};

const OWN: Readonly<Record<string, LuaFunction>> = {
  every,
  tostring: (value) => toText(value),
  tonumber: (text) => toNumber(text),
};

// --- the same call here and there

const all = (result: ReturnType<LuaFunction>): readonly LuaValue[] => {
  const values = finished(result);
  return values instanceof Several ? values.values : [values];
};

function valuesOf(name: string, args: readonly LuaValue[]): readonly LuaValue[] {
  return all((OWN[name] ?? (library.get(name) as LuaFunction))(...args));
}

function outcome({ name, args }: Call): string {
  try {
    return ['true', ...valuesOf(name, args).map(showValue)].join(' ');
  } catch (error) {
    if (!(error instanceof LuaError)) throw error;
    return `false ${showValue(error.value)}`;
  }
}

function showValue(value: LuaValue): string {
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : formatDouble17(value);
  if (typeof value === 'string') return `"${value}"`;
  return value === undefined ? 'nil' : String(value);
}

function source({ name, args }: Call): string {
  const callee = name in OWN ? name : `string.${name}`;
  return `show(pcall(${[callee, ...args.map(literal)].join(',')}))`;
}

/** There, `gmatch` is called by Lua code, which errors tell. */
const withoutCaller = (line: string) =>
  line.replace(/user_script:\d+: /, '').replace("to 'gmatch'", "to '?'");

function literal(value: LuaValue): string {
  if (value === fields) return 'FIELDS';
  if (value === first) return 'BY';
  if (value === undefined) return 'nil';
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : `n("${formatDouble17(value)}")`;
  if (typeof value !== 'string') return String(value);
  const escaped = Array.from(value, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`);
  return `"${escaped.join('')}"`;
}

// --- calls

const joined = (pieces: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength, size: 'max' }).map((chosen) => chosen.join(''));

const subject = joined([...'aaabbbcc1 .()-%_\0A\xe9'], 14);
const singles = [
  ...'abc.',
  '%a',
  '%d',
  '%w',
  '%W',
  '%s',
  '%S',
  '%p',
  '%z',
  '%%',
  '%.',
  '[ab]',
  '[^a]',
  '[a-c]',
];
const sets = [
  '[%a_]',
  '[]a]',
  '[^]]',
  '[a-]',
  '[%]-a]',
  '[%-a]',
  '[^%w]',
  '[a-b1]',
  '[\xe0-\xff]',
  '[-a]',
  '[%d-z]',
];
const repeated = fc
  .tuple(fc.constantFrom(...singles, ...singles, ...sets), fc.constantFrom('', '', '*', '+', '-', '?'))
  .map((both) => both.join(''));
const special = [
  '(',
  ')',
  '(',
  ')',
  '()',
  '%1',
  '%2',
  '%0',
  '$',
  '^',
  '%bab',
  '%b()',
  '%f[a]',
  '%f[^%w]',
  '%f[%z]',
];
const broken = ['%', '[', '[^', '[a-', '[%', '%b', '%bx', '%f', '\0', ']', '-', '*', '+', '?'];
const item = fc.oneof(
  { weight: 6, arbitrary: repeated },
  { weight: 3, arbitrary: fc.constantFrom(...special) },
  { weight: 1, arbitrary: fc.constantFrom(...broken) },
);
const captured = fc.array(item, { maxLength: 3 }).map((items) => `(${items.join('')})`);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(fc.oneof({ weight: 5, arbitrary: item }, captured), { maxLength: 6 }),
  )
  .map(([anchor, items]) => anchor + items.join(''));
const template = joined([...'ax', '%0', '%1', '%2', '%%', '%a', '%', '\0'], 4);

const position = fc.oneof(
  fc.integer({ min: -6, max: 20 }),
  fc.constantFrom(-(2 ** 63), 2 ** 62, 1.7, -0.5, Infinity, NaN),
);
const twist = fc.double({ noNaN: false });
const bits = fc
  .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: -60, max: 70 }))
  .map(([n, e]) => n * 2 ** e);
const decimal = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: -340, max: 300 }))
  .map(([n, e]) => Number(`${n}e${e}`));
const tie = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 26 }), fc.integer({ min: 1, max: 26 }))
  .map(([n, e]) => (2 * n + 1) / 2 ** e);
const nines = fc
  .tuple(fc.integer({ min: 1, max: 17 }), fc.integer({ min: -8, max: 20 }))
  .map(([digits, e]) => Number(`${'9'.repeat(digits)}e${e - digits}`));
const largeTie = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 22 }))
  .map(([n, e]) => (n + 0.5) * 10 ** e);
const edge = fc.constantFrom(
  0,
  -0,
  1e14,
  99999999999999.5,
  1e15,
  1e21,
  1e22,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
  5e-324,
  Number.MAX_VALUE,
  Infinity,
  -Infinity,
  NaN,
  1e-4,
  0.0001 - 2 ** -66,
  0.5,
  2.5,
  255,
  65,
);
const number = fc.oneof(
  twist,
  bits,
  decimal,
  tie,
  largeTie,
  nines,
  edge,
  fc.integer(),
  fc.integer({ min: -300, max: 300 }),
);

const conversion = fc
  .tuple(
    joined([...'-+ #0'], 2),
    fc.constantFrom('', '', '', '1', '5', '12', '99', '123'),
    fc.constantFrom('', '', '', '.', '.0', '.1', '.3', '.14', '.17', '.20', '.99', '.123'),
    fc.constantFrom(...'dddiuoxXceeEfffgggGsssq', 'y', '%', '', '\0', 'l'),
  )
  .map((parts) => `%${parts.join('')}`);
const formatText = fc
  .array(fc.oneof(conversion, conversion, fc.constantFrom('a', '%%', '\0', '|')), { maxLength: 4 })
  .map((parts) => parts.join(''));
const formatted = fc.oneof(
  { weight: 6, arbitrary: number },
  fc.constantFrom('a', 'a\0b', '', '0x10', ' 12 ', '\r\n"\\\0', 'x'.repeat(99), `y\0${'x'.repeat(98)}`),
  fc.constant(true),
);

const spelling = joined(
  [
    ...'+-..0019afeEpPxX \t\v(',
    '0x',
    '0x',
    'inf',
    'nan',
    'inity',
    'nan(1)',
    'NAN()',
    '\0',
    'p-1',
    'e5',
    '123456789012345678',
  ],
  6,
);
const bigHex = fc
  .tuple(joined([...'0123456789abcdef'], 40), joined([...'08f'], 30), fc.integer({ min: -1200, max: 1100 }))
  .map(([whole, fraction, exponent]) => `0x${whole}.${fraction}p${exponent}`);
const bigDecimal = fc
  .tuple(joined([...'0123456789'], 40), joined([...'05'], 30), fc.integer({ min: -350, max: 310 }))
  .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${exponent}`);

const calls = (name: string, ...args: fc.Arbitrary<LuaValue>[]): fc.Arbitrary<Call> =>
  fc
    .tuple(fc.tuple(...args), fc.integer({ min: 0, max: 60 }))
    .map(([given, cut]) => ({ name, args: cut < 2 ? given.slice(0, cut) : given }));
const optional = (arbitrary: fc.Arbitrary<LuaValue>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, arbitrary);

const ARBITRARY_CALLS: Readonly<Record<string, fc.Arbitrary<Call>>> = {
  patterns: fc.oneof(
    calls('find', subject, pattern, optional(position), optional(fc.boolean())),
    calls('match', subject, pattern, optional(position)),
    calls('every', subject, pattern),
    calls(
      'gsub',
      subject,
      pattern,
      fc.oneof(template, fc.constantFrom<LuaValue>(first, fields, true, 5)),
      optional(position),
    ),
  ),
  formats: fc
    .tuple(formatText, fc.array(formatted, { maxLength: 4, minLength: 2 }))
    .map(([text, args]) => ({ name: 'format', args: [text, ...args] })),
  'numbers as text': fc.oneof(
    number.map((x) => ({ name: 'tostring', args: [x] })),
    fc.oneof(spelling, spelling, bigHex, bigDecimal).map((text) => ({ name: 'tonumber', args: [text] })),
  ),
  'bytes and slices': fc.oneof(
    calls('sub', subject, position, optional(position)),
    calls('byte', subject, optional(position), optional(position)),
    calls('char', fc.integer({ min: -2, max: 258 }), fc.integer({ min: 0, max: 255 }), number),
    calls('rep', subject, fc.integer({ min: -2, max: 5 })),
    calls('reverse', subject),
    calls('upper', subject),
    calls('lower', subject),
    calls('len', fc.oneof(subject, number)),
  ),
};

const BATCH = 100;
const RUNS = 15;
/** These agree; whoever looks for more takes another. */
const SEED = 51;

describe.skipIf(!redisAvailable)(`as redis-server has it (installed: ${installedRedisVersion})`, () => {
  let oracle: RunningServer;
  let client: RespClient;
  beforeAll(async () => {
    oracle = await startRedis();
    client = await RespClient.connect(oracle.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await oracle.stop();
  });

  test.each(Object.entries(ARBITRARY_CALLS))('%s', async (_, call) => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        const script = `${PRELUDE} return {${batch.map(source).join(',\n')}}`;
        const theirs = (await client.call('EVAL', script, '0')) as string[];
        const expected = batch.map((each, i) => [source(each), withoutCaller(theirs[i] as string)]);
        const ours = batch.map((each) => [source(each), outcome(each)]);
        expect(ours).toEqual(expected);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
