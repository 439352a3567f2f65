// The command line, `holdfast [file] --option value …`, as people know it from redis-server: every option of the table
// is a flag, and an option takes all words up to the next one (`--bind 0.0.0.0 -::1 --save ''`). Commander does the
// usage, the help and the subcommands; its flags come from the table.

import { Command, type CommanderError, Option } from 'commander';
import type { Config } from './config.ts';
import { wordsOf } from './config.ts';
import { ConfigError } from './errors.ts';
import { type ConfigFiles, type Directive, realFiles } from './file.ts';
import { latin1 } from './latin1.ts';
import { type CommandLine, configFrom } from './load.ts';
import { findOption, type OptionName, optionOf, sections, spellings } from './options.ts';

export interface ProgramParts {
  readonly version: string;
  /** Called unless a subcommand, --help or --version was asked for. */
  start(commandLine: CommandLine): void | Promise<void>;
}

/**
 * The program without its subcommands, which the caller adds. Parse with
 * `program.parseAsync(normalizeArguments(process.argv.slice(2)), { from: 'user' })`. Mistakes are thrown as
 * ConfigError; --help and --version print and then throw commander's CommanderError with exitCode 0.
 */
export function buildProgram({ version, start }: ProgramParts): Command {
  const directives: Directive[] = [];
  const program = new Command('holdfast')
    .description('A Redis-protocol lock server.')
    .version(version, '-v, --version')
    .argument('[file]', 'configuration file in the format of redis.conf, - for standard input')
    .usage('[file] [--option value ...]')
    .enablePositionalOptions()
    .configureOutput({ outputError: () => {} })
    .exitOverride(throwOneLine)
    .action((file: string | undefined) => start({ file: file && latin1(file), directives }));
  for (const [title, names] of sections) {
    const visible = names.filter((name) => optionOf(name).status === 'implemented');
    for (const name of names) {
      program.addOption(
        flagOf(name, name, directives).helpGroup(`${title}:`).hideHelp(!visible.includes(name)),
      );
    }
  }
  for (const [spelling, name] of spellings) {
    if (spelling !== name) program.addOption(flagOf(spelling, name, directives).hideHelp());
  }
  return program.addHelpText('after', '\nEvery option: docs/configuration.md');
}

function flagOf(spelling: string, name: OptionName, directives: Directive[]): Option {
  const option = optionOf(name);
  const placeholder = option.kind.takesWords ? '<words>' : '<value>';
  return new Option(`--${spelling} ${placeholder}`, option.summary).argParser((text: string) => {
    directives.push({ name, words: wordsOf(option, latin1(text)), origin: `--${spelling}` });
    return text;
  });
}

function throwOneLine(error: CommanderError): never {
  if (error.exitCode === 0) throw error;
  throw new ConfigError(error.message.replace(/^error: /, '').replaceAll('\n', ' '), { cause: error });
}

/** Turns `--bind a b` into `--bind=a b`, so that a value may start with a dash or be several words. */
export function normalizeArguments(argv: readonly string[]): string[] {
  const firstFlag = argv.findIndex(isFlag);
  if (firstFlag === -1) return [...argv];
  const normalized = argv.slice(0, firstFlag);
  for (let i = firstFlag; i < argv.length; ) {
    const flag = argv[i++] ?? '';
    const values: string[] = [];
    while (i < argv.length && !isFlag(argv[i] ?? '')) values.push(argv[i++] ?? '');
    normalized.push(...joinFlag(flag, values));
  }
  return normalized;
}

const isFlag = (argument: string): boolean => argument.startsWith('--') && argument.length > 2;

function joinFlag(flag: string, values: string[]): string[] {
  const [, spelling = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
  const name = findOption(spelling);
  if (name === undefined) return [flag, ...values];
  const { kind, default: defaultValue } = optionOf(name);
  const words = inline === undefined ? values : [inline, ...values];
  // `--save` with nothing behind it is what is left of `--save ''` when a shell or template drops the quotes.
  const mayBeBare = kind.takesWords && kind.render(defaultValue) === '';
  if (words.length === 0 && !mayBeBare) throw new ConfigError(`--${spelling}: a value is missing`);
  if (words.length > 1 && !kind.takesWords) {
    throw new ConfigError(
      `--${spelling}: takes one value, not ${words.length} (a file comes before all options)`,
    );
  }
  return [`--${spelling.toLowerCase()}=${words.join(' ')}`];
}

/** The configuration for these arguments (without node and script), or one ConfigError. */
export function loadConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  files: ConfigFiles = realFiles,
): Config {
  let config: Config | undefined;
  const start = (commandLine: CommandLine): void => {
    config = configFrom(commandLine, env, files);
  };
  buildProgram({ version: '', start }).parse(normalizeArguments(argv), { from: 'user' });
  if (config === undefined) throw new ConfigError('the arguments do not start a server');
  return config;
}
