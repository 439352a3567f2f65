// Commands that look into strings to compare them: LCS with each other, DIGEST and DELEX with what a client remembers.

import { type LcsRange, lcsTableBytes, longestCommonSubsequence } from '../bytes/lcs.ts';
import { ByteView } from '../bytes/view.ts';
import { xxh3Hex } from '../bytes/xxh3.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { SYNTAX_ERROR, wrongArity } from './errors.ts';
import { integerArgument } from './integer-argument.ts';
import { fulfils, VALUE_CONDITIONS } from './value-condition.ts';

interface LcsOptions {
  isLength: boolean;
  isRanges: boolean;
  withLengths: boolean;
  minLength: number;
}

/** LCS key1 key2 [LEN] [IDX] [MINMATCHLEN length] [WITHMATCHLEN]: types are checked before options, as in Redis. */
function lcs(ctx: Context): void {
  const { db, request, reply } = ctx;
  const first = ctx.read(request.key(1));
  const second = ctx.read(request.key(2));
  if ((first !== 0 && !db.isString(first)) || (second !== 0 && !db.isString(second))) {
    return reply.error('ERR The specified keys must contain string values');
  }
  const options = lcsOptions(ctx);
  if (options === undefined) return;
  if (options.isLength && options.isRanges) {
    return reply.error('ERR If you want both the length and indexes, please just use IDX.');
  }
  const a = bytesOf(ctx, first);
  const b = bytesOf(ctx, second);
  if (lcsTableBytes(a.length, b.length) > ctx.server.decoderLimits.maxBulkBytes) {
    return reply.error('ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len');
  }
  const { bytes, ranges } = longestCommonSubsequence(a, b);
  if (options.isRanges) replyRanges(ctx, ranges, bytes.length, options);
  else if (options.isLength) reply.integer(bytes.length);
  else reply.bulk(new ByteView(bytes));
}

/** Undefined: an error was replied. */
function lcsOptions(ctx: Context): LcsOptions | undefined {
  const { request } = ctx;
  const options: LcsOptions = { isLength: false, isRanges: false, withLengths: false, minLength: 0 };
  for (let i = 3; i < request.count; i++) {
    if (request.matches(i, 'LEN')) options.isLength = true;
    else if (request.matches(i, 'IDX')) options.isRanges = true;
    else if (request.matches(i, 'WITHMATCHLEN')) options.withLengths = true;
    else if (request.matches(i, 'MINMATCHLEN') && i + 1 < request.count) {
      options.minLength = integerArgument(ctx, ++i);
      if (Number.isNaN(options.minLength)) return undefined;
    } else {
      ctx.reply.error(SYNTAX_ERROR);
      return undefined;
    }
  }
  return options;
}

/** The string in a slot as an array of its own view; a missing key is an empty string. */
function bytesOf(ctx: Context, slot: number): Uint8Array {
  if (slot === 0) return Buffer.alloc(0);
  const { buffer, start, length } = ctx.db.value(slot);
  return buffer.subarray(start, start + length);
}

function replyRanges(ctx: Context, all: readonly LcsRange[], length: number, options: LcsOptions): void {
  const { reply } = ctx;
  const ranges = all.filter(({ aStart, aEnd }) => aEnd - aStart + 1 >= options.minLength);
  reply.map(2);
  reply.text('matches');
  reply.array(ranges.length);
  for (const { aStart, aEnd, bStart, bEnd } of ranges) {
    reply.array(options.withLengths ? 3 : 2);
    reply.array(2);
    reply.integer(aStart);
    reply.integer(aEnd);
    reply.array(2);
    reply.integer(bStart);
    reply.integer(bEnd);
    if (options.withLengths) reply.integer(aEnd - aStart + 1);
  }
  reply.text('len');
  reply.integer(length);
}

function digest(ctx: Context): void {
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  if (slot === 0) return ctx.reply.null();
  const { buffer, start, length } = ctx.db.value(slot);
  ctx.reply.text(xxh3Hex(buffer, start, length));
}

