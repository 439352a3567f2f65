// Gives the memory of flushed databases back to the system, a little at a time.
//
// Dropping ten million keys leaves over a gigabyte in about ten thousand buffers. The garbage collector would find them
// some time, since it looks at the small JavaScript heap and sees no reason to hurry. So they are emptied here: moving a
// buffer's memory to a new length of 0 frees it at once (about 0.1 ms a megabyte). Node 20 cannot do that; there the
// buffers are only let go.

import type { Budget } from './timing-wheel.ts';

/** ES2024; in Node from version 22 on. */
interface TransferableBuffer {
  transfer?(newLength: number): ArrayBuffer;
}

export class Reclaimer {
  readonly #waiting: ArrayBuffer[] = [];

  /** Takes buffers that nothing reads any more. */
  add(buffers: Iterable<ArrayBufferLike>): void {
    for (const buffer of buffers) if (buffer instanceof ArrayBuffer) this.#waiting.push(buffer);
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Frees until nothing waits (true) or the budget is spent (false). */
  run(budget: Budget): boolean {
    for (;;) {
      const buffer: (ArrayBuffer & TransferableBuffer) | undefined = this.#waiting.pop();
      if (buffer === undefined) return true;
      buffer.transfer?.(0);
      if (budget.isSpent()) return this.isIdle;
    }
  }
}
