// A coroutine: a function that can stop in the middle and go on later. It runs as generators do, on a stack of its own.

import type { LuaFunction, LuaValue, Work } from './value.ts';

export type CoroutineStatus = 'suspended' | 'running' | 'normal' | 'dead';

export class Coroutine {
  status: CoroutineStatus = 'suspended';
  readonly body: LuaFunction;
  /** What runs, innermost last; empty before the start (segments.ts). */
  readonly segments: Work[] = [];
  /** Levels of its own stack, while it is not running (state.ts). */
  levels: LuaValue[] = [];

  constructor(body: LuaFunction) {
    this.body = body;
  }

  get luaType(): 'thread' {
    return 'thread';
  }
}
