// Numbers as text. (The string library's author replaces this stub.)

/** As C's `%.14g`. */
export function formatNumber(x: number): string {
  return String(x);
}

/** What Lua's `tonumber` makes of a string, undefined if it spells no number. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  const x = Number(trimmed);
  return trimmed === '' || Number.isNaN(x) ? undefined : x;
}
