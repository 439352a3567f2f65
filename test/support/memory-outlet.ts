// A client's way out that leads nowhere: what was written is kept for the test to look at.

import type { Outlet } from '../../src/state/client.ts';

export class MemoryOutlet implements Outlet {
  readonly written: Buffer[] = [];
  isEnded = false;
  isDestroyed = false;
  isPaused = false;
  readonly unsentBytes = 0;
  readonly queryBufferBytes = 0;
  readonly queryBufferHeldBytes = 0;
  readonly descriptor = -1;

  write(bytes: Buffer): void {
    this.written.push(bytes);
  }

  end(): void {
    this.isEnded = true;
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  closeIfOverOutputLimit(): void {}

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** All that was written, as latin1. */
  get text(): string {
    return Buffer.concat(this.written).toString('latin1');
  }
}
