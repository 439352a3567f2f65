// redis.conf-style files: lines, quoting, includes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLines, readConfigFile, realFiles } from '../../../src/config/file.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-file-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text, 'latin1');
  return path;
}

const wordsIn = (path: string): string[] =>
  readConfigFile(path, realFiles).map(({ name, words }) => [name, ...words].join('|'));

test('comments and blanks are no directives, names lose their case, quotes are resolved', () => {
  const text = '# one\r\n\n  \t PORT  7  \nrequirepass "a b\\xff\\n"\nlogfile \'it\\\'s\' \nsave ""\n#port 8';
  expect(wordsIn(write('a.conf', text))).toEqual([
    'port|7',
    'requirepass|a b\xff\n',
    "logfile|it's",
    'save|',
  ]);
});

test('bytes above 127 stay as they are', () => {
  expect(wordsIn(write('bytes.conf', 'requirepass \xc3\xa9\xff'))).toEqual(['requirepass|\xc3\xa9\xff']);
});

test('unbalanced quotes name the line', () => {
  expect(() => parseLines('port 1\nlogfile "x', 'c.conf')).toThrow('c.conf:2: unbalanced quotes');
});

test('an included file stands in the place of its include', () => {
  const inner = write('inner.conf', 'hz 2');
  expect(wordsIn(write('outer.conf', `port 1\ninclude ${inner}\nport 3`))).toEqual([
    'port|1',
    'hz|2',
    'port|3',
  ]);
});

test('a pattern includes what matches, in the order of names, and may match nothing', () => {
  for (const folder of ['x1', 'x2']) mkdirSync(join(directory, folder));
  write('x2/b.conf', 'hz 3');
  write('x1/b.conf', 'hz 2');
  write('x1/a.conf', 'hz 1');
  write('x1/.hidden.conf', 'hz 9');
  write('x1/a.txt', 'hz 9');
  expect(wordsIn(write('many.conf', `include ${directory}/x[12]/*.conf`))).toEqual(['hz|1', 'hz|2', 'hz|3']);
  expect(wordsIn(write('named.conf', `include ${directory}/x?/a.conf`))).toEqual(['hz|1']);
  expect(wordsIn(write('none.conf', `include ${directory}/nothing/*.conf\nhz 4`))).toEqual(['hz|4']);
});

test('a file that includes itself, a missing file and a bare include are mistakes', () => {
  const self = join(directory, 'self.conf');
  write('self.conf', `include ${self}`);
  expect(() => wordsIn(self)).toThrow(`${self}: files include each other too deeply`);
  const lost = write('lost.conf', 'include /nowhere/x.conf');
  expect(() => wordsIn(lost)).toThrow(
    "can't read the configuration file '/nowhere/x.conf': no such file or directory",
  );
  const bare = write('bare.conf', 'include');
  expect(() => wordsIn(bare)).toThrow(`${bare}:1: include: takes one file or pattern`);
});
