// Keyspace events: the names and classes that Redis gives to what happens to a key (notify-keyspace-events).

/** Classes as bits. */
export const EVENT_CLASS = {
  keyspace: 1 << 0,
  keyevent: 1 << 1,
  generic: 1 << 2,
  string: 1 << 3,
  list: 1 << 4,
  set: 1 << 5,
  hash: 1 << 6,
  zset: 1 << 7,
  expired: 1 << 8,
  evicted: 1 << 9,
  stream: 1 << 10,
  keymiss: 1 << 11,
  module: 1 << 12,
  created: 1 << 13,
} as const;

/** The letters of `notify-keyspace-events`. */
const CLASS_OF_LETTER: Readonly<Record<string, number>> = {
  K: EVENT_CLASS.keyspace,
  E: EVENT_CLASS.keyevent,
  g: EVENT_CLASS.generic,
  $: EVENT_CLASS.string,
  l: EVENT_CLASS.list,
  s: EVENT_CLASS.set,
  h: EVENT_CLASS.hash,
  z: EVENT_CLASS.zset,
  x: EVENT_CLASS.expired,
  e: EVENT_CLASS.evicted,
  t: EVENT_CLASS.stream,
  m: EVENT_CLASS.keymiss,
  d: EVENT_CLASS.module,
  n: EVENT_CLASS.created,
};

/** What "A" stands for: all classes but key misses and new keys. */
const USUAL_LETTERS = 'g$lshzxetd';

/** The classes that letters ask for, as bits. Letters of events that do not happen here (`o`, `c`) ask for none. */
export function eventClassesOf(letters: string): number {
  let classes = 0;
  for (const letter of letters.replace('A', USUAL_LETTERS)) classes |= CLASS_OF_LETTER[letter] ?? 0;
  return classes;
}

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
