// Where a command's metadata is meant to differ from redis-server 7.0.15: name, field, and why.
//
// Either a newer Redis says so, or Holdfast does less and does not claim more.

export const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'command|getkeys': {
    arity: '-3 since 7.2: a command without arguments is asked about too',
    arguments: 'documented since 7.2',
  },
  'command|getkeysandflags': {
    arity: '-3 since 7.2: a command without arguments is asked about too',
    arguments: 'documented since 7.2',
  },
};
