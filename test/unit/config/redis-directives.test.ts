// Every directive of Redis 7.0.15 beside ours: that we know it, its default, and its answer to CONFIG SET with a row of
// good and bad values. The answers are recorded; where that redis-server is installed the recording is checked against
// it (`npx vitest run -u` on this file records anew).

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Config } from '../../../src/config/config.ts';
import { ConfigError } from '../../../src/config/errors.ts';
import { type CommandLine, configFrom } from '../../../src/config/load.ts';
import { findOption, optionOf } from '../../../src/config/options.ts';
import { redisAvailable, startRedis } from '../../support/redis-server.ts';
import { RespClient } from '../../support/resp-client.ts';
import { ReplyError } from '../../support/resp-frame.ts';

const PROBES = [
  '',
  'bad',
  'yes',
  'NO',
  '0',
  '1',
  '-1',
  '01',
  '1kb',
  '1.5',
  '-99999999999',
  '99999999999999999999',
  '7%',
  '101%',
];
const OWN_VALUE = 'its own value';
const MACHINE_SPECIFIC = ['dir', 'unixsocket'];

interface Recorded {
  readonly name: string;
  readonly value: string;
  /** For each answer the probes that got it. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
}

const path = new URL('./redis-7.0.15.jsonl', import.meta.url);
const failure = (name: string): string => `ERR CONFIG SET failed (possibly related to argument '${name}') - `;

async function record(): Promise<string> {
  const redis = await startRedis();
  const client = await RespClient.connect(redis.endpoint);
  try {
    const values = (await client.call('CONFIG', 'GET', '*')) as string[];
    const pairs = values.flatMap((name, i) => (i % 2 === 0 ? [[name, values[i + 1] ?? ''] as const] : []));
    const lines: string[] = [];
    for (const [name, value] of pairs.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const answers: Record<string, string[]> = {};
      for (const probe of [...PROBES, OWN_VALUE]) {
        const reply = await client.call('CONFIG', 'SET', name, probe === OWN_VALUE ? value : probe);
        const answer = reply instanceof ReplyError ? reply.message.replace(failure(name), '') : String(reply);
        answers[answer] = [...(answers[answer] ?? []), probe];
        await client.call('CONFIG', 'SET', name, value);
      }
      lines.push(JSON.stringify({ name, value: MACHINE_SPECIFIC.includes(name) ? '' : value, answers }));
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await client.close();
    await redis.stop();
  }
}

test.skipIf(!redisAvailable)('the recording is what redis-server answers', async () => {
  await expect(await record()).toMatchFileSnapshot(path.pathname);
});

const recording = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

test('each directive of CONFIG GET * is in the table', () => {
  expect(recording.length).toBe(192);
  expect(recording.filter(({ name }) => findOption(name) === undefined)).toEqual([]);
});

/** Where our defaults differ, or the recorded server was started with something else than Redis' default. */
const OTHER_DEFAULTS = ['bind', 'dir', 'enable-debug-command', 'port'];

test('defaults are those of Redis', () => {
  const config = new Config();
  const differing = recording.filter(({ name, value }) => config.get([name])[0]?.[1] !== value);
  expect(differing.map(({ name }) => name)).toEqual(OTHER_DEFAULTS);
});

function answer(name: string, value: string): string {
  try {
    new Config().set([[name, value]]);
    return 'OK';
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace(failure(name), '');
    throw error;
  }
}

/** Redis' sentence, changed where we decided otherwise or 8.4 says otherwise. */
function expectedAnswer(name: string, recorded: string): string {
  if (name === 'bind' || name === 'port') return "can't set immutable config";
  if (
    recorded === 'argument must be between 1048576 and 9223372036854775807 inclusive' &&
    name === 'proto-max-bulk-len'
  ) {
    return 'argument must be between 1048576 and 536870912 inclusive';
  }
  return recorded
    .replace('9223372036854775807', '9007199254740991')
    .replace('debug, verbose, notice, warning', 'debug, verbose, notice, warning, nothing')
    .replace('KEtmdn', 'KEtmdnoc');
}

/** What Redis accepts and we turn down, with a sentence of our own. */
const TURNED_DOWN = [
  ['appendonly', 'yes'],
  ['min-replicas-to-write', '1'],
  ['min-slaves-to-write', '1'],
  ['tls-port', '1'],
];

/** What that build of Redis cannot do, and what is inert here. */
const INERT_HERE = ['activedefrag', 'tls-cluster', 'tls-replication'];

/** Redis clamps memory sizes to 2^64 - 1; we say where our numbers end. */
const HUGE = '99999999999999999999';

test.for(recording)('CONFIG SET $name', ({ name, value, answers }) => {
  if (MACHINE_SPECIFIC.includes(name)) return;
  for (const [recorded, probes] of Object.entries(answers)) {
    for (const probe of probes) {
      const ours = answer(name, probe === OWN_VALUE ? value : probe);
      const isTurnedDown = TURNED_DOWN.some(([option, word]) => option === name && word === probe);
      const isInert = INERT_HERE.includes(name) && probe === 'yes';
      const isBeyondOurs = probe === HUGE && recorded === 'OK' && /^argument must be between/.test(ours);
      if (isTurnedDown) expect(ours, probe).toMatch(/not|no replicas/);
      else if (isInert) expect(ours).toBe('OK');
      else if (!isBeyondOurs) expect(ours, probe).toBe(expectedAnswer(name, recorded));
    }
  }
});

/** The recorded values as a redis.conf: what a stock configuration says, comments aside. */
function stockDirectives(): CommandLine['directives'] {
  return recording.map(({ name, value }) => {
    const option = optionOf(findOption(name) ?? 'port');
    const words = option.kind.takesWords ? value.split(' ').filter(Boolean) : [value];
    return { name, words, origin: `redis.conf: ${name}` };
  });
}

test('a configuration that says every default of Redis starts without a warning', () => {
  const stock = stockDirectives().filter(({ name }) => name !== 'save');
  expect(configFrom({ directives: stock }).warnings).toEqual([]);
});
