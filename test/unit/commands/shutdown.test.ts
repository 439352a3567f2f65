// SHUTDOWN: asks for the end, says nothing, and does not pretend to save.

import { expect, test } from 'vitest';
import { InProcessServer } from '../../support/in-process.ts';

/** The reply, and how often the server was asked to stop. */
function shutdown(line: string): { reply: string; requests: number; isClosing: boolean } {
  const server = new InProcessServer();
  let requests = 0;
  server.state.requestShutdown = () => requests++;
  return { reply: server.run(line), requests, isClosing: server.client.isClosing };
}

test.each(['SHUTDOWN', 'shutdown nosave', 'SHUTDOWN NOW FORCE', 'SHUTDOWN SAVE FORCE'])(
  '%s stops',
  (line) => {
    expect(shutdown(line)).toEqual({ reply: '', requests: 1, isClosing: true });
  },
);

test.each([
  ['SHUTDOWN SAVE', '-ERR nothing is written to disk yet: a restart forgets all keys and locks\r\n'],
  ['SHUTDOWN ABORT', '-ERR No shutdown in progress.\r\n'],
  ['SHUTDOWN SAVE NOSAVE', '-ERR syntax error\r\n'],
  ['SHUTDOWN LATER', '-ERR syntax error\r\n'],
])('%s does not', (line, reply) => {
  expect(shutdown(line)).toEqual({ reply, requests: 0, isClosing: false });
});
