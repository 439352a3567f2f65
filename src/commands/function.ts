// FUNCTION: looks after the libraries whose functions FCALL calls, and after the function that runs.
//
// Source: Redis' FUNCTION family. What a library is and how it is loaded is in scripting/function-libraries.ts.

import { globMatchesString } from '../bytes/glob.ts';
import type { Reply } from '../protocol/reply.ts';
import type { FunctionLibrary } from '../scripting/function-libraries.ts';
import { decodeLibraries, encodeLibraries } from '../scripting/function-payload.ts';
import { SCRIPT_FLAGS } from '../scripting/shebang.ts';
import type { Context } from './context.ts';
import { type Command, type CommandSpec, defineCommand } from './define.ts';
import { BUSY, shown, wrongSubcommandUse } from './errors.ts';
import { helpSubcommand } from './help.ts';
import { kill } from './script.ts';

const POLICIES = ['flush', 'append', 'replace'] as const;

/** FUNCTION LOAD [REPLACE] code */
function load({ reply, request, scripts }: Context): void {
  const last = request.count - 1;
  for (let i = 2; i < last; i++)
    if (!request.matches(i, 'REPLACE'))
      return reply.error(`ERR Unknown option given: ${shown(request.string(i))}`);
  const library = scripts.functions.load(request.string(last), last > 2);
  if (typeof library === 'string') reply.error(library);
  else reply.text(library.name);
}

/** FUNCTION DELETE library */
function remove({ reply, request, scripts }: Context): void {
  if (scripts.functions.delete(request.string(2))) reply.ok();
  else reply.error('ERR Library not found');
}

/** FUNCTION FLUSH [ASYNC | SYNC]: libraries are left to the garbage collector either way. */
function flush({ reply, request, scripts }: Context): void {
  if (request.count > 3) return reply.error(wrongSubcommandUse('FUNCTION', request.string(1)));
  if (request.count === 3 && !request.matches(2, 'ASYNC') && !request.matches(2, 'SYNC'))
    return reply.error('ERR FUNCTION FLUSH only supports SYNC|ASYNC option');
  scripts.functions.flush();
  reply.ok();
}

/** FUNCTION LIST [LIBRARYNAME pattern] [WITHCODE] */
function list({ reply, request, scripts }: Context): void {
  let pattern: string | undefined;
  let hasCode = false;
  for (let i = 2; i < request.count; i++) {
    if (!hasCode && request.matches(i, 'WITHCODE')) hasCode = true;
    else if (pattern === undefined && request.matches(i, 'LIBRARYNAME')) {
      if (++i === request.count) return reply.error('ERR library name argument was not given');
      pattern = request.string(i);
    } else return reply.error(`ERR Unknown argument ${shown(request.string(i))}`);
  }
  const found = scripts.functions.all.filter(
    ({ name }) => pattern === undefined || globMatchesString(pattern, name, true),
  );
  reply.array(found.length);
  for (const library of found) describe(reply, library, hasCode);
}

function describe(reply: Reply, { functions, name, source }: FunctionLibrary, hasCode: boolean): void {
  reply.map(hasCode ? 4 : 3);
  for (const text of ['library_name', name, 'engine', 'LUA', 'functions']) reply.text(text);
  reply.array(functions.size);
  for (const { description, flags, name: functionName } of functions.values()) {
    reply.map(3);
    reply.text('name');
    reply.text(functionName);
    reply.text('description');
    if (description === undefined) reply.null();
    else reply.text(description);
    reply.text('flags');
    reply.set(flags.size);
    for (const flag of SCRIPT_FLAGS) if (flags.has(flag)) reply.simple(flag);
  }
  if (!hasCode) return;
  reply.text('library_code');
  reply.text(source);
}

/** FUNCTION STATS: what runs, and how many libraries there are. */
function stats({ reply, scripts, server }: Context): void {
  const { functions, run } = scripts;
  if (run !== undefined && run.call === undefined) return reply.error(BUSY);
  reply.map(2);
  reply.text('running_script');
  if (run?.call === undefined) reply.null();
  else {
    reply.map(3);
    reply.text('name');
    reply.text(run.call.functionName);
    reply.text('command');
    reply.texts(run.call.words);
    reply.text('duration_ms');
    reply.integer(Math.floor(server.clock.preciseMs() - run.startedMs));
  }
  reply.text('engines');
  reply.map(1);
  reply.text('LUA');
  reply.map(2);
  reply.text('libraries_count');
  reply.integer(functions.count);
  reply.text('functions_count');
  reply.integer(functions.functionCount);
}

/** FUNCTION DUMP */
function dump({ reply, scripts }: Context): void {
  const payload = encodeLibraries(scripts.functions.all.map(({ source }) => source));
  reply.text(payload.toString('latin1'));
}

