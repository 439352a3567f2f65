// What a server answered against what it should have answered, line by line.

import { ORACLE_VERSION } from '../../support/redis-server.ts';
import { type Case, describeCase, type Scenario } from './cases.ts';
import { encodeReply, type Protocol } from './replies.ts';
import type { Outcome } from './run.ts';

/** A report of the lines that differ, empty when none does. Lines that were not played do not differ. */
export function compare(
  scenario: Scenario,
  protocol: Protocol,
  outcomes: readonly (Outcome | undefined)[],
  recorded: readonly (string | null)[],
): string {
  const differences = scenario.cases.flatMap((each, i) => {
    const outcome = outcomes[i];
    const expected = expectedForm(each, protocol, recorded[i] ?? null);
    if (outcome === undefined || outcome.form === expected) return [];
    return [
      '',
      `line ${i + 1}    ${describeCase(each)}`,
      `expected  ${JSON.stringify(expected)}  (${each.byHand?.why ?? `redis-server ${ORACLE_VERSION}`})`,
      `got       ${JSON.stringify(outcome.form ?? outcome.raw)}`,
    ];
  });
  return differences.join('\n');
}

/** A reply written by hand may be any example that fits the line's loosening. */
function expectedForm(
  { line, byHand, loosening }: Case,
  protocol: Protocol,
  recorded: string | null,
): string | null {
  if (byHand === undefined) return recorded;
  const raw = encodeReply(byHand.reply, protocol);
  const form = loosening === undefined ? raw : loosening.form(raw);
  if (form === undefined) throw new Error(`the reply written for '${line}' does not fit its own loosening`);
  return form;
}
