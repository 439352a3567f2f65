// The latency probe: one connection that sends a PING, waits for the PONG, waits a millisecond, and again.
// It runs alone in its process; what it cannot tell from a server's pause is the machine's own, which is why
// every report has the same probe on an idle server beside it.

import { setTimeout as delay } from 'node:timers/promises';
import { connected, createReplyParser, type Endpoint, encodeRequest } from './client.ts';
import { nowMs } from './statistics.ts';
import { defineTask } from './task.ts';

/** Until the probe's own code is compiled, its samples say more about it than about the server. */
const WARM_UP_PINGS = 200;
const INTERVAL_MS = 1;

export interface PingSpec {
  endpoint: Endpoint;
}

export interface PingResult {
  sentAtMs: Float64Array;
  latencyMs: Float64Array;
}

async function probe(endpoint: Endpoint): Promise<{ ping(): Promise<number>; close(): void }> {
  const socket = await connected(endpoint);
  const request = Buffer.from(encodeRequest(['PING']), 'latin1');
  let pong = (_receivedAtMs: number) => {};
  let failed = (_error: Error) => {};
  const fail = (error: Error) => failed(error);
  const parser = createReplyParser({ returnReply: () => pong(nowMs()), returnError: fail });
  socket.on('data', (chunk) => parser.execute(chunk));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  const ping = () =>
    new Promise<number>((resolve, reject) => {
      pong = resolve;
      failed = reject;
      socket.write(request);
    });
  return { ping, close: () => socket.destroy() };
}

defineTask<PingSpec, PingResult>(async ({ endpoint }, { ready, stop }) => {
  const { ping, close } = await probe(endpoint);
  for (let i = 0; i < WARM_UP_PINGS; i++) await ping();
  ready();
  const sentAtMs: number[] = [];
  const latencyMs: number[] = [];
  while (!stop.aborted) {
    await delay(INTERVAL_MS);
    const sentAt = nowMs();
    const receivedAt = await ping();
    sentAtMs.push(sentAt);
    latencyMs.push(receivedAt - sentAt);
  }
  close();
  return { sentAtMs: Float64Array.from(sentAtMs), latencyMs: Float64Array.from(latencyMs) };
});
