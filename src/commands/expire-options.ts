// The options of EXPIRE and its kin: NX, XX, GT and LT, and our own IFEQ, which renews a lock only for who holds it.
// One object is filled again for each command, so parsing allocates nothing. Repeating an option is no mistake.

import { equalViews } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import type { Context } from './context.ts';
import { asCString, SYNTAX_ERROR } from './errors.ts';

const NX_EXCLUDES = 'ERR NX and XX, GT or LT options at the same time are not compatible';
const GT_EXCLUDES_LT = 'ERR GT and LT options at the same time are not compatible';

export class ExpireOptions {
  #isNx = false;
  #isXx = false;
  #isGt = false;
  #isLt = false;
  /** Argument with the value that the key must hold; 0 if none was asked for. */
  operand = 0;

  /** Reads the options from argument `from` on. False: an error was replied. */
  parse(ctx: Context, from: number): boolean {
    this.#isNx = false;
    this.#isXx = false;
    this.#isGt = false;
    this.#isLt = false;
    this.operand = 0;
    const { request, reply } = ctx;
    for (let i = from; i < request.count; i++) {
      if (request.matches(i, 'IFEQ')) {
        if (i + 1 === request.count || this.operand !== 0) {
          reply.error(SYNTAX_ERROR);
          return false;
        }
        this.operand = ++i;
      } else if (!this.#condition(ctx, i)) {
        reply.error(`ERR Unsupported option ${asCString(request.string(i))}`);
        return false;
      }
    }
    if (this.#isNx && (this.#isXx || this.#isGt || this.#isLt)) reply.error(NX_EXCLUDES);
    else if (this.#isGt && this.#isLt) reply.error(GT_EXCLUDES_LT);
    else return true;
    return false;
  }

  #condition({ request }: Context, i: number): boolean {
    if (request.matches(i, 'NX')) this.#isNx = true;
    else if (request.matches(i, 'XX')) this.#isXx = true;
    else if (request.matches(i, 'GT')) this.#isGt = true;
    else if (request.matches(i, 'LT')) this.#isLt = true;
    else return false;
    return true;
  }

  /** Whether the key holds the value that was asked for, if one was. It must hold a string then. */
  isHolder(ctx: Context, slot: number): boolean {
    return this.operand === 0 || equalViews(ctx.db.value(slot), ctx.request.view(this.operand));
  }

  /** Whether a key with the deadline `current` may get the deadline `wanted`. No deadline counts as later than any. */
  allow(current: number, wanted: number): boolean {
    if (this.#isNx && current !== NO_DEADLINE) return false;
    if (this.#isXx && current === NO_DEADLINE) return false;
    if (this.#isGt && !(wanted > current)) return false;
    return !this.#isLt || wanted < current;
  }
}
