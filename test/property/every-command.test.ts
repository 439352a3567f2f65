// Every command that there is, with arguments by its own grammar and with broken ones: each request gets exactly one
// complete reply (with RESP2 readable as such), no handler throws or looks behind its arguments, and the keyspace stays in one
// piece.
//
// Left out are commands whose effect leaves the server: those that stop it, sleep, or write files.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Key } from '../../src/bytes/key.ts';
import type { ByteView } from '../../src/bytes/view.ts';
import type { Argument, Command } from '../../src/commands/define.ts';
import { Registry } from '../../src/commands/registry.ts';
import { Config } from '../../src/config/config.ts';
import { Dispatcher } from '../../src/dispatch/dispatcher.ts';
import { ReplyWriter } from '../../src/protocol/reply-writer.ts';
import { Request } from '../../src/protocol/request.ts';
import { Client } from '../../src/state/client.ts';
import { Server } from '../../src/state/server.ts';
import { MemoryOutlet } from '../support/memory-outlet.ts';
import { type Frame, parseFrame } from '../support/resp-frame.ts';

const LEFT_OUT = /^(shutdown|debug|save|bgsave|bgrewriteaof|client\|pause|config\|rewrite)\b/;
/** One message for each channel, and at least one. */
const MANY_REPLIES = /^[ps]?(un)?subscribe$/;
/** These may answer nothing: they turn replies off, or end the connection. */
const MAY_BE_SILENT = /^(client\|(reply|kill)|quit)$/;

const ENDS_MULTI = /^(exec|discard|reset|watch|monitor)$/;

const WORDS = [
  'GET',
  '',
  'a',
  'b',
  'c',
  'k:1',
  '10',
  '9223372036854775807',
  '3.25',
  'x'.repeat(70),
  '\xff\x00\r\n',
  '*',
  'y'.repeat(70_000),
];
const NUMBERS = [
  '0',
  '1',
  '2',
  '-1',
  '5',
  '100',
  '30000',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '4294967296',
  '1.5',
  'inf',
  'nan',
  '01',
  '',
];
const KEYS = ['a', 'b', 'c', 'k:1', '', '\xff\x00', 'z'.repeat(300), 'w'.repeat(66_000)];

const commands = new Registry().all.filter(({ name }) => !LEFT_OUT.test(name));

