// The request decoder: any fragmentation gives the same requests, hostile bytes are refused in Redis' words, and what is
// allocated and copied follows the bytes that really came.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Request } from '../../../src/protocol/request.ts';
import { type DecoderLimits, RequestDecoder } from '../../../src/protocol/request-decoder.ts';
import { encodeRequest } from '../../support/resp-client.ts';

const MEBIBYTE = 1024 ** 2;
const LIMITS: DecoderLimits = {
  maxBulkBytes: 512 * MEBIBYTE,
  maxArguments: 2 ** 31 - 1,
  maxInlineBytes: 64 * 1024,
  queryBufferLimit: 1024 * MEBIBYTE,
};

/** The buffer that all connections read into: overwritten by each event, with stale bytes behind what was read. */
const shared = Buffer.alloc(64 * 1024, '*1\r\n$4\r\nPING\r\n');

class Feed {
  readonly decoder: RequestDecoder;
  readonly requests: string[][] = [];
  readonly #request = new Request({ low: 1, high: 2 });

  constructor(limits: Partial<DecoderLimits> = {}) {
    this.decoder = new RequestDecoder({ ...LIMITS, ...limits });
  }

  /** One read event. */
  event(bytes: Buffer): void {
    bytes.copy(shared);
    this.decoder.begin(shared, bytes.length);
    while (this.decoder.next(this.#request)) this.requests.push(this.#request.strings());
    this.decoder.keep();
    shared.fill(0x58, 0, bytes.length);
  }

  /** `bytes` in events of these sizes, again and again. */
  events(bytes: Buffer, sizes: readonly number[]): this {
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const size = Math.min(sizes[i % sizes.length]!, shared.length);
      this.event(bytes.subarray(at, at + size));
      at += size;
    }
    return this;
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const decode = (text: string): Feed => new Feed().events(latin1(text), [shared.length]);

describe('requests', () => {
  test.each([
    ['arrays', '*2\r\n$4\r\nECHO\r\n$2\r\n\r\n\r\n', [['ECHO', '\r\n']]],
    ['empty arguments', '*2\r\n$0\r\n\r\n$0\r\n\r\n', [['', '']]],
    ['pipelines', '*1\r\n$1\r\na\r\n*1\r\n$1\r\nb\r\n', [['a'], ['b']]],
    ['inline commands', 'SET k "a b"\r\nPING\nget  k \r\n', [['SET', 'k', 'a b'], ['PING'], ['get', 'k']]],
    ['empty lines and arrays are skipped', '\r\n\n*0\r\n*-1\r\n  \r\nPING\r\n', [['PING']]],
    ['both forms, mixed', 'PING\r\n*1\r\n$1\r\na\r\nPING\r\n', [['PING'], ['a'], ['PING']]],
    ['any two bytes end a bulk, as in Redis', '*1\r\n$4\r\nPINGxx*1\r\n$1\r\na\r\n', [['PING'], ['a']]],
    ['any byte may follow a CR, as in Redis', '*1\rx$4\rxPING\r\n', [['PING']]],
  ])('%s', (_, bytes, requests) => {
    expect(decode(bytes).requests).toEqual(requests);
    expect(new Feed().events(latin1(bytes), [1]).requests).toEqual(requests);
  });

  test('any fragmentation gives the same requests as the whole', () => {
    const argument = fc
      .oneof(
        { weight: 8, arbitrary: fc.uint8Array({ maxLength: 40 }) },
        {
          weight: 1,
          arbitrary: fc.integer({ min: 9_990, max: 10_010 }).map((n) => new Uint8Array(n).fill(n)),
        },
        {
          weight: 1,
          arbitrary: fc.integer({ min: 32_760, max: 80_000 }).map((n) => new Uint8Array(n).fill(n)),
        },
      )
      .map((bytes) => Buffer.from(bytes).toString('latin1'));
    const request = fc.array(argument, { minLength: 1, maxLength: 6 });
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), sizes, (requests, chunkSizes) => {
        const feed = new Feed().events(
          Buffer.concat(requests.map((each) => encodeRequest(each))),
          chunkSizes,
        );
        expect(feed.requests).toEqual(requests);
        expect([feed.decoder.error, feed.decoder.heldBytes, feed.decoder.pendingBytes]).toEqual([
          undefined,
          0,
          0,
        ]);
      }),
      { numRuns: 150 },
    );
  });

  test('frames of two connections do not mix, although one that sends many arguments comes between', () => {
    const [a, b, big] = [new Feed(), new Feed(), new Feed()];
    a.event(latin1('*1\r\n$1\r\nx\r\n'));
    b.event(latin1('*1\r\n$1\r\nx\r\n'));
    big.event(encodeRequest(new Array(5000).fill('k')));
    a.event(latin1('*3\r\n$3\r\nDEL\r\n$5\r\nfirst\r\n$6\r\n'));
    b.event(latin1('*3\r\n$6\r\nEXISTS\r\n$1\r\n1\r\n$1\r\n'));
    a.event(latin1('second\r\n'));
    b.event(latin1('2\r\n'));
    expect([a.requests[1], b.requests[1]]).toEqual([
      ['DEL', 'first', 'second'],
      ['EXISTS', '1', '2'],
    ]);
    expect([a.decoder.heldBytes, b.decoder.heldBytes]).toEqual([0, 0]);
  });

  test('what may not run yet is kept, and runs in order later', () => {
    const decoder = new RequestDecoder(LIMITS);
    const request = new Request({ low: 1, high: 2 });
    const names: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      decoder.begin(encodeRequest([name]), encodeRequest([name]).length);
      decoder.keep();
    }
    while (decoder.next(request)) names.push(request.string(0));
    decoder.keep();
    expect(names).toEqual(['a', 'b', 'c']);
    expect(decoder.heldBytes).toBe(0);
  });
});

