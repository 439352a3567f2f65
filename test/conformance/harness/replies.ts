// The notation for replies that are written by hand, because redis-server 7.0.15 cannot be asked for them.
//
// Plain JS values stand for the common replies (1 is an integer, 'v' a bulk string, [1, 'v'] an array), the names below
// for the others. Each knows both protocols' wire form, so a line says its reply once: `nil` is `$-1` and `_`.

import { encodeFrame, type Frame } from '../../support/resp-frame.ts';

export type Protocol = 2 | 3;
type Encode = (protocol: Protocol) => Frame;
export type Reply = number | bigint | string | readonly Reply[] | { readonly encode: Encode };

/** The bytes (latin1) of a reply written by hand. */
export function encodeReply(reply: Reply, protocol: Protocol): string {
  if (reply === closed) return closedText;
  return encodeFrame(toFrame(reply, protocol));
}

function toFrame(reply: Reply, protocol: Protocol): Frame {
  if (typeof reply === 'number' && !Number.isSafeInteger(reply))
    throw new Error(`${reply} needs double() or 1n`);
  if (typeof reply === 'number' || typeof reply === 'bigint') return { kind: ':', text: String(reply) };
  if (typeof reply === 'string') return { kind: '$', text: reply };
  if (isArray(reply)) return aggregate('*', reply, protocol);
  return reply.encode(protocol);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(reply: Reply): reply is readonly Reply[] {
  return Array.isArray(reply);
}

function aggregate(kind: string, items: readonly Reply[], protocol: Protocol): Frame {
  return { kind, children: items.map((item) => toFrame(item, protocol)) };
}

const fixed = (kind: string, text?: string) => ({
  encode: (): Frame => (text === undefined ? { kind } : { kind, text }),
});

/** `+text` */
export const simple = (text: string) => fixed('+', text);
export const ok = simple('OK');
export const queued = simple('QUEUED');
/** `-text` */
export const error = (text: string) => fixed('-', text);
/** A missing value. */
export const nil = {
  encode: (protocol: Protocol): Frame => (protocol === 2 ? { kind: '$' } : { kind: '_', text: '' }),
};
/** A missing array, such as EXEC's after a conflict. */
export const nilArray = {
  encode: (protocol: Protocol): Frame => (protocol === 2 ? { kind: '*' } : { kind: '_', text: '' }),
};
/** A number that RESP3 sends as a double and RESP2 as a bulk string; the text is the same. */
export const double = (text: string) => ({
  encode: (protocol: Protocol): Frame => ({ kind: protocol === 2 ? '$' : ',', text }),
});
/** A truth value, 1 or 0 in RESP2. */
export const bool = (value: boolean) => ({
  encode: (protocol: Protocol): Frame =>
    protocol === 2 ? { kind: ':', text: value ? '1' : '0' } : { kind: '#', text: value ? 't' : 'f' },
});
/** Readable text: a bulk string in RESP2, `=txt:` in RESP3. */
export const verbatim = (text: string) => ({
  encode: (protocol: Protocol): Frame =>
    protocol === 2 ? { kind: '$', text } : { kind: '=', text: `txt:${text}` },
});
/** Keys and values in order; one flat array in RESP2. */
export const map = (...keysAndValues: readonly Reply[]) => ({
  encode: (protocol: Protocol): Frame => aggregate(protocol === 2 ? '*' : '%', keysAndValues, protocol),
});
export const set = (...items: readonly Reply[]) => ({
  encode: (protocol: Protocol): Frame => aggregate(protocol === 2 ? '*' : '~', items, protocol),
});
/** A message that answers no command: a push in RESP3, an array in RESP2. */
export const push = (...items: readonly Reply[]) => ({
  encode: (protocol: Protocol): Frame => aggregate(protocol === 2 ? '*' : '>', items, protocol),
});
/** For replies that differ between the protocols in some other way. */
export const either = (resp2: Reply, resp3: Reply) => ({
  encode: (protocol: Protocol): Frame => toFrame(protocol === 2 ? resp2 : resp3, protocol),
});

const closedText = '(closed)';
/** Not a reply: the server closed the connection. */
export const closed = {
  encode: (): Frame => {
    throw new Error('`closed` stands alone, it is no part of a reply');
  },
};
