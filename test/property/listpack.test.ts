// Listpacks against an array of strings, and against redis-server: what DUMP holds of small lists, hashes and sorted sets
// is what is built and edited here, and RESTORE takes and refuses what the check does.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByteView } from '../../src/bytes/view.ts';
import { ListpackCursor } from '../../src/collections/listpack.ts';
import { checkListpack } from '../../src/collections/listpack-check.ts';
import { countElements } from '../../src/collections/listpack-format.ts';
import { ListpackWriter } from '../../src/collections/listpack-writer.ts';
import { dumped, listpackOf, MovingValue, payloadOf, placed, RDB_TYPE } from '../support/packed.ts';
import {
  installedRedisVersion,
  type RunningServer,
  redisAvailable,
  startRedis,
} from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';
import { elementCases } from '../unit/collections/listpack-cases.ts';

// --- elements: integers around every power of two, what only looks like one, and bytes; some often enough to be found

const integer = fc
  .tuple(fc.integer({ min: 0, max: 64 }), fc.bigInt({ min: -2n, max: 2n }), fc.boolean())
  .map(([exponent, offset, isNegative]) =>
    String((isNegative ? -1n : 1n) * (2n ** BigInt(exponent) + offset)),
  );
const bytes = (length: fc.SizeForArbitrary | undefined, maxLength: number) =>
  fc
    .uint8Array({ maxLength, ...(length === undefined ? {} : { size: length }) })
    .map((each) => Buffer.from(each).toString('latin1'));
const long = fc
  .tuple(
    fc.constantFrom('x', '\x01', '\xff', '\x80'),
    fc.constantFrom(62, 63, 64, 65, 126, 4094, 4095, 4096, 4097),
  )
  .map(([byte, length]) => byte.repeat(length));
const element = fc.oneof(
  { weight: 3, arbitrary: integer },
  { weight: 2, arbitrary: fc.constantFrom('', '0', '1', '-1', '01', '-0', 'a', 'b', '300', '70000') },
  { weight: 2, arbitrary: bytes(undefined, 12) },
  { weight: 1, arbitrary: bytes('max', 200) },
  { weight: 1, arbitrary: long },
);
const elements = fc.array(element, { maxLength: 12 });

// --- the code under test, as an array of strings

const cursor = new ListpackCursor();
const writer = new ListpackWriter();
const view = new ByteView();

function contents(listpack: ByteView): string[] {
  const found: string[] = [];
  for (cursor.open(listpack); !cursor.isAtEnd; cursor.next()) found.push(cursor.bytes(view).toString());
  return found;
}

function contentsFromTail(listpack: ByteView): string[] {
  const found: string[] = [];
  cursor.open(listpack).end();
  while (cursor.previous()) found.unshift(cursor.bytes(view).toString());
  return found;
}

/** Comparing texts is much faster than comparing buffers, when it is the test's tool that compares. */
const hex = (bytes: Buffer): string => bytes.toString('hex');

/** The same as `Array.splice`. An index that is none is the end. */
function splice(value: MovingValue, index: number, removed: number, added: readonly string[] = []): void {
  cursor.open(value.view).seek(index);
  writer.clear();
  for (const each of added) writer.add(ByteView.of(each));
  writer.replace(cursor, removed);
  writer.applyTo(value, 0);
}

