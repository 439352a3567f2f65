// Random and broken programs, given to a real redis-server too: it must take and refuse the same ones, in the same words.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { installedRedisVersion, redisAvailable, startRedis } from '../../support/redis-server.ts';
import { RespClient } from '../../support/resp-client.ts';
import { outcomeOf } from './outcome.ts';
import { SYNTAX_ERRORS } from './syntax-errors.ts';

const TOKENS = [
  ...'and break do else elseif end false for function if in local nil not or repeat return then'.split(' '),
  ...'true until while a b x arg 1 2.5 0x1F "s" [[l]] ... .. . = == ~= < + - ^ # ( ) [ ] { } , ; :'.split(
    ' ',
  ),
  '\n',
];
const CHARACTERS = [
  ...'abx019.eEpP_ \n\r"\'\\[]=-+^#<~(){},;:@\0\x7f\xe9',
  ...['[[', ']]', '[=[', '--', '\\300', '0x'],
];

const VALID = [
  'local a, b = f(x), {1, 2; y = 3, ["z"] = a} return a .. b, #x',
  'if a == b then\n x() elseif not a then y = 1 else return end\nz()',
  'for i = 1, 10 do local t = {}\n t[i] = function(...) return i, ... end break end',
  'for k, v in pairs(t) do\n repeat local z = k:f"s" until z >= v end',
  'function a.b:c(d, ...) return self.x[d]\n[1](arg) end\nlocal function r() return r() end',
  'while true do if x then break end end --[[ c\n]] s = "a\\65\\\nb" .. [==[\n]]]==]',
];

const between = (from: string, tokens: readonly string[], separator: string) =>
  fc
    .array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 14 })
    .map((list) => from + list.join(separator));

const mutant = fc
  .record({
    program: fc.constantFrom(...VALID),
    at: fc.nat(120),
    cut: fc.nat(6),
    insert: fc.constantFrom('', ...TOKENS, ...CHARACTERS),
  })
  .map(({ program, at, cut, insert }) => `${program.slice(0, at)} ${insert} ${program.slice(at + cut)}`);

const program = fc.oneof(
  between('', TOKENS, ' '),
  between('return ', TOKENS, ' '),
  between('x = ', CHARACTERS, ''),
  mutant,
);

const BATCH = 50;
const PREFIX = '-ERR Error compiling script (new function): ';

/** What Redis makes of each of these programs. */
async function outcomesOnRedis(redis: RespClient, sources: readonly string[]): Promise<string[]> {
  for (const source of sources) redis.send('SCRIPT', 'LOAD', source);
  const outcomes: string[] = [];
  for (const _ of sources) {
    const reply = (await redis.next()).trimEnd();
    outcomes.push(reply.startsWith(PREFIX) ? reply.slice(PREFIX.length).trimEnd() : 'ok');
  }
  return outcomes;
}

const title = `programs are taken and refused as on redis-server (installed: ${installedRedisVersion})`;

test.skipIf(!redisAvailable)(title, async () => {
  const server = await startRedis();
  const redis = await RespClient.connect(server.endpoint);
  try {
    const recorded = SYNTAX_ERRORS.map(([source]) => source);
    const messages = SYNTAX_ERRORS.map(([, message]) => `user_script:${message}`);
    expect(await outcomesOnRedis(redis, recorded)).toEqual(messages);
    await fc.assert(
      fc.asyncProperty(fc.array(program, { minLength: BATCH, maxLength: BATCH }), async (sources) => {
        const ours = sources.map((source) => outcomeOf(source).trimEnd());
        expect(ours).toEqual(await outcomesOnRedis(redis, sources));
      }),
      { numRuns: 60 },
    );
  } finally {
    await redis.close();
    await server.stop();
  }
});
