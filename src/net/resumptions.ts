// Lets connections that waited go on, one after the other and in slices: when a CLIENT PAUSE ends, thousands may go on
// together, and nobody else is to notice. First come, first served.

/** Longest time that one slice may hold the loop. */
const SLICE_MS = 1;

export interface Resumable {
  continue(): void;
}

export class Resumptions {
  readonly #waiting = new Set<Resumable>();
  #slice: NodeJS.Immediate | undefined = undefined;
  #isStopped = false;

  /** Continues it soon; being asked twice before that is being asked once. */
  add(connection: Resumable): void {
    if (this.#isStopped) return;
    this.#waiting.add(connection);
    this.#slice ??= setImmediate(() => this.#run());
  }

  /** It is gone. */
  delete(connection: Resumable): void {
    this.#waiting.delete(connection);
  }

  /** Nothing goes on any more: the server is closed, and a script in its middle must not keep the process alive. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
    clearImmediate(this.#slice);
  }

  #run(): void {
    const endMs = performance.now() + SLICE_MS;
    for (const connection of this.#waiting) {
      this.#waiting.delete(connection);
      connection.continue();
      if (performance.now() >= endMs) break;
    }
    // What is left goes on after the loop has looked at its sockets.
    this.#slice = this.#waiting.size > 0 ? setImmediate(() => this.#run()) : undefined;
  }
}
