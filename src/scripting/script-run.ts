// One run of a script: what it may do, what it has done, and what it was told so far.
//
// Code that cannot be interrupted may turn out to run long; then the run starts over with code that can (lua/script.ts).
// Nothing may happen twice, so everything the script learned from outside (replies, the time) was written down and is
// told again, in order; only then does the run touch the world again.

import { LuaTable } from '../lua/table.ts';
import type { LuaValue } from '../lua/value.ts';
import type { RespVersion } from '../protocol/reply.ts';

export interface Permissions {
  /** Commands that write are refused. */
  readonly isReadOnly: boolean;
  /** Commands that take memory are refused, until the script has written something. */
  readonly isShortOfMemory: boolean;
}

/** A value the script was told, or the text of an error that a command replied. */
type Told = { readonly value: LuaValue } | { readonly failure: string };

export class ScriptRun {
  readonly permissions: Permissions;
  /** 0 until somebody asks how long it takes. */
  startedMs = 0;
  /** What errors say of where they come from: `script: <sha>, on @user_script`. */
  readonly label: string;
  /** What runs is a function: its name, and the command that has called it, once others may ask. */
  call: { readonly functionName: string; words: readonly string[] } | undefined = undefined;
  resp: RespVersion = 2;
  /** Something was changed: from now on it cannot be killed. */
  hasWritten = false;
  isKilled = false;
  /** When it last let go of the loop, or could have. */
  lastBreathMs = 0;
  readonly #told: Told[] | undefined;
  /** How much of it is told again; all of it at the first time. */
  #next = 0;
  #isTellingAgain = false;

  /** `mayStartOver`: what it is told is written down. */
  constructor(label: string, permissions: Permissions, mayStartOver: boolean) {
    this.label = label;
    this.permissions = permissions;
    this.#told = mayStartOver ? [] : undefined;
  }

  get mayStartOver(): boolean {
    return this.#told !== undefined && !this.#isTellingAgain;
  }

  startOver(): void {
    this.#next = 0;
    this.#isTellingAgain = true;
    this.resp = 2;
  }

  /** What the script was told at this point the first time, if this is the second. */
  toldBefore(): Told | undefined {
    if (!this.#isTellingAgain) return undefined;
    const told = this.#told![this.#next++];
    return told !== undefined && 'value' in told ? { value: copy(told.value) } : told;
  }

  /** Writes down what the script is being told. */
  tell(told: Told): void {
    if (this.#told === undefined || this.#isTellingAgain) return;
    this.#told.push('value' in told ? { value: copy(told.value) } : told);
  }
}

/** The script may change a table that it was given, and must get it unchanged the second time. */
function copy(value: LuaValue): LuaValue {
  if (!(value instanceof LuaTable)) return value;
  const table = new LuaTable(value.list.map(copy));
  for (const [key, each] of value.entries()) {
    if (typeof key !== 'number' || table.get(key) === undefined) table.set(copy(key), copy(each));
  }
  return table;
}
