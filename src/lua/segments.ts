// Runs breathing code: one piece of JavaScript stack after the other.
//
// Work that calls work nests on the JavaScript stack, which ends long before Lua's would. So when a piece is full, the
// callee is handed out as a `Segment`: everything so far stands still, off the stack, and the callee begins on an empty
// one; what it returns (or throws) is given back to whoever waits for it.

import { type LuaState, Segment, STACK_BYTES } from './state.ts';
import type { LuaValue, Several, Signal, Work } from './value.ts';
import { isWork } from './value.ts';

/** Work and, beneath it, what waits for it; with the room each had left. */
interface Waiting {
  readonly work: Work;
  readonly stackBytes: number;
}

/** Runs work to its end, handing out all signals that are not segments. */
export function* inSegments(state: LuaState, start: Work): Generator<Signal, LuaValue | Several, LuaValue[]> {
  const waiting: Waiting[] = [];
  let work = start;
  let resume = (): IteratorResult<Signal, unknown> => work.next([]);
  for (;;) {
    let step: IteratorResult<Signal, unknown>;
    try {
      step = resume();
    } catch (thrown) {
      const below = waiting.pop();
      if (below === undefined) throw thrown;
      work = below.work;
      state.stackBytes = below.stackBytes;
      resume = () => work.throw(thrown);
      continue;
    }
    if (!step.done && step.value instanceof Segment) {
      waiting.push({ work, stackBytes: state.stackBytes });
      work = step.value.work;
      state.stackBytes = STACK_BYTES;
      resume = () => work.next([]);
    } else if (!step.done) {
      const given: LuaValue[] = yield step.value;
      resume = () => work.next(given);
    } else {
      const result = step.value as LuaValue | Several | Work;
      if (isWork(result)) {
        work = result;
        resume = () => work.next([]);
        continue;
      }
      const below = waiting.pop();
      if (below === undefined) return result;
      work = below.work;
      state.stackBytes = below.stackBytes;
      resume = () => work.next([result as LuaValue]);
    }
  }
}
