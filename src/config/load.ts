// From what a person wrote to a Config: defaults, then the file, then the environment, then the command line, a later
// one winning. Whatever is wrong ends in one ConfigError of one line that says where it was written.

import { resolve } from 'node:path';
import { Config } from './config.ts';
import { readEnvironment } from './environment.ts';
import { ConfigError } from './errors.ts';
import { type ConfigFiles, type Directive, expandInclude, readConfigFile, realFiles } from './file.ts';
import { latin1 } from './latin1.ts';
import { type ConfigValues, defaultValues, findOption, type OptionName, optionOf } from './options.ts';

export interface CommandLine {
  /** The configuration file, "-" for standard input. */
  readonly file?: string | undefined;
  readonly directives: readonly Directive[];
}

export function configFrom(
  { file, directives }: CommandLine,
  env: Readonly<Record<string, string | undefined>> = {},
  files: ConfigFiles = realFiles,
): Config {
  const fromFile = file === undefined ? [] : readConfigFile(file, files);
  const fromOthers = [...readEnvironment(env), ...directives].flatMap((one) => expandInclude(one, files));
  const { values, warnings } = evaluate([...fromFile, ...fromOthers]);
  const canBeRewritten = file !== undefined && file !== '-';
  return new Config(values, {
    file: canBeRewritten ? resolve(latin1(process.cwd()), file) : undefined,
    warnings,
  });
}

function evaluate(directives: readonly Directive[]): { values: ConfigValues; warnings: string[] } {
  const values: Record<string, unknown> = { ...defaultValues() };
  const origins = new Map<OptionName, string>();
  for (const directive of directives) {
    const name = findOption(directive.name);
    if (name === undefined) throw new ConfigError(`${directive.origin}: no option has this name`);
    values[name] = parse(directive, name, values[name]);
    origins.set(name, directive.origin);
  }
  const warnings = turnDown(values, origins);
  return { values: values as ConfigValues, warnings };
}

function parse({ words, origin }: Directive, name: OptionName, previous: unknown): unknown {
  const { kind } = optionOf(name);
  try {
    if (!kind.takesWords && words.length !== 1) throw new ConfigError('wrong number of arguments');
    return kind.parse(words, previous);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${origin}: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Judged when all is read, so that a flag can take back what the file asks for. What is not provided falls back to its
 * default, so that CONFIG GET never claims it.
 */
function turnDown(values: Record<string, unknown>, origins: ReadonlyMap<OptionName, string>): string[] {
  const warnings: string[] = [];
  for (const [name, origin] of origins) {
    const option = optionOf(name);
    const reason = option.rejects?.(values[name]);
    if (reason === undefined) continue;
    if (option.status === 'refused') throw new ConfigError(`${origin}: ${reason}`);
    warnings.push(`${origin}: ${reason}`);
    values[name] = option.default;
  }
  return warnings;
}
