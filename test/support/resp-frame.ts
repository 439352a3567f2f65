// Replies as a client sees them: framing (where does one reply end), a typed tree, and plain JS values.
//
// Text is latin1 throughout, one character a byte, so that a comparison of strings is a comparison of bytes.
// It reads RESP2 and RESP3 with the same code and shares nothing with the server, whose replies it judges.

/** One reply, still knowing its RESP type: `kind` is the type's first byte on the wire. */
export interface Frame {
  readonly kind: string;
  /** What follows the type byte: the line, or a bulk's content. `undefined` for the nulls of RESP2. */
  readonly text?: string;
  /** Elements of an aggregate; a map's keys and values alternate. */
  readonly children?: readonly Frame[];
}

export interface Parsed {
  readonly frame: Frame;
  /** Offset of the first byte after the frame. */
  readonly end: number;
}

const LINE_KINDS = '+-:_#,(';
const BULK_KINDS = '$=!';
const AGGREGATE_KINDS = '*~>%';

/**
 * The reply that starts at `start`, or, when it is not complete, the least number of bytes that `bytes` must
 * hold before it is worth trying again.
 */
export function parseFrame(bytes: Buffer, start: number): Parsed | number {
  const lineEnd = bytes.indexOf('\r\n', start, 'latin1');
  if (lineEnd === -1) return bytes.length + 1;
  const kind = String.fromCharCode(bytes[start] ?? 0);
  const line = bytes.toString('latin1', start + 1, lineEnd);
  const next = lineEnd + 2;
  if (LINE_KINDS.includes(kind)) return { frame: { kind, text: line }, end: next };

  const length = Number(line);
  if (!Number.isInteger(length) || length < -1)
    throw new Error(`not a RESP reply: ${JSON.stringify(kind + line)}`);
  if (length === -1) return { frame: { kind }, end: next };
  if (BULK_KINDS.includes(kind)) return parseBulk(bytes, kind, next, length);
  if (AGGREGATE_KINDS.includes(kind))
    return parseChildren(bytes, kind, next, kind === '%' ? length * 2 : length);
  throw new Error(`not a RESP reply: ${JSON.stringify(kind + line)}`);
}

function parseBulk(bytes: Buffer, kind: string, start: number, length: number): Parsed | number {
  const end = start + length + 2;
  if (bytes.length < end) return end;
  if (bytes.toString('latin1', end - 2, end) !== '\r\n')
    throw new Error(`a bulk of ${length} bytes has no end of line`);
  return { frame: { kind, text: bytes.toString('latin1', start, end - 2) }, end };
}

function parseChildren(bytes: Buffer, kind: string, start: number, count: number): Parsed | number {
  const children: Frame[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    const child = parseFrame(bytes, at);
    if (typeof child === 'number') return child;
    children.push(child.frame);
    at = child.end;
  }
  return { frame: { kind, children }, end: at };
}

/** The single complete reply that `raw` (latin1) holds. */
export function frameOf(raw: string): Frame {
  const parsed = parseFrame(Buffer.from(raw, 'latin1'), 0);
  if (typeof parsed === 'number' || parsed.end !== raw.length) {
    throw new Error(`not exactly one reply: ${JSON.stringify(raw)}`);
  }
  return parsed.frame;
}

/** The wire form of a frame: `encodeFrame(frameOf(raw)) === raw`. */
export function encodeFrame({ kind, text, children }: Frame): string {
  if (children !== undefined) {
    const count = kind === '%' ? children.length / 2 : children.length;
    return `${kind}${count}\r\n${children.map(encodeFrame).join('')}`;
  }
  if (text === undefined) return `${kind}-1\r\n`;
  return BULK_KINDS.includes(kind) ? `${kind}${text.length}\r\n${text}\r\n` : `${kind}${text}\r\n`;
}

/** An error reply. A value, never thrown: tests compare it like any other reply. */
export class ReplyError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** A RESP3 push: a message that answers no command. */
export class Push {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

export type Value =
  | null
  | string
  | number
  | bigint
  | boolean
  | ReplyError
  | Push
  | Set<Value>
  | Map<Value, Value>
  | readonly Value[];

/** A frame as the JS value a test wants to assert on. An integer too big for a number is a bigint. */
export function toValue({ kind, text, children }: Frame): Value {
  if (children !== undefined) return aggregateOf(kind, children.map(toValue));
  if (text === undefined || kind === '_') return null;
  switch (kind) {
    case '-':
    case '!':
      return new ReplyError(text);
    case ':':
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
    case '(':
      return BigInt(text);
    case ',':
      return Number(text.replace('inf', 'Infinity'));
    case '#':
      return text === 't';
    case '=':
      return text.slice('txt:'.length);
    default:
      return text;
  }
}

function aggregateOf(kind: string, items: Value[]): Value {
  if (kind === '>') return new Push(items);
  if (kind === '~') return new Set(items);
  if (kind !== '%') return items;
  const map = new Map<Value, Value>();
  for (let i = 0; i < items.length; i += 2) map.set(items[i] ?? null, items[i + 1] ?? null);
  return map;
}
