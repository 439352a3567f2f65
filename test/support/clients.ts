// Many clients at once, and waiting for what a server does in turns of its own.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Endpoint } from './resp-client.ts';

const PATIENCE_MS = 30_000;

/** Resolves when the condition holds; fails with its name if it does not come to hold. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > giveUpMs) throw new Error(`waited in vain: ${what}`);
    await turn();
  }
}

/** A plain socket that reads nothing until told to. */
export async function connectRaw(endpoint: Endpoint): Promise<Socket> {
  const socket = connect({ ...endpoint, allowHalfOpen: true });
  socket.on('error', () => {}); // being cut off is what some tests are about
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.once('end', () => socket.end());
  await new Promise((closed) => socket.once('close', closed));
  return Buffer.concat(chunks).toString('latin1');
}
