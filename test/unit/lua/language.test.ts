// The language itself, snippet by snippet in both forms of code, against the recorded answers of Redis 7.0.15.

import { describe, expect, it } from 'vitest';
import { outcomes, showing } from '../../support/lua-language.ts';
import {
  BORDERS,
  COROUTINES_AND_NAMES,
  METATABLES_AND_ERRORS,
  MORE,
  TABLES_AND_VALUES,
} from './language-cases.ts';

describe.each([
  ['tables, functions and values', TABLES_AND_VALUES],
  ['borders of lists', BORDERS],
  ['metatables, errors and depth', METATABLES_AND_ERRORS],
  ['coroutines, loaded code and names', COROUTINES_AND_NAMES],
  ['what random programs have found', MORE],
])('%s', (_, cases) => {
  it.each(cases)('%s', (snippet, answer) => {
    const answers = outcomes(showing(snippet));
    expect(answers).toEqual(answers.map(() => answer));
    expect(answers.length).toBeGreaterThan(0);
  });
});
