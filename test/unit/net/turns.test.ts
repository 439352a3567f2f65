// A client that sends much at once has turns like everybody else: it loses nothing and holds nobody up.

import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/index.ts';

async function withServer(
  sharesReads: boolean,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ port: 0, sharesReads, 'enable-debug-command': 'yes' });
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
  });
}

for (const sharesReads of [true, false]) {
  test(`a long pipeline is answered whole and in order, shared reads: ${sharesReads}`, () =>
    withServer(sharesReads, async ({ port }) => {
      const words = Array.from({ length: 40_000 }, (_, i) => `word-${i}`);
      const socket = await connected(port);
      let replies = '';
      const ended = new Promise((resolve) => socket.on('end', resolve));
      socket.setEncoding('latin1').on('data', (text: string) => {
        replies += text;
      });
      // Nothing more will come: what has come is answered all the same, over however many turns.
      socket.end(words.map((word) => `ECHO ${word}\r\n`).join(''));
      await ended;
      expect(replies === words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')).toBe(true);
    }));

  test(`others are answered between two slow commands of one pipeline, shared reads: ${sharesReads}`, () =>
    withServer(sharesReads, async ({ port }) => {
      const [slow, other] = await Promise.all([connected(port), connected(port)]);
      let done = 0;
      const all = new Promise<void>((resolve) => {
        slow.setEncoding('latin1').on('data', (text: string) => {
          if (done === 0) other.write('PING\r\n');
          done += text.split('+OK').length - 1;
          if (done === 10) resolve();
        });
      });
      const doneAtPong = new Promise<number>((resolve) => other.once('data', () => resolve(done)));
      slow.write('DEBUG SLEEP 0.02\r\n'.repeat(10));
      expect(await doneAtPong).toBeLessThan(10);
      await all;
      slow.destroy();
      other.destroy();
    }));
}
