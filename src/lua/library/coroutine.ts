// The library `coroutine`. Its functions run in breathing code only (script.ts): plain code cannot stop.

import { Coroutine, Yield } from '../coroutine.ts';
import { LuaError } from '../lua-error.ts';
import { all, type LuaState, MAX_CALLBACKS, Segment } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaFunction, type LuaValue, type Several, type Signal, several } from '../value.ts';

type Resumed = Generator<Signal, LuaValue | Several, LuaValue[]>;

export function coroutineLibrary(state: LuaState): LuaTable {
  return LuaTable.from({
    create: (...args) => new Coroutine(state, checkBody(state, args)),
    *resume(...args) {
      const coroutine = checkCoroutine(state, args);
      const { callbacks } = state;
      try {
        return several([true, ...all(yield* resume(state, coroutine, args.slice(1)))]);
      } catch (thrown) {
        const error = state.caught(thrown);
        state.callbacks = callbacks;
        return several([false, error.value]);
      }
    },
    running: () => state.coroutine,
    status: (...args) => checkCoroutine(state, args).status,
    wrap: (...args) => {
      const coroutine = new Coroutine(state, checkBody(state, args));
      return function* (...given) {
        try {
          return yield* resume(state, coroutine, given);
        } catch (thrown) {
          throw located(state, state.caught(thrown));
        }
      };
    },
    *yield(...args) {
      const { coroutine } = state;
      if (coroutine === undefined || state.callbacks > coroutine.callbacks)
        throw new LuaError('attempt to yield across metamethod/C-call boundary', state.at);
      return several(yield new Yield(args));
    },
  });
}

function checkBody(state: LuaState, [body]: readonly LuaValue[]): LuaFunction {
  if (typeof body !== 'function') throw state.argumentError(1, 'Lua function expected');
  return body;
}

function checkCoroutine(state: LuaState, args: readonly LuaValue[]): Coroutine {
  const [coroutine] = args;
  if (!(coroutine instanceof Coroutine)) throw state.argumentError(1, 'coroutine expected');
  return coroutine;
}

/** On a new stack of its own, whoever resumes it. */
function* resume(state: LuaState, coroutine: Coroutine, args: readonly LuaValue[]): Resumed {
  if (coroutine.status !== 'suspended')
    throw new LuaError(`cannot resume ${coroutine.status} coroutine`, state.at);
  if (state.callbacks >= MAX_CALLBACKS) throw new LuaError('C stack overflow', state.at);
  return several(yield new Segment(coroutine.resume(args)));
}

/** `wrap` puts its own position before an error that is a string. */
function located(state: LuaState, error: LuaError): LuaError {
  return typeof error.value === 'string' ? new LuaError(state.position(1) + error.value, state.at) : error;
}
