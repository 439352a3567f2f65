// The commands of Redis by group: those of 7.0, and by version what came up to 8.4. Names only, for the table of
// docs/compatibility.md. Commands of modules (JSON, search, time series, probabilistic, vector sets) are not among them.

export type Version = '7.0' | '7.2' | '7.4' | '8.0' | '8.2' | '8.4';

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const REDIS_COMMANDS = {
  string: {
    '7.0': words(`
      append decr decrby get getdel getex getrange getset incr incrby incrbyfloat lcs mget mset
      msetnx psetex set setex setnx setrange strlen substr
    `),
    '8.4': words('delex digest msetex'),
  },
  generic: {
    '7.0': words(`
      copy del dump exists expire expireat expiretime keys migrate move object object|encoding
      object|freq object|help object|idletime object|refcount persist pexpire pexpireat
      pexpiretime pttl randomkey rename renamenx restore scan sort sort_ro touch ttl type unlink
      wait
    `),
    '7.2': words('waitaof'),
  },
  connection: {
    '7.0': words(`
      auth client client|caching client|getname client|getredir client|help client|id
      client|info client|kill client|list client|no-evict client|pause client|reply
      client|setname client|tracking client|trackinginfo client|unblock client|unpause echo
      hello ping quit reset select
    `),
    '7.2': words('client|no-touch client|setinfo'),
  },
  transactions: {
    '7.0': words('discard exec multi unwatch watch'),
  },
  pubsub: {
    '7.0': words(`
      psubscribe publish pubsub pubsub|channels pubsub|help pubsub|numpat pubsub|numsub
      pubsub|shardchannels pubsub|shardnumsub punsubscribe spublish ssubscribe subscribe
      sunsubscribe unsubscribe
    `),
  },
  scripting: {
    '7.0': words(`
      eval eval_ro evalsha evalsha_ro fcall fcall_ro function function|delete function|dump
      function|flush function|help function|kill function|list function|load function|restore
      function|stats script script|debug script|exists script|flush script|help script|kill
      script|load
    `),
  },
  server: {
    '7.0': words(`
      acl acl|cat acl|deluser acl|dryrun acl|genpass acl|getuser acl|help acl|list acl|load
      acl|log acl|save acl|setuser acl|users acl|whoami bgrewriteaof bgsave command
      command|count command|docs command|getkeys command|getkeysandflags command|help
      command|info command|list config config|get config|help config|resetstat config|rewrite
      config|set dbsize debug failover flushall flushdb info lastsave latency latency|doctor
      latency|graph latency|help latency|histogram latency|history latency|latest latency|reset
      lolwut memory memory|doctor memory|help memory|malloc-stats memory|purge memory|stats
      memory|usage module module|help module|list module|load module|loadex module|unload
      monitor psync replconf replicaof restore-asking role save shutdown slaveof slowlog
      slowlog|get slowlog|help slowlog|len slowlog|reset swapdb sync time
    `),
  },
  hash: {
    '7.0': words(`
      hdel hexists hget hgetall hincrby hincrbyfloat hkeys hlen hmget hmset hrandfield hscan
      hset hsetnx hstrlen hvals
    `),
    '7.4': words('hexpire hexpireat hexpiretime hpersist hpexpire hpexpireat hpexpiretime hpttl httl'),
    '8.0': words('hgetdel hgetex hsetex'),
  },
  list: {
    '7.0': words(`
      blmove blmpop blpop brpop brpoplpush lindex linsert llen lmove lmpop lpop lpos lpush
      lpushx lrange lrem lset ltrim rpop rpoplpush rpush rpushx
    `),
  },
  set: {
    '7.0': words(`
      sadd scard sdiff sdiffstore sinter sintercard sinterstore sismember smembers smismember
      smove spop srandmember srem sscan sunion sunionstore
    `),
  },
  'sorted-set': {
    '7.0': words(`
      bzmpop bzpopmax bzpopmin zadd zcard zcount zdiff zdiffstore zincrby zinter zintercard
      zinterstore zlexcount zmpop zmscore zpopmax zpopmin zrandmember zrange zrangebylex
      zrangebyscore zrangestore zrank zrem zremrangebylex zremrangebyrank zremrangebyscore
      zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore zunion zunionstore
    `),
  },
  stream: {
    '7.0': words(`
      xack xadd xautoclaim xclaim xdel xgroup xgroup|create xgroup|createconsumer
      xgroup|delconsumer xgroup|destroy xgroup|help xgroup|setid xinfo xinfo|consumers
      xinfo|groups xinfo|help xinfo|stream xlen xpending xrange xread xreadgroup xrevrange
      xsetid xtrim
    `),
    '8.2': words('xackdel xdelex'),
  },
  bitmap: {
    '7.0': words('bitcount bitfield bitfield_ro bitop bitpos getbit setbit'),
  },
  hyperloglog: {
    '7.0': words('pfadd pfcount pfdebug pfmerge pfselftest'),
  },
  geo: {
    '7.0': words(`
      geoadd geodist geohash geopos georadius georadius_ro georadiusbymember
      georadiusbymember_ro geosearch geosearchstore
    `),
  },
  cluster: {
    '7.0': words(`
      asking cluster cluster|addslots cluster|addslotsrange cluster|bumpepoch
      cluster|count-failure-reports cluster|countkeysinslot cluster|delslots
      cluster|delslotsrange cluster|failover cluster|flushslots cluster|forget
      cluster|getkeysinslot cluster|help cluster|info cluster|keyslot cluster|links cluster|meet
      cluster|myid cluster|nodes cluster|replicas cluster|replicate cluster|reset
      cluster|saveconfig cluster|set-config-epoch cluster|setslot cluster|shards cluster|slaves
      cluster|slots readonly readwrite
    `),
    '7.2': words('cluster|myshardid'),
    '8.2': words('cluster|slot-stats'),
    '8.4': words('cluster|migration'),
  },
} satisfies Readonly<Record<string, Partial<Readonly<Record<Version, readonly string[]>>>>>;

export type RedisGroup = keyof typeof REDIS_COMMANDS;
