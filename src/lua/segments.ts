// Runs breathing code: one piece of JavaScript stack after the other.
//
// Work that calls work nests on the JavaScript stack, which ends long before Lua's would. So when a piece is full, the
// callee is handed out as a `Segment`: everything so far stands still, off the stack, and the callee begins on an empty
// one; what it returns (or throws) is given back to whoever waits for it.

import { type LuaState, Segment } from './state.ts';
import type { LuaResult, LuaValue, Several, Signal, Work } from './value.ts';
import { isWork } from './value.ts';

/** Runs work to its end, handing out all signals that are not segments. */
export function* inSegments(state: LuaState, start: Work): Generator<Signal, LuaValue | Several, LuaValue[]> {
  const segments = new Segments(state, start);
  let step = segments.goOn([]);
  for (;;) {
    if (!step.done && step.value instanceof Segment) step = segments.open(step.value.work);
    else if (!step.done) step = segments.goOn(yield step.value);
    else if (isWork(step.value)) step = segments.replace(step.value);
    else if (segments.isOnlyOne) return step.value;
    else step = segments.close(step.value);
  }
}

type Step = IteratorResult<Signal, LuaResult>;

/** Work that stands still, and the room it had left. */
interface Waiting {
  readonly work: Work;
  readonly stackBytes: number;
}

class Segments {
  readonly #state: LuaState;
  readonly #waiting: Waiting[] = [];
  #work: Work;

  constructor(state: LuaState, start: Work) {
    this.#state = state;
    this.#work = start;
  }

  get isOnlyOne(): boolean {
    return this.#waiting.length === 0;
  }

  open(work: Work): Step {
    this.#waiting.push({ work: this.#work, stackBytes: this.#state.stackBytes });
    this.#state.stackBytes = this.#state.newStackBytes;
    return this.replace(work);
  }

  /** The work of this segment has ended with other work. */
  replace(work: Work): Step {
    this.#work = work;
    return this.goOn([]);
  }

  close(result: LuaValue | Several): Step {
    this.#uncover();
    return this.goOn([result as LuaValue]);
  }

  goOn(given: LuaValue[]): Step {
    try {
      return this.#work.next(given);
    } catch (thrown) {
      return this.#fail(thrown);
    }
  }

  /** Whoever waits may catch it, one after the other. */
  #fail(thrown: unknown): Step {
    let last = thrown;
    while (!this.isOnlyOne) {
      this.#uncover();
      try {
        return this.#work.throw(last);
      } catch (next) {
        last = next;
      }
    }
    throw last;
  }

  #uncover(): void {
    const { work, stackBytes } = this.#waiting.pop()!;
    this.#work = work;
    this.#state.stackBytes = stackBytes;
  }
}
