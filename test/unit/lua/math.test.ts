// The libraries `math` and `os`, and the random numbers of scripts, against the recorded answers of Redis 7.0.15.

import { describe, expect, it } from 'vitest';
import { power } from '../../../src/lua/float.ts';
import { ScriptRandom } from '../../../src/lua/random.ts';
import { type Case, Libraries } from './library-cases.ts';

const CASES: readonly Case[] = [
  ['return math.random(0)', 'false "user_script:1: bad argument #1 to \'random\' (interval is empty)"'],
  ['return math.random(5,4)', 'false "user_script:1: bad argument #2 to \'random\' (interval is empty)"'],
  ['return math.random(1,2,3)', 'false "user_script:1: wrong number of arguments"'],
  [
    "return math.random('x')",
    'false "user_script:1: bad argument #1 to \'random\' (number expected, got string)"',
  ],
  [
    'return math.random(2147483647), math.random(2147483648), math.random(2^33), math.random(1,2^53)',
    'false "user_script:1: bad argument #1 to \'random\' (interval is empty)"',
  ],
  ['return math.random(-2^31, 2^31-1)', 'true -2147483648'],
  ['return math.random(-2^40, 2^40)', 'true 0'],
  [
    'return math.random(nil)',
    'false "user_script:1: bad argument #1 to \'random\' (number expected, got nil)"',
  ],
  ['return math.random(1/0)', 'false "user_script:1: bad argument #1 to \'random\' (interval is empty)"'],
  ['return math.random(0/0)', 'false "user_script:1: bad argument #1 to \'random\' (interval is empty)"'],
  ['return math.randomseed(1)', 'true'],
  [
    'return math.randomseed()',
    'false "user_script:1: bad argument #1 to \'randomseed\' (number expected, got no value)"',
  ],
  [
    "return math.randomseed('a')",
    'false "user_script:1: bad argument #1 to \'randomseed\' (number expected, got string)"',
  ],
  ['return math.max()', 'false "user_script:1: bad argument #1 to \'max\' (number expected, got no value)"'],
  ["return math.max(1,'20')", 'true 20'],
  ['return math.max(1,{})', 'false "user_script:1: bad argument #2 to \'max\' (number expected, got table)"'],
  [
    'return math.max(1,nil,3)',
    'false "user_script:1: bad argument #2 to \'max\' (number expected, got nil)"',
  ],
  ['return math.max(0/0,1), math.max(1,0/0), math.min(0/0,1), math.min(1,0/0)', 'true nan 1 nan 1'],
  ['return math.huge, -math.huge, math.pi, 0/0, -(0/0)', 'true inf -inf 3.141592653589793 nan nan'],
  [
    'return math.modf(3.5), math.modf(-3.5), math.modf(1/0), math.modf(0/0), math.modf(-0.5), math.modf(5)',
    'true 3 -3 inf nan -0 5 0',
  ],
  [
    'return math.fmod(5,3), math.fmod(-5,3), math.fmod(5,-3), math.fmod(5,0), math.fmod(5,1/0), math.fmod(-6,2), math.fmod(1/0,2)',
    'true 2 -2 2 nan 5 -0 nan',
  ],
  ['return math.mod==math.fmod, math.mod(7,4)', 'true true 3'],
  [
    'return math.floor(-0.5), math.ceil(-0.5), math.floor(2^53+1), math.floor(1/0), math.floor(0/0)',
    'true -1 -0 9007199254740992 inf nan',
  ],
  ["return math.abs(-0.0), math.abs(-1/0), math.abs('-3')", 'true 0 inf 3'],
  [
    'return math.log10(1000), math.log10(1e15), math.log10(1e22),math.log10(2), math.log10(0), math.log10(-1)',
    'true 3 15 22 0.3010299956639812 -inf nan',
  ],
  [
    'return math.log(10), math.log(8,2), math.log(0), math.log(-1)',
    'true 2.302585092994046 2.0794415416798357 -inf nan',
  ],
  [
    'return math.deg(1), math.rad(180), math.deg(180), math.rad(1), math.deg(math.pi), math.deg(123.456), math.rad(33.3)',
    'true 57.29577951308232 3.141592653589793 10313.240312354817 0.017453292519943295 180 7073.507755567091 0.5811946409141117',
  ],
  ['return math.abs()', 'false "user_script:1: bad argument #1 to \'abs\' (number expected, got no value)"'],
  ['return math.abs({})', 'false "user_script:1: bad argument #1 to \'abs\' (number expected, got table)"'],
  ['return math.pow(1)', 'false "user_script:1: bad argument #2 to \'pow\' (number expected, got no value)"'],
  [
    'return math.fmod(1)',
    'false "user_script:1: bad argument #2 to \'fmod\' (number expected, got no value)"',
  ],
  [
    'return math.atan2(1)',
    'false "user_script:1: bad argument #2 to \'atan2\' (number expected, got no value)"',
  ],
  ["return math.min('a')", 'false "user_script:1: bad argument #1 to \'min\' (number expected, got string)"'],
  ["return math.min(3, '2', 1)", 'true 1'],
  ['return pcall(math.floor)', 'true false "bad argument #1 to \'?\' (number expected, got no value)"'],
  [
    'local f=math.floor return pcall(function() f() end)',
    'true false "user_script:1: bad argument #1 to \'f\' (number expected, got no value)"',
  ],
];

