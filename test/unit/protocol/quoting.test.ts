// Splitting and quoting words: properties, recorded cases, and redis-server where it is installed.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteBytes, splitQuotedWords } from '../../../src/protocol/quoting.ts';
import { oracleInstalled, startOracle } from '../bytes/redis-oracle.ts';

// Recorded from redis-server 7.0.15.
const lines: [string, string[] | undefined][] = [
  ['', []],
  [' \t\v ', []],
  ['SET k v', ['SET', 'k', 'v']],
  ['  a\tb  ', ['a', 'b']],
  ['a "b c" d', ['a', 'b c', 'd']],
  ["a 'b c' d", ['a', 'b c', 'd']],
  ['""', ['']],
  ["'' x", ['', 'x']],
  ['ab"cd"', ['abcd']],
  ["ab'c d' e", ['abc d', 'e']],
  ['"a"b', undefined],
  ['"a""b"', undefined],
  ["'a'b", undefined],
  ['"a"\vb', ['a', 'b']],
  ['a\vb\fc', ['a\vb\fc']],
  ['"a', undefined],
  ["'a", undefined],
  ['"a\\', undefined],
  ['"a\\"', undefined],
  ["'a\\'", undefined],
  ["'a\\'b'", ["a'b"]],
  ["'a\\\\'b'", ["a\\'b"]],
  ["'a\\n\\x41'", ['a\\n\\x41']],
  ['"\\n\\r\\t\\b\\a"', ['\n\r\t\b\x07']],
  ['"\\x41\\xfF\\x00"', ['A\xff\x00']],
  ['"\\x4" "\\xZZ" "\\q\\\\\\""', ['x4', 'xZZ', 'q\\"']],
  ['a\\n"b"', ['a\\nb']],
  ['\xe9 "\xff"', ['\xe9', '\xff']],
];

test.each(lines)('%j splits into %j', (line, words) => {
  expect(splitQuotedWords(line)).toEqual(words);
});

test('a NUL ends the line', () => {
  // Not seen live: in 7.0 an inline command with a NUL before its line end is not even taken for a complete line.
  expect(splitQuotedWords('a\x00 b')).toEqual(['a']);
  expect(splitQuotedWords('"a\x00"')).toBeUndefined();
});

test('quoting is printable, and exact', () => {
  expect(quoteBytes('')).toBe('""');
  expect(quoteBytes('lock:1 ~!')).toBe('"lock:1 ~!"');
  expect(quoteBytes('"\\\n\r\t\x07\b')).toBe('"\\"\\\\\\n\\r\\t\\a\\b"');
  expect(quoteBytes('\x00\x0b\x7f\x80\xff')).toBe('"\\x00\\x0b\\x7f\\x80\\xff"');
});

const bytes = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x22, 0x27, 0x5c, 0x78, 0x0a)))
  .map((codes) => String.fromCharCode(...codes));

test('what was quoted splits into what it was', () => {
  fc.assert(
    fc.property(fc.array(bytes), (words) => {
      const line = words.map(quoteBytes).join(' ');
      expect(line).toMatch(/^[ -~]*$/);
      expect(splitQuotedWords(line)).toEqual(words);
    }),
  );
});

const anyLine = fc.string({ unit: fc.constantFrom(...'"\'\\ \t\v\f\rxan4f\xff'), maxLength: 16 });

test.runIf(oracleInstalled)('agrees with the inline commands and the MONITOR of redis-server', async () => {
  const oracle = await startOracle();
  await oracle.call('PING'); // so that nothing of its handshake is left for the monitor
  const monitor = await open(oracle.socketPath);
  await exchange(monitor, 'MONITOR\r\n', '+OK\r\n');
  const client = await open(oracle.socketPath);
  // The words of an inline command appear in MONITOR, quoted; unbalanced ones end the connection, so a key tells.
  const agrees = async (line: string) => {
    const words = splitQuotedWords(`ECHO 0 ${line}`);
    if (words === undefined) {
      const broken = await open(oracle.socketPath);
      const error = '-ERR Protocol error: unbalanced quotes in request\r\n';
      expect([line, await exchange(broken, `ECHO 0 ${line}\r\n`, '\r\n')]).toEqual([line, error]);
      return;
    }
    // DEL takes any number of words; a last command tells where its line ends.
    const shown = exchange(monitor, undefined, '"end"\r\n');
    await exchange(client, `DEL 0 ${line}\r\nECHO end\r\n`, 'end\r\n');
    const expected = ['DEL', ...words.slice(1)].map(quoteBytes).join(' ');
    expect([line, (await shown).replace(/^\S+ \[[^\]]*\] |\r\n.*$/gs, '')]).toEqual([line, expected]);
  };
  try {
    for (const [line] of lines) await agrees(line);
    await fc.assert(fc.asyncProperty(anyLine, agrees), { numRuns: 1_500 });
    await fc.assert(
      fc.asyncProperty(bytes, (word) => agrees(quoteBytes(word))),
      { numRuns: 300 },
    );
  } finally {
    for (const socket of [monitor, client]) socket.destroy();
    await oracle.close();
  }
});

async function open(path: string): Promise<Socket> {
  const socket = connect(path).setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

/** Sends, and reads up to `end`. */
async function exchange(socket: Socket, request: string | undefined, end: string): Promise<string> {
  if (request !== undefined) socket.write(request, 'latin1');
  let reply = '';
  while (!reply.endsWith(end)) reply += (await once(socket, 'data'))[0];
  return reply;
}
