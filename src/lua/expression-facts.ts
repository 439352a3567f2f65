// What the emitters want to know of an expression before they write it down.

import { toCString } from './arguments.ts';
import type { BinaryOperator, Expression } from './ast.ts';

type BinaryExpression = Extract<Expression, { kind: 'binary' }>;

/** May have none or several values where a list ends with it. */
export function isOpen(e: Expression): boolean {
  return e.kind === 'call' || e.kind === 'method' || e.kind === 'vararg';
}

/** Needs no temporary to be used twice. */
export function isPlain(e: Expression): boolean {
  if (e.kind === 'local') return !e.isUpvalue || !e.local.isAssigned;
  return (
    e.kind === 'nil' ||
    e.kind === 'boolean' ||
    e.kind === 'number' ||
    (e.kind === 'string' && e.value.length < 40)
  );
}

/** Contains a call, which leaves its own site behind. */
export function mayMove(e: Expression): boolean {
  switch (e.kind) {
    case 'call':
    case 'method':
      return true;
    case 'index':
      return mayMove(e.object) || mayMove(e.key);
    case 'unary':
      return mayMove(e.operand);
    case 'parentheses':
      return mayMove(e.inner);
    case 'binary':
    case 'logical':
      return mayMove(e.left) || mayMove(e.right);
    case 'table':
      return e.items.some(({ key, value }) => (key !== undefined && mayMove(key)) || mayMove(value));
    default:
      return false;
  }
}

/** The operands of `a .. b .. c`, which is one operation. */
export function chain(e: BinaryExpression): Expression[] {
  const parts = [e.left];
  let rest = e.right;
  while (rest.kind === 'binary' && rest.operator === '..') {
    parts.push(rest.left);
    rest = rest.right;
  }
  return [...parts, rest];
}

/** `-1`, which is a constant to Lua. */
function isNegativeNumber(e: Expression): boolean {
  return e.kind === 'unary' && e.operator === '-' && e.operand.kind === 'number';
}

/** A constant that is true, or one that is not. */
function isConstant(e: Expression, isTrue: boolean): boolean {
  if (e.kind === 'number' || e.kind === 'string' || isNegativeNumber(e)) return isTrue;
  return e.kind === 'boolean' ? e.value === isTrue : e.kind === 'nil' && !isTrue;
}

/** How Lua's messages call a value: by the variable or field it was read from. */
export function nameOf(e: Expression): string {
  if (e.kind === 'local') return `${e.isUpvalue ? 'upvalue' : 'local'} '${e.local.name}'`;
  if (e.kind === 'global') return `global '${e.name}'`;
  if (e.kind === 'index') return `field '${e.key.kind === 'string' ? toCString(e.key.value) : '?'}'`;
  // Of a constant that decides nothing, only the other operand is left.
  if (e.kind === 'logical' && isConstant(e.left, e.operator === 'and')) return nameOf(e.right);
  return e.kind === 'method' ? `method '${e.name}'` : '';
}

export function bareName(e: Expression): string {
  if (e.kind === 'local') return e.local.name;
  if (e.kind === 'global') return e.name;
  return e.kind === 'index' && e.key.kind === 'string' ? e.key.value : '?';
}

export const isComparison = (operator: BinaryOperator): boolean => /^[=~<>]/.test(operator);
