// The test client: every reply type, whatever the fragmentation, byte for byte.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CLOSED, encodeRequest, RespClient } from './resp-client.ts';
import { encodeFrame, frameOf, Push, ReplyError, toValue, type Value } from './resp-frame.ts';

const replies: readonly (readonly [raw: string, value: Value])[] = [
  ['+OK\r\n', 'OK'],
  ['-ERR no\r\n', new ReplyError('ERR no')],
  [':-1\r\n', -1],
  [':9223372036854775807\r\n', 9223372036854775807n],
  ['$-1\r\n', null],
  ['*-1\r\n', null],
  ['_\r\n', null],
  ['$0\r\n\r\n', ''],
  ['$4\r\n\r\n\xff\x00\r\n', '\r\n\xff\x00'],
  ['*0\r\n', []],
  ['*2\r\n*1\r\n:1\r\n$1\r\na\r\n', [[1], 'a']],
  ['%1\r\n+a\r\n~1\r\n:1\r\n', new Map([['a', new Set([1])]])],
  ['>2\r\n+message\r\n$1\r\na\r\n', new Push(['message', 'a'])],
  [',1.5\r\n', 1.5],
  [',-inf\r\n', -Infinity],
  ['#t\r\n', true],
  ['#f\r\n', false],
  ['(12345678901234567890\r\n', 12345678901234567890n],
  ['=5\r\ntxt:a\r\n', 'a'],
  ['!6\r\nERR no\r\n', new ReplyError('ERR no')],
];

/** A client whose server is the test. */
async function connected(): Promise<{ client: RespClient; peer: Socket; end(): Promise<void> }> {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const accepted = once(server, 'connection');
  const client = await RespClient.connect({ port: address.port, host: '127.0.0.1' });
  const [peer] = (await accepted) as [Socket];
  const end = async () => {
    await client.close();
    peer.destroy();
    server.close();
    await once(server, 'close');
  };
  return { client, peer, end };
}

test('each type is decoded, and encoded back to the same bytes', () => {
  for (const [raw, value] of replies) {
    expect(toValue(frameOf(raw))).toEqual(value);
    expect(encodeFrame(frameOf(raw))).toBe(raw);
  }
});

test('replies are cut apart in one burst and byte by byte', async () => {
  const { client, peer, end } = await connected();
  const stream = Buffer.from(replies.map(([raw]) => raw).join(''), 'latin1');
  peer.write(stream);
  for (const [raw] of replies) expect(await client.next()).toBe(raw);
  // One byte a packet, as far as the kernel lets it be; the framing must not depend on it.
  for (const byte of stream) {
    peer.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  for (const [raw] of replies) expect(await client.next()).toBe(raw);
  expect(client.unread).toEqual([]);
  await end();
});

test('a request is an array of bulk strings', async () => {
  const { client, peer, end } = await connected();
  client.send('SET', Buffer.from([0xff]), '\xfe');
  const [received] = (await once(peer, 'data')) as [Buffer];
  expect(received.toString('latin1')).toBe('*3\r\n$3\r\nSET\r\n$1\r\n\xff\r\n$1\r\n\xfe\r\n');
  expect(encodeRequest([])).toEqual(Buffer.from('*0\r\n'));
  await end();
});

test('the end of the connection comes after the replies, and silence is an error', async () => {
  const { client, peer, end } = await connected();
  await expect(client.next(1)).rejects.toThrow('no reply within 1 ms');
  peer.end('+BYE\r\n');
  expect(await client.next()).toBe('+BYE\r\n');
  expect(await client.next()).toBe(CLOSED);
  await end();
});

test('what is not RESP is an error', async () => {
  const { client, peer, end } = await connected();
  peer.write('HTTP/1.1 400\r\n');
  await expect(client.next()).rejects.toThrow('not a RESP reply');
  await end();
});
