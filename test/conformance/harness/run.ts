// Plays one scenario against one server, in one protocol, and returns the form of each reply.
//
// The server is flushed before and each connection is new. Lines run one after another, and what a connection has
// sent is known to be processed before the next line, so that lines on two connections have one outcome.

import { setTimeout as delay } from 'node:timers/promises';
import { splitQuotedWords } from '../../../src/protocol/quoting.ts';
import type { RunningServer } from '../../support/redis-server.ts';
import { CLOSED, RespClient } from '../../support/resp-client.ts';
import { frameOf, toValue, type Value } from '../../support/resp-frame.ts';
import type { Case, Scenario } from './cases.ts';
import type { Path } from './loosenings.ts';
import type { Protocol } from './replies.ts';

export interface Outcome {
  /** What is compared; undefined when the reply is outside of what the line's loosening allows. */
  readonly form: string | undefined;
  readonly raw: string;
}

export type Step =
  /** Sends a command and reads one reply, only sends it, or only reads. */
  | { readonly kind: 'call' | 'send'; readonly connection: string; readonly words: readonly string[] }
  | { readonly kind: 'read'; readonly connection: string }
  | { readonly kind: 'bytes'; readonly connection: string; readonly bytes: string };

const NOTHING_READ: Outcome = { form: '', raw: '' };
const LINE = /^(?:@(?<connection>\w+) ?)?(?<arrow>->|<-|>>)? ?(?<rest>.*)$/s;

/** The meaning of a line, `[@connection] [->|<-|>>] words`. */
export function parseLine(line: string): Step {
  const { connection = 'main', arrow, rest = '' } = LINE.exec(line)?.groups ?? {};
  if (arrow === '<-' && rest === '') return { kind: 'read', connection };
  const words = splitQuotedWords(rest);
  if (words === undefined || words.length === 0 || arrow === '<-')
    throw new Error(`cannot read line: ${line}`);
  if (arrow === '>>') return { kind: 'bytes', connection, bytes: words.join('') };
  return { kind: arrow === '->' ? 'send' : 'call', connection, words };
}

/** Runs the cases that `applies` accepts; the others have no outcome. */
export async function runScenario(
  server: RunningServer,
  scenario: Scenario,
  protocol: Protocol,
  applies: (each: Case) => boolean,
): Promise<(Outcome | undefined)[]> {
  const control = await RespClient.connect(server.endpoint);
  const before = await setConfig(control, scenario.config);
  await expectOk(control, ['FLUSHALL']);
  const play = new Play(server, control, protocol);
  try {
    const outcomes: (Outcome | undefined)[] = [];
    for (const each of scenario.cases) outcomes.push(applies(each) ? await play.step(each) : undefined);
    await play.expectNothingUnread();
    return outcomes;
  } finally {
    await play.end();
    await setConfig(control, before);
    await control.close();
  }
}

class Play {
  readonly #server: RunningServer;
  readonly #control: RespClient;
  readonly #protocol: Protocol;
  readonly #connections = new Map<string, RespClient>();
  readonly #remembered = new Map<string, string>();

  constructor(server: RunningServer, control: RespClient, protocol: Protocol) {
    this.#server = server;
    this.#control = control;
    this.#protocol = protocol;
  }

  async step({ line, loosening, remember, waitMs }: Case): Promise<Outcome> {
    if (waitMs !== undefined) {
      await delay(waitMs);
      return NOTHING_READ;
    }
    const step = parseLine(this.#recall(line));
    const client = await this.#connection(step.connection);
    if (step.kind === 'bytes') client.write(step.bytes);
    else if (step.kind !== 'read') client.send(...step.words);
    if (step.kind === 'bytes' || step.kind === 'send') {
      await processed(this.#control);
      return NOTHING_READ;
    }
    const raw = await client.next();
    if (remember !== undefined) this.#remembered.set(remember.name, elementText(raw, remember.path));
    return { raw, form: loosening === undefined ? raw : loosening.form(raw) };
  }

  /** A reply that no line reads is a mistake of the server, or of the scenario. */
  async expectNothingUnread(): Promise<void> {
    await processed(this.#control);
    for (const [name, client] of this.#connections) {
      if (client.unread.length > 0)
        throw new Error(`no line reads this on @${name}: ${client.unread.join('')}`);
    }
  }

  /** Closes everything, and lets the server notice, so that the next scenario finds no trace of this one. */
  async end(): Promise<void> {
    for (const client of this.#connections.values()) await client.close();
    await processed(this.#control);
  }

  #recall(line: string): string {
    return line.replace(/\{(\w+)\}/g, (braced, name) => this.#remembered.get(name) ?? braced);
  }

  async #connection(name: string): Promise<RespClient> {
    const known = this.#connections.get(name);
    if (known !== undefined) return known;
    const client = await RespClient.connect(this.#server.endpoint);
    this.#connections.set(name, client);
    // Accepted and listened to, so that what is sent next is read in the next round.
    await processed(this.#control);
    if (this.#protocol === 3) {
      const hello = await client.raw('HELLO', '3');
      if (!hello.startsWith('%')) throw new Error(`HELLO 3 was answered with ${hello}`);
    }
    return client;
  }
}

/**
 * Resolves when the server has processed all that was sent to it before, on whatever connection: it reads this
 * PING no earlier than in the same round of its event loop, and the second one in a later round.
 */
async function processed(control: RespClient): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const reply = await control.raw('PING');
    if (reply !== '+PONG\r\n') throw new Error(`the harness' own connection was answered with ${reply}`);
  }
}

/** Sets directives and returns what they were. */
async function setConfig(
  control: RespClient,
  directives: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const before: Record<string, string> = {};
  for (const [name, value] of Object.entries(directives)) {
    const current = await control.call('CONFIG', 'GET', name);
    if (!Array.isArray(current) || typeof current[1] !== 'string')
      throw new Error(`no directive is called ${name}`);
    before[name] = current[1];
    await expectOk(control, ['CONFIG', 'SET', name, value]);
  }
  return before;
}

async function expectOk(control: RespClient, command: readonly string[]): Promise<void> {
  const reply = await control.raw(...command);
  if (reply !== '+OK\r\n') throw new Error(`${command.join(' ')} was answered with ${reply}`);
}

function elementText(raw: string, path: Path): string {
  if (raw === CLOSED) return raw;
  let value: Value | undefined = toValue(frameOf(raw));
  for (const index of path) value = Array.isArray(value) ? value[index] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new Error(`nothing to remember in ${raw}`);
  return String(value);
}
