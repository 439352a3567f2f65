// DEBUG PROTOCOL: one sample of each type of reply, with which authors of clients test their parsers. Redis' values.

import type { Reply } from '../protocol/reply.ts';

const THREE = [0, 1, 2] as const;
const BIG_NUMBER = '1234567999999999999999999999999999999';

const SAMPLES: Readonly<Record<string, (reply: Reply) => void>> = {
  string: (reply) => reply.text('Hello World'),
  integer: (reply) => reply.integer(12345),
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: Redis' sample, not π
  double: (reply) => reply.double(3.141),
  bignum: (reply) => reply.bigNumber(BIG_NUMBER),
  null: (reply) => reply.null(),
  array(reply) {
    reply.array(THREE.length);
    for (const n of THREE) reply.integer(n);
  },
  set(reply) {
    reply.set(THREE.length);
    for (const n of THREE) reply.integer(n);
  },
  map(reply) {
    reply.map(THREE.length);
    for (const n of THREE) {
      reply.integer(n);
      reply.boolean(n === 1);
    }
  },
  // Attributes are told to those who know them only, ahead of the reply they belong to.
  attrib(reply) {
    if (reply.resp === 3) {
      reply.attribute(1);
      reply.text('key-popularity');
      reply.array(2);
      reply.text('key:123');
      reply.integer(90);
    }
    reply.text('Some real reply following the attribute');
  },
  push(reply) {
    if (reply.resp === 2) return reply.error('ERR RESP2 is not supported by this command');
    reply.push(2);
    reply.text('server-cpu-usage');
    reply.integer(42);
    reply.text('Some real reply following the push reply');
  },
  verbatim: (reply) => reply.verbatim('This is a verbatim\nstring'),
  true: (reply) => reply.boolean(true),
  false: (reply) => reply.boolean(false),
};

export function replyProtocolSample(reply: Reply, type: string): void {
  const sample = Object.hasOwn(SAMPLES, type) ? SAMPLES[type] : undefined;
  if (sample !== undefined) return sample(reply);
  const types = Object.keys(SAMPLES).join('|');
  reply.error(`ERR Wrong protocol type name. Please use one of the following: ${types}`);
}
