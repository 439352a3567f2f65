// The error texts that many commands share, exactly as Redis words them (7.0.15, seen on the wire).

export const WRONG_TYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';
export const SYNTAX_ERROR = 'ERR syntax error';
export const NOT_AN_INTEGER = 'ERR value is not an integer or out of range';
export const NOT_A_FLOAT = 'ERR value is not a valid float';
export const NO_SUCH_KEY = 'ERR no such key';
export const DB_INDEX_OUT_OF_RANGE = 'ERR DB index is out of range';
export const INCREMENT_OVERFLOWS = 'ERR increment or decrement would overflow';
export const STRING_TOO_LONG = 'ERR string exceeds maximum allowed size (proto-max-bulk-len)';
export const OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";
export const NO_AUTH = 'NOAUTH Authentication required.';
export const BUSY = 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.';
export const BUSY_BY_FUNCTION =
  'BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.';

/** A GETL lock holds on a key that the command would change (spec/membase-getl: `EXISTS`). */
export const KEY_IS_LOCKED = 'EXISTS key is locked; supply its cas or wait';

export const invalidExpireTime = (command: string): string =>
  `ERR invalid expire time in '${command}' command`;
export const wrongArity = (command: string): string =>
  `ERR wrong number of arguments for '${command}' command`;
/** Redis' words when a subcommand checks itself how many arguments it takes. */
export const wrongSubcommandUse = (container: string, subcommand: string): string =>
  `ERR unknown subcommand or wrong number of arguments for '${shown(subcommand)}'. Try ${container} HELP.`;
/** What EXEC answers when it is refused itself. */
export const execAborted = (error: string): string =>
  `EXECABORT Transaction discarded because of: ${error.replace(/^ERR /, '')}`;

/** A client's word as an error shows it: cut where a C string would end. */
export const asCString = (word: string): string => word.split('\0', 1)[0] as string;
/** The same, and not too long. */
export const SHOWN_BYTES = 128;
export const shown = (word: string): string => asCString(word).slice(0, SHOWN_BYTES);
