// COMMAND and its subcommands. What each command says about itself is compared in metadata.test.ts; here are shapes,
// filters, keys and errors.

import { conformance, matching, notIn7, scenario, unordered } from './harness/cases.ts';
import { error } from './harness/replies.ts';

const since72 = notIn7('Redis 7.2 and later: COMMAND GETKEYS takes a command without arguments (arity -3)');

export const family = conformance('command', [
  scenario('COMMAND INFO', [
    'COMMAND INFO get',
    'COMMAND INFO GET nosuch get',
    'COMMAND INFO "get "',
    'COMMAND INFO get|x',
    'COMMAND INFO config|get|x',
    'COMMAND INFO acl|cat',
    'COMMAND INFO Command|Count',
    'COMMAND INFO command|nosuch',
    matching('COMMAND', /^(\S+ )+/),
    matching('COMMAND INFO', /^(\S+ )+/),
  ]),

  scenario('COMMAND DOCS', [
    'COMMAND DOCS nosuch',
    'COMMAND DOCS get|x',
    matching(
      'COMMAND DOCS get',
      /^get summary .* since 1\.0\.0 group string complexity O\(1\) arguments name key/,
    ),
    matching('COMMAND DOCS GET nosuch get', /^get summary .* get summary /),
    matching('COMMAND DOCS acl|cat', /^acl\|cat summary .* since 6\.0\.0 group server/),
    matching(
      'COMMAND DOCS acl',
      / subcommands .*acl\|cat summary .* arguments name categoryname type string/,
    ),
    matching('COMMAND DOCS', / summary .* since .* group .* arguments /),
  ]),

  scenario('COMMAND LIST and COUNT', [
    'COMMAND LIST FILTERBY PATTERN ge[t]',
    'COMMAND LIST filterby pattern GET',
    unordered('COMMAND LIST FILTERBY PATTERN acl*'),
    unordered('COMMAND LIST FILTERBY PATTERN command|*'),
    'COMMAND LIST FILTERBY PATTERN nosuch*',
    'COMMAND LIST FILTERBY ACLCAT nosuch',
    'COMMAND LIST FILTERBY ACLCAT @read',
    unordered('COMMAND LIST FILTERBY ACLCAT Transaction'),
    'COMMAND LIST FILTERBY MODULE nosuch',
    'COMMAND LIST FILTERBY',
    'COMMAND LIST FILTERBY ACLCAT',
    'COMMAND LIST FILTERBY NOSUCH x',
    'COMMAND LIST FILTERBY PATTERN a b',
    'COMMAND LIST nosuch',
    matching('COMMAND LIST', /(^| )get( |$)/),
    matching('COMMAND COUNT', /^\d+$/),
    'COMMAND COUNT x',
  ]),

  scenario('COMMAND GETKEYS', [
    'COMMAND GETKEYS get k',
    String.raw`COMMAND GETKEYS GeT "\x00\xff"`,
    'COMMAND GETKEYS set k v',
    'COMMAND GETKEYS mset a 1 b 2',
    'COMMAND GETKEYS mset a 1 b 2 c',
    'COMMAND GETKEYS del a a b',
    'COMMAND GETKEYS rename a b',
    'COMMAND GETKEYS lcs a b',
    'COMMAND GETKEYS object encoding k',
    'COMMAND GETKEYS object nosuch k',
    'COMMAND GETKEYS object help',
    'COMMAND GETKEYS command count',
    'COMMAND GETKEYS spublish channel message',
    'COMMAND GETKEYS nosuch k',
    'COMMAND GETKEYS get k extra',
    'COMMAND GETKEYS ping k',
    'COMMAND GETKEYS',
    since72('COMMAND GETKEYS ping', error('ERR The command has no key arguments')),
    since72('COMMAND GETKEYS get', error('ERR Invalid number of arguments specified for command')),
    since72('COMMAND GETKEYSANDFLAGS nosuch', error('ERR Invalid command specified')),
  ]),

  scenario('COMMAND GETKEYSANDFLAGS', [
    'COMMAND GETKEYSANDFLAGS get k',
    'COMMAND GETKEYSANDFLAGS set k v',
    'COMMAND GETKEYSANDFLAGS set k v GET',
    'COMMAND GETKEYSANDFLAGS set k v EX 10 get',
    'COMMAND GETKEYSANDFLAGS set k v NX',
    'COMMAND GETKEYSANDFLAGS mset a 1 b 2',
    'COMMAND GETKEYSANDFLAGS del a b',
    'COMMAND GETKEYSANDFLAGS rename a b',
    'COMMAND GETKEYSANDFLAGS copy a b',
    'COMMAND GETKEYSANDFLAGS object encoding k',
    'COMMAND GETKEYSANDFLAGS ping x',
    'COMMAND GETKEYSANDFLAGS nosuch x',
    'COMMAND GETKEYSANDFLAGS',
  ]),

  scenario('COMMAND HELP and what it does not know', [
    matching('COMMAND HELP', /^COMMAND <subcommand> .* COUNT .* GETKEYS .* HELP/),
    'COMMAND HELP x',
    'COMMAND NOSUCH',
    'COMMAND NOSUCH x y',
  ]),
]);
