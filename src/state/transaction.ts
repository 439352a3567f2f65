// What a client has queued since MULTI, and what stands in the way of its EXEC.

import type { Request } from '../protocol/request.ts';

/** Memory that a queued request takes besides its bytes: the objects that make it up (measured on Node 20). */
const REQUEST_OVERHEAD_BYTES = 840;

export class Transaction {
  readonly queued: Request[] = [];
  /** Memory held for what is queued. */
  bytes = 0;
  /** A command was refused instead of being queued: EXEC runs none. */
  hasErrors = false;
  /** A command that takes memory is queued: while memory is short, EXEC is refused as that command would be. */
  isDenyOom = false;

  /** What queueing this request would bring `bytes` to. */
  bytesWith(request: Request): number {
    return this.bytes + request.byteLength + REQUEST_OVERHEAD_BYTES;
  }

  /** Queues a copy of the request, to be run by EXEC. */
  queue(request: Request, isDenyOom: boolean): void {
    this.bytes = this.bytesWith(request);
    this.queued.push(request.copy());
    this.isDenyOom ||= isDenyOom;
  }
}
