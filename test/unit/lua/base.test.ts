// The global functions, in both forms of code, against the recorded answers of Redis 7.0.15.

import { describe, expect, it } from 'vitest';
import { BASE_CASES } from './base-cases.ts';
import { FORMS, Libraries } from './library-cases.ts';

describe.each(FORMS)('%s', (form) => {
  it.each(BASE_CASES)('%s', (snippet, answer) => {
    expect(new Libraries().answer(snippet, form)).toBe(answer);
  });

  it('is as before after an error in the depths', () => {
    const { state, run } = bound();
    const source = `local function f(n) if n == 0 then error('x') end return f(n - 1) + 1 end
      local function g() local ok, e = pcall(f, 50) return ok, e end
      local t = {} for i = 1, 300 do t[i] = select(2, g()) end return #t, t[300]`;
    expect(run(source, form)).toEqual([300, 'user_script:1: x']);
    expect(state.callbacks).toBe(0);
  });

  it('lets nobody catch what ends a run', () => {
    const { state, run } = bound();
    const end = new Error('killed');
    state.tire = () => {
      throw end;
    };
    expect(() => run('pcall(table.insert, {}, -2^31, 1)', form)).toThrow(end);
    expect(() => run('xpcall(function() table.insert({}, -2^31, 1) end, type)', form)).toThrow(end);
  });
});

describe('tostring', () => {
  it('gives each table and function an address of its own', () => {
    const { run } = bound();
    const source = 'local a, b = {}, {} return tostring(a), tostring(b), tostring(type), tostring(a)';
    const [a, b, f, again] = run(source);
    expect(a).toMatch(/^table: 0x[0-9a-f]{12}$/);
    expect(f).toMatch(/^function: 0x[0-9a-f]{12}$/);
    expect(new Set([a, b, f, again]).size).toBe(3);
    expect(again).toBe(a);
  });

  it('gives the same addresses in the same order after a reset', () => {
    const { addresses, run } = bound();
    const source = 'return tostring({}), tostring(type), tostring({})';
    const before = run(source);
    expect(run(source)).not.toEqual(before);
    addresses.reset();
    expect(run(source)).toEqual(before);
  });
});

describe('unpack', () => {
  it.each([
    ['unpack({}, 1, 7997)', 7997],
    ['unpack({}, 1, 7995, nil, nil)', 7995],
  ])('%s fits', (call, count) => {
    expect(bound().run(`return select('#', ${call})`)).toEqual([count]);
  });

  it.each(['unpack({}, 1, 7998)', 'unpack({}, 1, 7996, nil, nil)'])('%s does not', (call) => {
    const answer = new Libraries().answer(`return ${call}`);
    expect(answer).toBe('false "user_script:1: too many results to unpack"');
  });
});

describe('collectgarbage', () => {
  it('ends a loop that waits for the end of a cycle, and remembers its settings', () => {
    const { run } = bound();
    expect(run("repeat until collectgarbage('step') return 1")).toEqual([1]);
    expect(run("return collectgarbage('setpause', 150), collectgarbage('setpause', 7)")).toEqual([200, 150]);
  });
});

function bound() {
  const libraries = new Libraries();
  const { state, addresses } = libraries;
  return { state, addresses, run: libraries.run.bind(libraries) };
}
