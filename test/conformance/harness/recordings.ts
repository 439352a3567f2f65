// The oracle's replies, kept in test/conformance/recorded/<family>.json so that tests run without a redis-server.
//
// One line a case: its text, its reply in RESP2, and in RESP3 where that differs; null where the oracle is not asked.
// The text is kept to notice a line that was changed and not recorded again.

import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { ORACLE_VERSION, type RunningServer } from '../../support/redis-server.ts';
import { type Case, describeCase, type Family, type Scenario } from './cases.ts';
import type { Protocol } from './replies.ts';
import { runScenario } from './run.ts';

type Recorded = readonly [text: string, resp2: string | null, resp3?: string | null];
export type Recording = Readonly<Record<string, readonly Recorded[]>>;

const fileOf = (family: string) => new URL(`../recorded/${family}.json`, import.meta.url);

/** The oracle answers whatever is not answered by hand. */
export const askedOfOracle = (each: Case): boolean => each.byHand === undefined;

export function readRecording(family: string): Recording {
  const file = fileOf(family);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** The recorded reply of each case, null where there is none. Recordings of other lines are refused. */
export function recordedReplies(
  family: Family,
  recording: Recording,
  scenario: Scenario,
  protocol: Protocol,
): (string | null)[] {
  const recorded = recording[scenario.name] ?? [];
  return scenario.cases.map((each, i) => {
    const [text, resp2, resp3 = resp2] = recorded[i] ?? [];
    const reply = protocol === 2 ? resp2 : resp3;
    const isStale = text !== describeCase(each) || (reply === null) === askedOfOracle(each);
    if (isStale || reply === undefined || recorded.length !== scenario.cases.length) {
      throw new Error(recordAgain(family, `'${scenario.name}' line ${i + 1}: ${describeCase(each)}`));
    }
    return reply;
  });
}

/** Scenarios that are recorded and no longer written. */
export function expectNoLeftovers(family: Family, recording: Recording): void {
  const written = new Set(family.scenarios.map(({ name }) => name));
  const leftover = Object.keys(recording).find((name) => !written.has(name));
  if (leftover !== undefined)
    throw new Error(recordAgain(family, `'${leftover}', which is recorded but not written`));
}

const recordAgain = (family: Family, what: string) =>
  `the recording of redis-server ${ORACLE_VERSION} does not know this: ${what}\n` +
  `Record again: RECORD=${family.name} npx vitest run --config test/vitest.config.ts test/conformance`;

/** Asks the oracle and rewrites the family's file. */
export async function record(family: Family, oracle: RunningServer): Promise<void> {
  const scenarios: string[] = [];
  for (const scenario of family.scenarios) {
    const resp2 = await oracleReplies(oracle, scenario, 2);
    const resp3 = await oracleReplies(oracle, scenario, 3);
    const lines = scenario.cases.map((each, i) => {
      const replies = resp2[i] === resp3[i] ? [resp2[i]] : [resp2[i], resp3[i]];
      return `    ${toAsciiJson([describeCase(each), ...replies])}`;
    });
    scenarios.push(`  ${toAsciiJson(scenario.name)}: [\n${lines.join(',\n')}\n  ]`);
  }
  await writeFile(fileOf(family.name), `{\n${scenarios.join(',\n')}\n}\n`);
}

/** One character of latin1 text is one byte of a reply; as ASCII it survives every editor. */
function toAsciiJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^ -~]/g, escaped);
}

async function oracleReplies(
  oracle: RunningServer,
  scenario: Scenario,
  protocol: Protocol,
): Promise<(string | null)[]> {
  // A protocol that the scenario leaves out is recorded as the other one, which takes no space.
  const played = scenario.protocols.includes(protocol) ? protocol : (scenario.protocols[0] ?? protocol);
  const outcomes = await runScenario(oracle, scenario, played, askedOfOracle);
  return scenario.cases.map((each, i) => {
    const outcome = outcomes[i];
    if (outcome === undefined) return null;
    if (outcome.form === undefined) {
      throw new Error(`redis-server itself breaks '${scenario.name}': ${describeCase(each)}: ${outcome.raw}`);
    }
    return outcome.form;
  });
}
