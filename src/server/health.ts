// `holdfast ping`: asks a running server whether it answers. For container health checks and scripts.

import { createRequire } from 'node:module';
import { connect, type NetConnectOpts } from 'node:net';

/** The replies' parser of the Redis clients; it has no types of its own. */
interface ReplyParser {
  execute(bytes: Buffer): void;
}
type ReplyParserClass = new (options: {
  returnReply(reply: unknown): void;
  returnError(error: Error): void;
  returnFatalError(error: Error): void;
}) => ReplyParser;

const Parser = createRequire(import.meta.url)('redis-parser') as ReplyParserClass;

export interface HealthCheck {
  readonly target: NetConnectOpts;
  readonly password: string;
  readonly timeoutMs: number;
}

/** Resolves if the server says PONG; rejects with the reason in one line otherwise. */
export function checkHealth({ target, password, timeoutMs }: HealthCheck): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const fail = (reason: string): void => {
      socket.destroy();
      reject(new Error(reason));
    };
    const parser = new Parser({
      returnReply: (reply) => {
        if (reply !== 'PONG') return; // the OK of AUTH comes first
        socket.end();
        resolve();
      },
      returnError: (error) => fail(error.message),
      returnFatalError: (error) => fail(error.message),
    });
    socket.setTimeout(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('the server closed the connection'));
    socket.on('data', (bytes) => parser.execute(bytes));
    if (password !== '') socket.write(encode(['AUTH', password]));
    socket.write(encode(['PING']));
  });
}

function encode(words: readonly string[]): Buffer {
  return Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`,
    'latin1',
  );
}
