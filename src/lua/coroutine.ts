// A coroutine: a function that can stop in the middle and go on later. Its own stack of JavaScript frames is that of a
// generator, and runs in segments of its own, so that coroutines which resume each other do not pile up.

import { inSegments } from './segments.ts';
import { NO_SITE } from './site.ts';
import type { LuaState } from './state.ts';
import {
  isWork,
  type LuaFunction,
  type LuaResult,
  type LuaValue,
  type Several,
  type Signal,
  several,
  type Work,
} from './value.ts';

export type CoroutineStatus = 'suspended' | 'running' | 'normal' | 'dead';

/** Signal: the coroutine stops here, and these values go to whoever resumed it. */
export class Yield {
  readonly values: readonly LuaValue[];

  constructor(values: readonly LuaValue[]) {
    this.values = values;
  }
}

export class Coroutine {
  status: CoroutineStatus = 'suspended';
  /** The innermost callback when it was resumed: only code without callbacks of its own may yield. */
  callbacks = 0;
  readonly #state: LuaState;
  readonly #body: LuaFunction;
  #work: Generator<Signal, LuaValue | Several, LuaValue[]> | undefined = undefined;
  // Its place in its own code, while it does not run.
  #levels: number[] = [];
  #depth = 0;
  #stackBytes: number | undefined = undefined;

  constructor(state: LuaState, body: LuaFunction) {
    this.#state = state;
    this.#body = body;
  }

  get luaType(): 'thread' {
    return 'thread';
  }

  /** Runs it until it yields or ends; returns what it gives. Throws what it throws, and is dead then. */
  *resume(args: readonly LuaValue[]): Generator<Signal, LuaValue | Several, LuaValue[]> {
    const state = this.#state;
    const { at, callbacks, coroutine, depth, levels, stackBytes } = state;
    if (coroutine !== undefined) coroutine.status = 'normal';
    this.#enter(callbacks);
    try {
      return yield* this.#run(args);
    } catch (thrown) {
      this.status = 'dead';
      throw thrown;
    } finally {
      this.#depth = state.depth;
      this.#stackBytes = state.stackBytes;
      state.at = at;
      state.callbacks = callbacks;
      state.coroutine = coroutine;
      state.depth = depth;
      state.levels = levels;
      state.stackBytes = stackBytes;
      if (coroutine !== undefined) coroutine.status = 'running';
    }
  }

  #enter(callbacks: number): void {
    const state = this.#state;
    this.status = 'running';
    this.callbacks = callbacks + 1;
    state.coroutine = this;
    state.callbacks = this.callbacks;
    state.levels = this.#levels;
    state.depth = this.#depth;
    state.stackBytes = this.#stackBytes ?? state.newStackBytes;
    state.at = NO_SITE; // nobody is above its own code
  }

  *#run(args: readonly LuaValue[]): Generator<Signal, LuaValue | Several, LuaValue[]> {
    let given = [...args];
    this.#work ??= inSegments(this.#state, start(this.#body, args));
    for (;;) {
      const step = this.#work.next(given);
      if (step.done) {
        this.status = 'dead';
        return step.value;
      }
      if (step.value instanceof Yield) {
        this.status = 'suspended';
        return several(step.value.values);
      }
      given = yield step.value; // not ours
    }
  }
}

function* start(body: LuaFunction, args: readonly LuaValue[]): Work {
  const result: LuaResult = body(...args);
  return isWork(result) ? yield* result : result;
}
