// The `cjson` library: its functions, and the settings with which scripts change how they work.
//
// Settings last as long as `CjsonSettings` says: whoever runs scripts resets it before each, so that no script works by
// the settings of another. (In Redis they stay.) `cjson.new` makes a library with settings of its own.

import { type Args, checkInteger, checkText, isAbsent, toInt32 } from '../arguments.ts';
import type { LuaState } from '../state.ts';
import { LuaTable } from '../table.ts';
import { type LuaFunction, several } from '../value.ts';
import { CJSON_NULL, decodeJson } from './cjson-decode.ts';
import { encodeJson } from './cjson-encode.ts';

const MAX_INT = 2 ** 31 - 1;

/** What scripts can set. */
export class CjsonSettings {
  /** Tables in tables, the outermost counted. */
  encodeMaxDepth = 1000;
  decodeMaxDepth = 1000;
  /** Infinities and NaN: an error, as C prints them, or `null`. */
  encodeInvalidNumbers: boolean | 'null' = false;
  /** Numbers that are not JSON, like 0x10 and nan. */
  decodeInvalidNumbers = true;
  /** Significant digits. */
  encodeNumberPrecision = 14;
  /** Has no effect here: it is about memory. */
  encodeKeepBuffer = true;
  /** Lists with more holes than these allow become objects, else an error. */
  sparseConvert = false;
  /** Places there may be for each value that is there; 0: any number. */
  sparseRatio = 2;
  /** Lists up to this length may have any holes. */
  sparseSafe = 10;
  /** A script has set something. */
  isChanged = false;

  /** Back to how everything begins. */
  reset(): void {
    if (!this.isChanged) return;
    Object.assign(this, DEFAULTS);
  }
}

const DEFAULTS = new CjsonSettings();

type SettingName = Exclude<keyof CjsonSettings, 'reset'>;

export function cjsonLibrary(state: LuaState, settings = new CjsonSettings()): LuaTable {
  const checkOne = (args: Args): void => {
    if (args.length !== 1) throw state.argumentError(1, 'expected 1 argument');
  };
  return LuaTable.from({
    encode: (...args) => {
      checkOne(args);
      return encodeJson(state, settings, args[0]);
    },
    decode: (...args) => {
      checkOne(args);
      return decodeJson(state, settings, checkText(state, args, 0));
    },
    ...settingFunctions(state, settings),
    new: () => cjsonLibrary(state),
    null: CJSON_NULL,
    _NAME: 'cjson',
    _VERSION: '2.1.0',
  });
}

function settingFunctions(state: LuaState, settings: CjsonSettings): Record<string, LuaFunction> {
  /** A function that sets what it is given, if it is given something, and tells what is set. */
  const setting =
    <Name extends SettingName>(name: Name, read: (args: Args) => CjsonSettings[Name]): LuaFunction =>
    (...args) => {
      checkAtMost(state, args, 1);
      settings.isChanged = true;
      if (!isAbsent(args, 0)) settings[name] = read(args);
      return settings[name];
    };
  const flag = (args: Args) => checkFlag(state, args);
  const flagOrNull = (args: Args) => (args[0] === 'null' ? 'null' : checkFlag(state, args));
  const depth = (args: Args) => checkWithin(state, args, 0, 1, MAX_INT);
  return {
    encode_max_depth: setting('encodeMaxDepth', depth),
    decode_max_depth: setting('decodeMaxDepth', depth),
    encode_number_precision: setting('encodeNumberPrecision', (args) => checkWithin(state, args, 0, 1, 14)),
    encode_keep_buffer: setting('encodeKeepBuffer', flag),
    encode_invalid_numbers: setting('encodeInvalidNumbers', flagOrNull),
    decode_invalid_numbers: setting('decodeInvalidNumbers', flag),
    encode_sparse_array: (...args) => {
      checkAtMost(state, args, 3);
      settings.isChanged = true;
      if (!isAbsent(args, 0)) settings.sparseConvert = checkFlag(state, args);
      if (!isAbsent(args, 1)) settings.sparseRatio = checkWithin(state, args, 1, 0, MAX_INT);
      if (!isAbsent(args, 2)) settings.sparseSafe = checkWithin(state, args, 2, 0, MAX_INT);
      return several([settings.sparseConvert, settings.sparseRatio, settings.sparseSafe]);
    },
  };
}

function checkAtMost(state: LuaState, args: Args, count: number): void {
  if (args.length > count) throw state.argumentError(count + 1, 'found too many arguments');
}

/** An `int` within bounds. Whichever argument is out of them, the complaint is about the first. */
function checkWithin(state: LuaState, args: Args, index: number, min: number, max: number): number {
  const value = toInt32(checkInteger(state, args, index));
  if (value >= min && value <= max) return value;
  throw state.argumentError(1, `expected integer between ${min} and ${max}`);
}

/** A boolean or its name. */
function checkFlag(state: LuaState, args: Args): boolean {
  if (typeof args[0] === 'boolean') return args[0];
  const name = checkText(state, args, 0);
  if (name === 'on' || name === 'off') return name === 'on';
  throw state.argumentError(1, `invalid option '${name}'`);
}
