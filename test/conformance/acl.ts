// ACL with the default user only.
//
// A redis-server has more users, so what would make one is ours by hand.

import { conformance, matching, ours, scenario, unordered } from './harness/cases.ts';
import { error } from './harness/replies.ts';

const differs = ours('docs/differences.md');
const notProvided = (name: string) =>
  error(`ERR ACL ${name} is not provided: the only user is 'default', and requirepass its password`);

export const family = conformance('acl', [
  scenario('the default user', [
    'ACL WHOAMI',
    'acl whoami',
    'ACL WHOAMI x',
    'ACL USERS',
    'ACL LIST',
    'ACL GETUSER default',
    'ACL GETUSER nosuch',
    'ACL GETUSER DEFAULT',
    'ACL GETUSER',
    'ACL DELUSER nosuch',
    'ACL DELUSER nosuch default',
    'ACL DELUSER',
  ]),

  scenario('the default user with a password', { config: { requirepass: '' } }, [
    'CONFIG SET requirepass s3cret',
    'ACL LIST',
    'ACL GETUSER default',
    'ACL WHOAMI',
    'CONFIG SET requirepass ""',
    'ACL LIST',
  ]),

  scenario('categories', [
    matching(
      'ACL CAT',
      /^keyspace read write set .* fast slow blocking dangerous connection transaction scripting/,
    ),
    unordered('ACL CAT transaction'),
    unordered('ACL CAT TRANSACTION'),
    matching('ACL CAT write', /(^| )set( |$)/),
    'ACL CAT nosuch',
    'ACL CAT @read',
    'ACL CAT a b',
  ]),

  scenario('passwords', [
    matching('ACL GENPASS', /^[0-9a-f]{64}$/),
    matching('ACL GENPASS 5', /^[0-9a-f]{2}$/),
    matching('ACL GENPASS 1', /^[0-9a-f]$/),
    matching('ACL GENPASS 4096', /^[0-9a-f]{1024}$/),
    'ACL GENPASS 0',
    'ACL GENPASS -1',
    'ACL GENPASS 4097',
    'ACL GENPASS x',
    'ACL GENPASS 1 2',
  ]),

  scenario('what the default user may do', [
    'ACL DRYRUN default get k',
    'ACL DRYRUN default GET k',
    'ACL DRYRUN default get',
    'ACL DRYRUN default get k extra',
    'ACL DRYRUN default acl cat',
    'ACL DRYRUN default acl whoami x',
    'ACL DRYRUN default config get x',
    'ACL DRYRUN default config get',
    'ACL DRYRUN default config',
    'ACL DRYRUN default config nosuch x',
    'ACL DRYRUN default config|get x',
    'ACL DRYRUN default nosuch x',
    'ACL DRYRUN nosuch get k',
    'ACL DRYRUN default',
  ]),

  scenario('what is not provided', [
    differs('ACL SETUSER alice', notProvided('SETUSER')),
    differs('ACL SETUSER default >secret', notProvided('SETUSER')),
    differs('ACL LOG', notProvided('LOG')),
    differs('ACL LOG RESET', notProvided('LOG')),
    differs('ACL LOAD', notProvided('LOAD')),
    differs('ACL SAVE', notProvided('SAVE')),
    'ACL SETUSER',
    'ACL SAVE x',
    'ACL',
    'ACL NOSUCH',
    matching('ACL HELP', /^ACL <subcommand> .* CAT .* WHOAMI /),
    'ACL HELP x',
  ]),
]);
