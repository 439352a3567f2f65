// A big list: a chain of nodes, each a listpack of a few KiB (list-node.ts). A million short elements are some two
// thousand nodes, so that a place in the middle is found by their counts, and the garbage collector sees few objects.
//
// Guarantees: pushing and popping at both ends take constant time; an edit in the middle costs the walk along the nodes
// and the bytes of one; removing a range, or all equal elements, is one walk. Neighbours that became small are joined.
// Indexes go from 0 to count - 1: negative ones are the commands' affair.

import { ByteView } from '../bytes/view.ts';
import type { Collection } from '../keyspace/collection.ts';
import { EMPTY_LISTPACK_BYTES, ListNode } from './list-node.ts';
import { ListpackCursor } from './listpack.ts';
import { HEADER_BYTES, nextElement } from './listpack-format.ts';
import { ListpackWriter } from './listpack-writer.ts';

/** How much a node holds (list-max-listpack-size). An element that is larger has a node of its own. */
export interface NodeLimit {
  readonly maxBytes: number;
  readonly maxElements: number;
}

/** A list is long when it has as many bytes as so many full nodes. */
const LONG_NODES = 8;

// What is used within one call only is shared by all lists. Walks have a cursor of their own: others may read meanwhile.
const writer = new ListpackWriter();
const cursor = new ListpackCursor();
const walker = new ListpackCursor();
const listpack = new ByteView();
const elements = new ByteView();
const walked = new ByteView();
const NO_ELEMENTS = new ByteView();

export class QuickList implements Collection {
  readonly #limit: NodeLimit;
  readonly #release: (memory: ArrayBuffer) => void;
  #head: ListNode | undefined = undefined;
  #tail: ListNode | undefined = undefined;
  #count = 0;
  #usedBytes = 0;
  /** Which element of its node `#locate` found. */
  #within = 0;

  /** `release` takes memory that is needed no more: nothing reads it after the current change. */
  constructor(limit: NodeLimit, release: (memory: ArrayBuffer) => void = () => {}) {
    this.#limit = limit;
    this.#release = release;
  }

  get count(): number {
    return this.#count;
  }

  // --- reading

