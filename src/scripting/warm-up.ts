// Gets the Lua compiler up to speed before the first script comes: V8 interprets code that it sees for the first time, and
// a script's first compilation would take ten times as long as later ones. All of it happens in a Lua of its own.

import { Sandbox } from '../lua/sandbox.ts';
import { Script } from '../lua/script.ts';
import { LuaState } from '../lua/state.ts';
import { LuaTable } from '../lua/table.ts';

/** What lock and queue libraries write, as far as syntax goes. `N` makes each a new text. */
const SAMPLES = [
  `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return N end`,
  `local count = 0
for i, key in ipairs(KEYS) do
  local value = redis.call('get', key)
  if value == ARGV[1] or not value then
    count = count + 1
  elseif tonumber(value) and tonumber(value) < N then
    count = count - 1
  end
end
return {count, #KEYS, {ok = 'OK'}}`,
  `local function join(list, between)
  local text = ''
  for i = 1, #list do text = text .. (i > 1 and between or '') .. tostring(list[i]) end
  return text
end
local parts = {}
for name, value in pairs({a = 1, ['b'] = "x", c = N}) do parts[#parts + 1] = name .. '=' .. value end
table.sort(parts, function(a, b) return a < b end)
while #parts > 2 do table.remove(parts) end
repeat local done = true until done
local ok, message = pcall(function() error({err = 'x'}) end)
return cjson.encode({joined = join(parts, ','), ok = ok, time = math.floor(N / 3) % 7})`,
];

const ROUNDS = 40;

/** What V8 has learned serves all servers of the process. */
let hasBegun = false;

/** Does a little of it at each step, and nothing the second time. */
export function* warmUp(): Generator<void, void, void> {
  if (hasBegun) return;
  hasBegun = true;
  const state = new LuaState();
  const redis = LuaTable.from({ call: () => '1' });
  const { compiler } = new Sandbox(state, {
    clockSeconds: () => 0,
    globals: { redis },
    variables: ['KEYS', 'ARGV'],
  });
  const { values } = compiler.environment;
  values['KEYS'] = new LuaTable(['a', 'b']);
  values['ARGV'] = new LuaTable(['1']);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const sample of SAMPLES) {
      new Script(state, compiler, sample.replaceAll('N', String(round)), 'warm_up').run();
      yield;
    }
  }
}
