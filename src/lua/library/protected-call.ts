// `pcall` and `xpcall`: calls whose errors become results.

import { checkAny, toText } from '../arguments.ts';
import { Operators } from '../operators.ts';
import { NO_SITE } from '../site.ts';
import { all, first, type LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaValue, type Several, type Signal, several } from '../value.ts';

type Steps<T> = Generator<Signal, T, LuaValue[]>;

/** An error in the handler of `xpcall` goes to the handler again, which in Lua ends when C's stack is full. */
const MAX_HANDLER_CALLS = 220;
const HANDLER_FAILED = 'error in error handling';

export function protectedCallFunctions(state: LuaState): Record<string, LuaValue> {
  const operators = new Operators(state);
  return {
    *pcall(...args) {
      const restore = recorded(state);
      try {
        // For want of anything to call, Redis calls the `true` that it has ready for its answer.
        const callee = args.length === 0 ? true : args[0];
        return several([true, ...all(yield* state.callBack(callee, args.slice(1)))]);
      } catch (thrown) {
        const { value } = state.caught(thrown);
        restore();
        const answer = yield* failure(state, operators, value);
        restore();
        return answer;
      }
    },
    *xpcall(...args) {
      checkAny(state, args, 1);
      const restore = recorded(state);
      try {
        return several([true, ...all(yield* state.callBack(args[0], []))]);
      } catch (thrown) {
        const { value } = state.caught(thrown);
        restore();
        return several([false, yield* handled(state, args[1], value)]);
      }
    },
  };
}

/** Remembers how things stand; the result puts them back, because what an error has left could not do it. */
export function recorded(state: LuaState): () => void {
  const { at, depth, stackBytes, callbacks } = state;
  return () => {
    state.at = at;
    state.depth = depth;
    state.stackBytes = stackBytes;
    state.callbacks = callbacks;
  };
}

/**
 * What `pcall` answers to an error. Redis' own errors are tables with their text in `err`: the answer is that text, and
 * of any other table the table and what it has there.
 */
function* failure(state: LuaState, operators: Operators, value: LuaValue): Steps<LuaValue | Several> {
  if (!(value instanceof LuaTable)) return several([false, value]);
  const text = first(yield* state.settled(operators.index(value, 'err', NO_SITE)));
  return several(toText(text) === undefined ? [false, value, text] : [false, text]);
}

/** What the handler of `xpcall` makes of an error. */
function* handled(state: LuaState, handler: LuaValue, value: LuaValue): Steps<LuaValue> {
  if (typeof handler !== 'function') return HANDLER_FAILED;
  const restore = recorded(state);
  let error = value;
  for (let calls = 0; calls < MAX_HANDLER_CALLS; calls++) {
    try {
      return first(yield* state.callBack(handler, [error]));
    } catch (thrown) {
      error = state.caught(thrown).value;
      restore();
    }
  }
  return HANDLER_FAILED;
}
