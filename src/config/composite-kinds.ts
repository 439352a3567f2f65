// The kinds of value that only one option each has: output buffer limits, save points, event classes, percentiles,
// OOM scores. Same promises as kinds.ts: Redis' grammar, Redis' error texts, Redis' way of showing them.

import { ConfigError } from './errors.ts';
import { type Kind, kind, memorySize } from './kinds.ts';

export interface OutputBufferLimit {
  /** The client is closed at once above this; 0 is no limit. */
  readonly hardLimitBytes: number;
  /** The client is closed after staying above this for softLimitSeconds; 0 is no limit. */
  readonly softLimitBytes: number;
  readonly softLimitSeconds: number;
}

export interface OutputBufferLimits {
  readonly normal: OutputBufferLimit;
  readonly replica: OutputBufferLimit;
  readonly pubsub: OutputBufferLimit;
}

type ClientClass = keyof OutputBufferLimits;

const CLASS_OF_NAME: Readonly<Record<string, ClientClass>> = {
  normal: 'normal',
  slave: 'replica',
  replica: 'replica',
  pubsub: 'pubsub',
};

const NO_LIMIT: OutputBufferLimit = { hardLimitBytes: 0, softLimitBytes: 0, softLimitSeconds: 0 };

export const DEFAULT_OUTPUT_BUFFER_LIMITS: OutputBufferLimits = {
  normal: NO_LIMIT,
  replica: { hardLimitBytes: 256 * 1024 ** 2, softLimitBytes: 64 * 1024 ** 2, softLimitSeconds: 60 },
  pubsub: { hardLimitBytes: 32 * 1024 ** 2, softLimitBytes: 8 * 1024 ** 2, softLimitSeconds: 60 },
};

const bytes = memorySize();

function parseBufferLimit(hard: string, soft: string, seconds: string): OutputBufferLimit {
  try {
    if (!/^\d{1,9}$/.test(seconds)) throw new ConfigError('not a number of seconds');
    return {
      hardLimitBytes: bytes.parse([hard], 0),
      softLimitBytes: bytes.parse([soft], 0),
      softLimitSeconds: Number(seconds),
    };
  } catch (cause) {
    const reason = 'Error in hard, soft or soft_seconds setting in buffer limit configuration.';
    throw new ConfigError(reason, { cause });
  }
}

/** Classes that are not named keep the limit they had. */
export const outputBufferLimits: Kind<OutputBufferLimits> = kind<OutputBufferLimits>({
  syntax: '`normal`, `replica` or `pubsub`, hard limit, soft limit, soft seconds; several together',
  takesWords: true,
  parse(words, previous) {
    if (words.length % 4 !== 0) {
      throw new ConfigError('Wrong number of arguments in buffer limit configuration.');
    }
    const limits = { ...previous };
    for (let i = 0; i < words.length; i += 4) {
      const [name = '', hard = '', soft = '', seconds = ''] = words.slice(i, i + 4);
      const clientClass = CLASS_OF_NAME[name.toLowerCase()];
      if (clientClass === undefined) {
        throw new ConfigError('Invalid client class specified in buffer limit configuration.');
      }
      limits[clientClass] = parseBufferLimit(hard, soft, seconds);
    }
    return limits;
  },
  render({ normal, replica, pubsub }) {
    const show = (limit: OutputBufferLimit): string => Object.values(limit).join(' ');
    return `normal ${show(normal)} slave ${show(replica)} pubsub ${show(pubsub)}`;
  },
  lines: (limits) =>
    (['normal', 'replica', 'pubsub'] as const).map((name) => {
      const { hardLimitBytes, softLimitBytes, softLimitSeconds } = limits[name];
      return [name, bytes.lines(hardLimitBytes), bytes.lines(softLimitBytes), softLimitSeconds].join(' ');
    }),
});

export interface SavePoint {
  readonly seconds: number;
  readonly changes: number;
}

/** In a file the lines add up, and an empty one forgets those before it. CONFIG SET replaces them all. */
export const savePoints: Kind<readonly SavePoint[]> = kind<readonly SavePoint[]>({
  syntax: 'pairs of seconds and changes, or an empty string',
  takesWords: true,
  parse(words, previous) {
    if (words.length === 0 || (words.length === 1 && words[0] === '')) return [];
    const points = [...previous];
    for (let i = 0; i < words.length; i += 2) {
      const [seconds = '', changes = ''] = words.slice(i, i + 2);
      if (!/^0*[1-9]\d*$/.test(seconds) || !/^\d+$/.test(changes)) {
        throw new ConfigError('Invalid save parameters');
      }
      points.push({ seconds: Number(seconds), changes: Number(changes) });
    }
    return points;
  },
  render: (points) => points.map(({ seconds, changes }) => `${seconds} ${changes}`).join(' '),
  lines: (points) =>
    points.length === 0 ? ['""'] : points.map(({ seconds, changes }) => `${seconds} ${changes}`),
});

// "A" stands for these classes. Key misses (m), new keys (n), overwritten (o) and type changes (c) must be asked for.
const ALL_CLASSES = 'g$lshzxetd';
const ON_REQUEST = 'nKEmoc';

/** Kept in the form in which Redis shows it: "A" or the classes, then those outside of "A". */
export const keyspaceEvents: Kind<string> = kind({
  syntax: 'any of the letters `KEg$lshzxetdmnocA`',
  parse([word = '']) {
    const given = new Set(word);
    for (const letter of given) {
      if (letter !== 'A' && !ALL_CLASSES.includes(letter) && !ON_REQUEST.includes(letter)) {
        throw new ConfigError("Invalid event class character. Use 'Ag$lshzxeKEtmdnoc'.");
      }
    }
    const classes = [...ALL_CLASSES].filter((letter) => given.has('A') || given.has(letter)).join('');
    const onRequest = [...ON_REQUEST].filter((letter) => given.has(letter)).join('');
    return (classes === ALL_CLASSES ? 'A' : classes) + onRequest;
  },
  lines: (classes) => [`"${classes}"`],
});

export const percentiles: Kind<readonly number[]> = kind<readonly number[]>({
  syntax: 'numbers from 0 to 100, or an empty string',
  takesWords: true,
  parse(words) {
    if (words.length === 1 && words[0] === '') return [];
    return words.map((word) => {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) {
        throw new ConfigError('Invalid latency-tracking-info-percentiles parameters');
      }
      const percentile = Number(word);
      if (percentile < 0 || percentile > 100) {
        throw new ConfigError('latency-tracking-info-percentiles parameters should sit between [0.0,100.0]');
      }
      return percentile;
    });
  },
  render: (values) => values.map((value) => String(Number(value.toFixed(6)))).join(' '),
  lines: (values) => [
    values.length === 0 ? '""' : values.map((value) => String(Number(value.toFixed(6)))).join(' '),
  ],
});

export const oomScoreAdjValues: Kind<readonly number[]> = kind<readonly number[]>({
  syntax: 'three numbers from -2000 to 2000',
  takesWords: true,
  parse(words) {
    if (words.length !== 3) throw new ConfigError('wrong number of arguments');
    return words.map((word) => {
      if (!/^-?\d+$/.test(word) || Math.abs(Number(word)) > 2000) {
        throw new ConfigError('Invalid oom-score-adj-values, elements must be between -2000 and 2000.');
      }
      return Number(word);
    });
  },
  render: (values) => values.join(' '),
});
