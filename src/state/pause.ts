// CLIENT PAUSE: which commands wait, until when, and whose.
//
// A request that must wait goes back to its connection, which keeps it and whatever comes behind it, so that the order of
// one client's requests stays. Time is not paused: leases run out as they would have, since their holders count on it.

import type { Request } from '../protocol/request.ts';
import type { Client } from './client.ts';

/** Commands that change something wait, or all commands do. */
export type PauseScope = 'write' | 'all';

const NEVER_MS = Number.POSITIVE_INFINITY;

export class Pause {
  /** When it ends, on the server's clock; infinite when nothing is paused. */
  endMs = NEVER_MS;
  isOn = false;
  scope: PauseScope = 'write';
  readonly #waiting = new Set<Client>();

  /** Begins a pause. One that is on already becomes neither shorter nor narrower. */
  begin(scope: PauseScope, endMs: number): void {
    this.scope = this.isOn && this.scope === 'all' ? 'all' : scope;
    this.endMs = this.isOn ? Math.max(this.endMs, endMs) : endMs;
    this.isOn = true;
  }

  /** Lets this request, which its client's next ones stand behind, wait for the end. */
  postpone(client: Client, request: Request): void {
    this.#waiting.add(client);
    client.outlet.pause(request);
  }

  end(): void {
    this.isOn = false;
    this.endMs = NEVER_MS;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const client of waiting) client.outlet.resume();
  }

  endIfDue(nowMs: number): void {
    if (nowMs >= this.endMs) this.end();
  }

  /** The client has gone. */
  forget(client: Client): void {
    this.#waiting.delete(client);
  }
}
