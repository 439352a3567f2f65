// Whatever is in a file, on the command line or in CONFIG SET: a Config or a ConfigError of one line, and nothing else.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/command-line.ts';
import { Config } from '../../../src/config/config.ts';
import { ConfigError } from '../../../src/config/errors.ts';
import { optionNames, spellings } from '../../../src/config/options.ts';
import { rewriteConfig } from '../../../src/config/rewrite.ts';

const bytes = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
const spelling = fc.constantFrom(...spellings.keys());
const word = fc.oneof(
  bytes,
  fc.constantFrom(
    '',
    'yes',
    'no',
    '0',
    '1',
    '-1',
    '900',
    '1kb',
    '5%',
    '"',
    "'",
    '""',
    'normal',
    'KEA',
    '-::1',
  ),
);
const line = fc
  .tuple(fc.oneof(spelling, bytes), fc.array(word, { maxLength: 4 }))
  .map(([name, words]) => [name, ...words].join(' '));

/** Undefined where the input was turned down as it should be. */
function orTurnedDown<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(/./);
    return undefined;
  }
}

test('any file', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
      const text = lines.filter((one) => !/^\s*include/i.test(one)).join('\n');
      const files = { read: () => text, list: () => [] };
      const config = orTurnedDown(() => loadConfig(['some.conf'], {}, files));
      if (config === undefined) return;
      const rewritten = rewriteConfig(text, config.values);
      const again = loadConfig(['some.conf'], {}, { ...files, read: () => rewritten });
      expect(again.values).toEqual(config.values);
      expect(rewriteConfig(rewritten, again.values)).toBe(rewritten);
    }),
    { numRuns: 300 },
  );
});

test('any one option with any words, which survive CONFIG REWRITE', () => {
  fc.assert(
    fc.property(fc.constantFrom(...optionNames), word, (name, text) => {
      const config = new Config();
      if (orTurnedDown(() => config.set([[name, text]]) ?? true) === undefined) {
        expect(config.values).toEqual(new Config().values);
        return;
      }
      const rewritten = rewriteConfig('', config.values);
      const again = loadConfig(['a.conf'], {}, { read: () => rewritten, list: () => [] });
      expect(again.values).toEqual(config.values);
    }),
    { numRuns: 1000 },
  );
});

test('any arguments', () => {
  const argument = fc.oneof(
    spelling.map((name) => `--${name}`),
    word,
  );
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 6 }), (argv) => {
      fc.pre(!argv.some((one) => /^-+(h|v|help|version)/.test(one)));
      orTurnedDown(() => loadConfig(argv, {}, { read: () => '', list: () => [] }));
    }),
    { numRuns: 100 },
  );
});
