// A subscriber that does not read is closed when too much waits for it, and holds up nobody.

import { expect, test } from 'vitest';
import { startServer } from '../../../src/index.ts';
import type { Server } from '../../../src/state/server.ts';
import { encodeRequest, RespClient } from '../../support/resp-client.ts';

const LIMIT = { hardLimitBytes: 1024 ** 2, softLimitBytes: 0, softLimitSeconds: 0 };
const NO_LIMIT = { hardLimitBytes: 0, softLimitBytes: 0, softLimitSeconds: 0 };
const LIMITS = { 'client-output-buffer-limit': { normal: NO_LIMIT, replica: NO_LIMIT, pubsub: LIMIT } };

async function subscribed() {
  const server = await startServer({ port: 0, ...LIMITS });
  const slow = await RespClient.connect({ port: server.port });
  await slow.call('SUBSCRIBE', 'ch');
  const quick = await RespClient.connect({ port: server.port });
  await quick.call('SUBSCRIBE', 'quick');
  const publisher = await RespClient.connect({ port: server.port });
  return { server, state: server.state as Server, slow, quick, publisher };
}

test('one pipeline of messages is too much for one turn: its outbox does not grow beyond the limit', async () => {
  const { server, state, quick, publisher } = await subscribed();
  const message = Buffer.alloc(60_000, 'x');
  let largestOutbox = 0;
  const { enqueue } = state;
  state.enqueue = (client, bytes) => {
    enqueue.call(state, client, bytes);
    largestOutbox = Math.max(largestOutbox, client.outboxBytes);
  };
  publisher.write(encodeRequest(['MULTI']));
  for (let i = 0; i < 100; i++) publisher.write(encodeRequest(['PUBLISH', 'ch', message]));
  publisher.write(encodeRequest(['PUBLISH', 'quick', 'done']));
  publisher.write(encodeRequest(['EXEC']));
  expect(await quick.nextValue()).toEqual(['message', 'quick', 'done']);
  expect(largestOutbox).toBeGreaterThan(LIMIT.hardLimitBytes - 2 * message.length);
  expect(largestOutbox).toBeLessThanOrEqual(LIMIT.hardLimitBytes);
  expect(state.stats.outputBufferLimitDisconnections).toBe(1);
  await server.close();
});

test('a reader that has stopped is closed, and others get their messages', async () => {
  const { server, state, slow, quick, publisher } = await subscribed();
  slow.socket.pause();
  const message = Buffer.alloc(250_000, 'x');
  // The systems' own buffers take some of it before anything waits in the server.
  while (state.stats.outputBufferLimitDisconnections === 0) await publisher.call('PUBLISH', 'ch', message);
  await publisher.call('PUBLISH', 'quick', 'still here');
  expect(await quick.nextValue()).toEqual(['message', 'quick', 'still here']);
  expect(await publisher.call('PUBLISH', 'ch', 'x')).toBe(0);
  expect(state.clients.size).toBe(2);
  slow.socket.resume();
  await slow.close();
  await server.close();
});