/** DELEX key [IFEQ|IFNE|IFDEQ|IFDNE …]: a missing key is 0 before the condition is even looked at. */
function delex(ctx: Context): void {
  const { db, request, reply } = ctx;
  if (request.count !== 2 && request.count !== 4) return reply.error(wrongArity('delex'));
  const slot = ctx.write(request.key(1));
  if (slot === 0) return reply.integer(0);
  if (request.count === 4) {
    const holds = conditionHolds(ctx, slot);
    if (holds === undefined) return;
    if (!holds) return reply.integer(0);
  }
  if (ctx.refusesLocked(slot)) return;
  db.remove(slot, EVENT.del);
  reply.integer(1);
}

/** Whether DELEX's condition holds. Undefined: an error was replied. */
function conditionHolds(ctx: Context, slot: number): boolean | undefined {
  if (!ctx.db.isString(slot)) {
    ctx.reply.error('ERR Key should be of string type if conditions are specified');
    return undefined;
  }
  for (const condition of VALUE_CONDITIONS) {
    if (ctx.request.matches(2, condition)) return fulfils(ctx, slot, condition, 3);
  }
  ctx.reply.error('ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE');
  return undefined;
}

export const stringCompareCommands = [
  defineCommand({
    name: 'lcs',
    summary: 'Finds the longest common subsequence of two strings.',
    since: '7.0.0',
    group: 'string',
    complexity: 'O(N*M) in the lengths of the two strings',
    arity: -3,
    flags: ['readonly'],
    keys: [{ access: 'RO', does: ['access'], begin: 1, last: 1 }],
    arguments: [
      { name: 'key1', type: 'key', keySpec: 0 },
      { name: 'key2', type: 'key', keySpec: 0 },
      { name: 'len', type: 'pure-token', token: 'LEN', optional: true },
      { name: 'idx', type: 'pure-token', token: 'IDX', optional: true },
      { name: 'len', type: 'integer', token: 'MINMATCHLEN', optional: true },
      { name: 'withmatchlen', type: 'pure-token', token: 'WITHMATCHLEN', optional: true },
    ],
    replies: [
      'bulk string: the subsequence',
      'integer, with LEN: its length',
      'map, with IDX: `matches`, ranges in both strings from the end on, and `len`',
    ],
    handler: lcs,
  }),
  defineCommand({
    name: 'digest',
    summary: 'Returns the XXH3 digest of a string, for the conditions IFDEQ and IFDNE.',
    since: '8.4.0',
    group: 'string',
    complexity: 'O(N) in the length of the string',
    arity: 2,
    flags: ['readonly', 'fast'],
    keys: [{ access: 'RO', does: ['access'], begin: 1 }],
    arguments: [KEY],
    replies: ['bulk string: 16 hexadecimal digits', 'nil: no such key'],
    handler: digest,
  }),
  defineCommand({
    name: 'delex',
    summary: 'Deletes a key if a condition on the string that it holds is true.',
    since: '8.4.0',
    group: 'string',
    complexity: 'O(1); O(N) in the length of the string with IFDEQ and IFDNE',
    arity: -2,
    flags: ['write', 'fast'],
    keys: [{ access: 'RW', does: ['delete'], begin: 1 }],
    arguments: [
      KEY,
      {
        name: 'condition',
        type: 'oneof',
        optional: true,
        arguments: [
          { name: 'ifeq-value', type: 'string', token: 'IFEQ' },
          { name: 'ifne-value', type: 'string', token: 'IFNE' },
          { name: 'ifdeq-digest', type: 'integer', token: 'IFDEQ' },
          { name: 'ifdne-digest', type: 'integer', token: 'IFDNE' },
        ],
      },
    ],
    replies: ['1: deleted', '0: no such key, or the condition does not hold'],
    locked: 'decides',
    handler: delex,
  }),
];