describe('broken frames', () => {
  const BROKEN: readonly (readonly [name: string, bytes: string, error: string])[] = [
    ['a count that is no number', '*x\r\n', 'invalid multibulk length'],
    ['a count beyond 32 bits', '*2147483648\r\n', 'invalid multibulk length'],
    ['a count beyond 64 bits', '*99999999999999999999\r\n', 'invalid multibulk length'],
    ['a count with a leading zero', '*01\r\n', 'invalid multibulk length'],
    ['a negative length', '*1\r\n$-1\r\n', 'invalid bulk length'],
    ['a length above 512 MB', '*1\r\n$536870913\r\n', 'invalid bulk length'],
    ['no length', '*1\r\n$\r\n', 'invalid bulk length'],
    ['no bulk string', '*1\r\n:1\r\n', "expected '$', got ':'"],
    ['a line end where a bulk string should be', '*1\r\n\r\n', "expected '$', got ' '"],
    ['a count without end', `*${'1'.repeat(65_536)}`, 'too big mbulk count string'],
    ['a length without end', `*1\r\n$${'1'.repeat(65_536)}`, 'too big bulk count string'],
    ['an inline command without end', 'x'.repeat(65_537), 'too big inline request'],
    ['quotes that do not close', 'PING "a\r\n', 'unbalanced quotes in request'],
    ['text behind closing quotes', 'PING "a"b\r\n', 'unbalanced quotes in request'],
  ];

  test.each(BROKEN)('%s', (_, bytes, error) => {
    const feed = decode(bytes);
    expect(feed.decoder.error).toBe(`ERR Protocol error: ${error}`);
    feed.event(latin1('*1\r\n$4\r\nPING\r\n'));
    expect(feed.requests).toEqual([]);
  });

  test.each([
    ['a huge count', '*1048577\r\n'],
    ['a huge bulk', '*1\r\n$536870912\r\n'],
    ['64 KiB of an inline command', 'x'.repeat(65_536)],
    ['an inline command behind a NUL', 'PING\0\r\n'],
    ['a header behind a NUL', '*1\r\n$4\0\r\n'],
    ['a header that ends with LF alone', '*1\n$4\nPING\n'],
    ['a type byte without a line end', '*1\r\n!'],
  ])('%s may still become something', (_, bytes) => {
    const { decoder, requests } = decode(bytes);
    expect([decoder.error, requests]).toEqual([undefined, []]);
  });

  test.each([
    ['eleven arguments', '*11\r\n', 'unauthenticated multibulk length'],
    ['more than 16 KiB', '*1\r\n$16385\r\n', 'unauthenticated bulk length'],
  ])('before AUTH: %s', (_, bytes, error) => {
    const feed = new Feed();
    feed.decoder.isUnauthenticated = true;
    feed.event(latin1('*10\r\n$1\r\nx\r\n'.replace('10', '1')));
    feed.event(latin1(bytes));
    expect(feed.decoder.error).toBe(`ERR Protocol error: ${error}`);
    expect(decode(bytes).decoder.error).toBeUndefined();
  });
});

