// The order of a big sorted set: slots of a dictionary by score, and by the members' bytes where scores are equal.
//
// It is a B+tree that counts: every inner node knows how many entries lie below each child, so that the tree is a
// sequence with positions (ranks), and an entry is inserted, removed and read at a rank. The order comes in at one place
// only, `#countPreceding`: how many entries stand before a score, a member or an entry. From those numbers every
// question follows: ZRANK is one of them, ZCOUNT the difference of two, ZRANGEBYSCORE what lies between two ranks.
//
// Scores are kept in the nodes, members are read from the dictionary only where scores are equal.
// Guarantees: every operation takes logarithmic time and makes no objects; a node splits alone, so nothing is ever copied
// but 64 entries a level. -0 and 0 are equal. NaN must not come.

import { ByteView, compareViews } from '../bytes/view.ts';
import type { Collection } from '../keyspace/collection.ts';
import type { Dictionary } from './dictionary.ts';
import { NO_NODE, NODE_ENTRIES, TreeNodes } from './tree-nodes.ts';

/** A node this small joins its neighbour if both together leave some room. */
const FEW_ENTRIES = NODE_ENTRIES >>> 2;
const JOINED_ENTRIES = NODE_ENTRIES - FEW_ENTRIES;

/** By what `#countPreceding` orders entries. */
const BY_SCORE = 0;
const BY_MEMBER = 1;
const BY_BOTH = 2;

export class SortedIndex implements Collection {
  readonly #dictionary: Pick<Dictionary, 'key'>;
  readonly #leaves = new TreeNodes(false);
  /** The inner nodes of all levels; those of level 1 have leaves as children. */
  readonly #inner = new TreeNodes(true);
  #root = this.#leaves.allocate();
  /** The root's level; leaves are on level 0. */
  #height = 0;
  #count = 0;

  // What is searched for.
  #order = BY_SCORE;
  #score = 0;
  readonly #member = new ByteView();
  /** Whether what equals the target is counted too. */
  #isThrough = false;
  readonly #compared = new ByteView();

  /** The members' bytes are the keys of `dictionary`. */
  constructor(dictionary: Pick<Dictionary, 'key'>) {
    this.#dictionary = dictionary;
  }

  get count(): number {
    return this.#count;
  }

  // --- ranks

  /** How many entries have a score below `score`: the rank of the first that has it or more. */
  countBelow(score: number): number {
    return this.#countByScore(score, false);
  }

  /** How many entries have this score or less. */
  countThrough(score: number): number {
    return this.#countByScore(score, true);
  }

