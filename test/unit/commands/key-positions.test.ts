// Where keys are in a request, and the one range that older clients go by.

import { expect, test } from 'vitest';
import { defineCommand, type KeySpec } from '../../../src/commands/define.ts';
import { keyPositions, keyRange, keySpecsOf } from '../../../src/commands/key-positions.ts';
import { Request } from '../../../src/protocol/request.ts';

const READ: KeySpec = { access: 'RO', does: ['access'], begin: 1 };
const WRITE: KeySpec = { access: 'OW', does: ['update'], begin: 2 };

const command = (...keys: KeySpec[]) =>
  defineCommand({
    name: 'x',
    summary: 'For the test.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(1)',
    arity: -1,
    flags: [],
    keys,
    handler: () => {},
  });

const request = (line: string) => new Request({ low: 1, high: 2 }).fill(line.split(' '));

const keysIn = (line: string, ...specs: KeySpec[]) => {
  const given = request(line);
  return keyPositions(command(...specs), given).map(
    ({ index, access }) => `${given.string(index)} ${access}`,
  );
};

test.each([
  ['x a b', [READ], ['a RO']],
  ['x a b', [READ, WRITE], ['a RO', 'b OW']],
  ['x a b c', [{ ...READ, last: -1 }], ['a RO', 'b RO', 'c RO']],
  ['x a 1 b 2', [{ ...READ, last: -1, step: 2 }], ['a RO', 'b RO']],
  ['x a 1 b', [{ ...READ, last: -1, step: 2 }], ['a RO', 'b RO']],
  ['x a b c', [{ ...READ, last: 1 }], ['a RO', 'b RO']],
  ['x a b timeout', [{ ...READ, last: -2 }], ['a RO', 'b RO']],
  ['x', [READ], []],
] as const)('%s', (line, specs, keys) => {
  expect(keysIn(line, ...specs)).toEqual(keys);
});

test.each([
  ['x 2 a b c', ['a RO', 'b RO']],
  ['x 0 a', []],
  ['x -1 a', []],
  ['x 3 a b', []],
  ['x two a b', []],
  ['x 99999999999999999999 a', []],
  ['x', []],
])('counted: %s', (line, keys) => {
  expect(keysIn(line, { ...READ, counted: true })).toEqual(keys);
});

test('counted pairs', () => {
  expect(keysIn('x 2 a 1 b 2', { ...READ, counted: true, step: 2 })).toEqual(['a RO', 'b RO']);
});

test('a request may do less with a key than its command can', () => {
  const spec: KeySpec = { ...READ, access: 'RW', useIn: ({ count }) => (count === 2 ? READ : WRITE) };
  expect(keysIn('x a', spec)).toEqual(['a RO']);
  expect(keysIn('x a b', spec)).toEqual(['a OW']);
});

test('a channel that is routed like a key is none', () => {
  const channel: KeySpec = { ...READ, flags: ['not_key'] };
  expect(keysIn('x channel', channel)).toEqual([]);
  expect(keySpecsOf(command(channel, WRITE))).toEqual([WRITE]);
});

test.each<[string, KeySpec[], [first: number, last: number, step: number, isComplete: boolean]]>([
  ['no keys', [], [0, 0, 0, true]],
  ['one key', [READ], [1, 1, 1, true]],
  ['all from the first', [{ ...READ, last: -1 }], [1, -1, 1, true]],
  ['one in two', [{ ...READ, last: -1, step: 2 }], [1, -1, 2, true]],
  ['two keys side by side', [READ, WRITE], [1, 2, 1, true]],
  ['a key, then all others', [READ, { ...WRITE, last: -1 }], [1, -1, 1, true]],
  ['keys apart', [READ, { ...WRITE, begin: 3 }], [1, 1, 1, false]],
  ['counted keys', [{ ...READ, counted: true }], [0, 0, 0, false]],
  ['a key, then counted ones', [READ, { ...WRITE, counted: true }], [1, 1, 1, false]],
  ['not all are told', [{ ...READ, flags: ['incomplete'] }], [1, 1, 1, false]],
])('range of %s', (_, specs, [first, last, step, isComplete]) => {
  expect(keyRange(specs)).toEqual({ first, last, step, isComplete });
});
