// The arena against a plain list of the blocks it handed out: none overlaps another, none loses its bytes,
// and the accounts are right at every step.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Arena, classBytes, MAX_BLOCK_BYTES, sizeClass } from '../../src/keyspace/arena.ts';

const SEGMENT_BYTES = 1 << 20;

interface Block {
  readonly address: number;
  readonly blockClass: number;
  readonly bytes: number;
  readonly filling: number;
}

/** An arena, and what must be true of it. */
class Model {
  /** Memory that the arena gave back. */
  readonly released: ArrayBuffer[] = [];
  readonly arena = new Arena((memory) => this.released.push(memory));
  readonly blocks: Block[] = [];
  #nextFilling = 1;

  allocate(bytes: number): void {
    const blockClass = sizeClass(bytes);
    const address = this.arena.allocate(blockClass, bytes);
    const filling = this.#nextFilling;
    this.#nextFilling = (filling % 255) + 1;
    // The whole of the block, also what is beyond the bytes asked for.
    const whole = bytes > MAX_BLOCK_BYTES ? bytes : classBytes(blockClass);
    const start = this.arena.offset(address);
    expect(address >>> 0).not.toBe(0);
    expect(start % 8).toBe(0);
    expect(start + whole).toBeLessThanOrEqual(this.arena.segment(address).length);
    this.arena.segment(address).fill(filling, start, start + whole);
    this.blocks.push({ address, blockClass, bytes: whole, filling });
  }

  /** Frees a block whose bytes must all be as they were written: whoever overlapped it would have changed them. */
  free(at: number): void {
    const block = this.blocks[at]!;
    this.check(block);
    this.blocks[at] = this.blocks.at(-1)!;
    this.blocks.pop();
    this.arena.free(block.address, block.blockClass);
  }

  check({ address, bytes, filling }: Block): void {
    const start = this.arena.offset(address);
    const found = this.arena.segment(address).subarray(start, start + bytes);
    if (!found.equals(Buffer.alloc(bytes, filling))) throw new Error(`a block at ${address} was overwritten`);
  }

  get bytes(): number {
    return this.blocks.reduce((sum, block) => sum + block.bytes, 0);
  }

  checkAccounts(): void {
    const { usedBytes, freeBytes, reservedBytes } = this.arena;
    expect(usedBytes).toBe(this.bytes);
    expect(freeBytes).toBeGreaterThanOrEqual(0);
    expect(usedBytes + freeBytes).toBeLessThanOrEqual(reservedBytes);
    const memory = new Set(this.arena.memory);
    expect([...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(reservedBytes);
    for (const each of this.released) expect(memory.has(each)).toBe(false);
  }
}

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: MAX_BLOCK_BYTES }) },
  { weight: 1, arbitrary: fc.integer({ min: MAX_BLOCK_BYTES + 1, max: 3 * MAX_BLOCK_BYTES }) },
);
const step = fc.oneof(
  fc.record({ allocate: size, times: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ free: fc.nat(), times: fc.integer({ min: 1, max: 40 }) }),
);

