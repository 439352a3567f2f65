// CLIENT KILL: which clients, and closing them.
// A client that is killed is gone at once, with what it had not read; whoever kills itself gets the answer first.

import type { Client } from '../state/client.ts';
import { USER } from './authentication.ts';
import { clientTypeOf, typeOf, unknownClientType } from './client-info.ts';
import type { Context } from './context.ts';
import { SYNTAX_ERROR } from './errors.ts';

type Filter = (client: Client) => boolean;

/** CLIENT KILL address | filter value [filter value …] */
export function kill(ctx: Context): void {
  const { client, reply, request, server } = ctx;
  if (request.count === 3) return killAddress(ctx, request.string(2));
  const filters = readFilters(ctx);
  if (typeof filters === 'string') return reply.error(filters);
  const victims = [...server.clients.values()].filter((each) => filters.every((accepts) => accepts(each)));
  for (const victim of victims) close(victim, client);
  reply.integer(victims.length);
}

/** The old form, which kills its caller too. */
function killAddress({ client, reply, server }: Context, address: string): void {
  const victim = [...server.clients.values()].find((each) => each.address.peer === address);
  if (victim === undefined) return reply.error('ERR No such client');
  close(victim, client);
  reply.ok();
}

function close(victim: Client, caller: Client): void {
  if (victim === caller) victim.isClosing = true;
  else victim.outlet.destroy();
}

/** All given filters, the last of each kind, or what is wrong with them. */
function readFilters(ctx: Context): Filter[] | string {
  const { request } = ctx;
  const filters = new Map<string, Filter>([['SKIPME', (each) => each !== ctx.client]]);
  for (let i = 2; i < request.count; i += 2) {
    const name = request.string(i).toUpperCase();
    const filter = i + 1 < request.count ? readFilter(ctx, name, i + 1) : SYNTAX_ERROR;
    if (typeof filter === 'string') return filter;
    filters.set(name, filter);
  }
  return [...filters.values()];
}

function readFilter(ctx: Context, name: string, index: number): Filter | string {
  const { client, nowMs, request } = ctx;
  const value = request.string(index);
  switch (name) {
    case 'ID': {
      const id = request.int64(index);
      if (id === undefined || id <= 0n) return 'ERR client-id should be greater than 0';
      return (each) => each.id === Number(id);
    }
    case 'TYPE': {
      const type = clientTypeOf(value);
      return type === undefined ? unknownClientType(value) : (each) => typeOf(each) === type;
    }
    case 'ADDR':
      return (each) => each.address.peer === value;
    case 'LADDR':
      return (each) => each.address.local === value;
    case 'USER':
      return value === USER ? () => true : `ERR No such user '${value}'`;
    case 'MAXAGE': {
      const age = request.int64(index);
      if (age === undefined) return 'ERR maxage is not an integer or out of range';
      if (age <= 0n) return 'ERR maxage should be greater than 0';
      return (each) => nowMs - each.createdMs >= Number(age) * 1000;
    }
    case 'SKIPME':
      if (request.matches(index, 'YES')) return (each) => each !== client;
      return request.matches(index, 'NO') ? () => true : SYNTAX_ERROR;
    default:
      return SYNTAX_ERROR;
  }
}
