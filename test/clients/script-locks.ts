// Lock libraries that no test can run here (Go, Java, .NET, PHP, Ruby, other Pythons), by what their scripts do: each has
// three scripts of our own that ask of the server what theirs ask, and answer as theirs do. None of their text is here.

/** A Lua script with its arguments, or a plain command. */
export type Step =
  | { readonly lua: string; readonly args: (token: string, leaseMs: number) => readonly (string | number)[] }
  | {
      readonly command: (key: string, token: string, leaseMs: number) => readonly (string | number)[];
    };

/** How a library sends its scripts. */
export type Sending = 'EVAL' | 'EVALSHA or EVAL' | 'EVALSHA or SCRIPT LOAD';

/** A reply as a test sees it; an error by its text. */
export type Reply = number | string | null | { readonly error: string };

export interface ScriptLock {
  readonly sending: Sending;
  /** Locks so many keys at once. */
  readonly keys?: 2;
  readonly acquire: Step;
  readonly renew: Step;
  readonly release: Step;
  readonly replies: {
    /** To acquire what is free, what is held, and what the same token holds already. */
    readonly acquire: { readonly free: Reply; readonly held: Reply; readonly again: Reply };
    readonly renew: Outcomes;
    readonly release: Outcomes;
  };
}

/** To do it with a lock that is one's own, somebody else's, nobody's. */
interface Outcomes {
  readonly own: Reply;
  readonly foreign: Reply;
  readonly missing: Reply;
}

const tokenOnly = (token: string) => [token];
const tokenAndMs = (token: string, leaseMs: number) => [token, leaseMs];
const tokenAndSeconds = (token: string, leaseMs: number) => [token, leaseMs / 1000];

const setNxPx: Step = { command: (key, token, leaseMs) => ['SET', key, token, 'NX', 'PX', leaseMs] };
const SET_NX_REPLIES = { free: 'OK', held: null, again: null };
const ONE_OR_ZERO: Outcomes = { own: 1, foreign: 0, missing: 0 };

const expireIfOwn: Step = {
  lua: `if redis.call("get", KEYS[1]) == ARGV[1] then
          return redis.call("pexpire", KEYS[1], ARGV[2])
        else
          return 0
        end`,
  args: tokenAndMs,
};
const deleteIfOwn: Step = {
  lua: `if redis.call("get", KEYS[1]) == ARGV[1] then
          return redis.call("del", KEYS[1])
        else
          return 0
        end`,
  args: tokenOnly,
};

/** Tells a lock that is gone from one that is somebody else's. */
const redsyncRelease: Step = {
  lua: `local found = redis.call("GET", KEYS[1])
        if found == ARGV[1] then return redis.call("DEL", KEYS[1]) end
        if found == false then return -1 end
        return 0`,
  args: tokenOnly,
};

const redsync: ScriptLock = {
  sending: 'EVALSHA or EVAL',
  acquire: { command: (key, token, leaseMs) => ['set', key, token, 'px', leaseMs, 'nx'] },
  renew: expireIfOwn,
  release: redsyncRelease,
  replies: { acquire: SET_NX_REPLIES, renew: ONE_OR_ZERO, release: { own: 1, foreign: 0, missing: -1 } },
};

/** Redsync's option to take a lock again that has run out: the reply of a SET that did nothing is false. */
const redsyncTakingAgain: ScriptLock = {
  ...redsync,
  renew: {
    lua: `if redis.call("GET", KEYS[1]) == ARGV[1] then
            return redis.call("PEXPIRE", KEYS[1], ARGV[2])
          elseif redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2], "NX") then
            return 1
          end
          return 0`,
    args: tokenAndMs,
  },
  replies: { ...redsync.replies, renew: { own: 1, foreign: 0, missing: 1 } },
};

