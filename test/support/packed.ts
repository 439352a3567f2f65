// Packed values for tests: bytes that stand in the middle of others, as in the arena, and what redis-server's DUMP holds.

import { crc64 } from '../../src/bytes/crc64.ts';
import { ByteView } from '../../src/bytes/view.ts';
import { ListpackWriter } from '../../src/collections/listpack-writer.ts';
import type { PackedValues } from '../../src/collections/packed-value.ts';
import type { RespClient } from './resp-client.ts';

const MARGIN_BYTES = 11;

/** A view of these bytes among others that nobody may look at or touch. */
export function placed(bytes: Buffer): ByteView {
  const around = Buffer.alloc(bytes.length + 2 * MARGIN_BYTES, 0x37);
  bytes.copy(around, MARGIN_BYTES);
  return new ByteView(around, MARGIN_BYTES, bytes.length);
}

export function listpackOf(elements: readonly string[]): Buffer {
  const writer = new ListpackWriter();
  for (const element of elements) writer.add(ByteView.of(element));
  return writer.listpack().copy();
}

/** One packed value that moves whenever it gets another length, and whose old bytes are gone then. */
export class MovingValue implements PackedValues {
  view: ByteView;

  constructor(bytes: Buffer) {
    this.view = placed(bytes);
  }

  resize(_slot: number, length: number): ByteView {
    const old = this.view;
    this.view = placed(Buffer.alloc(length));
    old.buffer.copy(this.view.buffer, this.view.start, old.start, old.start + Math.min(length, old.length));
    const { buffer, start } = old;
    this.#margins(old);
    buffer.fill(0xee, start, start + old.length);
    return this.view;
  }

  /** The bytes, once nothing around them has been written to. */
  get bytes(): Buffer {
    this.#margins(this.view);
    return this.view.copy();
  }

  #margins({ buffer, start, length }: ByteView): void {
    const margins = Buffer.concat([buffer.subarray(0, start), buffer.subarray(start + length)]);
    if (margins.some((byte) => byte !== 0x37)) throw new Error('written beyond the value');
  }
}

// --- payloads of DUMP: type, the value, version (2 bytes), checksum (8)

export const RDB_TYPE = { intset: 11, hashListpack: 16, zsetListpack: 17, quicklist: 18 } as const;

const FOOTER_BYTES = 10;

/** The payload of a key, taken apart: its type and the one packed string it holds (the first node of a list). */
export async function dumped(client: RespClient, key: string): Promise<{ type: number; bytes: Buffer }> {
  const raw = Buffer.from(await client.raw('DUMP', key), 'latin1');
  const payload = raw.subarray(raw.indexOf('\r\n') + 2, -2);
  const type = payload[0]!;
  // A list tells how many nodes it has, and of each that it is packed.
  let at = type === RDB_TYPE.quicklist ? 3 : 1;
  if (type === RDB_TYPE.quicklist && (payload[1] !== 1 || payload[2] !== 2))
    throw new Error('not one packed node');
  const first = payload[at]!;
  if (first < 0x40) at += 1;
  else if (first < 0x80) at += 2;
  else at += 5;
  return { type, bytes: payload.subarray(at, payload.length - FOOTER_BYTES) };
}

/** The payload for RESTORE of a value that is one packed string (a list: one node). 10 is the version of Redis 7.0. */
export function payloadOf(type: number, bytes: Buffer): Buffer {
  const length = Buffer.alloc(5, 0x80);
  length.writeUInt32BE(bytes.length, 1);
  const node = type === RDB_TYPE.quicklist ? [1, 2] : [];
  const payload = Buffer.concat([Buffer.from([type, ...node]), length, bytes, Buffer.from([10, 0])]);
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(crc64(payload, 0, payload.length));
  return Buffer.concat([payload, checksum]);
}
