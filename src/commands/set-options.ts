// The options of SET and of the commands that share some of them (GETEX, MSETEX, CAS), in any order and case.
// One object a command is filled again for each request, so parsing allocates nothing.
//
// As in Redis, an option may be repeated (the last one counts), but two of which one excludes the other are a mistake.

import { NO_DEADLINE } from '../keyspace/database.ts';
import type { Context } from './context.ts';
import {
  EPOCH_MILLISECONDS,
  EPOCH_SECONDS,
  MILLISECONDS,
  readDeadline,
  SECONDS,
  type TimeForm,
} from './deadline.ts';
import { SYNTAX_ERROR } from './errors.ts';
import { VALUE_CONDITIONS, type ValueCondition } from './value-condition.ts';

/** What must be true of the key before it is written. */
export type SetCondition = 'none' | 'NX' | 'XX' | ValueCondition;

/** Which options a command takes, apart from the four expire times. */
export interface SetGrammar {
  /** NX and XX. */
  readonly existence: boolean;
  /** IFEQ, IFNE, IFDEQ and IFDNE. */
  readonly values: boolean;
  readonly get: boolean;
  /** What may stand in the place of an expire time. */
  readonly lifetime: 'KEEPTTL' | 'PERSIST';
}

const OF_SET: SetGrammar = { existence: true, values: true, get: true, lifetime: 'KEEPTTL' };

export class SetOptions {
  readonly #grammar: SetGrammar;
  condition: SetCondition = 'none';
  /** Argument with the value or digest to compare with. */
  operand = 0;
  isGet = false;
  isKeepTtl = false;
  isPersist = false;
  /** Argument with the expire time; 0 if there is none. */
  timeAt = 0;
  form: TimeForm = SECONDS;

  constructor(grammar = OF_SET) {
    this.#grammar = grammar;
  }

  /** Reads the options from argument `from` on. False: an error was replied. */
  parse(ctx: Context, from: number): boolean {
    this.condition = 'none';
    this.operand = 0;
    this.isGet = false;
    this.isKeepTtl = false;
    this.isPersist = false;
    this.timeAt = 0;
    const { count } = ctx.request;
    for (let i = from; i < count; i++) {
      const taken = this.#option(ctx, i, count - i - 1);
      if (taken < 0) {
        ctx.reply.error(SYNTAX_ERROR);
        return false;
      }
      i += taken;
    }
    return true;
  }

  /** Reads the option at `i`, behind which `left` arguments stand. Returns how many of them it took, -1 for a mistake. */
  #option(ctx: Context, i: number, left: number): number {
    const { request } = ctx;
    // In the order of their use: `NX PX` and `PX` are how locks are taken.
    if (request.matches(i, 'PX')) return this.#time(i, left, MILLISECONDS);
    if (request.matches(i, 'NX')) return this.#exists('NX');
    if (request.matches(i, 'EX')) return this.#time(i, left, SECONDS);
    if (request.matches(i, 'XX')) return this.#exists('XX');
    if (request.matches(i, 'GET')) {
      this.isGet = true;
      return this.#grammar.get ? 0 : -1;
    }
    if (request.matches(i, 'PXAT')) return this.#time(i, left, EPOCH_MILLISECONDS);
    if (request.matches(i, 'EXAT')) return this.#time(i, left, EPOCH_SECONDS);
    if (request.matches(i, this.#grammar.lifetime)) return this.#lifetime();
    for (let word = 0; word < VALUE_CONDITIONS.length; word++) {
      const condition = VALUE_CONDITIONS[word]!;
      if (request.matches(i, condition)) return this.#compares(condition, i, left);
    }
    return -1;
  }

  #exists(condition: 'NX' | 'XX'): number {
    return this.#grammar.existence ? this.#when(condition) : -1;
  }

  #compares(condition: ValueCondition, i: number, left: number): number {
    if (!this.#grammar.values || left === 0 || this.#when(condition) < 0) return -1;
    this.operand = i + 1;
    return 1;
  }

  #when(condition: SetCondition): number {
    if (this.condition !== 'none' && this.condition !== condition) return -1;
    this.condition = condition;
    return 0;
  }

  #lifetime(): number {
    if (this.timeAt !== 0) return -1;
    if (this.#grammar.lifetime === 'KEEPTTL') this.isKeepTtl = true;
    else this.isPersist = true;
    return 0;
  }

  #time(i: number, left: number, form: TimeForm): number {
    if (left === 0 || this.isKeepTtl || this.isPersist) return -1;
    if (this.timeAt !== 0 && this.form !== form) return -1;
    this.timeAt = i + 1;
    this.form = form;
    return 1;
  }

  /** The deadline asked for, NO_DEADLINE if none was. NaN: an error was replied. */
  deadline(ctx: Context, command: string): number {
    if (this.timeAt === 0) return NO_DEADLINE;
    return readDeadline(ctx, this.timeAt, this.form, command);
  }
}
