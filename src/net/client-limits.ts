// The limits that depend on time as much as on bytes: unsent output (client-output-buffer-limit) and idleness (timeout).
// Output is looked at with each write that does not leave at once; both are looked at every second, for clients that
// nothing happens to.

import type { Client } from '../state/client.ts';
import type { Server } from '../state/server.ts';

/** True if more replies pile up than a client of its class may leave unread, at once or for too long. */
export function isOverOutputLimit(client: Client, { config, clock }: Server): boolean {
  const limits = config.values['client-output-buffer-limit'];
  const limit = client.isSubscribed || client.isMonitor ? limits.pubsub : limits.normal;
  const unsentBytes = client.outlet.unsentBytes + client.outboxBytes;
  if (limit.hardLimitBytes > 0 && unsentBytes > limit.hardLimitBytes) return true;
  if (limit.softLimitBytes === 0 || unsentBytes <= limit.softLimitBytes) {
    client.overSoftLimitSinceMs = 0;
    return false;
  }
  if (client.overSoftLimitSinceMs === 0) client.overSoftLimitSinceMs = clock.nowMs;
  return clock.nowMs - client.overSoftLimitSinceMs > limit.softLimitSeconds * 1000;
}

/** Closes clients that have been idle or over their soft output limit for too long. */
export function closeOverdue(server: Server): void {
  const idleLimitMs = server.config.values.timeout * 1000;
  for (const client of server.clients.values()) {
    if (client.overSoftLimitSinceMs !== 0) client.outlet.closeIfOverOutputLimit();
    if (idleLimitMs > 0 && isIdle(client, server.clock.nowMs, idleLimitMs)) client.outlet.destroy();
  }
}

/** Whoever waits for a message or a blocked command is meant to be silent. */
function isIdle(client: Client, nowMs: number, limitMs: number): boolean {
  return nowMs - client.lastActiveMs > limitMs && !client.isSubscribed && !client.outlet.isPaused;
}