/** Choices one after the other; 0 when they are used up, so that examples shrink. */
class Chooser {
  readonly #choices: number[];
  constructor(choices: readonly number[]) {
    this.#choices = [...choices];
  }
  below(limit: number): number {
    return (this.#choices.shift() ?? 0) % limit;
  }
  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

function wordsFor(argument: Argument, choose: Chooser): string[] {
  if (argument.optional && choose.below(2) === 0) return [];
  const times = argument.multiple ? 1 + choose.below(3) : 1;
  const words: string[] = [];
  for (let i = 0; i < times; i++) {
    if (argument.token !== undefined && (i === 0 || argument.multipleToken)) words.push(argument.token);
    words.push(...valueFor(argument, choose));
  }
  return words;
}

function valueFor(argument: Argument, choose: Chooser): string[] {
  switch (argument.type) {
    case 'pure-token':
      return [];
    case 'oneof':
      return wordsFor(choose.of(argument.arguments ?? []), choose);
    case 'block':
      return (argument.arguments ?? []).flatMap((each) => wordsFor(each, choose));
    case 'key':
      return [choose.of(KEYS)];
    case 'integer':
    case 'double':
    case 'unix-time':
      return [choose.of(NUMBERS)];
    default:
      return [choose.of(WORDS)];
  }
}

function requestFor(command: Command, choose: Chooser): string[] {
  const words = command.name.split('|');
  const isByGrammar = choose.below(4) !== 3;
  if (isByGrammar) words.push(...(command.spec.arguments ?? []).flatMap((each) => wordsFor(each, choose)));
  else for (let i = choose.below(8); i > 0; i--) words.push(choose.of([...WORDS, ...NUMBERS, ...KEYS]));
  const at = 1 + choose.below(words.length);
  if (choose.below(5) === 4) words.splice(at, choose.below(2), choose.of([...WORDS, ...NUMBERS]));
  return words;
}

/** Behind the last argument lies what earlier requests left there: a handler that looks at it must be found out. */
class CheckedRequest extends Request {
  #checked(index: number): number {
    if (index >= this.count) throw new Error(`argument ${index} of ${this.count} was asked for`);
    return index;
  }
  override length(index: number): number {
    return super.length(this.#checked(index));
  }
  override bufferOf(index: number): Buffer {
    return super.bufferOf(this.#checked(index));
  }
  override start(index: number): number {
    return super.start(this.#checked(index));
  }
  override view(index: number, into?: ByteView): ByteView {
    return super.view(this.#checked(index), into);
  }
  override key(index: number, into?: Key): Key {
    return super.key(this.#checked(index), into);
  }
  override matches(index: number, word: string): boolean {
    return super.matches(this.#checked(index), word);
  }
}

class Harness {
  #nowMs = 1000;
  readonly server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #reply = new ReplyWriter();
  readonly #request: Request;
  #client: Client;
  readonly #chunks: Buffer[] = [];

  constructor() {
    const time = { monotonicMs: () => this.#nowMs, epochMs: () => 1_700_000_000_000 + this.#nowMs };
    this.server = new Server(new Config(), time);
    this.#dispatcher = new Dispatcher(this.server, this.#reply);
    this.#request = new CheckedRequest(this.server.seed);
    this.#reply.attach({ write: (bytes) => this.#chunks.push(bytes) });
    this.#client = this.#connect();
  }

  #connect(): Client {
    const address = { peer: '127.0.0.1:50000', local: '127.0.0.1:6379', isUnix: false, isLoopback: true };
    const client = new Client(
      this.server.nextClientId(),
      new MemoryOutlet(),
      address,
      this.server.clock.nowMs,
      true,
    );
    this.server.addClient(client);
    return client;
  }

  /** Runs one request and returns what was replied to it, without the messages that came along. */
  run(words: readonly string[]): Frame[] {
    this.#chunks.length = 0;
    this.#dispatcher.begin();
    this.#dispatcher.dispatch(this.#client, this.#request.fill(words));
    this.#dispatcher.end();
    this.#reply.flush();
    const frames = parseAll(Buffer.concat(this.#chunks));
    return frames.filter((frame) => !isMessage(frame));
  }

  /** Takes back what would leave later requests without an answer of their own. */
  settle(): void {
    this.server.pubsub.unsubscribeAll(this.#client);
    this.server.monitors.delete(this.#client);
    this.#client.isMonitor = false;
    this.#client.replyMode = 'on';
    this.server.flushOutboxes();
    if (!this.#client.isClosing) return;
    this.server.removeClient(this.#client);
    this.#client = this.#connect();
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.server.clock.refresh();
    this.server.keyspace.advance({ isSpent: () => false });
  }

  /** Each database counts as many keys as a walk finds, and each key is found by its name. */
  checkKeyspace(): void {
    for (const database of this.server.keyspace.databases) {
      let found = 0;
      for (let cursor = -1; cursor !== 0; ) {
        cursor = database.scan(Math.max(0, cursor), 100, (slot) => {
          found++;
          this.#request.fill([database.keyString(slot)]);
          if (database.find(this.#request.key(0)) !== slot) throw new Error('a key is not found by its name');
        });
      }
      expect(found).toBe(database.size);
    }
  }
}

function isMessage({ kind, children }: Frame): boolean {
  return kind === '>' || (kind === '*' && /^[ps]?message$/.test(children?.[0]?.text ?? ''));
}

function parseAll(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const parsed = parseFrame(bytes, at);
    if (typeof parsed === 'number')
      throw new Error(`not complete: ${bytes.toString('latin1', at, at + 200)}`);
    frames.push(parsed.frame);
    at = parsed.end;
  }
  return frames;
}

function shown(words: readonly string[]): string {
  return JSON.stringify(
    words.map((word) => (word.length > 80 ? `${word.slice(0, 20)}…(${word.length})` : word)),
  );
}

/** Commands that have answered anything but an error, so that the tests know what they have tried. */
const succeeded = new Set<Command>();

function check(harness: Harness, command: Command, words: readonly string[]): void {
  let frames: Frame[];
  try {
    frames = harness.run(words);
  } catch (error) {
    throw new Error(`${shown(words)}: ${(error as Error).message}`, { cause: error });
  }
  if (frames.some(({ kind }) => kind !== '-')) succeeded.add(command);
  const { name } = command;
  if (MANY_REPLIES.test(name) || MAY_BE_SILENT.test(name)) return;
  if (frames.length !== 1) {
    throw new Error(`${shown(words)} got ${frames.length} replies: ${JSON.stringify(frames).slice(0, 300)}`);
  }
}

const choices = fc.array(fc.nat({ max: 100_000 }), { maxLength: 24, size: 'max' });

test('each command, however often and with whatever arguments, answers exactly once', () => {
  for (const command of commands) {
    const property = fc.property(
      fc.array(choices, { minLength: 1, maxLength: 8, size: 'max' }),
      (requests) => {
        const harness = new Harness();
        for (const key of ['a', 'b', 'k:1'])
          harness.run(['SET', key, key === 'b' ? 'text' : '10', 'PX', '50000']);
        for (const each of requests) {
          check(harness, command, requestFor(command, new Chooser(each)));
          harness.settle();
        }
      },
    );
    fc.assert(property, { numRuns: 25 });
  }
});

const step = fc.record({
  command: fc.constantFrom(...commands.filter(({ name }) => name !== 'multi')),
  choices,
  passMs: fc.oneof(fc.constant(0), fc.nat({ max: 100 }), fc.constant(1000), fc.nat({ max: 100_000 })),
});

test('all commands mixed, while time passes', () => {
  const property = fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
    const harness = new Harness();
    for (const each of steps) {
      check(harness, each.command, requestFor(each.command, new Chooser(each.choices)));
      harness.settle();
      harness.pass(each.passMs);
      harness.checkKeyspace();
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('all commands in transactions: EXEC answers one reply for each that was queued, or refuses them all', () => {
  const property = fc.property(fc.array(step, { maxLength: 12, size: 'max' }), (steps) => {
    const harness = new Harness();
    harness.run(['MULTI']);
    let queued = 0;
    for (const { command, choices: each } of steps) {
      if (
        MAY_BE_SILENT.test(command.name) ||
        MANY_REPLIES.test(command.name) ||
        ENDS_MULTI.test(command.name)
      )
        continue;
      const [frame, ...more] = harness.run(requestFor(command, new Chooser(each)));
      expect(more).toEqual([]);
      if (frame?.text === 'QUEUED') queued++;
      else expect(frame?.kind).toBe('-');
    }
    const [answer, ...more] = harness.run(['EXEC']);
    expect(more).toEqual([]);
    if (answer?.kind === '-') expect(answer.text).toMatch(/^EXECABORT/);
    else expect(answer?.children).toHaveLength(queued);
    harness.checkKeyspace();
  });
  fc.assert(property, { numRuns: 300 });
});

test('commands on keys were not only ever refused: something was tried', () => {
  const onKeys = commands.filter(({ spec }) => /^(string|generic|lock)$/.test(spec.group));
  const refused = onKeys.filter((command) => command.subcommands === undefined && !succeeded.has(command));
  expect(refused.length, refused.map(({ name }) => name).join(' ')).toBeLessThanOrEqual(2);
});
