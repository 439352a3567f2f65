// MODULE: there are no modules and none can be loaded.

import { allowsAction } from './allowed-action.ts';
import type { Context } from './context.ts';
import { type CommandFlag, defineCommand } from './define.ts';
import { helpSubcommand } from './help.ts';

const ADMIN: readonly CommandFlag[] = ['admin', 'noscript', 'no_async_loading'];

const refuseWith =
  (error: string) =>
  (ctx: Context): void => {
    if (allowsAction(ctx, 'module')) ctx.reply.error(error);
  };

const refuseLoading = refuseWith('ERR modules cannot be loaded');
const refuseUnloading = refuseWith('ERR Error unloading module: no such module with that name');

export const moduleCommands = [
  defineCommand({
    name: 'module',
    summary: 'Tells about modules, of which there are none.',
    since: '4.0.0',
    group: 'server',
    complexity: 'Depends on the subcommand.',
    arity: -2,
    flags: [],
    subcommands: [
      defineCommand({
        name: 'module|list',
        summary: 'Returns the loaded modules: none.',
        since: '4.0.0',
        group: 'server',
        complexity: 'O(1)',
        arity: 2,
        flags: ['admin', 'noscript'],
        tips: ['nondeterministic_output_order'],
        replies: ['empty array'],
        handler: ({ reply }) => reply.array(0),
      }),
      defineCommand({
        name: 'module|load',
        summary: 'Refused: modules cannot be loaded.',
        since: '4.0.0',
        group: 'server',
        complexity: 'O(1)',
        arity: -3,
        flags: ADMIN,
        arguments: [
          { name: 'path', type: 'string' },
          { name: 'arg', type: 'string', optional: true, multiple: true },
        ],
        isProvided: false,
        replies: ['ERR'],
        handler: refuseLoading,
      }),
      defineCommand({
        name: 'module|loadex',
        summary: 'Refused: modules cannot be loaded.',
        since: '7.0.0',
        group: 'server',
        complexity: 'O(1)',
        arity: -3,
        flags: ADMIN,
        arguments: [
          { name: 'path', type: 'string' },
          {
            name: 'configs',
            type: 'block',
            token: 'CONFIG',
            optional: true,
            multiple: true,
            multipleToken: true,
            arguments: [
              { name: 'name', type: 'string' },
              { name: 'value', type: 'string' },
            ],
          },
          {
            name: 'args',
            type: 'block',
            token: 'ARGS',
            optional: true,
            multiple: true,
            arguments: [{ name: 'arg', type: 'string' }],
          },
        ],
        isProvided: false,
        replies: ['ERR'],
        handler: refuseLoading,
      }),
      defineCommand({
        name: 'module|unload',
        summary: 'Refused: no module is loaded.',
        since: '4.0.0',
        group: 'server',
        complexity: 'O(1)',
        arity: 3,
        flags: ADMIN,
        arguments: [{ name: 'name', type: 'string' }],
        isProvided: false,
        replies: ['ERR'],
        handler: refuseUnloading,
      }),
      helpSubcommand('module', 'server', '5.0.0'),
    ],
  }),
];