/** Several keys in one step, by MSETNX; a holder is known by how its value begins. */
const bsmRedislock: ScriptLock = {
  sending: 'EVALSHA or EVAL',
  keys: 2,
  acquire: {
    lua: `local function pairsOf(value)
            local list = {}
            for _, key in ipairs(KEYS) do
              table.insert(list, key)
              table.insert(list, value)
            end
            return unpack(list)
          end
          if redis.call("msetnx", pairsOf(ARGV[1])) == 0 then
            local prefix = string.sub(ARGV[1], 1, tonumber(ARGV[2]))
            for _, key in ipairs(KEYS) do
              if redis.call("getrange", key, 0, tonumber(ARGV[2]) - 1) ~= prefix then return false end
            end
            redis.call("mset", pairsOf(ARGV[1]))
          end
          for _, key in ipairs(KEYS) do redis.call("pexpire", key, ARGV[3]) end
          return redis.status_reply("OK")`,
    args: (token, leaseMs) => [token, token.length, leaseMs],
  },
  renew: {
    lua: `for _, found in ipairs(redis.call("mget", unpack(KEYS))) do
            if found ~= ARGV[1] then return false end
          end
          for _, key in ipairs(KEYS) do redis.call("pexpire", key, ARGV[2]) end
          return redis.status_reply("OK")`,
    args: tokenAndMs,
  },
  release: {
    lua: `for _, found in ipairs(redis.call("mget", unpack(KEYS))) do
            if found ~= ARGV[1] then return false end
          end
          redis.call("del", unpack(KEYS))
          return redis.status_reply("OK")`,
    args: tokenOnly,
  },
  replies: {
    acquire: { free: 'OK', held: null, again: 'OK' },
    renew: { own: 'OK', foreign: null, missing: null },
    release: { own: 'OK', foreign: null, missing: null },
  },
};

/** Replies are Lua's true and false; whoever waits is told by a message. */
const springIntegration: ScriptLock = {
  sending: 'EVALSHA or EVAL',
  acquire: {
    lua: `local holder = redis.call('GET', KEYS[1])
          if holder == ARGV[1] then
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return true
          elseif not holder then
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            return true
          end
          return false`,
    args: tokenAndMs,
  },
  renew: {
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return true
          end
          return false`,
    args: tokenAndMs,
  },
  release: {
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then
            redis.call('UNLINK', KEYS[1])
            redis.call('PUBLISH', ARGV[2], KEYS[1])
            return true
          end
          return false`,
    args: (token) => [token, 'registry-channel'],
  },
  replies: {
    acquire: { free: 1, held: null, again: 1 },
    renew: { own: 1, foreign: null, missing: null },
    release: { own: 1, foreign: null, missing: null },
  },
};

/** Leases in seconds; none at all when there are none. */
const laravel: ScriptLock = {
  sending: 'EVAL',
  acquire: { command: (key, token, leaseMs) => ['SET', key, token, 'EX', leaseMs / 1000, 'NX'] },
  renew: {
    lua: `if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
          if tonumber(ARGV[2]) > 0 then return redis.call("expire", KEYS[1], ARGV[2]) end
          return redis.call("persist", KEYS[1])`,
    args: tokenAndSeconds,
  },
  release: deleteIfOwn,
  replies: { acquire: SET_NX_REPLIES, renew: ONE_OR_ZERO, release: ONE_OR_ZERO },
};

/** Laravel's cache adds a value by one expression: a status if it did, Lua's false if not. */
const laravelAdd: ScriptLock = {
  ...laravel,
  acquire: {
    lua: `return redis.call('exists', KEYS[1]) < 1 and redis.call('setex', KEYS[1], ARGV[2], ARGV[1])`,
    args: tokenAndSeconds,
  },
};

/** Symfony's way with types, times and numbers. Its locks are sorted sets: here a string stands for one. */
const symfony: ScriptLock = {
  sending: 'EVALSHA or SCRIPT LOAD',
  acquire: {
    lua: `local kind = redis.call("TYPE", KEYS[1]).ok
          if kind == "string" and redis.call("GET", KEYS[1]) ~= ARGV[1] then return false end
          local time = redis.call("TIME")
          local now = math.floor(time[1] * 1000 + time[2] / 1000)
          redis.call("SET", KEYS[1], ARGV[1])
          redis.call("PEXPIREAT", KEYS[1], now + ARGV[2])
          return true`,
    args: tokenAndMs,
  },
  renew: {
    lua: `if redis.call("TYPE", KEYS[1]).ok ~= "string" or redis.call("GET", KEYS[1]) ~= ARGV[1] then
            return false
          end
          local time = redis.call("TIME")
          local now = math.floor(time[1] * 1000 + time[2] / 1000)
          return redis.call("PEXPIREAT", KEYS[1], now + ARGV[2]) == 1`,
    args: tokenAndMs,
  },
  release: deleteIfOwn,
  replies: {
    acquire: { free: 1, held: null, again: 1 },
    renew: { own: 1, foreign: null, missing: null },
    release: ONE_OR_ZERO,
  },
};

