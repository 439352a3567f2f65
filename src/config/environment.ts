// Options from the environment: HOLDFAST_MAXCLIENTS=100 is `maxclients 100`. A HOLDFAST_ variable that is no option
// is a mistake and ends the start, except those that Kubernetes and Docker links put there for a service of that name.

import { wordsOf } from './config.ts';
import { ConfigError } from './errors.ts';
import type { Directive } from './file.ts';
import { latin1 } from './latin1.ts';
import { findOption, optionOf } from './options.ts';

const PREFIX = 'HOLDFAST_';

// For services named holdfast and holdfast-…: HOLDFAST_SERVICE_HOST, HOLDFAST_PORT_6379_TCP_ADDR, HOLDFAST_WEB_PORT.
const SERVICE_LINK =
  /^HOLDFAST_(?:.+_)?(?:SERVICE_(?:HOST|PORT)(?:_.+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_.+)?)?|ENV_.+|NAME)$/;
const RESERVED = /^HOLDFAST_(?:PORT|SERVICE)_/;
const LINK_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Directive[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (!variable.startsWith(PREFIX) || RESERVED.test(variable)) return [];
    const name = findOption(variable.slice(PREFIX.length).replaceAll('_', '-')) ?? findUnderscored(variable);
    if (name !== undefined && !LINK_ADDRESS.test(value)) {
      return [{ name, words: wordsOf(optionOf(name), latin1(value)), origin: variable }];
    }
    if (name === undefined && !SERVICE_LINK.test(variable)) {
      throw new ConfigError(`${variable}: no option has this name`);
    }
    return [];
  });
}

/** Redis has four names with an underscore, such as server_cpulist. */
const findUnderscored = (variable: string) => findOption(variable.slice(PREFIX.length));
