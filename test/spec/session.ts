// How the two documents in which the locks are specified are acted out: one client that says commands and hears replies, and
// time that passes. The same transcripts run on a clock that the test moves and in real time.

import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '../../src/index.ts';
import { startServer } from '../../src/index.ts';
import { RespClient } from '../support/resp-client.ts';
import type { Value } from '../support/resp-frame.ts';

/** Timers may fire early by what they round away. */
const TIMER_SLACK_MS = 5;

export interface Session {
  /** Says a command, given as words without quoting, and returns the reply. */
  say(line: string): Promise<Value>;
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>;
}

export interface Stage {
  readonly server: RunningServer;
  session(): Promise<Session>;
  close(): Promise<void>;
}

/** A server on a clock of its own: time passes only by `pass`. */
export async function clockedStage(): Promise<Stage> {
  let nowMs = 0;
  const time = { monotonicMs: () => nowMs, epochMs: () => 1_700_000_000_000 + nowMs };
  const server = await startServer({ port: 0, time });
  return stage(server, (ms) => {
    nowMs += ms;
    server.tick();
  });
}

/** A server on the system's clock. */
export async function realTimeStage(): Promise<Stage> {
  return stage(await startServer({ port: 0 }), (ms) => delay(ms + TIMER_SLACK_MS));
}

function stage(server: RunningServer, pass: (ms: number) => Promise<void> | void): Stage {
  const clients: RespClient[] = [];
  return {
    server,
    async session() {
      const client = await RespClient.connect({ port: server.port });
      clients.push(client);
      return { say: (line) => client.call(...line.split(' ')), pass: async (ms) => pass(ms) };
    },
    async close() {
      for (const client of clients) await client.close();
      await server.close();
    },
  };
}