describe('math', () => {
  it.each(CASES)('%s', (snippet, answer) => {
    expect(new Libraries().answer(snippet)).toBe(answer);
  });

  it('takes powers of ten as they are written', () => {
    for (let n = -307; n <= 308; n++) if (n !== 23) expect(power(10, n), `10^${n}`).toBe(Number(`1e${n}`));
  });

  it('knows the logarithms of powers of ten', () => {
    for (let n = -300; n <= 300; n++) expect(Math.log10(Number(`1e${n}`))).toBe(n);
  });

  it('puts together what frexp takes apart', () => {
    const { run } = bound();
    for (const x of ['5e-324', '-3.5e-310', '0.1', '-1', '1.7976931348623157e308', '123456.789'])
      expect(run(`return math.ldexp(math.frexp(${x}))`)).toEqual([Number(x)]);
  });

  it('rounds once where ldexp leaves the normal range', () => {
    const { run } = bound();
    expect(run('return math.ldexp(0.75, -1074), math.ldexp(0.5, -1074)')).toEqual([5e-324, 0]);
    expect(run('return math.ldexp(1.5, -1074), math.ldexp(2^-1074, 2097)')).toEqual([1e-323, 2 ** 1023]);
  });
});

describe('os', () => {
  it('has a clock', () => {
    expect(bound().run('return os.clock()')).toEqual([1.5]);
  });
});

describe('random numbers', () => {
  it('are those of Redis, which has just started', () => {
    const random = new ScriptRandom();
    const drawn = Array.from({ length: 3 }, () => random.next().toPrecision(14));
    expect(drawn).toEqual(['0.39646477363839', '0.84048536971234', '0.35333609737146']);
  });

  it('are those of Redis after randomseed(5)', () => {
    const random = new ScriptRandom();
    random.seed(5);
    const drawn = Array.from({ length: 2 }, () => random.next().toPrecision(14));
    expect(drawn).toEqual(['0.52483957937213', '0.27285430173988']);
  });

  it('go on from script to script', () => {
    const libraries = new Libraries();
    const [before] = libraries.run('math.randomseed(5) return math.random()');
    expect(libraries.run('return math.random()')).not.toEqual([before]);
    expect(libraries.run('math.randomseed(5) return math.random()')).toEqual([before]);
  });

  it('come again when the state is put back', () => {
    const { random, run } = bound();
    const { state } = random;
    const first = run('return math.random(1000), math.random(), math.random(5, 7)');
    random.state = state;
    expect(run('return math.random(1000), math.random(), math.random(5, 7)')).toEqual(first);
  });
});

function bound() {
  const libraries = new Libraries();
  return { random: libraries.random, run: (source: string) => libraries.run(source) };
}
