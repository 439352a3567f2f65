// Random Lua programs that end, say what they did, and say it the same way on any faithful Lua 5.1.
//
// A program is made from a seed. Whatever it does may fail; most of that is caught, and the messages are part of what it
// says. It ends because every turn of a loop and every call counts, and the count is limited.

/** Statements of a program, and how deep its blocks and expressions go. */
const STATEMENTS = 12;
const DEPTH = 3;

const PRELUDE = `local log, ticks = {}, 0
local function say(...) log[#log + 1] = show(...) end
local function tick() ticks = ticks + 1 if ticks > 600 then error('too long', 0) end end
local function clip(x) if type(x) == 'string' and #x > 40 then return x:sub(1, 9) end return x end
`;

export function luaProgram(seed: number): string {
  return new ProgramMaker(seed).program();
}

type Scope = { readonly names: string[]; readonly isVararg: boolean };

class ProgramMaker {
  #state: number;
  #scope: Scope = { names: [], isVararg: false };
  #count = 0;
  readonly #hasMetatables: boolean;
  readonly #hasCoroutines: boolean;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
    this.#hasMetatables = this.#chance(0.4);
    this.#hasCoroutines = this.#chance(0.2);
  }

  program(): string {
    const start = ['a', 'b', 'c', 's', 't'].map((name) => this.#local(name, this.#literal()));
    const body = this.#block(STATEMENTS, DEPTH);
    return `${PRELUDE}${start.join('')}say(pcall(function()\n${body}end)) return table.concat(log, '\\n')`;
  }

  // --- chance (mulberry32)

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  #chance(probability: number): boolean {
    return this.#next() < probability;
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }

  #fresh(): string {
    return `v${this.#count++}`;
  }

  /** A variable; mostly one of the last, which are the innermost. */
  #name(): string {
    const { names } = this.#scope;
    if (this.#chance(0.02)) return 'nosuch';
    return this.#chance(0.5)
      ? names[names.length - 1 - this.#below(Math.min(3, names.length))]!
      : this.#pick(names);
  }

  // --- statements

  #block(count: number, depth: number): string {
    const before = this.#scope.names.length;
    let code = '';
    for (let i = 1 + this.#below(count); i > 0; i--) code += this.#statement(depth);
    this.#scope.names.length = before;
    return code;
  }

  #statement(depth: number): string {
    const simple = [
      () => this.#local(this.#fresh(), this.#chance(0.2) ? this.#value(2) : this.#safe(2)),
      () =>
        this.#local(
          this.#fresh(),
          `select(2, pcall(function() return ${this.#within([], false, () => this.#list(2))} end))`,
        ),
      () => `say(${this.#chance(0.2) ? this.#list(2) : this.#safe(2)})\n`,
      () => `${this.#name()} = clip(${this.#safe(2)})\n`,
      () => `${this.#name()}, ${this.#name()} = ${this.#safe(2)}, ${this.#safe(1)}\n`,
      () => this.#guarded(() => `${this.#target()}, ${this.#target()} = ${this.#list(2)}`),
      () => this.#guarded(() => `return ${this.#list(2)}`),
      () => this.#guarded(() => `${this.#target()} = ${this.#clipped(2)}`),
      () =>
        this.#guarded(() => `${this.#target()} = ${this.#value(1)} ${this.#name()}.x = ${this.#clipped(2)}`),
      () => this.#several(),
    ];
    if (depth <= 0) return this.#pick(simple)();
    const nested = [
      () => `if ${this.#safe(2)} then\n${this.#block(3, depth - 1)}else\n${this.#block(2, depth - 1)}end\n`,
      () => `do\n${this.#block(3, depth - 1)}end\n`,
      () => this.#function(depth),
      () => this.#loop(depth),
      () => this.#loop(depth),
      () => this.#guarded(() => `${this.#block(3, depth - 1)}return ${this.#list(2)}`),
      () => (this.#hasMetatables ? this.#metatable() : this.#function(depth)),
      () => (this.#hasCoroutines ? this.#coroutine(depth) : this.#loop(depth)),
    ];
    return this.#chance(0.5) ? this.#pick(nested)() : this.#pick(simple)();
  }

  #local(name: string, value: string): string {
    this.#scope.names.push(name);
    return `local ${name} = clip(${value})\n`;
  }

  #several(): string {
    const names = [this.#fresh(), this.#fresh()];
    const code = `local ${names.join(', ')} = ${this.#safe(1)}, ${this.#safe(2)}\n`;
    this.#scope.names.push(...names);
    return code;
  }

  #guarded(body: () => string): string {
    return `say(pcall(function() tick() ${this.#within([], false, body)} end))\n`;
  }

  /** Code in a function of its own. */
  #within(parameters: readonly string[], isVararg: boolean, code: () => string): string {
    const outer = this.#scope;
    this.#scope = { names: [...outer.names, ...parameters], isVararg };
    const inner = code();
    this.#scope = outer;
    return inner;
  }

  #target(): string {
    const name = this.#name();
    return this.#chance(0.6)
      ? name
      : this.#chance(0.5)
        ? `${name}.${this.#field()}`
        : `${name}[${this.#index()}]`;
  }

  #function(depth: number): string {
    const name = this.#fresh();
    const parameters = Array.from({ length: this.#below(3) }, () => this.#fresh());
    const isVararg = this.#chance(0.3);
    const seen = this.#chance(0.3) ? [...parameters, name] : parameters;
    const body = this.#within(
      seen,
      isVararg,
      () => `tick()\n${this.#block(3, depth - 1)}return ${this.#safe(1)}, ${this.#list(1)}\n`,
    );
    this.#scope.names.push(name);
    const all = isVararg ? [...parameters, '...'] : parameters;
    return `local function ${name}(${all.join(', ')})\n${body}end\nsay(pcall(${name}, ${this.#list(1)}))\n`;
  }

  #loop(depth: number): string {
    const name = this.#fresh();
    const before = this.#scope.names.length;
    const turn = (body: () => string, ...locals: string[]) => {
      this.#scope.names.push(...locals);
      const code = `tick()\n${body()}${this.#chance(0.2) ? `if ${this.#safe(1)} then break end\n` : ''}`;
      this.#scope.names.length = before;
      return code;
    };
    const body = () => this.#block(3, depth - 1);
    switch (this.#below(6)) {
      case 0:
        return `for ${name} = ${this.#bound()}, ${this.#bound()} do\n${turn(body, name)}end\n`;
      case 1:
        return `for ${name} = ${this.#bound()}, ${this.#bound()}, ${this.#bound()} do\n${turn(body, name)}end\n`;
      case 2: {
        const value = this.#fresh();
        return `for ${name}, ${value} in ipairs({${this.#items()}}) do\n${turn(body, name, value)}end\n`;
      }
      case 3: {
        const table = this.#name();
        const count = this.#fresh();
        const end = this.#chance(0.3) ? `pcall(rawset, ${table}, ${name}, nil)` : '';
        const clear = `local ${count} = 0 for ${name} in pairs(type(${table}) == 'table' and ${table} or {1, 2, x = 3}) do tick() ${count} = ${count} + 1 ${end} end\n`;
        this.#scope.names.push(count);
        return clear;
      }
      case 4:
        return `repeat\n${turn(body)}local ${name} = ${this.#safe(2)}\nuntil ${name} or ${this.#safe(1)}\n`;
      default:
        return `while ${this.#safe(1)} do\n${turn(body)}end\n`;
    }
  }

  #bound(): string {
    return this.#chance(0.85)
      ? this.#pick(['1', '2', '3', '0', '-1', '0.5', '"2"', '1e15', '0.1'])
      : this.#value(1);
  }

  #metatable(): string {
    const events = [
      '__index',
      '__newindex',
      '__call',
      '__add',
      '__concat',
      '__eq',
      '__lt',
      '__le',
      '__unm',
      '__mod',
    ];
    const chosen = events.filter(() => this.#chance(0.4));
    const handlers = chosen.map((event) => {
      const parameters = [this.#fresh(), this.#fresh()];
      const body = this.#within(parameters, false, () =>
        event === '__newindex'
          ? `rawset(${parameters[0]}, 'x', ${this.#value(1)})`
          : `return ${this.#list(2)}`,
      );
      if (event === '__index' && this.#chance(0.3))
        return `${event} = {x = 1, [1] = 'one', y = ${this.#value(1)}}`;
      return `${event} = function(${parameters.join(', ')}) tick() ${body} end`;
    });
    const name = this.#fresh();
    this.#scope.names.push(name);
    return `local ${name} = setmetatable({${this.#items()}}, {${handlers.join(', ')}})\n`;
  }

  #coroutine(depth: number): string {
    const name = this.#fresh();
    const got = this.#fresh();
    const first = `local ${got} = coroutine.yield(${this.#list(1)})\n`;
    const body = this.#within([got], true, () => {
      const before = this.#block(2, depth - 1);
      return `${first}${before}say(coroutine.yield(${this.#list(1)}))\n${this.#block(2, depth - 1)}`;
    });
    this.#scope.names.push(name);
    const create = this.#pick(['wrap', 'create']);
    const resume = () =>
      create === 'wrap'
        ? `say(pcall(${name}, ${this.#list(1)}))\n`
        : `say(coroutine.status(${name}), coroutine.resume(${name}, ${this.#list(1)}))\n`;
    return `local ${name} = coroutine.${create}(function(...)\ntick()\n${body}end)\n${resume()}${resume()}${resume()}${resume()}`;
  }

  // --- expressions

  #list(depth: number): string {
    return Array.from({ length: 1 + this.#below(3) }, () => this.#value(depth)).join(', ');
  }

  #clipped(depth: number): string {
    return `clip(${this.#value(depth)})`;
  }

  /** An expression that does not fail. */
  #safe(depth: number): string {
    const part = () => this.#safe(depth - 1);
    if (depth <= 0) return this.#chance(0.6) ? this.#pick(this.#scope.names) : this.#literal();
    switch (this.#below(9)) {
      case 0:
        return `(${part()} ${this.#pick(['==', '~='])} ${part()})`;
      case 1:
        return `(${part()} ${this.#pick(['and', 'or'])} ${part()})`;
      case 2:
        return `not ${part()}`;
      case 3:
        return `{${part()}, ${part()}, ${this.#field()} = ${part()}}`;
      case 4:
        return `{${part()}, n = 1, ${this.#scope.isVararg ? '...' : part()}}`;
      case 5:
        return `function(...) tick() return ${this.#within([], true, () => this.#list(depth - 1))} end`;
      case 6:
        return this.#scope.isVararg ? '(...)' : `type(${part()})`;
      default:
        return this.#chance(0.6) ? this.#pick(this.#scope.names) : this.#literal();
    }
  }

  #value(depth: number): string {
    if (depth <= 0 || this.#chance(0.2)) return this.#chance(0.5) ? this.#name() : this.#literal();
    const v = () => this.#value(depth - 1);
    switch (this.#below(12)) {
      case 0:
      case 1:
        return `${this.#operand(depth)} ${this.#pick(['+', '-', '*', '/', '%', '^'])} ${this.#operand(depth)}`;
      case 2:
        return `${this.#operand(depth)} ${this.#pick(['==', '~=', '<', '<=', '>', '>='])} ${this.#operand(depth)}`;
      case 3:
        return `${this.#operand(depth)} ${this.#pick(['and', 'or'])} ${this.#operand(depth)}`;
      case 4:
        return `${this.#operand(depth)} .. ${this.#operand(depth)}${this.#chance(0.3) ? ` .. ${this.#operand(depth)}` : ''}`;
      case 5:
        return `${this.#pick(['-', 'not ', '#'])}${this.#operand(depth)}`;
      case 6:
        return `${this.#name()}.${this.#field()}`;
      case 7:
        return `${this.#name()}[${v()}]`;
      case 8:
        return `{${this.#items()}}`;
      case 9:
        return this.#call(depth);
      case 10:
        return this.#chance(0.5) ? this.#call(depth) : `function() return ${this.#within([], false, v)} end`;
      default:
        return this.#scope.isVararg ? this.#pick(['...', '(...)', "select('#', ...)"]) : `(${v()})`;
    }
  }

  #operand(depth: number): string {
    return `(${this.#value(depth - 1)})`.replace(/^\(([\w.']+)\)$/, '$1');
  }

  #call(depth: number): string {
    const args = this.#list(depth - 1);
    switch (this.#below(8)) {
      case 0:
        return `${this.#name()}:${this.#pick(['sub', 'upper', 'len', 'x', 'byte'])}(${args})`;
      case 1:
        return `${this.#name()}.${this.#field()}(${args})`;
      case 2:
        return `string.${this.#pick(['sub', 'len', 'upper', 'byte', 'reverse'])}(${args})`;
      case 3:
        return `math.${this.#pick(['floor', 'abs', 'max'])}(${args})`;
      case 4:
        return this.#pick([
          'type',
          'tonumber',
          'rawequal',
          'select',
          'unpack',
          'error',
          'rawget',
          'next',
        ]).replace(/$/, `(${args})`);
      default:
        return `${this.#name()}(${args})`;
    }
  }

  #items(): string {
    const item = () => {
      const kind = this.#below(6);
      if (kind === 0) return `${this.#field()} = ${this.#value(1)}`;
      if (kind === 1) return `[${this.#index()}] = ${this.#value(1)}`;
      return this.#value(1);
    };
    return Array.from({ length: this.#below(5) }, item).join(', ');
  }

  #field(): string {
    return this.#pick(['x', 'y', 'constructor', 'n']);
  }

  #index(): string {
    return this.#chance(0.6) ? this.#pick(['1', '2', '3', '4', '0', "'x'", '1.5', 'true']) : this.#value(1);
  }

  #literal(): string {
    const strings = ["'x'", "'abc'", "'10'", "''", "'0x1F'", "'a\\0b'", "' 5 '", "'\\255'"];
    const numbers = ['0', '1', '2', '3', '-1', '0.5', '10', '1e15', '7', '100'];
    const kind = this.#below(10);
    if (kind < 5) return this.#pick(numbers);
    if (kind < 8) return this.#pick(strings);
    return this.#pick(['nil', 'true', 'false', '{}', '{1, 2, 3}', '{x = 1}']);
  }
}
