// Every reply that can be written, decoded again: RESP3 by the tests' own reader, RESP2 by that and by redis-parser,
// which is what old clients use. Sequences run across the edges of the writer's buffer, with values on both sides of every limit.

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteView } from '../../../src/bytes/view.ts';
import type { RespVersion } from '../../../src/protocol/reply.ts';
import { ReplyWriter } from '../../../src/protocol/reply-writer.ts';
import { type Frame, parseFrame } from '../../support/resp-frame.ts';

interface ParserOptions {
  readonly returnBuffers: boolean;
  readonly stringNumbers: boolean;
  returnReply(reply: unknown): void;
  returnError(error: Error): void;
  returnFatalError(error: Error): void;
}
const Parser = createRequire(import.meta.url)('redis-parser') as new (
  options: ParserOptions,
) => { execute(bytes: Buffer): void };

/** A reply: how it is written, and what must arrive. */
type Reply =
  | { readonly kind: 'ok' | 'null' | 'nullArray' }
  | { readonly kind: 'simple' | 'error' | 'text' | 'verbatim' | 'doubleText'; readonly text: string }
  | { readonly kind: 'integer'; readonly n: number }
  | { readonly kind: 'int64'; readonly n: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'bulk' | 'ownedBulk' | 'encoded'; readonly length: number }
  | { readonly kind: 'array' | 'map' | 'set' | 'push'; readonly items: readonly Reply[] }
  | { readonly kind: 'texts' | 'simples'; readonly texts: readonly string[] };

function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + length) & 0xff;
  return bytes;
}

class Receiver {
  readonly writer = new ReplyWriter();
  readonly #chunks: Buffer[] = [];
  /** What each chunk was when it came; and it must stay so, since a socket may send it later. */
  readonly #copies: Buffer[] = [];

  constructor(resp: RespVersion) {
    this.writer.resp = resp;
    this.writer.attach({
      write: (bytes) => {
        this.#chunks.push(bytes);
        this.#copies.push(Buffer.from(bytes));
      },
    });
  }

