// INCREX (Redis 8.8): a counter within bounds and with a time to live, in one step: what rate limiters are made of.
//
// A step out of bounds changes nothing and answers the value as it is and an increment of 0, or with SATURATE goes as far
// as the bound. Unlike SET's, an option may not be repeated. Source: the command page and the tests of Redis 8.8.

import { ByteView } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT, type KeyEvent } from '../keyspace/key-event.ts';
import { expiration, KEY } from './arguments.ts';
import type { Context } from './context.ts';
import {
  EPOCH_MILLISECONDS,
  EPOCH_SECONDS,
  MILLISECONDS,
  readDeadline,
  SECONDS,
  type TimeForm,
} from './deadline.ts';
import { defineCommand } from './define.ts';
import { NOT_A_FLOAT, NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';
import { INT64, LONG_DOUBLE, type NumberKind } from './number-kinds.ts';

const TIME_FORMS: Readonly<Record<string, TimeForm>> = {
  EX: SECONDS,
  PX: MILLISECONDS,
  EXAT: EPOCH_SECONDS,
  PXAT: EPOCH_MILLISECONDS,
};

/** The options as they were written: arguments by index, 0 for what was not given. */
interface IncrexOptions {
  isFloat: boolean;
  by: number;
  lower: number;
  upper: number;
  timeAt: number;
  form: TimeForm;
  isSaturate: boolean;
  isPersist: boolean;
  isEnx: boolean;
}

/** What is the same for both kinds of numbers but for the words. */
interface Texts {
  readonly event: KeyEvent;
  readonly notANumber: string;
  readonly notThisKind: string;
  readonly appliedTooLarge: string;
}

const INTEGER_TEXTS: Texts = {
  event: EVENT.incrby,
  notANumber: NOT_AN_INTEGER,
  notThisKind: 'is not an integer or out of range',
  appliedTooLarge: 'ERR applied increment would overflow',
};

const FLOAT_TEXTS: Texts = {
  event: EVENT.incrbyfloat,
  notANumber: NOT_A_FLOAT,
  notThisKind: 'is not a valid float',
  appliedTooLarge: 'ERR applied increment would be Infinity',
};

function increx(ctx: Context): void {
  const options = parse(ctx);
  if (options === undefined) return ctx.reply.error(SYNTAX_ERROR);
  if (options.isEnx && options.timeAt === 0) return ctx.reply.error('ERR ENX flag requires an expiration');
  if (options.isFloat) count(ctx, options, LONG_DOUBLE, FLOAT_TEXTS);
  else count(ctx, options, INT64, INTEGER_TEXTS);
}

/** Undefined for a mistake. */
function parse(ctx: Context): IncrexOptions | undefined {
  const options: IncrexOptions = {
    isFloat: false,
    by: 0,
    lower: 0,
    upper: 0,
    timeAt: 0,
    form: SECONDS,
    isSaturate: false,
    isPersist: false,
    isEnx: false,
  };
  const { count } = ctx.request;
  for (let i = 2; i < count; i++) {
    const word = ctx.request.string(i).toUpperCase();
    const isLast = i + 1 === count;
    if (!takeFlag(options, word)) {
      if (isLast || !takeOperand(options, word, i + 1)) return undefined;
      i++;
    }
  }
  return options;
}

/** Takes an option of one word. False: it is none, or may not stand here. */
function takeFlag(options: IncrexOptions, word: string): boolean {
  if (word === 'SATURATE' && !options.isSaturate) options.isSaturate = true;
  else if (word === 'ENX' && !options.isEnx && !options.isPersist) options.isEnx = true;
  else if (word === 'PERSIST' && !options.isPersist && !options.isEnx && options.timeAt === 0)
    options.isPersist = true;
  else return false;
  return true;
}

/** Takes an option whose operand stands in argument `at`. False: it is none, or may not stand here. */
function takeOperand(options: IncrexOptions, word: string, at: number): boolean {
  const form = Object.hasOwn(TIME_FORMS, word) ? TIME_FORMS[word] : undefined;
  if (form !== undefined && options.timeAt === 0 && !options.isPersist) {
    options.timeAt = at;
    options.form = form;
  } else if ((word === 'BYINT' || word === 'BYFLOAT') && options.by === 0) {
    options.by = at;
    options.isFloat = word === 'BYFLOAT';
  } else if (word === 'LBOUND' && options.lower === 0) options.lower = at;
  else if (word === 'UBOUND' && options.upper === 0) options.upper = at;
  else return false;
  return true;
}

/** Does it, in numbers of one kind. */
function count<N>(ctx: Context, options: IncrexOptions, kind: NumberKind<N>, texts: Texts): void {
  const { reply } = ctx;
  const step = readStep(ctx, options, kind, texts);
  if (step === undefined) return;
  const deadline =
    options.timeAt === 0 ? NO_DEADLINE : readDeadline(ctx, options.timeAt, options.form, 'increx');
  if (Number.isNaN(deadline)) return;

  const slot = ctx.writeString(ctx.request.key(1));
  if (slot < 0) return;
  const value = slot === 0 ? kind.zero : kind.parse(ctx.db.value(slot));
  if (value === undefined) return reply.error(texts.notANumber);
  if (!isInRange(kind, value)) return reply.error('ERR value cannot be Infinity');

  const sum = kind.add(value, step.by);
  const bound = boundCrossed(kind, step, sum);
  if (bound !== undefined && !options.isSaturate) return answer(ctx, kind, value, kind.zero);
  const result = bound ?? sum;
  const applied = bound === undefined ? step.by : kind.subtract(bound, value);
  if (!isInRange(kind, applied) || !isInRange(kind, result)) return reply.error(texts.appliedTooLarge);
  if (ctx.refusesLocked(slot)) return;
  store(ctx, slot, kind.format(result), options, deadline, texts.event);
  answer(ctx, kind, result, applied);
}

interface Step<N> {
  readonly by: N;
  readonly lower: N;
  readonly upper: N;
}

/** The increment and its bounds, which are those of the kind if none are given. Undefined: an error was replied. */
function readStep<N>(
  ctx: Context,
  options: IncrexOptions,
  kind: NumberKind<N>,
  texts: Texts,
): Step<N> | undefined {
  const operand = (at: number, byDefault: N, name: string): N | undefined => {
    if (at === 0) return byDefault;
    const number = kind.parse(ctx.request.view(at));
    if (number === undefined) ctx.reply.error(`ERR ${name} ${texts.notThisKind}`);
    return number;
  };
  const by = operand(options.by, kind.one, 'Increment');
  if (by === undefined) return undefined;
  const lower = operand(options.lower, kind.min, 'LBOUND');
  if (lower === undefined) return undefined;
  const upper = operand(options.upper, kind.max, 'UBOUND');
  if (upper === undefined) return undefined;
  const mistake = mistakeIn(kind, by, lower, upper);
  if (mistake === undefined) return { by, lower, upper };
  ctx.reply.error(mistake);
  return undefined;
}

function mistakeIn<N>(kind: NumberKind<N>, by: N, lower: N, upper: N): string | undefined {
  if (!isInRange(kind, by)) return 'ERR BYFLOAT increment cannot be Infinity';
  return kind.compare(lower, upper) > 0 ? "ERR LBOUND can't be greater than UBOUND" : undefined;
}

/** The bound that a sum lies beyond, if it does. */
function boundCrossed<N>(kind: NumberKind<N>, { lower, upper }: Step<N>, sum: N): N | undefined {
  if (kind.compare(sum, upper) > 0) return upper;
  return kind.compare(sum, lower) < 0 ? lower : undefined;
}

/** Whether it is a number that the kind can hold: no more than 64 bits, and not infinite. */
function isInRange<N>(kind: NumberKind<N>, n: N): boolean {
  return kind.compare(n, kind.min) >= 0 && kind.compare(n, kind.max) <= 0;
}

/** Stores the new value and what becomes of the time to live. A deadline that has come deletes the key instead. */
function store(
  ctx: Context,
  slot: number,
  text: string,
  options: IncrexOptions,
  asked: number,
  event: KeyEvent,
): void {
  const { db } = ctx;
  const old = slot === 0 ? NO_DEADLINE : db.deadline(slot);
  const isTimed = options.timeAt !== 0 && !(options.isEnx && old !== NO_DEADLINE);
  if (isTimed && asked <= ctx.nowMs) {
    if (slot !== 0) db.remove(slot, EVENT.del);
    return;
  }
  const deadline = isTimed ? asked : options.isPersist ? NO_DEADLINE : old;
  const stored = db.putString(ctx.request.key(1), slot, ByteView.of(text), deadline, event);
  if (isTimed) db.alsoAnnounce(stored, EVENT.expire);
  else if (deadline !== old) db.alsoAnnounce(stored, EVENT.persist);
}

function answer<N>(ctx: Context, kind: NumberKind<N>, value: N, applied: N): void {
  ctx.reply.array(2);
  kind.reply(ctx.reply, value);
  kind.reply(ctx.reply, applied);
}

export const increxCommands = [
  defineCommand({
    name: 'increx',
    summary: 'Adds to the number that a key holds, within bounds, and sets its time to live.',
    since: '8.8.0',
    group: 'string',
    complexity: 'O(1)',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    keys: [{ access: 'RW', does: ['access', 'update'], begin: 1 }],
    arguments: [
      KEY,
      {
        name: 'increment',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'float', type: 'double', token: 'BYFLOAT' },
          { name: 'integer', type: 'integer', token: 'BYINT' },
        ],
      },
      { name: 'saturate', type: 'pure-token', token: 'SATURATE', optional: true },
      { name: 'lowerbound', type: 'string', token: 'LBOUND', optional: true },
      { name: 'upperbound', type: 'string', token: 'UBOUND', optional: true },
      expiration('PERSIST'),
      { name: 'enx', type: 'pure-token', token: 'ENX', optional: true },
    ],
    replies: [
      'array: the new value and the increment that was applied',
      'array: the value as it is and 0, if the sum would be out of bounds',
    ],
    locked: 'decides',
    handler: increx,
  }),
];
