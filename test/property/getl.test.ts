// GETL and its kin against a model of a few lines: keys with values, deadlines, a cas that every change replaces, and a lock
// with a cas of its own. Any sequence of commands and of time that passes is answered as the model says; no cas is handed out
// for two states, and the one of a lock or a CAS is greater than all before it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InProcessServer } from '../support/in-process.ts';
import { frameOf, ReplyError, toValue, type Value } from '../support/resp-frame.ts';

const LOCKED = new ReplyError('EXISTS key is locked; supply its cas or wait');
const STALE = new ReplyError('EXISTS cas is stale; the key has changed since');
const LOCK_ERROR = new ReplyError('LOCK_ERROR key is locked');
const OTHER_CAS = new ReplyError('LOCK_ERROR cas does not match the lock');
const NOT_LOCKED = new ReplyError('NOT_LOCKED key is not locked');
const NOT_FOUND = new ReplyError('NOT_FOUND no such key');

const DEFAULT_MS = 15_000;
const MAX_MS = 29_000;

interface ModelKey {
  value: string;
  deadlineMs: number;
  /** Undefined: nobody has been told the cas that the key has now. */
  cas: number | undefined;
  lock: { readonly cas: number; readonly deadlineMs: number } | undefined;
}

class Model {
  readonly #server = new InProcessServer();
  readonly #keys = new Map<string, ModelKey>();
  #nowMs = 0;
  /** All that were handed out, the newest last. */
  readonly #told: number[] = [1];

  /** What commands may be tried with: mostly a cas that was handed out some time. */
  cas(recency: number): number {
    return this.#told.at(-1 - (recency % this.#told.length))!;
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#server.advance(ms);
  }

