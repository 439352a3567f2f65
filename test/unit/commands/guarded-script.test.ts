// Scripts that are recognised and run without Lua answer, count and change what they would if they were run as Lua: each is
// run beside itself with `do end` in front, by which it is recognised no more.

import { describe, expect, test } from 'vitest';
import { parse } from '../../../src/lua/parser.ts';
import { guardedCommand } from '../../../src/scripting/guarded-command.ts';
import { InProcessServer } from '../../support/in-process.ts';

const GET = 'redis.call("get",KEYS[1])';

const RECOGNISED = [
  `if ${GET} == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end`,
  `if ${GET} == ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) else return 0 end`,
  `if ARGV[1] == redis.call('GET', KEYS[1]) then return redis.call('EXPIRE', KEYS[1], ARGV[2]) end return 0`,
  `if ${GET} == ARGV[1] then redis.call("unlink",KEYS[1]) return 1 end return -1`,
  `if ${GET} == ARGV[1] then redis.call("del",KEYS[1]) return true else return false end`,
  `if ${GET} == ARGV[1] then return redis.call("get",KEYS[2]) end`,
  `if ${GET} == ARGV[1] then return redis.call("set",KEYS[1],ARGV[2]) else return 'no' end`,
  `if ${GET} == ARGV[1] then return redis.call("incr",KEYS[1]) else return nil end`,
  `if ${GET} == ARGV[1] then return redis.call("persist",KEYS[1]) else return 1.7 end`,
];

const NOT_RECOGNISED = [
  'return 1',
  `if ${GET} ~= ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end`,
  `if ${GET} == "x" then return redis.call("del",KEYS[1]) else return 0 end`,
  `if redis.pcall("get",KEYS[1]) == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end`,
  `if ${GET} == ARGV[1] then return redis.call("del",KEYS[1]) elseif true then return 1 end return 0`,
  `if ${GET} == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end return 1`,
  `if ${GET} == ARGV[1] then return redis.call("del",KEYS[1]), 1 else return 0 end`,
  `if ${GET} == ARGV[1] then return redis.call("pexpire",KEYS[1],1000) else return 0 end`,
  `if ${GET} == ARGV[1] then return redis.call("del",KEYS[1]) else return ARGV[2] end`,
  `if ${GET} == ARGV[1.5] then return redis.call("del",KEYS[1]) else return 0 end`,
  `if ${GET} == ARGV[0] then return redis.call("del",KEYS[1]) else return 0 end`,
];

/** What KEYS[1] is before, and what the script is given. */
const SETTINGS: readonly (readonly [setup: readonly string[], args: readonly string[]])[] = [
  [[], ['1', 'k', 'token', '5000']],
  [['SET k token PX 60000'], ['1', 'k', 'token', '5000']],
  [['SET k token PX 60000'], ['1', 'k', 'other', '5000']],
  [['SET k token'], ['1', 'k', 'token', 'abc']],
  [['SET k token'], ['1', 'k', 'token', '-1']],
  [['SET k token'], ['1', 'k', 'token', '99999999999999999999']],
  [['SET k token'], ['1', 'k', 'token']],
  [['SET k token'], ['1', 'k']],
  [['SET k token'], ['0', 'token', '5000']],
  [['SET k 7'], ['1', 'k', '7', '5000']],
  [
    ['SET k token', 'SET l other'],
    ['2', 'k', 'l', 'token', '5000'],
  ],
  [
    ['SET k token', 'GETL k 10'],
    ['1', 'k', 'token', '5000'],
  ],
];

interface Trace {
  readonly reply: string;
  readonly state: string;
}

function trace(script: string, setup: readonly string[], args: readonly string[], resp: 2 | 3): Trace {
  const server = new InProcessServer({}, resp);
  const digest = server.call('SCRIPT', 'LOAD', script).slice(5, 45);
  for (const line of setup) server.run(line);
  const reply = server.call('EVALSHA', digest, ...args).replaceAll(digest, 'DIGEST');
  const { keyspaceHits, keyspaceMisses, commandsProcessed } = server.state.stats;
  const inspected = ['GET k', 'PTTL k', 'GET l'].map((line) => server.run(line)).join('');
  const counted = server
    .call('INFO', 'commandstats', 'errorstats')
    .replace(/usec=[\d.]+,usec_per_call=[\d.]+/g, '');
  return { reply, state: [inspected, counted, keyspaceHits, keyspaceMisses, commandsProcessed].join('\n') };
}

describe.each([2, 3] as const)('recognised scripts, RESP%i', (resp) => {
  test.each(RECOGNISED)('%s', (script) => {
    expect(guardedCommand(parse(script, 'user_script'))).toBeDefined();
    for (const [setup, args] of SETTINGS) {
      expect(trace(script, setup, args, resp), `${setup} ${args}`).toEqual(
        trace(`do end ${script}`, setup, args, resp),
      );
    }
  });
});

test.each(NOT_RECOGNISED)('not recognised: %s', (script) => {
  expect(guardedCommand(parse(script, 'user_script'))).toBeUndefined();
});
