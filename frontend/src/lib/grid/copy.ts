// Cells as text for the clipboard. Numbers are written as they are, so that a spreadsheet reads them; a text that it would run as
// a formula is marked as text where a spreadsheet is what opens it.
import type { Cell } from '../cell';
import { spreadsheetText } from '../spreadsheet';

export const copyFormats = ['tsv', 'csv', 'markdown', 'json', 'sql'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** Writes cells; without headers where there are none. Markdown, JSON and SQL always name their columns. */
export function written(format: CopyFormat, names: string[], rows: Cell[][], headers: boolean): string {
  switch (format) {
    case 'tsv':
      return separated('\t', headers ? names : null, rows);
    case 'csv':
      return separated(',', headers ? names : null, rows);
    case 'markdown':
      return markdown(names, rows);
    case 'json':
      return json(names, rows);
    case 'sql':
      return sql(names, rows);
  }
}

function separated(mark: string, names: string[] | null, rows: Cell[][]): string {
  const field = (value: Cell) => {
    const text = value === null ? '' : typeof value === 'string' ? spreadsheetText(value) : String(value);
    const quoted = text.includes(mark) || /[\n\r"]/.test(text) || (value === '' && mark === ',');
    return quoted ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => row.map(field).join(mark));
  return (names ? [names.map(field).join(mark), ...lines] : lines).join('\n');
}

function markdown(names: string[], rows: Cell[][]): string {
  const field = (value: Cell) =>
    value === null
      ? ''
      : String(value)
          .replaceAll('\\', '\\\\')
          .replaceAll('|', '\\|')
          .replace(/\r?\n|\r/g, '<br>');
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const right = names.map((_, column) =>
    rows.some((row) => typeof row[column] === 'number') && rows.every((row) => typeof row[column] !== 'boolean')
      ? '---:'
      : '---',
  );
  return [line(names.map(field)), line(right), ...rows.map((row) => line(row.map(field)))].join('\n');
}

function json(names: string[], rows: Cell[][]): string {
  const keys = distinct(names);
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, column) => [keys[column] ?? '', cell])));
  return JSON.stringify(objects, null, 2);
}

// A second column of a name would take the place of the first.
function distinct(names: string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 2; seen.has(own); n++) own = `${name} (${n})`;
    seen.add(own);
    return own;
  });
}

// One column is a list for IN; several are a SELECT that gives them.
function sql(names: string[], rows: Cell[][]): string {
  const literal = (value: Cell) => {
    if (value === null) return 'NULL';
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  };
  if (names.length === 1) return `(${rows.map((row) => literal(row[0] ?? null)).join(', ')})`;
  const columns = distinct(names).map((name) => `"${name.replaceAll('"', '""')}"`);
  const values = rows.map((row) => `  (${row.map(literal).join(', ')})`);
  return `SELECT * FROM (VALUES\n${values.join(',\n')}\n) AS t(${columns.join(', ')})`;
}
