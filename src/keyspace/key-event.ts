// Keyspace events: the names and classes that Redis gives to what happens to a key (notify-keyspace-events).

/** Classes, as bits of the `notify-keyspace-events` setting, with Redis' letters. */
export const EVENT_CLASS = {
  keyspace: 1 << 0, // K
  keyevent: 1 << 1, // E
  generic: 1 << 2, // g
  string: 1 << 3, // $
  list: 1 << 4, // l
  set: 1 << 5, // s
  hash: 1 << 6, // h
  zset: 1 << 7, // z
  expired: 1 << 8, // x
  evicted: 1 << 9, // e
  stream: 1 << 10, // t
  keymiss: 1 << 11, // m
  module: 1 << 12, // d
  created: 1 << 13, // n
} as const;

export interface KeyEvent {
  readonly name: string;
  readonly eventClass: number;
}

const generic = (name: string): KeyEvent => ({ name, eventClass: EVENT_CLASS.generic });
const string = (name: string): KeyEvent => ({ name, eventClass: EVENT_CLASS.string });

export const EVENT = {
  del: generic('del'),
  expire: generic('expire'),
  persist: generic('persist'),
  renameFrom: generic('rename_from'),
  renameTo: generic('rename_to'),
  moveFrom: generic('move_from'),
  moveTo: generic('move_to'),
  copyTo: generic('copy_to'),
  set: string('set'),
  setrange: string('setrange'),
  append: string('append'),
  incrby: string('incrby'),
  incrbyfloat: string('incrbyfloat'),
  expired: { name: 'expired', eventClass: EVENT_CLASS.expired },
  created: { name: 'new', eventClass: EVENT_CLASS.created },
  /** A change that nobody is told of by name, such as that of a key which gives way to another (RENAME). */
  silent: { name: '', eventClass: 0 },
  keymiss: { name: 'keymiss', eventClass: EVENT_CLASS.keymiss },
} as const satisfies Record<string, KeyEvent>;
