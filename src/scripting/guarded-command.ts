// Recognises the scripts that lock libraries send to renew and to release a lock: "if GET of a key is my token, then one
// command, else a constant". In whatever words they are written: it is the syntax tree that is looked at.
//
// Such a script need not be run as Lua to know what it does (commands/guarded-script.ts).

import type { Block, Chunk, Expression, Statement } from '../lua/ast.ts';
import type { LuaValue } from '../lua/value.ts';

/** `KEYS[index]` or `ARGV[index]`, counting from 1. */
export interface Place {
  readonly list: 'KEYS' | 'ARGV';
  readonly index: number;
}

export interface GuardedCommand {
  /** Whose value is compared, and with what. */
  readonly key: Place;
  readonly token: Place;
  /** The command in the guard's care, and its arguments. */
  readonly command: string;
  readonly args: readonly Place[];
  /** Line of the script where it is called. */
  readonly line: number;
  /** What the script returns after the command: a constant, or if undefined the command's reply. */
  readonly then: { readonly constant: LuaValue } | undefined;
  readonly otherwise: LuaValue;
}

/** The call of a command. */
interface Call {
  readonly command: string;
  readonly args: readonly Expression[];
  readonly line: number;
}

export function guardedCommand({ main: { body } }: Chunk): GuardedCommand | undefined {
  const [first, ...rest] = body;
  if (first?.kind !== 'if' || first.clauses.length !== 1) return undefined;
  const [{ condition, body: inner } = { condition: undefined, body: [] }] = first.clauses;
  const guard = condition && guardOf(condition);
  const otherwise = constantOf(first.otherwise ?? rest);
  // Either there is an `else`, or what follows the `if` is in its place.
  const hasOneEnd = first.otherwise === undefined || rest.length === 0;
  const guarded = commandOf(inner);
  if (guard === undefined || otherwise === undefined || !hasOneEnd || guarded === undefined) return undefined;
  return { ...guard, ...guarded, otherwise: otherwise.constant };
}

/** `redis.call("get", KEYS[1]) == ARGV[1]`, either way round. */
function guardOf(condition: Expression): Pick<GuardedCommand, 'key' | 'token'> | undefined {
  if (condition.kind !== 'binary' || condition.operator !== '==') return undefined;
  for (const [read, compared] of [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const) {
    const call = callOf(read);
    const key = call?.command === 'get' && call.args.length === 1 ? placeOf(call.args[0]!) : undefined;
    const token = placeOf(compared);
    if (key !== undefined && token !== undefined) return { key, token };
  }
  return undefined;
}

/** `return redis.call(…)`, or `redis.call(…) return 1`. */
function commandOf(block: Block): Pick<GuardedCommand, 'command' | 'args' | 'line' | 'then'> | undefined {
  const [first, ...rest] = block;
  const call = first && callIn(first);
  const args = call?.args.map(placeOf);
  if (call === undefined || args === undefined || args.includes(undefined)) return undefined;
  const then = first?.kind === 'return' ? undefined : constantOf(rest);
  if (first?.kind === 'return' ? rest.length > 0 : then === undefined) return undefined;
  return { command: call.command, args: args as Place[], line: call.line, then };
}

function callIn(statement: Statement): Call | undefined {
  if (statement.kind === 'callStatement') return callOf(statement.call);
  const [value, ...more] = statement.kind === 'return' ? statement.values : [];
  return value !== undefined && more.length === 0 ? callOf(value) : undefined;
}

function callOf(e: Expression): Call | undefined {
  if (e.kind !== 'call' || e.callee.kind !== 'index') return undefined;
  const { key, object } = e.callee;
  if (object.kind !== 'global' || object.name !== 'redis') return undefined;
  if (key.kind !== 'string' || key.value !== 'call') return undefined;
  const [name, ...args] = e.args;
  if (name?.kind !== 'string') return undefined;
  return { command: name.value.toLowerCase(), args, line: e.line };
}

function placeOf(e: Expression): Place | undefined {
  if (e.kind !== 'index' || e.object.kind !== 'global' || e.key.kind !== 'number') return undefined;
  const { name: list } = e.object;
  const { value: index } = e.key;
  if ((list !== 'KEYS' && list !== 'ARGV') || !Number.isInteger(index) || index < 1) return undefined;
  return { list, index };
}

/** The constant that a block returns and does nothing else. A block that returns nothing returns nil. */
function constantOf(block: Block): { readonly constant: LuaValue } | undefined {
  const [only, ...more] = block;
  if (only === undefined) return { constant: undefined };
  if (only.kind !== 'return' || more.length > 0 || only.values.length !== 1) return undefined;
  const [value] = only.values;
  if (value?.kind === 'nil') return { constant: undefined };
  if (value?.kind === 'unary' && value.operator === '-' && value.operand.kind === 'number')
    return { constant: -value.operand.value };
  const isConstant = value?.kind === 'number' || value?.kind === 'boolean' || value?.kind === 'string';
  return isConstant ? { constant: value.value } : undefined;
}
