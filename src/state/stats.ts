// What the server counts while it runs (INFO, CONFIG RESETSTAT). Plain numbers: whoever sees it happen adds it up.

/** As in Redis: no error text, whoever words it, makes the table grow without end. */
const MAX_ERROR_CODES = 128;

export class Stats {
  connectionsReceived = 0;
  connectionsRejected = 0;
  commandsProcessed = 0;
  networkInBytes = 0;
  networkOutBytes = 0;
  keyspaceHits = 0;
  keyspaceMisses = 0;
  expiredKeys = 0;
  errorReplies = 0;
  unexpectedErrorReplies = 0;
  queryBufferLimitDisconnections = 0;
  outputBufferLimitDisconnections = 0;
  readsProcessed = 0;
  writesProcessed = 0;
  peakMemoryBytes = 0;
  peakMemoryAtMs = 0;
  getlErrors = 0;
  slowestExpireCycleMs = 0;
  /** Error replies by their first word. */
  readonly errorsByCode = new Map<string, number>();

  /** CONFIG RESETSTAT. */
  reset(): void {
    const fresh = new Stats();
    const { peakMemoryBytes, peakMemoryAtMs } = this;
    Object.assign(this, fresh, { errorsByCode: this.errorsByCode, peakMemoryBytes, peakMemoryAtMs });
    this.errorsByCode.clear();
  }

  countError(text: string): void {
    this.errorReplies++;
    const code = text.slice(0, text.indexOf(' ') < 0 ? text.length : text.indexOf(' '));
    const known = this.errorsByCode.get(code);
    if (known !== undefined || this.errorsByCode.size < MAX_ERROR_CODES)
      this.errorsByCode.set(code, (known ?? 0) + 1);
  }
}
