// The locks that benches use, and how each contestant renews and releases them: by our native commands where the
// server has them, else by the scripts that lock libraries send to Redis.

import type { Client } from './client.ts';
import { KEY } from './request-template.ts';

/** 36 bytes, as the UUIDs that most lock libraries use. */
export const TOKEN = '7c3f1d8a-8c55-4a1e-9d3b-0a1b2c3d4e5f';
export const LONG_TTL_MS = 3_600_000;

const RENEW_SCRIPT =
  'if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("pexpire",KEYS[1],ARGV[2]) else return 0 end';
const RELEASE_SCRIPT =
  'if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end';

export interface LockCommands {
  /** The name of the form that was found, for the report. */
  form: 'native' | 'EVALSHA';
  renew(key: string, token: string, ttlMs: number): string[];
  release(key: string, token: string): string[];
  /** The same by script, on every server. */
  renewByScript(key: string, token: string, ttlMs: number): string[];
  releaseByScript(key: string, token: string): string[];
}

export function acquire(ttlMs: number): string[] {
  return ['SET', KEY, TOKEN, 'PX', String(ttlMs)];
}

export async function lockCommands(client: Client): Promise<LockCommands> {
  const renewSha = String(await client.command('SCRIPT', 'LOAD', RENEW_SCRIPT));
  const releaseSha = String(await client.command('SCRIPT', 'LOAD', RELEASE_SCRIPT));
  const renewByScript: LockCommands['renew'] = (key, token, ttlMs) => {
    return ['EVALSHA', renewSha, '1', key, token, String(ttlMs)];
  };
  const releaseByScript: LockCommands['release'] = (key, token) => ['EVALSHA', releaseSha, '1', key, token];
  if (!(await hasNativeLocks(client))) {
    return {
      form: 'EVALSHA',
      renew: renewByScript,
      release: releaseByScript,
      renewByScript,
      releaseByScript,
    };
  }
  return {
    form: 'native',
    renew: (key, token, ttlMs) => ['GOBLIN.CAEXPIRE', key, token, String(ttlMs)],
    release: (key, token) => ['GOBLIN.CAD', key, token],
    renewByScript,
    releaseByScript,
  };
}

async function hasNativeLocks(client: Client): Promise<boolean> {
  try {
    await client.command('GOBLIN.CAEXPIRE', 'bench:no-such-lock', TOKEN, '1000');
    return true;
  } catch (error) {
    if (error instanceof Error && /unknown command/i.test(error.message)) return false;
    throw error;
  }
}
