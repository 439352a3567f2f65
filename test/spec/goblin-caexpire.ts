// The examples of the GOBLIN.CAEXPIRE document (Goblin Core), as they are written there: what is typed behind `>`, and what
// redis-cli shows. A comment behind a reply explains it; a line that is only a comment is where time passes.

import { expect } from 'vitest';
import { ReplyError, type Value } from '../support/resp-frame.ts';
import type { Session } from './session.ts';

const EXAMPLES = `
> SET lock:job client-42-uuid NX PX 30000
OK

> GOBLIN.CAEXPIRE lock:job wrong-owner 30000
(integer) 0                       # not my token -- lease untouched

> GOBLIN.CAEXPIRE lock:job client-42-uuid 30000
(integer) 1                       # my token -- lease renewed

> PTTL lock:job
(integer) 30000
`;

const WATCHDOG = `
# acquire
> SET lock:job unique-token NX PX 30000
OK
# ... every 10s while still working ...
> GOBLIN.CAEXPIRE lock:job unique-token 30000
(integer) 1
# ... release when done ...
> GOBLIN.CAD lock:job unique-token
(integer) 1
`;

const TEN_SECONDS_MS = 10_000;

/** As redis-cli shows it on a terminal. */
function shown(reply: Value): string {
  if (reply instanceof ReplyError) return `(error) ${reply.message}`;
  if (reply === null) return '(nil)';
  return typeof reply === 'number' ? `(integer) ${reply}` : String(reply);
}

/** Acts a transcript out on the key `key`. PTTL may show up to 100 ms less if time passes by itself. */
async function act(transcript: string, key: string, session: Session, isClocked: boolean): Promise<void> {
  let reply = '';
  for (const line of transcript.replaceAll('lock:job', key).split('\n')) {
    if (line.startsWith('> PTTL') && !isClocked) {
      const ttl = await session.say(line.slice(2));
      expect(ttl).toBeGreaterThanOrEqual(29_900);
      expect(ttl).toBeLessThanOrEqual(30_000);
      reply = '(integer) 30000';
    } else if (line.startsWith('> ')) {
      reply = shown(await session.say(line.slice(2)));
    } else if (line.startsWith('# ... every 10s')) {
      await session.pass(TEN_SECONDS_MS);
    } else if (line !== '' && !line.startsWith('#')) {
      expect(reply).toBe(line.replace(/ +#.*/, ''));
    }
  }
}

export const examples: Readonly<Record<string, (session: Session, isClocked: boolean) => Promise<void>>> = {
  'Examples: a lease is renewed by its owner only': (session, isClocked) =>
    act(EXAMPLES, 'lock:examples', session, isClocked),

  'A watchdog renewal loop (renew at a third of the lease)': async (session, isClocked) => {
    const key = 'lock:watchdog';
    await act(WATCHDOG, key, session, isClocked);
    expect(await session.say(`EXISTS ${key}`)).toBe(0);
  },

  'A lease that is renewed outlives its first term, and one that is not ends': async (session) => {
    expect(await session.say('SET lock:kept token NX PX 10000')).toBe('OK');
    expect(await session.say('SET lock:lost token NX PX 10000')).toBe('OK');
    await session.pass(5000);
    expect(await session.say('GOBLIN.CAEXPIRE lock:kept token 30000')).toBe(1);
    await session.pass(5000);
    expect(await session.say('GOBLIN.CAEXPIRE lock:lost token 30000')).toBe(0);
    expect(await session.say('SET lock:kept other NX PX 30000')).toBe(null);
    expect(await session.say('SET lock:lost other NX PX 30000')).toBe('OK');
  },
};
