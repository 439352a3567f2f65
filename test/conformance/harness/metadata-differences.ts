// Where a command's metadata is meant to differ from redis-server 7.0.15: name, field, and why.
//
// Either a newer Redis says so, or Holdfast does less and does not claim more.

const ASKS_WITHOUT_ARGUMENTS = {
  arity: '-3 since 7.2: a command without arguments is asked about too',
  arguments: 'documented since 7.2',
};

const ASKS_ALL_NODES = { tips: 'policies for clusters since 7.2' };

export const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'command|getkeys': ASKS_WITHOUT_ARGUMENTS,
  'command|getkeysandflags': ASKS_WITHOUT_ARGUMENTS,
  'config|resetstat': ASKS_ALL_NODES,
  'config|rewrite': ASKS_ALL_NODES,
};
