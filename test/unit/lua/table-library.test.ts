// The library `table`, in both forms of code, against the recorded answers of Redis 7.0.15.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMS, Libraries } from './library-cases.ts';
import { TABLE_CASES } from './table-cases.ts';

describe.each(FORMS)('%s', (form) => {
  it.each(TABLE_CASES)('%s', (snippet, answer) => {
    expect(new Libraries().answer(snippet, form)).toBe(answer);
  });
});

describe('concat', () => {
  it('refuses what would be too long before it is made', () => {
    const libraries = new Libraries();
    libraries.state.maxStringBytes = 1000;
    const fill = "local t = {} for i = 1, 100 do t[i] = 'x' end";
    expect(libraries.answer(`${fill} return #table.concat(t, '123456789')`)).toBe('true 991');
    const refused = libraries.answer(`${fill} return table.concat(t, '1234567890')`);
    expect(refused).toBe('false "user_script:1: not enough memory"');
  });
});

describe('insert', () => {
  it('asks the watchdog when the position is far away', () => {
    const libraries = new Libraries();
    libraries.state.tire = () => {
      throw new Error('too long');
    };
    expect(() => libraries.run('table.insert({}, -2^31, 1)')).toThrow('too long');
  });
});

describe('sort', () => {
  /** With and without an order of one's own: they take different ways. */
  const SORTS = ['table.sort(t)', 'table.sort(t, function(a, b) return a < b end)'];

  it.each(SORTS)('%s sorts numbers', (sort) => {
    const numbers = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true })));
    fc.assert(
      fc.property(numbers, (list) => {
        const literals = list.map((x) => (Number.isFinite(x) ? String(x) : `${Math.sign(x)}/0`));
        const sorted = new Libraries().run(`local t = {${literals}} ${sort} return unpack(t)`);
        expect(sorted.map((x) => Number(x) + 0)).toEqual(
          list.map((x) => x + 0).sort((a, b) => (a < b ? -1 : +(a > b))),
        );
      }),
      { numRuns: 50 },
    );
  });

  it.each(SORTS)('%s sorts strings by their bytes', (sort) => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9 ]{0,3}$/));
    fc.assert(
      fc.property(words, (list) => {
        const literals = list.map((word) => `'${word}'`);
        const sorted = new Libraries().run(`local t = {${literals}} ${sort} return unpack(t)`);
        expect(sorted).toEqual([...list].sort());
      }),
      { numRuns: 50 },
    );
  });

  it('compares the pairs that Redis compares, so that equal elements end up where they do there', () => {
    const source = `local calls, t = '', {9, 4, 7, 1, 12, 3, 3, 8, 5, 10, 6, 2}
      table.sort(t, function(a, b) calls = calls .. a .. ':' .. b .. ' ' return a % 3 < b % 3 end)
      return calls, table.concat(t, ' ')`;
    expect(new Libraries().run(source)).toEqual([
      '2:9 3:9 2:3 4:3 3:10 3:5 3:8 3:3 7:3 3:6 1:3 3:12 1:3 3:12 12:9 3:9 12:3 6:3 3:6 3:3 3:9 6:9 2:7 5:7 2:5 4:5 8:5 5:10 1:5 8:5 5:1 2:8 1:7 4:7 1:4 10:4 4:10 4:4 4:7 10:7 ',
      '9 6 3 12 3 7 10 4 1 5 8 2',
    ]);
  });
});
