// The nodes of a sorted index: each a row of up to 64 entries, kept column by column in large typed arrays.
//
// An entry of a leaf is a score and a slot. An entry of an inner node stands for a child: the first score and slot below
// it, the child's number, and how many entries there are below it. So a search reads few lines of memory, all of them here.
//
// Guarantees: a node keeps its number until it is freed; growing adds a chunk and copies nothing beyond the first.

const NODE_BITS = 6;
/** How many entries a node holds. */
export const NODE_ENTRIES = 1 << NODE_BITS;

// A node in words: its size (two words, so that the scores lie at even places), the scores as doubles, and columns of integers.
const SCORES = 2;
const SLOTS = SCORES + NODE_ENTRIES * 2;
const CHILDREN = SLOTS + NODE_ENTRIES;
const COUNTS = CHILDREN + NODE_ENTRIES;
const LEAF_WORDS = CHILDREN;
const INNER_WORDS = COUNTS + NODE_ENTRIES;

const CHUNK_BITS = 7;
const CHUNK_NODES = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_NODES - 1;

/** No node. */
export const NO_NODE = -1;

export class TreeNodes {
  readonly isInner: boolean;
  readonly #nodeWords: number;
  readonly #words: Int32Array[] = [];
  readonly #doubles: Float64Array[] = [];
  #capacity = 0;
  #unused = 0;
  /** The first of the freed nodes, which name each other in the place of their size. */
  #freeHead = NO_NODE;

  constructor(isInner: boolean) {
    this.isInner = isInner;
    this.#nodeWords = isInner ? INNER_WORDS : LEAF_WORDS;
  }

  get reservedBytes(): number {
    return this.#capacity * this.#nodeWords * 4;
  }

  /** All memory taken from the system. */
  get memory(): ArrayBufferLike[] {
    return this.#words.map((words) => words.buffer);
  }

  /** An empty node. */
  allocate(): number {
    let node = this.#freeHead;
    if (node !== NO_NODE) this.#freeHead = this.#get(node, 0, 0);
    else {
      if (this.#unused === this.#capacity) this.#grow();
      node = this.#unused++;
    }
    this.#set(node, 0, 0, 0);
    return node;
  }

  free(node: number): void {
    this.#set(node, 0, 0, this.#freeHead);
    this.#freeHead = node;
  }

  #grow(): void {
    if (this.#capacity === CHUNK_NODES * this.#words.length) {
      this.#addChunk(this.#capacity === 0 ? 1 : CHUNK_NODES);
      return;
    }
    const first = this.#words[0]!;
    this.#words.pop();
    this.#doubles.pop();
    this.#addChunk(this.#capacity * 2);
    this.#words[0]!.set(first);
  }

  #addChunk(nodes: number): void {
    const words = new Int32Array(nodes * this.#nodeWords);
    this.#words.push(words);
    this.#doubles.push(new Float64Array(words.buffer));
    this.#capacity = CHUNK_NODES * (this.#words.length - 1) + nodes;
  }

  #get(node: number, column: number, at: number): number {
    return this.#words[node >>> CHUNK_BITS]![(node & CHUNK_MASK) * this.#nodeWords + column + at]!;
  }

  #set(node: number, column: number, at: number, value: number): void {
    this.#words[node >>> CHUNK_BITS]![(node & CHUNK_MASK) * this.#nodeWords + column + at] = value;
  }

  // --- reading

  size(node: number): number {
    return this.#get(node, 0, 0);
  }

  score(node: number, at: number): number {
    const place = ((node & CHUNK_MASK) * this.#nodeWords + SCORES) >>> 1;
    return this.#doubles[node >>> CHUNK_BITS]![place + at]!;
  }

  slot(node: number, at: number): number {
    return this.#get(node, SLOTS, at);
  }

  child(node: number, at: number): number {
    return this.#get(node, CHILDREN, at);
  }

  /** How many entries there are below the child at `at`. */
  count(node: number, at: number): number {
    return this.#get(node, COUNTS, at);
  }

  /** How many entries there are in or below a node. */
  total(node: number): number {
    const size = this.size(node);
    if (!this.isInner) return size;
    let total = 0;
    for (let i = 0; i < size; i++) total += this.count(node, i);
    return total;
  }

  // --- changing

  /** Overwrites an entry's score and slot. */
  setFirst(node: number, at: number, score: number, slot: number): void {
    this.#setScore(node, at, score);
    this.#set(node, SLOTS, at, slot);
  }

  setChild(node: number, at: number, child: number, count: number): void {
    this.#set(node, CHILDREN, at, child);
    this.#set(node, COUNTS, at, count);
  }

  setCount(node: number, at: number, count: number): void {
    this.#set(node, COUNTS, at, count);
  }

  #setScore(node: number, at: number, score: number): void {
    const place = ((node & CHUNK_MASK) * this.#nodeWords + SCORES) >>> 1;
    this.#doubles[node >>> CHUNK_BITS]![place + at] = score;
  }

  /** Makes room for an entry at `at`, whose fields are then to be set. The node must not be full. */
  openPlace(node: number, at: number): void {
    this.#shift(node, at, at + 1);
    this.#set(node, 0, 0, this.size(node) + 1);
  }

  removePlace(node: number, at: number): void {
    this.#shift(node, at + 1, at);
    this.#set(node, 0, 0, this.size(node) - 1);
  }

  /** Moves the entries from `from` on to `to`, in all columns. */
  #shift(node: number, from: number, to: number): void {
    const size = this.size(node);
    if (from === size) return;
    const base = (node & CHUNK_MASK) * this.#nodeWords;
    const scores = (base + SCORES) >>> 1;
    this.#doubles[node >>> CHUNK_BITS]!.copyWithin(scores + to, scores + from, scores + size);
    const words = this.#words[node >>> CHUNK_BITS]!;
    for (let column = base + SLOTS; column < base + this.#nodeWords; column += NODE_ENTRIES) {
      words.copyWithin(column + to, column + from, column + size);
    }
  }

  /** Moves the entries from `at` on to the end of another node, which must have room for them. */
  moveEnd(node: number, at: number, target: number): void {
    const size = this.size(node);
    let end = this.size(target);
    for (let i = at; i < size; i++, end++) {
      this.setFirst(target, end, this.score(node, i), this.slot(node, i));
      if (this.isInner) this.setChild(target, end, this.child(node, i), this.count(node, i));
    }
    this.#set(target, 0, 0, end);
    this.#set(node, 0, 0, at);
  }
}
