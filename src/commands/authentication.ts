// Who a client says it is, and whether it may: AUTH, HELLO AUTH, and the names that clients give themselves.
// There is one user, `default`, with the password `requirepass`. Comparing takes the same time wherever passwords differ.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Client } from '../state/client.ts';
import type { Server } from '../state/server.ts';

export const USER = 'default';

export const WRONG_PASS = 'WRONGPASS invalid username-password pair or user is disabled.';

/** Lets the client in if the password is right. Afterwards it stays in, whatever becomes of `requirepass`. */
export function authenticate(server: Server, client: Client, user: string, password: string): boolean {
  if (user !== USER) return false;
  if (!server.isOpen && !isSame(password, server.config.values.requirepass)) return false;
  client.isAuthenticated = true;
  return true;
}

/** Digests have one length, so nothing is told by when a comparison ends. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

const digest = (text: string): Buffer => createHash('sha256').update(text, 'latin1').digest();

/** Names stand in the lines of CLIENT LIST, between spaces. */
export function isPlainName(name: string): boolean {
  return /^[!-~]*$/.test(name);
}

export const notPlain = (what: string): string =>
  `ERR ${what} cannot contain spaces, newlines or special characters.`;