  received(): Buffer {
    this.writer.flush();
    expect(this.writer.isEmpty).toBe(true);
    const all = Buffer.concat(this.#chunks);
    expect(all.equals(Buffer.concat(this.#copies))).toBe(true);
    return all;
  }
}

function write(writer: ReplyWriter, reply: Reply): void {
  switch (reply.kind) {
    case 'ok':
    case 'null':
    case 'nullArray':
      return writer[reply.kind]();
    case 'simple':
    case 'error':
    case 'text':
    case 'verbatim':
    case 'doubleText':
      return writer[reply.kind](reply.text);
    case 'integer':
      return writer.integer(reply.n);
    case 'int64':
      return writer.int64(reply.n);
    case 'boolean':
      return writer.boolean(reply.value);
    case 'encoded':
      return writer.encoded(
        Buffer.concat([Buffer.from(`$${reply.length}\r\n`), bytesOf(reply.length), Buffer.from('\r\n')]),
      );
    case 'bulk':
    case 'ownedBulk':
      return writeBulk(writer, reply.length, reply.kind === 'ownedBulk');
    case 'texts':
    case 'simples':
      return writer[reply.kind](reply.texts);
    default:
      writer[reply.kind](reply.kind === 'map' ? reply.items.length / 2 : reply.items.length);
      for (const item of reply.items) write(writer, item);
  }
}

/** The bytes lie inside a larger buffer; those that are not the writer's to keep are overwritten at once. */
function writeBulk(writer: ReplyWriter, length: number, isOwned: boolean): void {
  const buffer = Buffer.concat([Buffer.from('<<<'), bytesOf(length), Buffer.from('>>>')]);
  const view = new ByteView(buffer, 3, length);
  view.isOwned = isOwned;
  writer.bulk(view);
  if (!isOwned) buffer.fill(0x21);
}

/** The frame that must arrive. */
function frameOf(reply: Reply, resp: RespVersion): Frame {
  const is3 = resp === 3;
  switch (reply.kind) {
    case 'ok':
      return { kind: '+', text: 'OK' };
    case 'null':
      return is3 ? { kind: '_', text: '' } : { kind: '$' };
    case 'nullArray':
      return is3 ? { kind: '_', text: '' } : { kind: '*' };
    case 'simple':
      return { kind: '+', text: reply.text };
    case 'error':
      return { kind: '-', text: reply.text.replace(/[\r\n]/g, ' ') };
    case 'text':
      return { kind: '$', text: reply.text };
    case 'verbatim':
      return is3 ? { kind: '=', text: `txt:${reply.text}` } : { kind: '$', text: reply.text };
    case 'doubleText':
      return { kind: is3 ? ',' : '$', text: reply.text };
    case 'integer':
    case 'int64':
      return { kind: ':', text: `${reply.n}` };
    case 'boolean':
      return is3
        ? { kind: '#', text: reply.value ? 't' : 'f' }
        : { kind: ':', text: reply.value ? '1' : '0' };
    case 'bulk':
    case 'ownedBulk':
    case 'encoded':
      return { kind: '$', text: bytesOf(reply.length).toString('latin1') };
    case 'texts':
      return { kind: '*', children: reply.texts.map((text) => ({ kind: '$', text })) };
    case 'simples':
      return { kind: '*', children: reply.texts.map((text) => ({ kind: '+', text })) };
    default: {
      const kind = is3 ? { array: '*', map: '%', set: '~', push: '>' }[reply.kind] : '*';
      return { kind, children: reply.items.map((item) => frameOf(item, resp)) };
    }
  }
}

/** What redis-parser makes of a frame of RESP2: text, in latin1 but for errors, which it decodes as UTF-8. */
function plain({ kind, text, children }: Frame): unknown {
  if (children !== undefined) return children.map(plain);
  if (text === undefined) return null;
  return kind === '-' ? Buffer.from(text, 'latin1').toString() : text;
}

function plainParsed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainParsed);
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return value instanceof Error ? value.message : value;
}

function parseAll(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const parsed = parseFrame(bytes, at);
    if (typeof parsed === 'number') throw new Error('a reply is not complete');
    frames.push(parsed.frame);
    at = parsed.end;
  }
  return frames;
}

const length = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 200 }) },
  { weight: 2, arbitrary: fc.integer({ min: 16_370, max: 16_390 }) },
  { weight: 1, arbitrary: fc.integer({ min: 131_050, max: 131_090 }) },
  { weight: 1, arbitrary: fc.constant(400_000) },
);
const latin1 = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
const line = latin1.map((text) => text.replace(/[\r\n]/g, '.'));
const text = fc.oneof(
  latin1,
  length.map((count) => bytesOf(count).toString('latin1')),
);
const leaf: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom<Reply>({ kind: 'ok' }, { kind: 'null' }, { kind: 'nullArray' }),
  line.map((each): Reply => ({ kind: 'simple', text: each })),
  text.map((each): Reply => ({ kind: 'text', text: each })),
  text.map((each): Reply => ({ kind: 'verbatim', text: each })),
  fc.double().map((each): Reply => ({ kind: 'doubleText', text: `${each}` })),
  fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 })).map((n): Reply => ({ kind: 'integer', n })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n): Reply => ({ kind: 'int64', n })),
  fc.boolean().map((value): Reply => ({ kind: 'boolean', value })),
  fc
    .tuple(fc.constantFrom('bulk' as const, 'ownedBulk' as const, 'encoded' as const), length)
    .map(([kind, count]): Reply => ({ kind, length: count })),
  fc.array(latin1, { maxLength: 4 }).map((texts): Reply => ({ kind: 'texts', texts })),
  fc.array(line, { maxLength: 4 }).map((texts): Reply => ({ kind: 'simples', texts })),
);
const reply: fc.Arbitrary<Reply> = fc.letrec<{ reply: Reply }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: text.map((each): Reply => ({ kind: 'error', text: `ERR ${each}` })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('array' as const, 'map' as const, 'set' as const, 'push' as const),
          fc.array(tie('reply'), { maxLength: 6 }),
        )
        .map(
          ([kind, items]): Reply => ({
            kind,
            items: kind === 'map' ? items.slice(0, items.length & ~1) : items,
          }),
        ),
    },
  ),
})).reply;

for (const resp of [2, 3] as const) {
  test(`what is written in RESP${resp} is what arrives, across every edge of the buffer`, () => {
    const property = fc.property(fc.array(reply, { maxLength: 40 }), (replies) => {
      const receiver = new Receiver(resp);
      for (const each of replies) write(receiver.writer, each);
      expect(parseAll(receiver.received())).toEqual(replies.map((each) => frameOf(each, resp)));
    });
    fc.assert(property, { numRuns: 60 });
  });
}

