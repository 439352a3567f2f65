// Which functions are leaves: nothing in them calls Lua code or repeats, so that they end at once and need not breathe.

import type { Block, Expression, FunctionBody, Statement } from './ast.ts';
import type { ChunkCode } from './chunk-code.ts';

/** A function made in a leaf is none of its own business. */
export function isLeaf({ body }: FunctionBody, chunk: ChunkCode): boolean {
  // Any operation might be a metamethod then.
  return !chunk.hasMetatables && isQuietBlock(body, chunk);
}

function isQuietBlock(block: Block, chunk: ChunkCode): boolean {
  return block.every((statement) => isQuietStatement(statement, chunk));
}

function isQuietStatement(s: Statement, chunk: ChunkCode): boolean {
  const areQuiet = (list: readonly Expression[]) => list.every((e) => isQuiet(e, chunk));
  switch (s.kind) {
    case 'localFunction':
      return true;
    case 'localStatement':
    case 'return':
      return areQuiet(s.values);
    case 'assignment':
      return areQuiet(s.targets) && areQuiet(s.values);
    case 'do':
      return isQuietBlock(s.body, chunk);
    case 'if': {
      const areClausesQuiet = s.clauses.every(
        (c) => isQuiet(c.condition, chunk) && isQuietBlock(c.body, chunk),
      );
      return areClausesQuiet && isQuietBlock(s.otherwise ?? [], chunk);
    }
    default:
      return false; // a call, a loop
  }
}

function isQuiet(e: Expression, chunk: ChunkCode): boolean {
  switch (e.kind) {
    case 'call':
    case 'method':
      return false;
    case 'global':
      return chunk.global(e.name) !== undefined;
    case 'index':
      return isQuiet(e.object, chunk) && isQuiet(e.key, chunk);
    case 'unary':
      return isQuiet(e.operand, chunk);
    case 'parentheses':
      return isQuiet(e.inner, chunk);
    case 'binary':
    case 'logical':
      return isQuiet(e.left, chunk) && isQuiet(e.right, chunk);
    case 'table':
      return e.items.every(
        ({ key, value }) => (key === undefined || isQuiet(key, chunk)) && isQuiet(value, chunk),
      );
    default:
      return true;
  }
}