describe('memory', () => {
  test('garbage never throws and holds no more than twice what came and a little', () => {
    const header = fc.constantFrom(
      '*1\r\n',
      '*3\r\n',
      '*1048576\r\n',
      '$536870912\r\n',
      '$4\r\n',
      '$40000\r\n',
      '\r\n',
      '"',
      '\0',
    );
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      header,
    );
    const pieces = fc.array(piece, { maxLength: 60 }).map((all) => latin1(all.join('')));
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 }), (bytes, sizes) => {
        const feed = new Feed().events(bytes, sizes);
        expect(feed.decoder.heldBytes).toBeLessThanOrEqual(2 * bytes.length + 4096);
      }),
      { numRuns: 300 },
    );
  });

  test('a value of 100 MB in pieces of 1 KB is copied only as its buffer doubles', () => {
    const size = 100 * 1000 * 1000;
    const feed = new Feed();
    feed.event(latin1(`*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$${size}\r\n`));
    const growth = watchGrowth(feed, Buffer.alloc(1000, 'v'), size / 1000);
    expect(growth.largestBytes).toBeLessThanOrEqual(size + 4096);
    expect(growth.times).toBeLessThanOrEqual(20);
    const request = new Request({ low: 1, high: 2 });
    feed.decoder.begin(latin1('\r\n'), 2);
    expect(feed.decoder.next(request)).toBe(true);
    const view = request.view(2);
    expect([view.length, view.isOwned, view.buffer.length]).toEqual([size, true, size]);
    feed.decoder.keep();
    expect(feed.decoder.heldBytes).toBe(0);
  });

  test('DEL of a million keys in pieces of 1 KB moves what came only as buffers double', () => {
    const feed = new Feed();
    feed.event(latin1('*1000001\r\n$3\r\nDEL\r\n'));
    const hundredKeys = latin1('$6\r\nkey-12\r\n'.repeat(100));
    const growth = watchGrowth(feed, hundredKeys, 10_000);
    // Bytes and two offsets a key, each in buffers at most twice too large.
    expect(growth.largestBytes).toBeLessThanOrEqual(2 * (12_000_000 + 8_000_000) + 4096);
    expect(growth.times).toBeLessThanOrEqual(35);
    expect(feed.requests.length).toBe(1);
    expect(feed.requests[0]!.length).toBe(1_000_001);
    expect(feed.decoder.heldBytes).toBe(0);
  });

  test('client-query-buffer-limit bounds bytes and offsets together', () => {
    const feed = new Feed({ queryBufferLimit: 64 * 1024 });
    feed.event(latin1('*1048576\r\n'));
    const arguments_ = latin1('$0\r\n\r\n'.repeat(100));
    let came = 0;
    for (; !feed.decoder.isOverLimit && came < MEBIBYTE; came += arguments_.length) feed.event(arguments_);
    expect(came).toBeLessThan(64 * 1024);
    expect(feed.decoder.heldBytes).toBeLessThanOrEqual(4 * 64 * 1024);
  });

  /** How often held memory grew (each time what is there is copied), and the most there was. */
  function watchGrowth(feed: Feed, piece: Buffer, count: number): { times: number; largestBytes: number } {
    let times = 0;
    let largestBytes = feed.decoder.heldBytes;
    for (let i = 0; i < count; i++) {
      feed.event(piece);
      if (feed.decoder.heldBytes <= largestBytes) continue;
      largestBytes = feed.decoder.heldBytes;
      times++;
    }
    return { times, largestBytes };
  }
});
