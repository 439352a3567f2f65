// redis-py, in a Python of its own: the stories are in redis-py.py.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';
import { startOurs } from '../support/server.ts';

if (python === undefined) test.skip('no Python with redis-py is installed');

const SCRIPT = fileURLToPath(new URL('redis-py.py', import.meta.url));
const PASSWORD = 'correct horse';

const STORIES = [
  'logs_in',
  'hands_a_lock_over',
  'reads_and_writes_any_bytes',
  'runs_transactions',
  'receives_what_others_publish',
  'finds_all_keys',
  'gives_errors_as_errors',
  'describes_commands',
  'comes_back',
];

describe.skipIf(python === undefined)('redis-py', () => {
  test('lives all stories', async () => {
    let server = await startOurs({ requirepass: PASSWORD });
    const { port } = server.endpoint;
    const child = spawn(python ?? '', [SCRIPT, String(port), PASSWORD]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = once(child, 'close');
    const told: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      if (line !== 'restart') {
        told.push(line);
        continue;
      }
      await server.stop();
      server = await startOurs({ port, requirepass: PASSWORD });
      child.stdin.write('\n');
    }
    const [code] = await closed;
    await server.stop();
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(told).toEqual(STORIES);
  });
});
