// Strings in parts: how long one is, a range of it, and editing it in place.
//
// A string edited in place is kept raw (OBJECT ENCODING), as in Redis, and grows up to proto-max-bulk-len. Offsets are
// any int64; Redis' rules for what lies outside of the string are kept, the odd ones too.

import { ByteView, copyBytes } from '../bytes/view.ts';
import { NO_DEADLINE } from '../keyspace/database.ts';
import { EVENT } from '../keyspace/key-event.ts';
import { KEY } from './arguments.ts';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { STRING_TOO_LONG } from './errors.ts';
import { integerArgument } from './integer-argument.ts';

const EMPTY = new ByteView();

/** True when no string may be that long: the error has been replied. */
function refusesLength(ctx: Context, length: number): boolean {
  if (length <= ctx.server.decoderLimits.maxBulkBytes) return false;
  ctx.reply.error(STRING_TOO_LONG);
  return true;
}

function strlen(ctx: Context): void {
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  ctx.reply.integer(slot === 0 ? 0 : ctx.db.valueLength(slot));
}

function append(ctx: Context): void {
  const { db, request } = ctx;
  const key = request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const added = request.view(2);
  const oldLength = slot === 0 ? 0 : db.valueLength(slot);
  const length = oldLength + added.length;
  if (slot === 0) {
    db.putString(key, 0, added, NO_DEADLINE, EVENT.append);
  } else {
    if (refusesLength(ctx, length)) return;
    overwrite(ctx, slot, oldLength, added, length);
    db.changed(slot, EVENT.append);
  }
  ctx.reply.integer(length);
}

/** SETRANGE key offset value: nothing to write changes nothing, however far the offset. */
function setrange(ctx: Context): void {
  const { db, request } = ctx;
  const offset = integerArgument(ctx, 2);
  if (Number.isNaN(offset)) return;
  if (offset < 0) return ctx.reply.error('ERR offset is out of range');
  const key = request.key(1);
  const slot = ctx.writeString(key);
  if (slot < 0) return;
  const written = request.view(3);
  const oldLength = slot === 0 ? 0 : db.valueLength(slot);
  if (written.length === 0) return ctx.reply.integer(oldLength);
  const length = Math.max(oldLength, offset + written.length);
  if (refusesLength(ctx, length) || ctx.refusesLocked(slot)) return;
  const target = slot === 0 ? db.putString(key, 0, EMPTY, NO_DEADLINE, EVENT.setrange) : slot;
  overwrite(ctx, target, offset, written, length);
  if (slot !== 0) db.changed(slot, EVENT.setrange);
  ctx.reply.integer(length);
}

/** Writes bytes over those of a string from `offset` on; between its old end and there are zeros. */
function overwrite(ctx: Context, slot: number, offset: number, written: ByteView, length: number): void {
  const bytes = ctx.db.resize(slot, length, true);
  copyBytes(written.buffer, written.start, bytes.buffer, bytes.start + offset, written.length);
  ctx.db.touch(slot);
}

/** GETRANGE key start end: both ends are included, negative ones count from the end. */
function getrange(ctx: Context): void {
  const start = integerArgument(ctx, 2);
  if (Number.isNaN(start)) return;
  const end = integerArgument(ctx, 3);
  if (Number.isNaN(end)) return;
  const slot = ctx.readString(ctx.request.key(1));
  if (slot < 0) return;
  const length = slot === 0 ? 0 : ctx.db.valueLength(slot);
  const first = start < 0 ? Math.max(0, length + start) : start;
  // An end before the string counts as its first byte, unless the range runs backwards.
  const last = Math.min(end < 0 ? Math.max(0, length + end) : end, length - 1);
  const runsBackwards = start < 0 && end < 0 && start > end;
  if (runsBackwards || first > last) return ctx.reply.bulk(EMPTY);
  const view = ctx.db.value(slot);
  view.start += first;
  view.length = last - first + 1;
  ctx.reply.bulk(view);
}

const RANGE = {
  group: 'string',
  complexity: 'O(N) in the length of the part; small parts are O(1)',
  arity: 4,
  flags: ['readonly'],
  keys: [{ access: 'RO', does: ['access'], begin: 1 }],
  arguments: [KEY, { name: 'start', type: 'integer' }, { name: 'end', type: 'integer' }],
  replies: ['bulk string: the part, empty if there is nothing there'],
  handler: getrange,
} as const;

export const stringEditCommands = [
  defineCommand({
    name: 'strlen',
    summary: 'Returns the length of a string in bytes.',
    since: '2.2.0',
    group: 'string',
    complexity: 'O(1)',
    arity: 2,
    flags: ['readonly', 'fast'],
    keys: [{ access: 'RO', begin: 1 }],
    arguments: [KEY],
    replies: ['integer: the length, 0 without the key'],
    handler: strlen,
  }),
  defineCommand({ ...RANGE, name: 'getrange', summary: 'Returns a part of a string.', since: '2.4.0' }),
  defineCommand({
    ...RANGE,
    name: 'substr',
    summary: 'Returns a part of a string (the old name of GETRANGE).',
    since: '1.0.0',
    deprecated: { since: '2.0.0', replacedBy: '`GETRANGE`' },
  }),
  defineCommand({
    name: 'append',
    summary: 'Adds bytes to the end of a string, or creates it.',
    since: '2.0.0',
    group: 'string',
    complexity: 'O(1) amortized: a long string grows by doubling',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    keys: [{ access: 'RW', does: ['insert'], begin: 1 }],
    arguments: [KEY, { name: 'value', type: 'string' }],
    replies: ['integer: the new length'],
    handler: append,
  }),
  defineCommand({
    name: 'setrange',
    summary: 'Overwrites a part of a string, growing it with zero bytes if needed.',
    since: '2.2.0',
    group: 'string',
    complexity: 'O(N) in the length of the value, and of the zeros before it',
    arity: 4,
    flags: ['write', 'denyoom'],
    keys: [{ access: 'RW', does: ['update'], begin: 1 }],
    arguments: [KEY, { name: 'offset', type: 'integer' }, { name: 'value', type: 'string' }],
    replies: ['integer: the length after it'],
    locked: 'decides',
    handler: setrange,
  }),
];