test('blocks never overlap, and the accounts are right, whatever is allocated and freed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const model = new Model();
      for (const each of steps) {
        for (let i = 0; i < each.times; i++) {
          if ('allocate' in each) model.allocate(each.allocate);
          else if (model.blocks.length > 0) model.free((each.free + i * 7919) % model.blocks.length);
        }
        model.checkAccounts();
      }
      for (const block of model.blocks) model.check(block);
      while (model.blocks.length > 0) model.free(model.blocks.length - 1);
      model.checkAccounts();
      expect(model.arena.usedBytes).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('a block is the smallest class that holds what was asked for, and less than an eighth is lost above 64 bytes', () => {
  let previous = 0;
  for (let bytes = 1; bytes <= MAX_BLOCK_BYTES; bytes++) {
    const blockClass = sizeClass(bytes);
    const held = classBytes(blockClass);
    if (held < bytes || (blockClass > 0 && classBytes(blockClass - 1) >= bytes)) {
      expect.fail(`${bytes} bytes got class ${blockClass}, which holds ${held}`);
    }
    if (held % 8 !== 0 || blockClass < previous || blockClass > previous + 1) {
      expect.fail(`class ${blockClass} of ${held} bytes comes after class ${previous}`);
    }
    if (bytes > 64 && held - bytes > bytes / 8) expect.fail(`${bytes} bytes take ${held}`);
    previous = blockClass;
  }
  expect(classBytes(previous)).toBe(MAX_BLOCK_BYTES);
  expect(sizeClass(MAX_BLOCK_BYTES + 1)).toBe(previous + 1);
});

test('a hundred megabytes of small blocks take hardly more from the system, in few segments', () => {
  const arena = new Arena();
  const blockClass = sizeClass(2048);
  const addresses = new Set<number>();
  const segments = new Set<Buffer>();
  for (let i = 0; i < 50_000; i++) {
    const address = arena.allocate(blockClass, 2048);
    addresses.add(address);
    segments.add(arena.segment(address));
  }
  expect(addresses.size).toBe(50_000);
  expect(segments.size).toBeLessThan(110);
  expect(arena.usedBytes).toBe(50_000 * 2048);
  expect(arena.reservedBytes).toBeLessThan(arena.usedBytes * 1.01 + SEGMENT_BYTES);
});

test('the first block takes a few kilobytes', () => {
  const arena = new Arena();
  arena.allocate(sizeClass(10), 10);
  expect(arena.reservedBytes).toBeLessThanOrEqual(16 * 1024);
});

test('a freed block is the next one handed out for its size', () => {
  const arena = new Arena();
  const blockClass = sizeClass(100);
  const first = arena.allocate(blockClass, 100);
  arena.allocate(blockClass, 100);
  arena.free(first, blockClass);
  expect(arena.allocate(blockClass, 100)).toBe(first);
});

test('pages whose blocks are all freed serve other sizes before more is taken from the system', () => {
  const model = new Model();
  for (let i = 0; i < 100; i++) model.allocate(4096);
  const reserved = model.arena.reservedBytes;
  while (model.blocks.length > 0) model.free(0);
  for (let i = 0; i < 6000; i++) model.allocate(64);
  expect(model.arena.reservedBytes).toBe(reserved);
  for (const block of model.blocks) model.check(block);
});

test('a page with one block left is not taken from its class', () => {
  const model = new Model();
  for (let i = 0; i < 10_000; i++) model.allocate(64);
  // One block in two hundred stays: the larger pages have one each at least.
  for (let i = model.blocks.length - 1; i >= 0; i--) if (i % 200 !== 0) model.free(i);
  for (let i = 0; i < 5000; i++) model.allocate(1 + (i % 300));
  for (const block of model.blocks) model.check(block);
  model.checkAccounts();
});

test('a block that is taken and given back again and again is the same one, whatever else is empty', () => {
  const arena = new Arena();
  const blockClass = sizeClass(56);
  const first = arena.allocate(blockClass, 56);
  const free = arena.freeBytes;
  for (let i = 0; i < 100; i++) {
    arena.free(first, blockClass);
    expect(arena.freeBytes).toBe(free);
    expect(arena.allocate(blockClass, 56)).toBe(first);
  }
});

/** The same numbers every time, in no order. */
function shuffled(count: number, seed: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  let state = seed;
  for (let i = count - 1; i > 0; i--) {
    state = (state * 48271) % 0x7fffffff;
    const other = state % (i + 1);
    [numbers[i], numbers[other]] = [numbers[other]!, numbers[i]!];
  }
  return numbers;
}

/** Lets values grow together from 8 to 256 bytes, each step in the order given. Returns the most that was reserved, per byte used (or mebibyte). */
function growTogether(arena: Arena, count: number, orderOf: (step: number) => number[]): number {
  const addresses = new Map<number, number>();
  let peak = 0;
  for (let bytes = 8; bytes <= 256; bytes += 8) {
    for (const value of orderOf(bytes)) {
      const address = arena.allocate(sizeClass(bytes), bytes);
      const old = addresses.get(value);
      if (old !== undefined) arena.free(old, sizeClass(bytes - 8));
      addresses.set(value, address);
    }
    peak = Math.max(peak, arena.reservedBytes / Math.max(arena.usedBytes, SEGMENT_BYTES));
  }
  expect(arena.usedBytes).toBe(count * 256);
  return peak;
}

test('values that all grow together take little more than what they hold, at every step', () => {
  const inOrder = shuffled(20_000, 1).sort((a, b) => a - b);
  const arena = new Arena();
  // With a few megabytes, a mebibyte kept in reserve counts for much in between.
  expect(growTogether(arena, 20_000, () => inOrder)).toBeLessThan(2);
  expect(arena.reservedBytes / arena.usedBytes).toBeLessThan(1.1);
});

test('values that all grow together in no order never take more than both sizes at once', () => {
  const arena = new Arena();
  // Until nearly all have grown, the last few keep the pages of the old size.
  growTogether(arena, 20_000, (step) => shuffled(20_000, step));
  expect(arena.reservedBytes / arena.usedBytes).toBeLessThan(2.2);
  expect((arena.reservedBytes - arena.freeBytes) / arena.usedBytes).toBeLessThan(1.1);
});

test('empty segments go back to the system but for a last few, and their addresses are used again', () => {
  const model = new Model();
  const fill = (): void => {
    while (model.arena.usedBytes < 8 * SEGMENT_BYTES) model.allocate(8000);
  };
  fill();
  const reserved = model.arena.reservedBytes;
  const highestSegment = (): number => Math.max(...model.blocks.map(({ address }) => address >>> 17));
  const highest = highestSegment();
  expect(model.released).toEqual([]);
  while (model.blocks.length > 0) model.free(model.blocks.length - 1);
  model.checkAccounts();
  expect(model.released.length).toBeGreaterThanOrEqual(5);
  expect(model.released.every(({ byteLength }) => byteLength === SEGMENT_BYTES)).toBe(true);
  expect(model.arena.reservedBytes).toBe(reserved - model.released.length * SEGMENT_BYTES);
  fill();
  model.checkAccounts();
  expect(model.arena.reservedBytes).toBe(reserved);
  expect(highestSegment()).toBe(highest);
  for (const block of model.blocks) model.check(block);
});

test('one block more or less than fits does not take a segment each time', () => {
  const model = new Model();
  while (model.arena.reservedBytes < 6 * SEGMENT_BYTES) model.allocate(8192);
  for (let i = 0; i < 50; i++) {
    model.free(model.blocks.length - 1);
    model.allocate(8192);
  }
  expect(model.released).toEqual([]);
});

test('says that it is full while there is still room, and refuses what does not fit at all', () => {
  const arena = new Arena(undefined, 16);
  const blockClass = sizeClass(8192);
  const addresses: number[] = [];
  while (!arena.isFull) addresses.push(arena.allocate(blockClass, 8192));
  for (let i = 0; i < 100; i++) addresses.push(arena.allocate(blockClass, 8192));
  expect(() => {
    for (;;) addresses.push(arena.allocate(blockClass, 8192));
  }).toThrow(RangeError);
  expect(arena.isFull).toBe(true);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(arena.usedBytes).toBe(addresses.length * 8192);
  for (const address of addresses.splice(0)) arena.free(address, blockClass);
  expect(arena.isFull).toBe(false);
  expect(arena.allocate(blockClass, 8192)).toBeGreaterThan(0);
});

test('values that keep changing their size do not make it grow for ever', () => {
  const model = new Model();
  const round = (sizeOf: (i: number) => number): void => {
    for (let i = 0; i < 500; i++) {
      model.allocate(sizeOf(i));
      if (model.blocks.length > 500) model.free(0);
    }
  };
  // Growing through all sizes, shrinking, and at random, again and again: what the first rounds took must do.
  let state = 1;
  const cycle = (): void => {
    for (let bytes = 8; bytes <= 8192; bytes *= 2) round(() => bytes);
    for (let bytes = 8192; bytes >= 8; bytes /= 2) round(() => bytes);
    round(() => {
      state = (state * 48271) % 0x7fffffff;
      return 1 + (state % 8192);
    });
  };
  cycle();
  cycle();
  const reserved = model.arena.reservedBytes;
  for (let i = 0; i < 4; i++) cycle();
  expect(model.arena.reservedBytes).toBeLessThanOrEqual(reserved * 1.25);
});

test('a piece beyond the largest class is given back to the system', () => {
  const model = new Model();
  model.allocate(1);
  const reserved = model.arena.reservedBytes;
  for (const bytes of [MAX_BLOCK_BYTES + 1, 1_000_000, 3_000_000]) model.allocate(bytes);
  expect(model.arena.reservedBytes).toBe(reserved + MAX_BLOCK_BYTES + 1 + 4_000_000);
  while (model.blocks.length > 1) model.free(1);
  expect(model.arena.reservedBytes).toBe(reserved);
  for (let i = 0; i < 1000; i++) {
    model.allocate(100_000);
    model.free(1);
  }
  expect(model.arena.reservedBytes).toBe(reserved);
});

test('very many pieces beyond the largest class have an address each', () => {
  const arena = new Arena();
  const bytes = MAX_BLOCK_BYTES + 1;
  const blockClass = sizeClass(bytes);
  const reserved = arena.reservedBytes;
  const addresses = new Set<number>();
  // Memory that is never touched costs nothing.
  for (let i = 0; i < 40_000; i++) addresses.add(arena.allocate(blockClass, bytes));
  expect(addresses.size).toBe(40_000);
  expect(arena.usedBytes).toBe(40_000 * bytes);
  for (const address of addresses) arena.free(address, blockClass);
  expect(arena.usedBytes).toBe(0);
  expect(arena.reservedBytes).toBe(reserved);
});