test('redis-parser reads RESP2 the same', () => {
  const property = fc.property(fc.array(reply, { maxLength: 20 }), (replies) => {
    const receiver = new Receiver(2);
    for (const each of replies) write(receiver.writer, each);
    const parsed: unknown[] = [];
    const keep = (value: unknown): void => void parsed.push(plainParsed(value));
    const parser = new Parser({
      returnBuffers: true,
      stringNumbers: true,
      returnReply: keep,
      returnError: keep,
      returnFatalError: (error) => {
        throw error;
      },
    });
    parser.execute(receiver.received());
    expect(parsed).toEqual(replies.map((each) => plain(frameOf(each, 2))));
  });
  fc.assert(property, { numRuns: 60 });
});

/** Fills the writer's buffer of 128 KiB up to `room` bytes before its end, and returns what that makes. */
function fillUpTo(room: number, writer: ReplyWriter): Reply[] {
  const full = 16_010; // a text of 16000 with its header and end
  const rest = 128 * 1024 - room - 8 * full;
  const texts = [...Array.from({ length: 8 }, () => 16_000), rest - '$1234\r\n\r\n'.length];
  const replies = texts.map((count): Reply => ({ kind: 'text', text: 'y'.repeat(count) }));
  for (const each of replies) write(writer, each);
  return replies;
}

test('each kind of write at each place before the end of the buffer', () => {
  const kinds: readonly Reply[] = [
    { kind: 'ok' },
    { kind: 'integer', n: -9007199254740991 },
    { kind: 'text', text: 'x'.repeat(37) },
    { kind: 'bulk', length: 41 },
    { kind: 'error', text: 'ERR no' },
    { kind: 'boolean', value: true },
    { kind: 'array', items: [] },
    { kind: 'null' },
  ];
  for (const resp of [2, 3] as const) {
    for (const each of kinds) {
      for (let room = 0; room <= 120; room++) {
        const receiver = new Receiver(resp);
        const expected = [...fillUpTo(room, receiver.writer), each, each].map((reply) =>
          frameOf(reply, resp),
        );
        write(receiver.writer, each);
        write(receiver.writer, each);
        const frames = parseAll(receiver.received());
        if (JSON.stringify(frames) !== JSON.stringify(expected))
          expect.fail(`${each.kind}, ${room} bytes before the end`);
      }
    }
  }
});

test('doubles are written as Redis writes them', () => {
  for (const [x, digits] of [
    [0, '0'],
    [1.5, '1.5'],
    [-0.1, '-0.1'],
    [1e300, '1e+300'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [Number.NaN, 'nan'],
  ] as const) {
    for (const [resp, raw] of [
      [2, `$${digits.length}\r\n${digits}\r\n`],
      [3, `,${digits}\r\n`],
    ] as const) {
      const receiver = new Receiver(resp);
      receiver.writer.double(x);
      expect(receiver.received().toString()).toBe(raw);
    }
  }
});

test('markdown is verbatim of its own format', () => {
  const receiver = new Receiver(3);
  receiver.writer.verbatim('# hi', 'mkd');
  expect(receiver.received().toString()).toBe('=8\r\nmkd:# hi\r\n');
});

test('errors are counted, and the texts are kept of those that nobody has counted yet', () => {
  const { writer } = new Receiver(2);
  writer.error('ERR one');
  writer.error('WRONGTYPE two', true);
  writer.error('ERR three');
  expect(writer.errors).toBe(3);
  expect(writer.uncounted).toEqual(['ERR one', 'ERR three']);
});

test('a big value that is owned is not copied', () => {
  const chunks: Buffer[] = [];
  const writer = new ReplyWriter();
  writer.attach({ write: (bytes) => chunks.push(bytes) });
  const buffer = bytesOf(50_000);
  const view = new ByteView(buffer, 0, buffer.length);
  writer.bulk(view);
  view.isOwned = true;
  writer.bulk(view);
  writer.flush();
  expect(chunks.filter((chunk) => chunk.buffer === buffer.buffer)).toHaveLength(1);
});

test('nothing is sent for nothing', () => {
  const writer = new ReplyWriter();
  writer.attach({ write: () => expect.fail('sent') });
  writer.flush();
  expect(writer.isEmpty).toBe(true);
});
