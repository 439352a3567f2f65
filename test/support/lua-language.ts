// Runs Lua in both forms of code, and lets it say what comes of it in the words in which redis-server says it.

import { LuaSyntaxError } from '../../src/lua/lexer.ts';
import { LuaError, StartOver } from '../../src/lua/lua-error.ts';
import { Sandbox } from '../../src/lua/sandbox.ts';
import { Script } from '../../src/lua/script.ts';
import { first, LuaState } from '../../src/lua/state.ts';
import { LuaTable } from '../../src/lua/table.ts';
import type { LuaValue, Several } from '../../src/lua/value.ts';

/** Lua that shows any values as one string; tables with their fields sorted, functions by their type. */
const SHOW = `local function show(...)
local format, out = string.format, {}
local function one(v, depth)
local t = type(v)
if t == 'number' then return v ~= v and 'nan' or format('%.17g', v) end
if t == 'string' then return format('%q', v) end
if t ~= 'table' then return t == 'boolean' and tostring(v) or t end
if depth > 4 then return '{...}' end
local fields = {}
for k, x in pairs(v) do fields[#fields + 1] = one(k, depth + 1) .. '=' .. one(x, depth + 1) end
table.sort(fields)
return '{' .. table.concat(fields, ',') .. '}'
end
for i = 1, select('#', ...) do out[i] = one((select(i, ...)), 0) end
return table.concat(out, ' ')
end`.replaceAll('\n', ' ');

/** A script that returns, as a string, what the snippet returns or raises. The snippet stays on the first line. */
export function showing(snippet: string): string {
  return `${SHOW} return show(pcall(function(...) ${snippet} end, 'va1', 'va2'))`;
}

const state = new LuaState(() => {
  if (!state.isBreathing && state.stackBytes < 0) throw new StartOver();
});
const sandbox = new Sandbox(state, { clockSeconds: () => 1, globals: {}, variables: ['KEYS', 'ARGV'] });

/** What a script returns or raises in each form that it has. One that goes too deep for the plain form has only the other. */
export function outcomes(source: string): string[] {
  let script: Script;
  try {
    script = new Script(state, sandbox.compiler, source, 'user_script');
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error;
    return [`syntax error: ${error.message}`];
  }
  const forms = script.isPlain ? [() => script.run(), () => breathed(script)] : [() => breathed(script)];
  return forms.map(outcome).filter((each) => each !== undefined);
}

function breathed(script: Script): LuaValue | Several {
  const work = script.breathe();
  for (;;) {
    const step = work.next([]);
    if (step.done) return step.value;
    state.refuel();
  }
}

function outcome(run: () => LuaValue | Several): string | undefined {
  const { values } = sandbox.compiler.environment;
  for (const name of ['KEYS', 'ARGV']) values[name] = new LuaTable();
  sandbox.begin();
  try {
    return String(first(run()));
  } catch (thrown) {
    if (thrown instanceof StartOver) return undefined;
    if (!(thrown instanceof LuaError)) throw thrown;
    return `error: ${thrown.value}`;
  }
}
