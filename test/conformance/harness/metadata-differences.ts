// Where a command's metadata is meant to differ from redis-server 7.0.15: name, field, and why.
//
// Either a newer Redis says so, or Holdfast does less and does not claim more.

const ASKS_WITHOUT_ARGUMENTS = {
  arity: '-3 since 7.2: a command without arguments is asked about too',
  arguments: 'documented since 7.2',
};

const RENEWS_BY_VALUE = {
  history: 'IFEQ is ours: renew a lock only if it holds the token',
  arguments: 'IFEQ is ours',
};

export const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'command|getkeys': ASKS_WITHOUT_ARGUMENTS,
  'command|getkeysandflags': ASKS_WITHOUT_ARGUMENTS,
  expire: RENEWS_BY_VALUE,
  expireat: RENEWS_BY_VALUE,
  pexpire: RENEWS_BY_VALUE,
  pexpireat: RENEWS_BY_VALUE,
  set: {
    history: 'IFEQ, IFNE, IFDEQ, IFDNE since 8.4',
    arguments: 'IFEQ, IFNE, IFDEQ, IFDNE since 8.4',
  },
};
