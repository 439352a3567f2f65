// The lock as an application writes it that has no library: three scripts of its own.

/** Reply OK, or null if somebody has the lock. Arguments: token, lease in ms. */
export const ACQUIRE = `
  if redis.call('EXISTS', KEYS[1]) == 1 then return nil end
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`;

/** Reply 1, or 0 if the lock is not the token's. Arguments: token, lease in ms. */
export const RENEW = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** Reply 1, or 0 if the lock is not the token's. Argument: token. */
export const RELEASE = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;
