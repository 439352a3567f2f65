// How much memory scripts may take of JavaScript's heap. Beyond its own limit V8 ends the process, and says nothing to
// anyone before; so a script is refused what might come near that, whatever the configuration allows.

import { getHeapStatistics, type HeapInfo, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** This part of V8's limit is for scripts and all else; the rest is for what is taken between two looks. */
const SHARE = 0.6;
const MOST_BYTES = getHeapStatistics().heap_size_limit * SHARE;

/** The memory of one run. */
export class HeapAllowance {
  readonly #limitBytes: number;
  /** With so much in use, garbage or not, it is time to collect garbage and see. */
  #suspiciousBytes: number;

  /** The script may take so much in addition to what is in use now; 0: as much as V8 has. */
  constructor(scriptBytes: number) {
    const heap = getHeapStatistics();
    const mostBytes = MOST_BYTES + heap.external_memory;
    this.#limitBytes = scriptBytes === 0 ? mostBytes : Math.min(mostBytes, bytesOf(heap) + scriptBytes);
    this.#suspiciousBytes = this.#limitBytes;
  }

  /** True if there is room for so many more bytes. */
  hasRoomFor(bytes: number): boolean {
    if (bytesOf(getHeapStatistics()) + bytes < this.#suspiciousBytes) return true;
    const inUseBytes = heapBytesInUse();
    // Collecting is slow: with little to be gained by it, it is not done again before there is some garbage.
    this.#suspiciousBytes = Math.max(this.#limitBytes, inUseBytes + this.#limitBytes / 4);
    return inUseBytes + bytes < this.#limitBytes;
  }
}

/** Long strings and buffers are kept outside of the heap. */
function bytesOf({ used_heap_size: onHeap, external_memory: offHeap }: HeapInfo): number {
  return onHeap + offHeap;
}

let collect: (() => void) | undefined;

function heapBytesInUse(): number {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  return bytesOf(getHeapStatistics());
}
