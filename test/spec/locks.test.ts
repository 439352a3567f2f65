// The two documents in which the locks are specified (GOBLIN.CAEXPIRE of Goblin Core, GETL of Membase), acted out over a
// socket: each example and use case on a clock that the test moves, then all of them side by side in real time.

import { describe, expect, test } from 'vitest';
import { examples } from './goblin-caexpire.ts';
import { useCases } from './membase-getl.ts';
import { clockedStage, realTimeStage, type Session, type Stage } from './session.ts';

const cases: readonly (readonly [
  title: string,
  act: (session: Session, isClocked: boolean) => Promise<void>,
])[] = [...Object.entries(examples), ...Object.entries(useCases)];

async function on(stage: Promise<Stage>, play: (stage: Stage) => Promise<void>): Promise<void> {
  const ready = await stage;
  try {
    await play(ready);
  } finally {
    await ready.close();
  }
}

describe('on a clock that the test moves', () => {
  test.each(cases)('%s', (_, act) => on(clockedStage(), async (stage) => act(await stage.session(), true)));

  const LIMITS = [
    ['GETL k', 15_000],
    ['GETL k 15', 15_000],
    ['GETL k 29', 29_000],
    ['GETL k 30', 29_000],
    ['GETL k 3600', 29_000],
  ] as const;

  test.each(LIMITS)('%s locks for %i ms exactly', (line, lockMs) =>
    on(clockedStage(), async (stage) => {
      const { say, pass } = await stage.session();
      await say('SET k v');
      await say(line);
      await pass(lockMs - 1);
      expect(await say('SET k w')).toMatchObject({ message: expect.stringMatching(/^EXISTS /) });
      await pass(1);
      expect(await say('SET k w')).toBe('OK');
    }),
  );

  test('a lease holds to its last millisecond', () =>
    on(clockedStage(), async (stage) => {
      const { say, pass } = await stage.session();
      await say('SET lock token NX PX 30000');
      await pass(20_000);
      expect(await say('GOBLIN.CAEXPIRE lock token 30000')).toBe(1);
      await pass(29_999);
      expect(await say('PTTL lock')).toBe(1);
      await pass(1);
      expect(await say('GOBLIN.CAEXPIRE lock token 30000')).toBe(0);
    }));
});

test('all of them in real time', { timeout: 120_000 }, () =>
  on(realTimeStage(), async (stage) => {
    await Promise.all(cases.map(async ([, act]) => act(await stage.session(), false)));
  }),
);