  /** The bytes of an element, good until the next call to any list; undefined if there is none at this index. */
  get(index: number, into: ByteView): ByteView | undefined {
    const node = this.#locate(index);
    if (node === undefined) return undefined;
    cursor.open(node.listpack(listpack)).seek(this.#within);
    return cursor.bytes(into);
  }

  /** Visits the elements from `from` up to but not including `to`. `visit` may `get`, but not walk or change, and keeps no view. */
  forEach(from: number, to: number, visit: (bytes: ByteView, index: number) => void): void {
    const end = Math.min(to, this.#count);
    let index = Math.max(0, from);
    let node = this.#locate(index);
    let within = this.#within;
    for (; node !== undefined && index < end; node = node.next, within = 0) {
      walker.open(node.listpack(listpack)).seek(within);
      for (; !walker.isAtEnd && index < end; walker.next()) visit(walker.bytes(walked), index++);
    }
  }

  /** Visits the same elements from the last to the first. */
  forEachBackward(from: number, to: number, visit: (bytes: ByteView, index: number) => void): void {
    const first = Math.max(0, from);
    let index = Math.min(to, this.#count) - 1;
    let node = this.#locate(index);
    let within = this.#within;
    while (node !== undefined && index >= first) {
      walker.open(node.listpack(listpack)).seek(within);
      do visit(walker.bytes(walked), index--);
      while (index >= first && walker.previous());
      node = node.previous;
      if (node !== undefined) within = node.count - 1;
    }
  }

  /** Visits the indexes from `from` up to but not including `to` of elements with these bytes, until `visit` says false. */
  forEachMatch(wanted: ByteView, from: number, to: number, visit: (index: number) => boolean): void {
    const end = Math.min(to, this.#count);
    let index = Math.max(0, from);
    let node = this.#locate(index);
    let within = this.#within;
    for (; node !== undefined && index < end; node = node.next, within = 0) {
      const nextNode = index - within + node.count;
      walker.open(node.listpack(listpack)).seek(within);
      let counted = walker.at;
      while (walker.find(wanted)) {
        index += elementsBetween(walker, counted, walker.at);
        if (index >= end || !visit(index)) return;
        counted = walker.at;
        walker.next();
      }
      index = nextNode;
    }
  }

  /** Visits the same indexes from the last to the first. */
  forEachMatchBackward(wanted: ByteView, from: number, to: number, visit: (index: number) => boolean): void {
    const first = Math.max(0, from);
    let index = Math.min(to, this.#count) - 1;
    let node = this.#locate(index);
    let within = this.#within;
    while (node !== undefined && index >= first) {
      const previousNode = index - within - 1;
      walker.open(node.listpack(listpack)).seek(within);
      let counted = walker.at;
      while (walker.findBackwards(wanted)) {
        index -= elementsBetween(walker, walker.at, counted);
        if (index < first || !visit(index)) return;
        counted = walker.at;
        if (!walker.previous()) break;
      }
      index = previousNode;
      node = node.previous;
      if (node !== undefined) within = node.count - 1;
    }
  }

  /** Visits the nodes' listpacks in order (DUMP). `visit` keeps no view and changes nothing. */
  forEachListpack(visit: (listpack: ByteView, count: number) => void): void {
    for (let node = this.#head; node !== undefined; node = node.next) {
      visit(node.listpack(listpack), node.count);
    }
  }

  /** The node of an element, whose place in it is then `#within`. Walks from the nearer end. */
  #locate(index: number): ListNode | undefined {
    if (index < 0 || index >= this.#count) return undefined;
    let node: ListNode;
    if (index < this.#count >>> 1) {
      let start = 0;
      for (node = this.#head!; start + node.count <= index; node = node.next!) start += node.count;
      this.#within = index - start;
    } else {
      let start = this.#count - this.#tail!.count;
      for (node = this.#tail!; start > index; start -= node.count) node = node.previous!;
      this.#within = index - start;
    }
    return node;
  }

  // --- adding

  pushHead(value: ByteView): void {
    const encoded = encode(value);
    let node = this.#head;
    if (node === undefined || !this.#fits(node, encoded.length))
      node = this.#addNode(undefined, this.#usualBytes(this.#head));
    this.#splice(node, HEADER_BYTES, 0, 0, encoded, 1);
  }

  pushTail(value: ByteView): void {
    const encoded = encode(value);
    let node = this.#tail;
    if (node === undefined || !this.#fits(node, encoded.length))
      node = this.#addNode(this.#tail, this.#usualBytes(this.#tail));
    this.#splice(node, node.length - 1, 0, 0, encoded, 1);
  }

  /** Puts an element before the one at `index`, or at the tail if there is none. */
  insert(index: number, value: ByteView): void {
    const node = this.#locate(index);
    if (node === undefined) return this.pushTail(value);
    const within = this.#within;
    const encoded = encode(value);
    if (this.#fits(node, encoded.length)) {
      this.#splice(node, offsetOf(node, within), 0, 0, encoded, 1);
      return;
    }
    if (within > 0) this.#split(node, within);
    const left = within > 0 ? node : node.previous;
    const target = left !== undefined && this.#fits(left, encoded.length) ? left : this.#addNode(left);
    this.#splice(target, target.length - 1, 0, 0, encoded, 1);
  }

  /** Puts other bytes in the place of an element; false if there is none at this index. */
  set(index: number, value: ByteView): boolean {
    const node = this.#locate(index);
    if (node === undefined) return false;
    const at = offsetOf(node, this.#within);
    const oldBytes = bytesOf(node, at, 1);
    const encoded = encode(value);
    if (node.count === 1 || node.length - oldBytes + encoded.length <= this.#limit.maxBytes) {
      this.#splice(node, at, oldBytes, 1, encoded, 1);
      return true;
    }
    // Before it goes, so that `value` may be a view of the very element.
    this.insert(index, value);
    this.removeRange(index + 1, 1);
    return true;
  }

  /** An element larger than a node may be has one of its own. */
  #fits(node: ListNode, elementBytes: number): boolean {
    const { maxBytes, maxElements } = this.#limit;
    return node.count === 0 || (node.count < maxElements && node.length + elementBytes <= maxBytes);
  }

  // --- removing

  /** Removes up to `count` elements from `index` on. */
  removeRange(index: number, count: number): void {
    let node = this.#locate(index);
    let within = this.#within;
    let left = Math.min(count, this.#count - index);
    let before = within > 0 ? node : node?.previous;
    for (; node !== undefined && left > 0; within = 0) {
      const { next } = node;
      const removed = Math.min(left, node.count - within);
      if (removed === node.count) this.#removeNode(node);
      else {
        const at = offsetOf(node, within);
        this.#splice(node, at, bytesOf(node, at, removed), removed, NO_ELEMENTS, 0);
        before ??= node;
      }
      left -= removed;
      node = next;
    }
    this.#joinNext(before);
    this.#joinNext(before?.previous);
  }

  /** Removes up to `limit` elements with these bytes, the first ones or the last ones. Returns how many. */
  removeMatching(wanted: ByteView, limit: number, fromTail = false): number {
    let removed = 0;
    let node = fromTail ? this.#tail : this.#head;
    while (node !== undefined && removed < limit) {
      const following: ListNode | undefined = fromTail ? node.previous : node.next;
      removed += this.#removeMatchingIn(node, wanted, limit - removed, fromTail);
      if (node.count === 0) this.#removeNode(node);
      // What joins are nodes that have been looked at: on the way to the tail those before, else those behind.
      else this.#joinNext(fromTail ? node : node.previous);
      node = following;
    }
    return removed;
  }

  #removeMatchingIn(node: ListNode, wanted: ByteView, limit: number, fromTail: boolean): number {
    cursor.open(node.listpack(listpack));
    if (fromTail) cursor.end();
    let removed = 0;
    while (removed < limit && (fromTail ? cursor.findBackwards(wanted) : cursor.find(wanted))) {
      const { at } = cursor;
      this.#splice(node, at, bytesOf(node, at, 1), 1, NO_ELEMENTS, 0);
      cursor.open(node.listpack(listpack), at);
      removed++;
    }
    if (removed > 0 && node.count > 0) this.#fit(node);
    return removed;
  }

  // --- nodes

  #splice(
    node: ListNode,
    at: number,
    removedBytes: number,
    removed: number,
    encoded: ByteView,
    added: number,
  ): void {
    const { usedBytes } = node;
    const memory = node.count > 0 ? node.memory : undefined;
    node.splice(at, removedBytes, removed, encoded, added, this.#limit.maxBytes);
    this.#count += added - removed;
    this.#account(node, usedBytes, memory);
  }

  #fit(node: ListNode): void {
    const { usedBytes, memory } = node;
    node.fit();
    this.#account(node, usedBytes, memory);
  }

  /** `usedBytes` and `memory` are what the node had before it changed. */
  #account(node: ListNode, usedBytes: number, memory: ArrayBufferLike | undefined): void {
    this.#usedBytes += node.usedBytes - usedBytes;
    if (memory !== undefined && node.memory !== memory) this.#release(memory as ArrayBuffer);
  }

  /** In a long list a new node will become as large as its neighbour: it need not grow step by step. */
  #usualBytes(neighbour: ListNode | undefined): number {
    return neighbour !== undefined && this.#usedBytes > LONG_NODES * this.#limit.maxBytes
      ? neighbour.capacity
      : 0;
  }

  /** A new node behind another, or at the head. */
  #addNode(previous: ListNode | undefined, firstBytes = 0): ListNode {
    const node = new ListNode(firstBytes);
    const next = previous === undefined ? this.#head : previous.next;
    node.previous = previous;
    node.next = next;
    if (previous === undefined) this.#head = node;
    else previous.next = node;
    if (next === undefined) this.#tail = node;
    else next.previous = node;
    this.#usedBytes += node.usedBytes;
    return node;
  }

  #removeNode(node: ListNode): void {
    const { previous, next } = node;
    if (previous === undefined) this.#head = next;
    else previous.next = next;
    if (next === undefined) this.#tail = previous;
    else next.previous = previous;
    this.#count -= node.count;
    this.#usedBytes -= node.usedBytes;
    this.#release(node.memory as ArrayBuffer);
  }

  /** Moves the elements from the one at `within` on to a new node behind. */
  #split(node: ListNode, within: number): void {
    const at = offsetOf(node, within);
    const moved = node.count - within;
    const tail = node.listpack(new ByteView());
    const movedBytes = tail.length - 1 - at;
    tail.set(tail.buffer, tail.start + at, movedBytes);
    this.#splice(this.#addNode(node), HEADER_BYTES, 0, 0, tail, moved);
    this.#splice(node, at, movedBytes, moved, NO_ELEMENTS, 0);
  }

  /** Joins a node with the one behind it, if both together would still be only half full. */
  #joinNext(node: ListNode | undefined): void {
    const next = node?.next;
    if (node === undefined || next === undefined) return;
    const { maxBytes, maxElements } = this.#limit;
    if (node.length + next.length > maxBytes >>> 1 || node.count + next.count > maxElements) return;
    const all = next.listpack(new ByteView());
    const { count } = next;
    all.set(all.buffer, all.start + HEADER_BYTES, all.length - EMPTY_LISTPACK_BYTES);
    this.#splice(node, node.length - 1, 0, 0, all, count);
    this.#removeNode(next);
  }

  // --- memory

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get memory(): ArrayBufferLike[] {
    const memory: ArrayBufferLike[] = [];
    for (let node = this.#head; node !== undefined; node = node.next) memory.push(node.memory);
    return memory;
  }
}

/** A value as the one element of a listpack, without header and end. Good until the next. */
function encode(value: ByteView): ByteView {
  const { buffer, start, length } = writer.clear().add(value).listpack();
  return elements.set(buffer, start + HEADER_BYTES, length - EMPTY_LISTPACK_BYTES);
}

/** Where in its listpack a node's element is. */
function offsetOf(node: ListNode, within: number): number {
  cursor.open(node.listpack(listpack)).seek(within);
  return cursor.at;
}

/** How many bytes `count` elements of a node take from `at` on. */
function bytesOf(node: ListNode, at: number, count: number): number {
  const { buffer, start } = node.listpack(listpack);
  let end = start + at;
  for (let i = 0; i < count; i++) end = nextElement(buffer, end);
  return end - start - at;
}

function elementsBetween({ buffer, listpackStart }: ListpackCursor, from: number, to: number): number {
  let count = 0;
  for (let at = listpackStart + from; at < listpackStart + to; at = nextElement(buffer, at)) count++;
  return count;
}