const shedLock: ScriptLock = {
  sending: 'EVAL',
  acquire: setNxPx,
  renew: expireIfOwn,
  release: deleteIfOwn,
  replies: { acquire: SET_NX_REPLIES, renew: ONE_OR_ZERO, release: ONE_OR_ZERO },
};

/** One script acquires and renews; a flag says whether what is gone may be taken. */
const REDLOCK_RB_LOCK = `
  local gone = redis.call("exists", KEYS[1]) == 0
  if (gone and ARGV[3] == "yes") or redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2])
  end`;

const redlockRb: ScriptLock = {
  sending: 'EVALSHA or SCRIPT LOAD',
  acquire: { lua: REDLOCK_RB_LOCK, args: (token, leaseMs) => [token, leaseMs, 'yes'] },
  renew: { lua: REDLOCK_RB_LOCK, args: (token, leaseMs) => [token, leaseMs, 'no'] },
  release: deleteIfOwn,
  replies: {
    acquire: { free: 'OK', held: null, again: 'OK' },
    renew: { own: 'OK', foreign: null, missing: null },
    release: ONE_OR_ZERO,
  },
};

/** Renewal takes again what is gone. The reply of SET is a table, so it is true. */
const redLockNet: ScriptLock = {
  sending: 'EVALSHA or SCRIPT LOAD',
  acquire: setNxPx,
  renew: {
    lua: `local found = redis.call('get', KEYS[1])
          if found == false then
            return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) and 1 or 0
          elseif found == ARGV[1] then
            return redis.call('pexpire', KEYS[1], ARGV[2])
          end
          return -1`,
    args: tokenAndMs,
  },
  release: deleteIfOwn,
  replies: { acquire: SET_NX_REPLIES, renew: { own: 1, foreign: -1, missing: 1 }, release: ONE_OR_ZERO },
};

/** Codes instead of truths: 0 went well, 1 not the owner, 2 no lease. Its release also pushes to a list: that waits. */
const pythonRedisLock: ScriptLock = {
  sending: 'EVALSHA or SCRIPT LOAD',
  acquire: { command: (key, token, leaseMs) => ['SET', key, token, 'NX', 'EX', leaseMs / 1000] },
  renew: {
    lua: `if redis.call("get", KEYS[1]) ~= ARGV[1] then return 1 end
          if redis.call("ttl", KEYS[1]) < 0 then return 2 end
          redis.call("expire", KEYS[1], ARGV[2])
          return 0`,
    args: tokenAndSeconds,
  },
  release: {
    lua: `if redis.call("get", KEYS[1]) ~= ARGV[1] then return 1 end
          redis.call("del", KEYS[1])
          return 0`,
    args: tokenOnly,
  },
  replies: {
    acquire: SET_NX_REPLIES,
    renew: { own: 0, foreign: 1, missing: 1 },
    release: { own: 0, foreign: 1, missing: 1 },
  },
};

/** Failure is an error reply of one word, which Redis 7 puts ERR before. */
const REFUSED = { error: 'ERR ERROR' };

const aioredlock: ScriptLock = {
  sending: 'EVALSHA or SCRIPT LOAD',
  acquire: {
    lua: `local found = redis.call('get', KEYS[1])
          if found and found ~= ARGV[1] then return redis.error_reply('ERROR') end
          redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
          return redis.status_reply('OK')`,
    args: tokenAndMs,
  },
  renew: {
    lua: `if redis.call('get', KEYS[1]) ~= ARGV[1] then return redis.error_reply('ERROR') end
          return redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])`,
    args: tokenAndMs,
  },
  release: {
    lua: `if redis.call('get', KEYS[1]) ~= ARGV[1] then return redis.error_reply('ERROR') end
          redis.pcall('del', KEYS[1])
          return redis.status_reply('OK')`,
    args: tokenOnly,
  },
  replies: {
    acquire: { free: 'OK', held: REFUSED, again: 'OK' },
    renew: { own: 'OK', foreign: REFUSED, missing: REFUSED },
    release: { own: 'OK', foreign: REFUSED, missing: REFUSED },
  },
};

export const SCRIPT_LOCKS: Readonly<Record<string, ScriptLock>> = {
  redsync,
  'redsync, taking again what has run out': redsyncTakingAgain,
  'bsm/redislock': bsmRedislock,
  'Spring Integration': springIntegration,
  Laravel: laravel,
  "Laravel's add": laravelAdd,
  Symfony: symfony,
  ShedLock: shedLock,
  'redlock-rb': redlockRb,
  'RedLock.net': redLockNet,
  'python-redis-lock': pythonRedisLock,
  aioredlock,
};
