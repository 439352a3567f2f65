// Glob patterns: a plain recursive reference, recorded edges, and redis-server itself where it is installed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatches, globMatchesString } from '../../../src/bytes/glob.ts';
import { oracleInstalled, startOracle } from './redis-oracle.ts';

// [pattern, subject, does it match]: recorded from redis-server 7.0.15.
const recorded: [string, string, boolean][] = [
  ['', '', true],
  ['*', '', false],
  ['**', '', false],
  ['', 'a', false],
  ['*', 'a', true],
  ['h?llo', 'hello', true],
  ['h?llo', 'hllo', false],
  ['h*llo', 'heeeello', true],
  ['h*llo', 'hllo', true],
  ['h**', 'h', true],
  ['*a*b', 'xaxbxab', true],
  ['*a*b', 'xaxbxa', false],
  ['h[ae]llo', 'hallo', true],
  ['h[^e]llo', 'hello', false],
  ['h[^e]llo', 'hallo', true],
  ['[a-c]', 'b', true],
  ['[c-a]', 'b', true],
  ['[a-c', 'b', true],
  ['[a-', '-', true],
  ['[a-', 'b', false],
  ['[a-]', ']', true],
  ['[]', ']', false],
  ['[]a]', 'a]', false],
  ['[^]', 'q', true],
  ['[^', 'q', true],
  ['[', '[', false],
  ['[\\]]', ']', true],
  ['[\\', '\\', true],
  ['[\\a-c]', 'b', false],
  ['[\\a-c]', '-', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a\\', 'a\\', true],
  ['a\\', 'a', false],
  ['[a-\xff]', 'b', false],
  ['[a-\xff]', 'A', true],
  ['[\x80-\xff]', '\x90', true],
  ['\xff*', '\xff\x00', true],
];

test.each(recorded)('%j on %j: %j', (pattern, subject, matches) => {
  expect(globMatchesString(pattern, subject)).toBe(matches);
});

test('nocase folds ASCII letters, except an escaped byte of a class and the order of a range', () => {
  expect(globMatchesString('MAX*', 'maxmemory')).toBe(false);
  expect(globMatchesString('MAX*', 'maxmemory', true)).toBe(true);
  expect(globMatchesString('[A-C]', 'b', true)).toBe(true);
  expect(globMatchesString('[\\A]', 'a', true)).toBe(false);
  expect(globMatchesString('[Z-a]', 'z', true)).toBe(false);
  expect(globMatchesString('\xc0', '\xe0', true)).toBe(false);
});

test('only the given range of the bytes is the subject', () => {
  const bytes = Buffer.from('xxlock:1yy');
  expect(globMatches(Buffer.from('lock:?'), bytes, 2, 6)).toBe(true);
  expect(globMatches(Buffer.from('lock:?'), bytes, 2, 7)).toBe(false);
});

test('gives up beyond a thousand stars, as Redis does', () => {
  const subject = 'a'.repeat(3000);
  expect(globMatchesString('*a'.repeat(1000), subject)).toBe(true);
  expect(globMatchesString('*a'.repeat(1001), subject)).toBe(false);
  expect(globMatchesString(`${'*a'.repeat(1000)}*`, subject)).toBe(true);
});

test('a pattern made to explode answers', () => {
  expect(globMatchesString(`${'*a'.repeat(900)}b`, 'a'.repeat(20_000))).toBe(false);
});

const alphabet = ['*', '?', '[', ']', '^', '-', '\\', 'a', 'b', 'c', 'A', '\x00', '\x90', '\xff'];
const anyPattern = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 14 });
const anySubject = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', '-', ']', '\\', '\xff'),
  maxLength: 10,
});

test('agrees with trying every split of the subject', () => {
  fc.assert(
    fc.property(anyPattern, anySubject, fc.boolean(), (pattern, subject, nocase) => {
      const expected = subject === '' ? pattern === '' : matchesBySplitting(pattern, subject, nocase);
      expect(globMatchesString(pattern, subject, nocase)).toBe(expected);
    }),
    { numRuns: 20_000 },
  );
});

/** The obvious exponential matcher: a star takes nothing, or one more byte. */
function matchesBySplitting(pattern: string, subject: string, nocase: boolean): boolean {
  if (pattern === '') return subject === '';
  if (pattern[0] === '*') {
    if (matchesBySplitting(pattern.slice(1), subject, nocase)) return true;
    return subject !== '' && matchesBySplitting(pattern, subject.slice(1), nocase);
  }
  if (subject === '') return false;
  const token = /^(\[\^?(\\.|[^\]\\]-.|[^\]\\]|\\)*\]?|\\.|.)/s.exec(pattern)?.[0] as string;
  if (!globMatchesString(token, subject[0] as string, nocase)) return false;
  return matchesBySplitting(pattern.slice(token.length), subject.slice(1), nocase);
}

const commandNames = [
  'get',
  'set',
  'getdel',
  'setnx',
  'ttl',
  'del',
  'exists',
  'mget',
  'ping',
  'zadd',
  'zrem',
];
const anyCommandPattern = fc.string({ unit: fc.constantFrom(...'*?[]^-\\AaEeGgSsTtZz'), maxLength: 12 });

test.runIf(oracleInstalled)('agrees with redis-server on any pattern', async () => {
  const oracle = await startOracle();
  try {
    await fc.assert(
      fc.asyncProperty(
        anyPattern,
        fc.uniqueArray(anySubject, { minLength: 8 }),
        async (pattern, subjects) => {
          const keys = subjects.map((subject) => Buffer.from(subject, 'latin1'));
          await oracle.client.flushall();
          await oracle.client.mset(keys.flatMap((key) => [key, '']));
          // KEYS and SCAN never ask the matcher about a lone "*": they list the empty key, PSUBSCRIBE does not.
          fc.pre(pattern !== '*');
          const scan = ['0', 'COUNT', '1000', 'MATCH', Buffer.from(pattern, 'latin1')];
          const [, found] = (await oracle.client.callBuffer('SCAN', ...scan)) as [Buffer, Buffer[]];
          const ours = subjects.filter((subject) => globMatchesString(pattern, subject));
          expect(ours.sort()).toEqual(found.map((key) => key.toString('latin1')).sort());
        },
      ),
      { numRuns: 2_000 },
    );
    const listener = oracle.client.duplicate();
    const stars: [string, string, boolean][] = [1000, 1001].map((n) => [
      '*a'.repeat(n),
      'a'.repeat(3000),
      n === 1000,
    ]);
    for (const [pattern, subject, matches] of [...recorded, ...stars]) {
      await listener.call('PSUBSCRIBE', Buffer.from(pattern, 'latin1'));
      const receivers = await oracle.client.publish(Buffer.from(subject, 'latin1'), '');
      await listener.punsubscribe();
      expect([pattern, subject, receivers === 1]).toEqual([pattern, subject, matches]);
    }
    listener.disconnect();
    await fc.assert(
      fc.asyncProperty(anyCommandPattern, async (pattern) => {
        const found = (await oracle.call('COMMAND', 'LIST', 'FILTERBY', 'PATTERN', pattern)) as string[];
        const ours = commandNames.filter((name) => globMatchesString(pattern, name, true));
        expect(ours.sort()).toEqual(found.filter((name) => commandNames.includes(name)).sort());
      }),
      { numRuns: 1_000 },
    );
  } finally {
    await oracle.close();
  }
});
