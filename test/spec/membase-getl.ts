// The four use cases of the GETL document (Membase), step by step as they are written there. "Should get EXISTS" means an
// error whose first word that is. Each use case has a key of its own, so that all can run side by side.

import { expect } from 'vitest';
import { ReplyError, type Value } from '../support/resp-frame.ts';
import type { Session } from './session.ts';

const SECOND_MS = 1000;

/** GETL's reply: the value, and a cas, which is returned. */
function expectLocked(reply: Value, value: string): number {
  expect(reply).toEqual([value, expect.any(Number)]);
  return (reply as [string, number])[1];
}

function expectError(reply: Value, word: string): void {
  expect(reply).toBeInstanceOf(ReplyError);
  expect((reply as ReplyError).message).toMatch(new RegExp(`^${word} `));
}

export const useCases: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  '1. Timeout locks the key for the specified time': async ({ say, pass }) => {
    // Set a key
    expect(await say('SET case:1 original')).toBe('OK');
    // Perform a getl on the key with a timeout of 15 seconds
    expectLocked(await say('GETL case:1 15'), 'original');
    // Attempt to set the key with a new value
    // Should get "EXISTS"
    expectError(await say('SET case:1 new'), 'EXISTS');
    // Perform a get on the key to verify the key has its original value
    expect(await say('GET case:1')).toBe('original');
    // Wait 15 seconds
    await pass(15 * SECOND_MS);
    // Attempt to set the key with a new value
    expect(await say('SET case:1 new')).toBe('OK');
    // Perform a get on the key to verify the key has the new value
    expect(await say('GET case:1')).toBe('new');
  },

  '2. CAS unlocks the key before the timeout': async ({ say }) => {
    // Set a key
    expect(await say('SET case:2 original')).toBe('OK');
    // Perform a getl on the key with a timeout of 15 seconds
    const cas = expectLocked(await say('GETL case:2 15'), 'original');
    // Attempt to cas the key with a using the appropriate cas id
    expect(await say(`CAS case:2 ${cas} by-cas`)).toEqual(expect.any(Number));
    // Perform a get on the key to verify the key has its new value
    expect(await say('GET case:2')).toBe('by-cas');
    // Attempt to set the key with a new value
    expect(await say('SET case:2 by-set')).toBe('OK');
    // Perform a get on the key to verify the key has the new value
    expect(await say('GET case:2')).toBe('by-set');
  },

  '3. GETL fails against a locked key': async ({ say }) => {
    // Set a key
    expect(await say('SET case:3 original')).toBe('OK');
    // Perform a getl on the key with a timeout of 15 seconds
    expectLocked(await say('GETL case:3 15'), 'original');
    // Perform a getl without a timeout
    // Should get "LOCK_ERROR"
    expectError(await say('GETL case:3'), 'LOCK_ERROR');
  },

  '4. GETL honors an old timeout': async ({ say, pass }) => {
    // Set a key
    expect(await say('SET case:4 original')).toBe('OK');
    // Perform a getl on the key with a timeout of 3600 seconds (Will be set to 29 seconds by Membase)
    expectLocked(await say('GETL case:4 3600'), 'original');
    // Perform a getl on the key with a timeout of 5 seconds
    expectError(await say('GETL case:4 5'), 'LOCK_ERROR');
    // Wait 5 seconds
    await pass(5 * SECOND_MS);
    // Perform a set on the key with a new value
    // Set should fail with "EXISTS"
    expectError(await say('SET case:4 new'), 'EXISTS');
    // Wait 24 seconds
    await pass(24 * SECOND_MS);
    // Perform a set on the key with a new value
    // Set should pass
    expect(await say('SET case:4 new')).toBe('OK');
    // Perform a get on the key to verify the key has the new value
    expect(await say('GET case:4')).toBe('new');
  },

  'The default expiration is 15 seconds, and the operations delete, incr, etc. are blocked also': async ({
    say,
    pass,
  }) => {
    expect(await say('SET case:5 7')).toBe('OK');
    expectLocked(await say('GETL case:5'), '7');
    for (const line of ['DEL case:5', 'INCR case:5', 'APPEND case:5 x', 'EXPIRE case:5 1', 'GETDEL case:5']) {
      expectError(await say(line), 'EXISTS');
    }
    await pass(15 * SECOND_MS);
    expect(await say('INCR case:5')).toBe(8);
    expect(await say('DEL case:5')).toBe(1);
  },
};
