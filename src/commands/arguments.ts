// Arguments that many commands take, as COMMAND DOCS describes them.

import type { Argument } from './define.ts';

export const KEY: Argument = { name: 'key', type: 'key', keySpec: 0 };

const FORMS = [
  { name: 'seconds', type: 'integer', token: 'EX' },
  { name: 'milliseconds', type: 'integer', token: 'PX' },
  { name: 'unix-time-seconds', type: 'unix-time', token: 'EXAT' },
  { name: 'unix-time-milliseconds', type: 'unix-time', token: 'PXAT' },
] as const satisfies readonly Argument[];

/** [EX … | PX … | EXAT … | PXAT … | lifetime], where each form may be newer than the command. */
export function expiration(
  lifetime: 'KEEPTTL' | 'PERSIST',
  since: Readonly<Partial<Record<(typeof FORMS)[number]['token'] | 'KEEPTTL' | 'PERSIST', string>>> = {},
): Argument {
  const forms: readonly (Argument & { readonly token: keyof typeof since })[] = [
    ...FORMS,
    { name: lifetime.toLowerCase(), type: 'pure-token', token: lifetime },
  ];
  const dated = forms.map((form) => {
    const version = since[form.token];
    return version === undefined ? form : { ...form, since: version };
  });
  return { name: 'expiration', type: 'oneof', optional: true, arguments: dated };
}

/** A word out of several; one that came later is written `WORD since`. */
export function wordOf(name: string, words: readonly string[], more: Partial<Argument> = {}): Argument {
  const choices = words.map((each): Argument => {
    const [token = '', since] = each.split(' ');
    const choice = { name: token.toLowerCase(), type: 'pure-token', token } as const;
    return since === undefined ? choice : { ...choice, since };
  });
  return { name, type: 'oneof', arguments: choices, ...more };
}
