// The syntax tree of a Lua chunk, with names already resolved: what the parser makes and the emitter reads.

/** A local variable. Its name may be that of others; the object is the identity. */
export interface Local {
  readonly name: string;
  /** Unique within the chunk. */
  readonly id: number;
  /** A function inside its own uses it: it lives as long as that function. */
  isCaptured: boolean;
  /** Something is assigned to it after its declaration. */
  isAssigned: boolean;
}

export type UnaryOperator = '-' | 'not' | '#';
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^';
export type ComparisonOperator = '==' | '~=' | '<' | '<=' | '>' | '>=';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | '..';

/** `line` is where Lua 5.1 reports an error of the expression to be. */
export type Expression =
  | { readonly kind: 'nil' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'vararg' }
  | { readonly kind: 'function'; readonly body: FunctionBody }
  | { readonly kind: 'local'; readonly local: Local; readonly isUpvalue: boolean }
  | { readonly kind: 'global'; readonly name: string; readonly line: number }
  | { readonly kind: 'index'; readonly object: Expression; readonly key: Expression; readonly line: number }
  | CallExpression
  /** Only where it matters: around a call or `...`, of which it keeps the first value. */
  | { readonly kind: 'parentheses'; readonly inner: Expression }
  | {
      readonly kind: 'unary';
      readonly operator: UnaryOperator;
      readonly operand: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'logical';
      readonly operator: 'and' | 'or';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'table'; readonly items: readonly TableItem[]; readonly line: number };

export type CallExpression =
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | {
      readonly kind: 'method';
      readonly object: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    };

/** Without a key it is the next in the list. */
export interface TableItem {
  readonly key: Expression | undefined;
  readonly value: Expression;
  /** Where Lua 5.1 reports that the key is nil or NaN. */
  readonly line: number;
}

/** What can be assigned to. */
export type Target = Extract<Expression, { kind: 'local' | 'global' | 'index' }>;

export type Statement =
  | {
      readonly kind: 'localStatement';
      readonly locals: readonly Local[];
      readonly values: readonly Expression[];
      readonly line: number;
    }
  | { readonly kind: 'localFunction'; readonly local: Local; readonly body: FunctionBody }
  /** Also `function a.b:c() … end`. */
  | {
      readonly kind: 'assignment';
      readonly targets: readonly Target[];
      readonly values: readonly Expression[];
      readonly line: number;
    }
  | { readonly kind: 'callStatement'; readonly call: CallExpression }
  | { readonly kind: 'do'; readonly body: Block }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Block; readonly line: number }
  /** The condition sees the locals of the body. */
  | { readonly kind: 'repeat'; readonly body: Block; readonly condition: Expression; readonly line: number }
  | { readonly kind: 'if'; readonly clauses: readonly IfClause[]; readonly otherwise: Block | undefined }
  | {
      readonly kind: 'numericFor';
      readonly local: Local;
      readonly start: Expression;
      readonly limit: Expression;
      readonly step: Expression | undefined;
      readonly body: Block;
      readonly line: number;
    }
  | {
      readonly kind: 'genericFor';
      readonly locals: readonly Local[];
      readonly values: readonly Expression[];
      readonly body: Block;
      readonly line: number;
    }
  | { readonly kind: 'return'; readonly values: readonly Expression[]; readonly line: number }
  | { readonly kind: 'break' };

export interface IfClause {
  readonly condition: Expression;
  readonly body: Block;
}

export type Block = readonly Statement[];

export interface FunctionBody {
  /** With `self` first if it was written with a colon. */
  readonly parameters: readonly Local[];
  readonly isVararg: boolean;
  /** The table `arg` that a vararg function has in Lua 5.1 if it does not use `...` itself. */
  readonly arg: Local | undefined;
  readonly body: Block;
  /** Of the word `function`, 0 for a chunk. */
  readonly line: number;
  readonly endLine: number;
}

/** A compiled unit: a vararg function without a name, and what the emitter wants to know of it before it starts. */
export interface Chunk {
  readonly main: FunctionBody;
  readonly hasLoops: boolean;
  /** Functions besides the chunk itself. */
  readonly hasFunctions: boolean;
  /** Every global name that is read or assigned. */
  readonly globals: ReadonlySet<string>;
}