  say(...words: string[]): Value {
    return toValue(frameOf(this.#server.call(...words)));
  }

  key(name: string): ModelKey | undefined {
    const key = this.#keys.get(name);
    if (key === undefined) return undefined;
    if (key.deadlineMs <= this.#nowMs) {
      this.#keys.delete(name);
      return undefined;
    }
    if (key.lock !== undefined && key.lock.deadlineMs <= this.#nowMs) key.lock = undefined;
    return key;
  }

  /** Takes note of a cas that a reply has told for the first time. */
  #hear(cas: Value | undefined): number {
    expect(cas).toBeTypeOf('number');
    expect(this.#told).not.toContain(cas);
    this.#told.push(cas as number);
    return cas as number;
  }

  /** As `#hear`, of a cas just made: it is greater than all before it. */
  #hearNew(cas: Value | undefined): number {
    expect(cas).toBeGreaterThan(Math.max(...this.#told));
    return this.#hear(cas);
  }

  #store(name: string, value: string, lifetimeMs: number): ModelKey {
    const key = { value, deadlineMs: this.#nowMs + lifetimeMs, cas: undefined, lock: undefined };
    this.#keys.set(name, key);
    return key;
  }

  getl(name: string, words: string[], lockMs: number): void {
    const key = this.key(name);
    const reply = this.say('GETL', name, ...words);
    if (key === undefined) return expect(reply).toBeNull();
    if (key.lock !== undefined) return expect(reply).toEqual(LOCK_ERROR);
    expect(reply).toEqual([key.value, expect.any(Number)]);
    const cas = this.#hearNew((reply as Value[])[1]);
    key.lock = { cas, deadlineMs: this.#nowMs + lockMs };
  }

  unl(name: string, cas: number): void {
    const key = this.key(name);
    const reply = this.say('UNL', name, String(cas));
    if (key === undefined) return expect(reply).toEqual(NOT_FOUND);
    if (key.lock === undefined) return expect(reply).toEqual(NOT_LOCKED);
    if (key.lock.cas !== cas) return expect(reply).toEqual(OTHER_CAS);
    expect(reply).toBe('OK');
    key.lock = undefined;
  }

  compareAndSet(name: string, cas: number, value: string, options: string[], lifetimeMs: number): void {
    const key = this.key(name);
    const reply = this.say('CAS', name, String(cas), value, ...options);
    if (key === undefined) return expect(reply).toEqual(NOT_FOUND);
    if (key.lock !== undefined && key.lock.cas !== cas) return expect(reply).toEqual(LOCKED);
    if (key.lock === undefined && key.cas !== cas) return expect(reply).toEqual(STALE);
    const newCas = this.#hearNew(reply);
    const keptMs = key.deadlineMs - this.#nowMs;
    this.#store(name, value, options[0] === 'KEEPTTL' ? keptMs : lifetimeMs).cas = newCas;
  }

  gets(name: string): void {
    const key = this.key(name);
    const reply = this.say('GETS', name);
    if (key === undefined) return expect(reply).toEqual([null]);
    if (key.lock !== undefined) return expect(reply).toEqual([[key.value, -1]]);
    const expected = key.cas ?? expect.any(Number);
    expect(reply).toEqual([[key.value, expected]]);
    key.cas ??= this.#hear((reply as Value[][])[0]![1]);
  }

  /** A command that changes the key, if it is there and not locked. */
  change(
    name: string,
    words: string[],
    reply: Value | ((key: ModelKey | undefined) => Value),
    apply: (key: ModelKey) => void,
  ): void {
    const key = this.key(name);
    const answer = this.say(...words);
    if (key?.lock !== undefined) return expect(answer).toEqual(LOCKED);
    expect(answer).toEqual(typeof reply === 'function' ? reply(key) : reply);
    const changed = key ?? this.#store(name, '', Number.POSITIVE_INFINITY);
    changed.cas = undefined;
    apply(changed);
  }

  set(name: string, value: string, lifetimeMs: number): void {
    const words = lifetimeMs === Number.POSITIVE_INFINITY ? [] : ['PX', String(lifetimeMs)];
    this.change(name, ['SET', name, value, ...words], 'OK', (key) => {
      key.value = value;
      key.deadlineMs = this.#nowMs + lifetimeMs;
    });
  }

  append(name: string): void {
    this.change(
      name,
      ['APPEND', name, '+'],
      (key) => (key?.value.length ?? 0) + 1,
      (key) => {
        key.value += '+';
      },
    );
  }

  /** One that needs the key to be there. */
  onKey(name: string, words: string[], apply: (key: ModelKey) => void): void {
    if (this.key(name) === undefined) expect(this.say(...words)).toBe(0);
    else this.change(name, words, 1, apply);
  }

  del(name: string): void {
    this.onKey(name, ['DEL', name], () => this.#keys.delete(name));
  }

  expire(name: string, lifetimeMs: number): void {
    this.onKey(name, ['PEXPIRE', name, String(lifetimeMs)], (key) => {
      key.deadlineMs = this.#nowMs + lifetimeMs;
    });
  }

  /** Those that look first, and whose condition does not hold. */
  refusedByCondition(name: string): void {
    const exists = this.key(name) !== undefined;
    if (exists) expect(this.say('SET', name, 'x', 'NX')).toBeNull();
    expect(this.say('SET', name, 'x', 'IFEQ', 'no such value')).toBeNull();
    expect(this.say('GOBLIN.CAD', name, 'no such value')).toBe(0);
    expect(this.say('GOBLIN.CAEXPIRE', name, 'no such value', '1')).toBe(0);
  }

  flush(): void {
    expect(this.say('FLUSHALL')).toBe('OK');
    this.#keys.clear();
  }

  swap(): void {
    expect(this.say('SWAPDB', '0', '1')).toBe('OK');
    expect(this.say('SWAPDB', '0', '1')).toBe('OK');
    for (const key of this.#keys.values()) key.lock = undefined;
  }

  /** What any client can read is what the model holds. */
  check(): void {
    for (const name of NAMES) {
      const key = this.key(name);
      expect(this.say('GET', name)).toBe(key?.value ?? null);
      const ttl =
        key === undefined
          ? -2
          : key.deadlineMs === Number.POSITIVE_INFINITY
            ? -1
            : key.deadlineMs - this.#nowMs;
      expect(this.say('PTTL', name)).toBe(ttl);
    }
  }
}

const NAMES = ['a', 'b', '\0\xff'];

type Step = (model: Model) => void;

const name = fc.constantFrom(...NAMES);
const value = fc.constantFrom('v', '', 'longer value');
const recency = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });
const lifetime = fc.constantFrom(Number.POSITIVE_INFINITY, 1, 20_000, 60_000);
const lockTime = fc.constantFrom<[string[], number]>(
  [[], DEFAULT_MS],
  [['0'], DEFAULT_MS],
  [['5'], 5000],
  [['29'], MAX_MS],
  [['30'], MAX_MS],
  [['PX', '1'], 1],
  [['PX', '100000'], MAX_MS],
);
const casOptions = fc.constantFrom<[string[], number]>(
  [[], Number.POSITIVE_INFINITY],
  [['KEEPTTL'], Number.NaN],
  [['PX', '20000'], 20_000],
  [['EX', '1'], 1000],
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(name, lockTime).map(
      ([n, [words, ms]]): Step =>
        (model) =>
          model.getl(n, words, ms),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, recency).map(
      ([n, r]): Step =>
        (model) =>
          model.unl(n, model.cas(r)),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(name, recency, value, casOptions).map(
      ([n, r, v, [words, ms]]): Step =>
        (model) =>
          model.compareAndSet(n, model.cas(r), v, words, ms),
    ),
  },
  {
    weight: 3,
    arbitrary: name.map(
      (n): Step =>
        (model) =>
          model.gets(n),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(name, value, lifetime).map(
      ([n, v, ms]): Step =>
        (model) =>
          model.set(n, v, ms),
    ),
  },
  {
    weight: 1,
    arbitrary: name.map(
      (n): Step =>
        (model) =>
          model.append(n),
    ),
  },
  {
    weight: 1,
    arbitrary: name.map(
      (n): Step =>
        (model) =>
          model.del(n),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, fc.constantFrom(1, 10_000)).map(
      ([n, ms]): Step =>
        (model) =>
          model.expire(n, ms),
    ),
  },
  {
    weight: 1,
    arbitrary: name.map(
      (n): Step =>
        (model) =>
          model.refusedByCondition(n),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(1, 999, 4999, 5000, 14_999, 15_000, 29_000).map(
      (ms): Step =>
        (model) =>
          model.pass(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      (model) => model.flush(),
      (model) => model.swap(),
    ),
  },
);

test('any sequence of commands and of time is answered as by the model', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
      const model = new Model();
      for (const each of steps) {
        each(model);
        model.check();
      }
    }),
    { numRuns: 500 },
  );
});
