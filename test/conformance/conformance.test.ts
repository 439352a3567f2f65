// Redis compatibility: every line of every family file here, played on our server and on a real one.
//
// Ours must answer what redis-server 7.0.15 answered when it was recorded, or what the line says by hand. Where that
// redis-server is installed it is played too, so recordings cannot rot. RECORD=<family> or RECORD=1 asks it anew.

import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  installedRedisVersion,
  ORACLE_VERSION,
  type RunningServer,
  redisAvailable,
  startRedis,
} from '../support/redis-server.ts';
import { RespClient } from '../support/resp-client.ts';
import { oursAvailable, startOurs } from '../support/server.ts';
import type { Case, Family, Scenario } from './harness/cases.ts';
import { compare } from './harness/compare.ts';
import { coveredCommands, listCommands } from './harness/coverage.ts';
import {
  askedOfOracle,
  expectNoLeftovers,
  readRecording,
  record,
  recordedReplies,
} from './harness/recordings.ts';
import type { Protocol } from './harness/replies.ts';
import { runScenario } from './harness/run.ts';

/** Commands that no line can show, and why. */
const WITHOUT_LINES: Readonly<Record<string, string>> = {
  shutdown: 'ends the server that the other scenarios need',
};

const families = await loadFamilies();
await recordIfAsked();

const servers = new Map<'ours' | 'redis', RunningServer>();
beforeAll(async () => {
  if (oursAvailable) servers.set('ours', await startOurs({ 'enable-debug-command': 'yes' }));
  if (redisAvailable) servers.set('redis', await startRedis());
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
});

for (const family of families) {
  const recording = readRecording(family.name);
  describe(family.name, () => {
    test('is recorded as it is written', () => {
      expectNoLeftovers(family, recording);
      eachScenario(family, (_, scenario, protocol) => recordedReplies(family, recording, scenario, protocol));
    });
    eachScenario(family, (title, scenario, protocol) => {
      const recorded = () => recordedReplies(family, recording, scenario, protocol);
      test.skipIf(!oursAvailable)(title, async () => {
        await play('ours', scenario, protocol, () => true, recorded());
      });
      test.skipIf(!redisAvailable)(`${title}, redis-server as recorded`, async () => {
        await play('redis', scenario, protocol, askedOfOracle, recorded());
      });
    });
  });
}

describe('the family files', () => {
  test('are there', () => expect(families.length).toBeGreaterThan(0));

  test('name pages that exist when ours differs on purpose', () => {
    const cases = families.flatMap(({ scenarios }) => scenarios.flatMap((scenario) => scenario.cases));
    const pages = cases.flatMap(({ byHand }) => /^ours: ([^#\s]+)/.exec(byHand?.why ?? '')?.[1] ?? []);
    expect(pages.filter((page) => !existsSync(new URL(`../../${page}`, import.meta.url)))).toEqual([]);
  });

  test.skipIf(!oursAvailable)('have a line for every command', async () => {
    const client = await RespClient.connect(running('ours').endpoint);
    const commands = await listCommands(client);
    await client.close();
    const covered = coveredCommands(families);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((name) => !covered.has(name) && !(name in WITHOUT_LINES))).toEqual([]);
  });

  // Why the tests above are skipped, for whoever reads the list.
  if (!oursAvailable) test.skip('our server is not played: there is no src/index.ts');
  if (!redisAvailable) {
    test.skip(`no live redis-server: ${ORACLE_VERSION} is wanted, found ${installedRedisVersion ?? 'none'}`);
  }
});

async function play(
  name: 'ours' | 'redis',
  scenario: Scenario,
  protocol: Protocol,
  applies: (each: Case) => boolean,
  recorded: readonly (string | null)[],
): Promise<void> {
  const outcomes = await runScenario(running(name), scenario, protocol, applies);
  const report = compare(scenario, protocol, outcomes, recorded);
  if (report !== '') expect.fail(report);
}

function running(name: 'ours' | 'redis'): RunningServer {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`${name} is not running`);
  return server;
}

function eachScenario(
  family: Family,
  define: (title: string, scenario: Scenario, protocol: Protocol) => void,
): void {
  for (const scenario of family.scenarios) {
    for (const protocol of scenario.protocols)
      define(`${scenario.name}, RESP${protocol}`, scenario, protocol);
  }
}

async function loadFamilies(): Promise<Family[]> {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /^[^.]+\.ts$/.test(file));
  const modules = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)));
  return modules.map((module, i) => {
    const family: Family = module.family;
    if (`${family.name}.ts` !== files[i]) throw new Error(`${files[i]} holds the family '${family.name}'`);
    return family;
  });
}

async function recordIfAsked(): Promise<void> {
  const { RECORD: wanted } = process.env;
  if (wanted === undefined) return;
  if (!redisAvailable) throw new Error(`recording needs redis-server ${ORACLE_VERSION} on PATH`);
  const chosen = families.filter(({ name }) => wanted === '1' || wanted === name);
  if (chosen.length === 0) throw new Error(`RECORD=${wanted} names no family`);
  const oracle = await startRedis();
  try {
    for (const family of chosen) await record(family, oracle);
  } finally {
    await oracle.stop();
  }
}
