// The result of a bench: rows of named cells, printed as an aligned table and written as JSON unchanged.
// Column names carry their units; rounding happens only on paper, JSON keeps full precision.

export type Cell = number | string | null;

export interface Table {
  title: string;
  rows: Record<string, Cell>[];
  notes?: string[];
}

/** Three significant digits or all digits before the point, whichever is more. */
function formatCell(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '-';
  if (typeof cell === 'string') return cell;
  if (Number.isInteger(cell)) return String(cell);
  const size = Math.abs(cell);
  return cell.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

export function formatTable(table: Table): string {
  if (table.rows.length === 0) return [table.title, '', '  none', ''].join('\n');
  const columns = [...new Set(table.rows.flatMap((row) => Object.keys(row)))];
  const body = table.rows.map((row) => columns.map((column) => formatCell(row[column])));
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...body.map((cells) => cells[i]?.length ?? 0)),
  );
  const isText = columns.map((column) => table.rows.some((row) => typeof row[column] === 'string'));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (isText[i] ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width));
  const notes = (table.notes ?? []).map((note) => `  ${note}`);
  return [table.title, '', line(columns), line(rule), ...body.map(line), ...notes, ''].join('\n');
}