/** FUNCTION RESTORE payload [FLUSH | APPEND | REPLACE] */
function restore({ reply, request, scripts }: Context): void {
  if (request.count > 4) return reply.error(wrongSubcommandUse('FUNCTION', request.string(1)));
  const policy =
    request.count === 3 ? 'append' : POLICIES.find((each) => request.matches(3, each.toUpperCase()));
  if (policy === undefined)
    return reply.error('ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.');
  const sources = decodeLibraries(Buffer.from(request.string(2), 'latin1'));
  const failure = typeof sources === 'string' ? sources : scripts.functions.restore(sources, policy);
  if (failure === undefined) reply.ok();
  else reply.error(failure);
}

const ON_ALL_SHARDS = ['request_policy:all_shards', 'response_policy:all_succeeded'];

const subcommand = (
  part: Pick<CommandSpec, 'name' | 'summary' | 'complexity'> & Partial<CommandSpec>,
): Command => defineCommand({ since: '7.0.0', group: 'scripting', arity: 2, flags: ['noscript'], ...part });

const token = (name: string) => ({ name, type: 'pure-token', token: name.toUpperCase() }) as const;

export const functionCommands = [
  defineCommand({
    name: 'function',
    since: '7.0.0',
    group: 'scripting',
    summary: 'Looks after libraries of functions.',
    complexity: 'Depends on subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      subcommand({
        name: 'function|load',
        summary: 'Loads a library: compiles its code and runs it once, which registers its functions.',
        complexity: 'O(1) (considering compilation time is redundant)',
        arity: -3,
        flags: ['write', 'denyoom', 'noscript'],
        tips: ON_ALL_SHARDS,
        arguments: [
          { ...token('replace'), optional: true },
          { name: 'function-code', type: 'string' },
        ],
        replies: [
          'bulk string: the name of the library',
          'ERR: it cannot be loaded; everything is as it was',
        ],
        handler: load,
      }),
      subcommand({
        name: 'function|delete',
        summary: 'Removes a library and its functions.',
        complexity: 'O(1)',
        arity: 3,
        flags: ['write', 'noscript'],
        tips: ON_ALL_SHARDS,
        arguments: [{ name: 'library-name', type: 'string' }],
        replies: ['OK', 'ERR: there is no such library'],
        handler: remove,
      }),
      subcommand({
        name: 'function|list',
        summary: 'Tells which libraries there are, and their functions.',
        complexity: 'O(N) where N is the number of functions',
        arity: -2,
        tips: ['nondeterministic_output_order'],
        arguments: [
          { name: 'library-name-pattern', type: 'string', token: 'LIBRARYNAME', optional: true },
          { ...token('withcode'), optional: true },
        ],
        replies: ['array of maps, one a library'],
        handler: list,
      }),
      subcommand({
        name: 'function|stats',
        summary: 'Tells which function is running, and how many libraries and functions there are.',
        complexity: 'O(1)',
        flags: ['noscript', 'allow_busy'],
        tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
        replies: ['map', 'BUSY: a script is running that is no function'],
        handler: stats,
      }),
      subcommand({
        name: 'function|kill',
        summary: 'Ends the function that is running, if it has not written anything.',
        complexity: 'O(1)',
        flags: ['noscript', 'allow_busy'],
        tips: ['request_policy:all_shards', 'response_policy:one_succeeded'],
        replies: [
          'OK',
          'NOTBUSY: no function is running',
          'UNKILLABLE: it has written',
          'BUSY: it is a script',
        ],
        handler: (ctx) => kill(ctx, true),
      }),
      subcommand({
        name: 'function|flush',
        summary: 'Removes all libraries.',
        complexity: 'O(N) where N is the number of functions deleted',
        arity: -2,
        flags: ['write', 'noscript'],
        tips: ON_ALL_SHARDS,
        arguments: [
          { name: 'async', type: 'oneof', optional: true, arguments: [token('async'), token('sync')] },
        ],
        replies: ['OK'],
        handler: flush,
      }),
      subcommand({
        name: 'function|dump',
        summary: 'Returns all libraries in the format that FUNCTION RESTORE takes, here and in Redis.',
        complexity: 'O(N) where N is the number of functions',
        replies: ['bulk string'],
        handler: dump,
      }),
      subcommand({
        name: 'function|restore',
        summary: 'Loads all libraries of a payload that FUNCTION DUMP has made, here or in Redis.',
        complexity: 'O(N) where N is the number of functions on the payload',
        arity: -3,
        flags: ['write', 'denyoom', 'noscript'],
        tips: ON_ALL_SHARDS,
        arguments: [
          { name: 'serialized-value', type: 'string' },
          { name: 'policy', type: 'oneof', optional: true, arguments: POLICIES.map(token) },
        ],
        replies: ['OK', 'ERR: a library cannot be loaded; everything is as it was'],
        handler: restore,
      }),
      helpSubcommand('function', 'scripting', '7.0.0'),
    ],
  }),
];
