// How INFO writes its values: `name:value` lines, sizes for people, ratios.

export type Field = readonly [name: string, value: string | number];

/** Fields as lines. The text is latin1, a character a byte. */
export function lines(fields: readonly Field[]): string {
  return fields.map(([name, value]) => `${name}:${value}\r\n`).join('');
}

const UNITS = ['K', 'M', 'G', 'T', 'P'] as const;

/** `967.15K`; below 1,024 just bytes: `512B`. */
export function humanBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${value.toFixed(2)}${UNITS[unit]}`;
}

/** A size in bytes, and beside it the same for people. */
export const sizeFields = (name: string, bytes: number): Field[] => [
  [name, bytes],
  [`${name}_human`, humanBytes(bytes)],
];

/** 0 when there is nothing to compare with. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

export const percent = (part: number, whole: number): string => `${(ratio(part, whole) * 100).toFixed(2)}%`;
