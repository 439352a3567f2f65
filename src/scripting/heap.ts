// How much memory JavaScript's heap takes: with garbage, at a glance, and without, after collecting it.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function heapBytes(): number {
  const { used_heap_size: onHeap, external_memory: offHeap } = getHeapStatistics();
  return onHeap + offHeap;
}

let collect: (() => void) | undefined;

/** Slow: only for when `heapBytes` has become suspicious. */
export function heapBytesInUse(): number {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  return heapBytes();
}