  #countByScore(score: number, isThrough: boolean): number {
    this.#order = BY_SCORE;
    this.#score = score;
    this.#isThrough = isThrough;
    return this.#countPreceding();
  }

  /** How many entries have a member below `member`. Means something only if all scores are equal. */
  countBelowMember(member: ByteView): number {
    return this.#countByMember(member, false);
  }

  /** How many entries have this member or one below it. Means something only if all scores are equal. */
  countThroughMember(member: ByteView): number {
    return this.#countByMember(member, true);
  }

  #countByMember(member: ByteView, isThrough: boolean): number {
    this.#order = BY_MEMBER;
    this.#member.set(member.buffer, member.start, member.length);
    this.#isThrough = isThrough;
    return this.#countPreceding();
  }

  /** How many entries stand before a slot with this score, whether it is in or not: its rank. */
  rank(slot: number, score: number): number {
    this.#order = BY_BOTH;
    this.#score = score;
    this.#dictionary.key(slot, this.#member);
    this.#isThrough = false;
    return this.#countPreceding();
  }

  #precedes(nodes: TreeNodes, node: number, at: number): boolean {
    if (this.#order !== BY_MEMBER) {
      const score = nodes.score(node, at);
      if (score !== this.#score) return score < this.#score;
      if (this.#order === BY_SCORE) return this.#isThrough;
    }
    const order = compareViews(this.#dictionary.key(nodes.slot(node, at), this.#compared), this.#member);
    return order < 0 || (order === 0 && this.#isThrough);
  }

  /** How many entries of the whole precede the target: those of the children passed by, and some of the leaf. */
  #countPreceding(): number {
    let preceding = 0;
    let node = this.#root;
    for (let level = this.#height; level > 0; level--) {
      // The last child whose first entry precedes the target; all children before it precede it whole.
      const last = this.#countInNode(this.#inner, node) - 1;
      if (last < 0) return preceding;
      for (let i = 0; i < last; i++) preceding += this.#inner.count(node, i);
      node = this.#inner.child(node, last);
    }
    return preceding + this.#countInNode(this.#leaves, node);
  }

  #countInNode(nodes: TreeNodes, node: number): number {
    let low = 0;
    let high = nodes.size(node);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#precedes(nodes, node, middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // --- reading by rank

  /** The slot at a rank, 0 if there is none. */
  select(rank: number): number {
    if (rank < 0 || rank >= this.#count) return 0;
    let node = this.#root;
    let left = rank;
    for (let level = this.#height; level > 0; level--) {
      let at = 0;
      for (; left >= this.#inner.count(node, at); at++) left -= this.#inner.count(node, at);
      node = this.#inner.child(node, at);
    }
    return this.#leaves.slot(node, left);
  }

  /** Visits the entries from rank `from` up to but not including `to`, in order. `visit` must not change anything. */
  forEach(from: number, to: number, visit: (slot: number, score: number) => void): void {
    this.#visitUp(this.#root, this.#height, Math.max(0, from), Math.min(to, this.#count), visit);
  }

  /** Visits the same entries from the last to the first. */
  forEachBackward(from: number, to: number, visit: (slot: number, score: number) => void): void {
    this.#visitDown(this.#root, this.#height, Math.max(0, from), Math.min(to, this.#count), visit);
  }

  #visitUp(
    node: number,
    level: number,
    from: number,
    to: number,
    visit: (slot: number, score: number) => void,
  ): void {
    if (level === 0) {
      for (let i = from; i < to; i++) visit(this.#leaves.slot(node, i), this.#leaves.score(node, i));
      return;
    }
    let start = 0;
    for (let i = 0; start < to; i++) {
      const count = this.#inner.count(node, i);
      const child = this.#inner.child(node, i);
      if (start + count > from) {
        this.#visitUp(child, level - 1, Math.max(0, from - start), Math.min(count, to - start), visit);
      }
      start += count;
    }
  }

  #visitDown(
    node: number,
    level: number,
    from: number,
    to: number,
    visit: (slot: number, score: number) => void,
  ): void {
    if (level === 0) {
      for (let i = to - 1; i >= from; i--) visit(this.#leaves.slot(node, i), this.#leaves.score(node, i));
      return;
    }
    let start = this.#inner.total(node);
    for (let i = this.#inner.size(node) - 1; start > from; i--) {
      const count = this.#inner.count(node, i);
      const child = this.#inner.child(node, i);
      start -= count;
      if (start < to) {
        this.#visitDown(child, level - 1, Math.max(0, from - start), Math.min(count, to - start), visit);
      }
    }
  }

  // --- inserting

  /** Enters a slot, which must not be in yet. Returns its rank. */
  insert(slot: number, score: number): number {
    const rank = this.rank(slot, score);
    const right = this.#insertInto(this.#root, this.#height, rank, score, slot);
    this.#count++;
    if (right !== NO_NODE) this.#raise(right);
    return rank;
  }

  /** Inserts at a position below a node. Returns the node that was split off to its right, if it was. */
  #insertInto(node: number, level: number, position: number, score: number, slot: number): number {
    if (level === 0) {
      const right = this.#makeRoom(this.#leaves, node, position);
      const isLeft = right === NO_NODE || position <= this.#leaves.size(node);
      const target = isLeft ? node : right;
      const at = isLeft ? position : position - this.#leaves.size(node);
      this.#leaves.openPlace(target, at);
      this.#leaves.setFirst(target, at, score, slot);
      return right;
    }
    const inner = this.#inner;
    let at = 0;
    let left = position;
    for (; left > inner.count(node, at); at++) left -= inner.count(node, at);
    const child = inner.child(node, at);
    const childRight = this.#insertInto(child, level - 1, left, score, slot);
    if (childRight === NO_NODE) inner.setCount(node, at, inner.count(node, at) + 1);
    else inner.setCount(node, at, this.#nodesOf(level - 1).total(child));
    if (left === 0) inner.setFirst(node, at, score, slot);
    return childRight === NO_NODE ? NO_NODE : this.#insertChild(node, at + 1, childRight, level - 1);
  }

  /** Enters a child into an inner node. Returns the node that was split off to the right, if it was. */
  #insertChild(node: number, position: number, child: number, childLevel: number): number {
    const inner = this.#inner;
    const right = this.#makeRoom(inner, node, position);
    const isLeft = right === NO_NODE || position <= inner.size(node);
    const target = isLeft ? node : right;
    const at = isLeft ? position : position - inner.size(node);
    inner.openPlace(target, at);
    this.#setEntry(target, at, child, childLevel);
    return right;
  }

  /**
   * Splits a full node and returns the new one on its right. Where the last entry of all is to come, the new node gets
   * one entry only: so the nodes of a set that is filled in ascending order (scores that are times) stay full.
   */
  #makeRoom(nodes: TreeNodes, node: number, position: number): number {
    if (nodes.size(node) < NODE_ENTRIES) return NO_NODE;
    const right = nodes.allocate();
    const isLast = position === NODE_ENTRIES && this.#isRightmost(nodes, node);
    nodes.moveEnd(node, isLast ? NODE_ENTRIES - 1 : NODE_ENTRIES >>> 1, right);
    return right;
  }

  #isRightmost(nodes: TreeNodes, wanted: number): boolean {
    let node = this.#root;
    for (let level = this.#height; level >= 0; level--) {
      if (node === wanted && this.#nodesOf(level) === nodes) return true;
      if (level > 0) node = this.#inner.child(node, this.#inner.size(node) - 1);
    }
    return false;
  }

  /** Puts a new root above the old one and the node split off from it. */
  #raise(right: number): void {
    const root = this.#inner.allocate();
    this.#inner.openPlace(root, 0);
    this.#setEntry(root, 0, this.#root, this.#height);
    this.#inner.openPlace(root, 1);
    this.#setEntry(root, 1, right, this.#height);
    this.#root = root;
    this.#height++;
  }

  #setEntry(node: number, at: number, child: number, childLevel: number): void {
    const nodes = this.#nodesOf(childLevel);
    this.#inner.setFirst(node, at, nodes.score(child, 0), nodes.slot(child, 0));
    this.#inner.setChild(node, at, child, nodes.total(child));
  }

  #nodesOf(level: number): TreeNodes {
    return level === 0 ? this.#leaves : this.#inner;
  }

  // --- removing

  /** Takes out a slot that is in with this score, before the dictionary forgets its member. */
  remove(slot: number, score: number): void {
    this.removeAt(this.rank(slot, score));
  }

  /** Takes out the entry at a rank below `count` and returns its slot. */
  removeAt(rank: number): number {
    const slot = this.#removeBelow(this.#root, this.#height, rank);
    this.#count--;
    while (this.#height > 0 && this.#inner.size(this.#root) === 1) {
      const child = this.#inner.child(this.#root, 0);
      this.#inner.free(this.#root);
      this.#root = child;
      this.#height--;
    }
    return slot;
  }

  #removeBelow(node: number, level: number, position: number): number {
    if (level === 0) {
      const slot = this.#leaves.slot(node, position);
      this.#leaves.removePlace(node, position);
      return slot;
    }
    const inner = this.#inner;
    let at = 0;
    let left = position;
    for (; left >= inner.count(node, at); at++) left -= inner.count(node, at);
    const child = inner.child(node, at);
    const slot = this.#removeBelow(child, level - 1, left);
    inner.setCount(node, at, inner.count(node, at) - 1);
    const nodes = this.#nodesOf(level - 1);
    const size = nodes.size(child);
    if (size === 0) {
      nodes.free(child);
      inner.removePlace(node, at);
      return slot;
    }
    if (left === 0) inner.setFirst(node, at, nodes.score(child, 0), nodes.slot(child, 0));
    if (size <= FEW_ENTRIES) this.#join(nodes, node, at);
    return slot;
  }

  /** Joins a small child with a neighbour, if there is one and it leaves room. */
  #join(nodes: TreeNodes, node: number, at: number): void {
    const inner = this.#inner;
    const leftAt = at > 0 ? at - 1 : at;
    if (leftAt + 1 >= inner.size(node)) return;
    const left = inner.child(node, leftAt);
    const right = inner.child(node, leftAt + 1);
    if (nodes.size(left) + nodes.size(right) > JOINED_ENTRIES) return;
    nodes.moveEnd(right, 0, left);
    nodes.free(right);
    inner.setCount(node, leftAt, inner.count(node, leftAt) + inner.count(node, leftAt + 1));
    inner.removePlace(node, leftAt + 1);
  }

  // --- memory

  get usedBytes(): number {
    return this.#leaves.reservedBytes + this.#inner.reservedBytes;
  }

  get memory(): ArrayBufferLike[] {
    return [...this.#leaves.memory, ...this.#inner.memory];
  }
}