describe('an array of strings', () => {
  test('is what a listpack is, whatever is spliced', () => {
    const edit = fc.tuple(fc.nat(15), fc.nat(4), fc.array(element, { maxLength: 3 }));
    fc.assert(
      fc.property(elements, fc.array(edit, { maxLength: 12 }), (initial, edits) => {
        const model = [...initial];
        const value = new MovingValue(listpackOf(initial));
        for (const [index, removed, added] of edits) {
          splice(value, index, removed, added);
          model.splice(index, removed, ...added);
          expect(hex(value.bytes)).toBe(hex(listpackOf(model)));
        }
        expect(contents(value.view)).toEqual(model);
        expect(contentsFromTail(value.view)).toEqual(model);
        expect(countElements(value.view)).toBe(model.length);
        expect(checkListpack(value.view)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('finds what an array finds, each or every second, forwards and backwards', () => {
    fc.assert(
      fc.property(elements, element, fc.nat(12), fc.constantFrom(1, 2, 3), (list, other, from, stride) => {
        const listpack = placed(listpackOf(list));
        for (const wanted of [other, ...list]) {
          const bytesWanted = placed(Buffer.from(wanted, 'latin1'));
          const ahead = list.findIndex(
            (each, i) => i >= from && (i - from) % stride === 0 && each === wanted,
          );
          cursor.open(listpack).seek(from);
          expect(cursor.find(bytesWanted, stride)).toBe(ahead >= 0);
          expect(cursor.at).toBe(offsetOf(listpack, ahead));
          const back = from >= list.length ? list.lastIndexOf(wanted) : list.lastIndexOf(wanted, from);
          cursor.open(listpack).seek(from);
          expect(cursor.findBackwards(bytesWanted)).toBe(back >= 0);
          expect(cursor.at).toBe(offsetOf(listpack, back));
          cursor.open(listpack).seek(from);
          expect(cursor.equals(bytesWanted)).toBe(list[from] === wanted);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('has the same element at each index', () => {
    fc.assert(
      fc.property(elements, fc.integer({ min: -14, max: 14 }), (list, index) => {
        const found = cursor.open(placed(listpackOf(list))).seek(index);
        expect(found ? cursor.bytes(view).toString() : undefined).toBe(list.at(index));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Where the element at an index begins, by walking; -1 is the end. */
function offsetOf(listpack: ByteView, index: number): number {
  const own = new ListpackCursor().open(listpack);
  own.skip(index < 0 ? Number.POSITIVE_INFINITY : index);
  return own.at;
}

test('what the check passes can be walked from both ends', () => {
  const broken = fc.tuple(
    elements,
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(broken, ([list, changes]) => {
      const listpack = placed(brokenListpack(list, changes));
      if (checkListpack(listpack)) expect(contentsFromTail(listpack)).toEqual(contents(listpack));
    }),
    { numRuns: 2500 },
  );
});

/** A listpack with some bytes changed. */
function brokenListpack(list: readonly string[], changes: readonly (readonly [number, number])[]): Buffer {
  const bytes = listpackOf(list);
  for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
  return bytes;
}

describe.runIf(redisAvailable)(`redis-server ${installedRedisVersion}`, () => {
  let oracle: RunningServer;
  let client: RespClient;

  beforeAll(async () => {
    oracle = await startRedis(['--rdbcompression', 'no', '--sanitize-dump-payload', 'yes']);
    client = await RespClient.connect(oracle.endpoint);
    const huge = String(2 ** 26);
    for (const type of ['hash', 'zset']) {
      await client.raw('CONFIG', 'SET', `${type}-max-listpack-entries`, '200000');
      await client.raw('CONFIG', 'SET', `${type}-max-listpack-value`, huge);
    }
    await client.raw('CONFIG', 'SET', 'list-max-listpack-size', '-5');
  });

  afterAll(async () => {
    await client?.close();
    await oracle?.stop();
  });

  /** Sends commands in one go and returns their replies. */
  async function run(...commands: readonly string[][]): Promise<string[]> {
    for (const command of commands) client.send(...command);
    const replies: string[] = [];
    for (const _ of commands) replies.push(await client.next());
    return replies;
  }

  async function dumpedHex(key: string): Promise<[type: number, bytes: string]> {
    const { type, bytes: packed } = await dumped(client, key);
    return [type, hex(packed)];
  }

  test('lists have these bytes, whatever is done to them', async () => {
    const index = fc.integer({ min: -6, max: 8 });
    const edit = fc.oneof(
      fc.tuple(fc.constantFrom('LPUSH', 'RPUSH'), fc.array(element, { minLength: 1, maxLength: 3 })),
      fc.tuple(fc.constant('LSET'), index.map(String), element),
      fc.tuple(fc.constant('LTRIM'), index.map(String), index.map(String)),
      fc.tuple(fc.constantFrom('LPOP', 'RPOP')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(element, { minLength: 1, maxLength: 8 }),
        fc.array(edit, { maxLength: 6 }),
        async (list, edits) => {
          const value = new MovingValue(listpackOf(list));
          const commands = edits.map(([name, ...args]) => [name, 'k', ...args.flat()]);
          await run(['DEL', 'k'], ['RPUSH', 'k', ...list], ...commands);
          for (const [name, ...args] of edits) editList(value, name, args.flat());
          if (countElements(value.view) === 0) return;
          expect(await dumpedHex('k')).toEqual([RDB_TYPE.quicklist, hex(value.bytes)]);
        },
      ),
      { numRuns: 1500 },
    );
  });

  /** What a command of lists does, as splices. A list that is empty is gone: nothing is set or trimmed in it. */
  function editList(value: MovingValue, name: string, args: readonly string[]): void {
    const count = countElements(value.view);
    const from = (text: string): number =>
      Number(text) < 0 ? Math.max(0, Number(text) + count) : Number(text);
    if (name === 'LPUSH') splice(value, 0, 0, [...args].reverse());
    else if (name === 'RPUSH') splice(value, count, 0, args);
    else if (name === 'LPOP') splice(value, 0, 1);
    else if (name === 'RPOP') splice(value, -1, 1);
    else if (name === 'LSET') {
      if (cursor.open(value.view).seek(Number(args[0]))) splice(value, Number(args[0]), 1, [args[1]!]);
    } else {
      const last = Number(args[1]) < 0 ? Number(args[1]) + count : Number(args[1]);
      splice(value, last < from(args[0]!) ? 0 : last + 1, count);
      splice(value, 0, Math.min(from(args[0]!), count));
    }
  }

  test('hashes have these bytes, whatever is done to them', async () => {
    const field = fc.oneof(fc.constantFrom('a', '1', '-1', '5000', '01'), element);
    const edit = fc.oneof(fc.tuple(field, element), fc.tuple(field));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 20 }), async (edits) => {
        const value = new MovingValue(listpackOf([]));
        for (const [name, content] of edits) {
          const isThere = cursor.open(value.view).find(ByteView.of(name), 2);
          writer.clear();
          if (content !== undefined && !isThere) writer.add(ByteView.of(name));
          if (content !== undefined) writer.add(ByteView.of(content));
          if (content !== undefined && isThere) cursor.next();
          writer.replace(cursor, content === undefined ? 2 : isThere ? 1 : 0);
          writer.applyTo(value, 0);
        }
        const commands = edits.map(([name, content]) =>
          content === undefined ? ['HDEL', 'k', name] : ['HSET', 'k', name, content],
        );
        await run(['DEL', 'k'], ...commands);
        if (countElements(value.view) === 0) return;
        expect(await dumpedHex('k')).toEqual([RDB_TYPE.hashListpack, hex(value.bytes)]);
      }),
      { numRuns: 1000 },
    );
  });

  test('sorted sets have these bytes', async () => {
    const score = fc.constantFrom('-100000', '-1', '0', '0.5', '1', '3', '5000', '1e+30');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(element, score), { minLength: 1, maxLength: 20 }), async (pairs) => {
        const members = [...new Map(pairs)].map(([member, each]) => ({ member, score: each }));
        members.sort((a, b) => Number(a.score) - Number(b.score) || (a.member < b.member ? -1 : 1));
        const expected = listpackOf(members.flatMap((each) => [each.member, each.score]));
        await run(['DEL', 'k'], ['ZADD', 'k', ...pairs.flatMap(([member, each]) => [each, member])]);
        expect(await dumpedHex('k')).toEqual([RDB_TYPE.zsetListpack, hex(expected)]);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(elementCases)('$encoding of $bytes bytes', async ({ text, bytes: size }) => {
    await run(['DEL', 'k'], ['HSET', 'k', text, 'v']);
    const { type, bytes: expected } = await dumped(client, 'k');
    expect(type).toBe(RDB_TYPE.hashListpack);
    expect(listpackOf([text, 'v']).equals(expected)).toBe(true);
    expect(expected.length).toBe(7 + size + 3);
  });

  test('an unknown count means the same there', async () => {
    const fields = Array.from({ length: 33_000 }, (_, i) => `f${i}`);
    const value = new MovingValue(listpackOf(fields.flatMap((field) => [field, '1'])));
    expect(await client.raw('RESTORE', 'big', '0', payloadOf(RDB_TYPE.hashListpack, value.bytes))).toBe(
      '+OK\r\n',
    );
    for (const removed of [100, 200, 500]) {
      expect(await run(['HDEL', 'big', ...fields.splice(0, removed)], ['HLEN', 'big'])).toEqual([
        `:${removed}\r\n`,
        `:${fields.length}\r\n`,
      ]);
      splice(value, 0, 2 * removed);
      expect(countElements(value.view)).toBe(2 * fields.length);
      expect(await dumpedHex('big')).toEqual([RDB_TYPE.hashListpack, hex(value.bytes)]);
    }
  });

  test('RESTORE refuses what the check refuses', async () => {
    const broken = fc.tuple(
      fc.array(element, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(broken, async ([list, changes]) => {
        const listpack = brokenListpack(list, changes);
        const restored = await client.raw(
          'RESTORE',
          'b',
          '0',
          payloadOf(RDB_TYPE.quicklist, listpack),
          'REPLACE',
        );
        expect(checkListpack(placed(listpack))).toBe(restored === '+OK\r\n');
      }),
      { numRuns: 2500 },
    );
  });
});
