// Runs scripts of one recognised shape, "if GET of a key is my token, then one command, else a constant", without Lua: a
// third of the time, because the arguments need not become strings nor the token leave its place.
//
// Guarantees: replies, errors, counters, events and locks as if the script had been run. Whatever is out of the ordinary
// (the key holds no string, somebody watches by MONITOR, an argument is missing) is left to the script itself.

import { equalViews } from '../bytes/view.ts';
import type { Request } from '../protocol/request.ts';
import type { GuardedCommand, Place } from '../scripting/guarded-command.ts';
import type { CachedScript } from '../scripting/script-cache.ts';
import { writeValue } from '../scripting/write-value.ts';
import type { Context } from './context.ts';

const positions: number[] = [];

/** Runs the script, with its keys from argument 3 on. False: it must be run as what it is. */
export function runGuarded(ctx: Context, script: CachedScript, keyCount: number): boolean {
  const { db, registry, reply, request, server } = ctx;
  const { guarded } = script;
  if (guarded === undefined || request.adopted !== undefined || server.monitors.size !== 0) return false;
  const keyAt = position(request, guarded.key, keyCount);
  const tokenAt = position(request, guarded.token, keyCount);
  const command = registry.commands.get(guarded.command);
  if (keyAt === 0 || tokenAt === 0 || !locate(request, guarded, keyCount)) return false;
  if (command?.accepts(positions.length) !== true || command.flags.has('noscript')) return false;
  const key = request.key(keyAt);
  const slot = db.find(key);
  if (slot !== 0 && !db.isString(slot)) return false;
  ctx.countLookup(key, slot);
  registry.commands.get('get')!.calls++;
  server.stats.commandsProcessed++;
  if (slot !== 0 && !ctx.client.isNoTouch) db.touch(slot);
  if (slot === 0 || !equalViews(db.value(slot), request.view(tokenAt))) {
    writeValue(reply, guarded.otherwise, 2);
  } else {
    ctx.scripts.picked.pick(request, positions);
    const { failure, value } = ctx.runPicked(command);
    if (failure !== undefined) reply.error(`${failure} ${script.label}:${guarded.line}.`, true);
    else writeValue(reply, guarded.then === undefined ? value : guarded.then.constant, 2);
  }
  return true;
}

/** Where an argument of the script stands in the request, 0 if it is missing. */
function position(request: Request, { list, index }: Place, keyCount: number): number {
  const at = index + 2 + (list === 'KEYS' ? 0 : keyCount);
  if (list === 'KEYS') return index <= keyCount ? at : 0;
  return at < request.count ? at : 0;
}

/** Fills `positions` with those of the command's arguments. Its name is not among the request's: any place will do. */
function locate(request: Request, { args }: GuardedCommand, keyCount: number): boolean {
  positions.length = 0;
  positions.push(0);
  for (const place of args) {
    const at = position(request, place, keyCount);
    if (at === 0) return false;
    positions.push(at);
  }
  return true;
}
