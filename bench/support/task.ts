// Work that runs in a process of its own, so that generating load and measuring latency do not disturb each other.
// A task gets a specification, says when it is ready, works until it is done or told to stop, and returns a result.
// A task that fails rejects `result`; a task whose parent is gone ends itself.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { track } from './cleanup.ts';
import { pickCores, pin } from './linux.ts';

type FromTask<Result> =
  | { kind: 'ready' }
  | { kind: 'result'; result: Result }
  | { kind: 'failure'; message: string };
type ToTask<Spec> = { kind: 'start'; spec: Spec } | { kind: 'stop' };

/** What a task's body sees of the process that started it. */
export interface TaskControl {
  ready(): void;
  stop: AbortSignal;
}

/** The parent's view of a task. */
export interface Task<Result> {
  ready: Promise<void>;
  result: Promise<Result>;
  /** Asks the task to finish, and waits for its result. */
  stop(): Promise<Result>;
}

export interface TaskOptions {
  /** On the core that pinned servers do not use. */
  pinned?: boolean;
  /** Above 0, other processes go first: load must not keep the latency probe waiting. */
  niceness?: number;
}

/** The child's side: runs `body` on the specification that the parent sends. */
export function defineTask<Spec, Result>(body: (spec: Spec, control: TaskControl) => Promise<Result>): void {
  const stop = new AbortController();
  const send = (message: FromTask<Result>) => process.send?.(message);
  const run = async (spec: Spec) => {
    try {
      send({
        kind: 'result',
        result: await body(spec, { ready: () => send({ kind: 'ready' }), stop: stop.signal }),
      });
    } catch (error) {
      send({ kind: 'failure', message: error instanceof Error ? error.message : String(error) });
    }
  };
  process.on('message', (message: ToTask<Spec>) => {
    if (message.kind === 'start') void run(message.spec);
    else stop.abort();
  });
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => {}); // ^C reaches the whole group; the parent decides what it means
}

/** The parent's side. `script` is the compiled file's name beside this one. */
export function startTask<Spec, Result>(script: string, spec: Spec, options: TaskOptions = {}): Task<Result> {
  const child = track(fork(new URL(script, import.meta.url), { serialization: 'advanced' }));
  if (options.niceness !== undefined && child.pid !== undefined) setPriority(child.pid, options.niceness);
  const core = pickCores().load;
  if (options.pinned === true && core !== null && child.pid !== undefined) pin(child.pid, core);
  const { ready, result } = listen<Result>(child, script);
  const tell = (message: ToTask<Spec>) => child.send(message);
  tell({ kind: 'start', spec });
  const stop = () => {
    if (child.connected) tell({ kind: 'stop' });
    return result;
  };
  return { ready, result, stop };
}

function listen<Result>(child: ChildProcess, script: string): Pick<Task<Result>, 'ready' | 'result'> {
  let becameReady = () => {};
  const isReady = new Promise<void>((resolve) => {
    becameReady = resolve;
  });
  const result = new Promise<Result>((resolve, reject) => {
    child.on('message', (message: FromTask<Result>) => {
      if (message.kind === 'ready') return becameReady();
      if (message.kind === 'result') resolve(message.result);
      else reject(new Error(`${script}: ${message.message}`));
      child.disconnect();
    });
    // A no-op after a result; otherwise the task died without one.
    void once(child, 'exit').then(([code, signal]) =>
      reject(new Error(`${script} ended early: ${signal ?? code}`)),
    );
  });
  // A task that fails before it is ready must not leave its parent waiting.
  const ready = Promise.race([isReady, result.then(() => {})]);
  return { ready, result };
}
