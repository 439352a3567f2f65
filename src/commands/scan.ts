// Walks over all keys of a database: KEYS at one go, SCAN in steps of bounded work.
//
// What SCAN guarantees, as in Redis: a key that is there from the first call to the last is returned (here exactly once),
// whatever comes and goes meanwhile. The cursor is the hash that the walk has reached, so the server remembers nothing.

import { globMatches } from '../bytes/glob.ts';
import { parseUint64 } from '../bytes/integer.ts';
import { ByteView } from '../bytes/view.ts';
import { TYPE_NAMES } from '../keyspace/slot-flags.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { NOT_AN_INTEGER, SYNTAX_ERROR } from './errors.ts';

const DEFAULT_COUNT = 10;
/** Cursors are hashes: below this. A larger one was not given by us, and has nothing behind it. */
const CURSOR_LIMIT = 2n ** 31n;

const INVALID_CURSOR = 'ERR invalid cursor';

const keyView = new ByteView();

/** What SCAN lets through. */
class ScanFilter {
  count = DEFAULT_COUNT;
  pattern: Buffer | undefined = undefined;
  /** Place in TYPE_NAMES, -1 for a type that no key has, undefined for any. */
  type: number | undefined = undefined;

  /** Reads the options from argument 2 on; of one that is repeated the last counts. False: an error was replied. */
  parse({ request, reply }: Context): boolean {
    for (let i = 2; i < request.count; i += 2) {
      const error = i + 1 < request.count ? this.#option(request, i) : SYNTAX_ERROR;
      if (error !== undefined) {
        reply.error(error);
        return false;
      }
    }
    return true;
  }

  #option(request: Context['request'], i: number): string | undefined {
    if (request.matches(i, 'COUNT')) {
      const count = request.int64(i + 1);
      if (count === undefined) return NOT_AN_INTEGER;
      this.count = Number(count);
      return count < 1 ? SYNTAX_ERROR : undefined;
    }
    if (request.matches(i, 'MATCH')) this.pattern = patternAt(request, i + 1);
    else if (request.matches(i, 'TYPE'))
      this.type = (TYPE_NAMES as readonly string[]).indexOf(request.string(i + 1).toLowerCase());
    else return SYNTAX_ERROR;
    return undefined;
  }

  passes({ db }: Context, slot: number): boolean {
    if (this.type !== undefined && db.type(slot) !== this.type) return false;
    if (this.pattern === undefined) return true;
    const key = db.keyView(slot, keyView);
    return globMatches(this.pattern, key.buffer, key.start, key.length);
  }
}

/** A pattern as bytes; undefined for `*`, which lets everything through. */
function patternAt(request: Context['request'], index: number): Buffer | undefined {
  if (request.matches(index, '*')) return undefined;
  const start = request.start(index);
  return request.bufferOf(index).subarray(start, start + request.length(index));
}

/** SCAN cursor [MATCH pattern] [COUNT count] [TYPE type] */
function scan(ctx: Context): void {
  const { db, reply, request } = ctx;
  const cursor = parseUint64(request.bufferOf(1), request.start(1), request.length(1));
  if (cursor === undefined) return reply.error(INVALID_CURSOR);
  const filter = new ScanFilter();
  if (!filter.parse(ctx)) return;
  const slots: number[] = [];
  let next = 0;
  if (cursor < CURSOR_LIMIT) {
    next = db.scan(Number(cursor), filter.count, (slot) => {
      if (filter.passes(ctx, slot)) slots.push(slot);
    });
  }
  reply.array(2);
  reply.text(String(next));
  replyKeys(ctx, slots);
}

function keys(ctx: Context): void {
  const filter = new ScanFilter();
  filter.pattern = patternAt(ctx.request, 1);
  const slots: number[] = [];
  ctx.db.scan(0, Number.POSITIVE_INFINITY, (slot) => {
    if (filter.passes(ctx, slot)) slots.push(slot);
  });
  replyKeys(ctx, slots);
}

function replyKeys({ db, reply }: Context, slots: readonly number[]): void {
  reply.array(slots.length);
  for (const slot of slots) reply.bulk(db.keyView(slot, keyView));
}

export const scanCommands = [
  defineCommand({
    name: 'keys',
    summary: 'Lists all keys that match a pattern.',
    since: '1.0.0',
    group: 'generic',
    complexity: 'O(N) in the number of keys in the database',
    arity: 2,
    flags: ['readonly'],
    categories: ['keyspace', 'dangerous'],
    tips: ['request_policy:all_shards', 'nondeterministic_output_order'],
    arguments: [{ name: 'pattern', type: 'pattern' }],
    replies: ['array of bulk strings: the keys, in no particular order'],
    handler: keys,
  }),
  defineCommand({
    name: 'scan',
    summary: 'Lists keys step by step, without holding up other clients.',
    since: '2.8.0',
    group: 'generic',
    complexity: 'O(N) for all keys; a call costs COUNT times O(1)',
    arity: -2,
    flags: ['readonly'],
    categories: ['keyspace'],
    tips: ['nondeterministic_output', 'request_policy:special'],
    arguments: [
      { name: 'cursor', type: 'integer' },
      { name: 'pattern', type: 'pattern', token: 'MATCH', optional: true },
      { name: 'count', type: 'integer', token: 'COUNT', optional: true },
      { name: 'type', type: 'string', token: 'TYPE', optional: true, since: '6.0.0' },
    ],
    history: [['6.0.0', 'The option `TYPE`.']],
    replies: ['array: the next cursor (0 at the end), and an array of keys'],
    handler: scan,
  }),
];
