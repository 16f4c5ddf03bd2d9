// Cells as text for the clipboard. Numbers are written as they are, so that a spreadsheet reads them; a text that it would run as
// a formula is marked as text where a spreadsheet is what opens it.
import type { Cell } from '../cell';
import { spreadsheetText } from '../spreadsheet';

export const copyFormats = ['tsv', 'csv', 'markdown', 'json', 'sql', 'sql_in', 'sql_insert'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** What a copy in SQL has to know besides: the types of its columns as the data has them, and a name for the table. */
export interface Typed {
  types: string[];
  table: string;
}

/**
 * Writes cells; without headers where there are none. Markdown, JSON and SQL always name their columns. A list for IN is of the first
 * column.
 */
export function written(
  format: CopyFormat,
  names: string[],
  rows: Cell[][],
  headers: boolean,
  { types, table }: Typed = { types: [], table: 'rows' },
): string {
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
      return sql(names, rows, types);
    case 'sql_in':
      return sqlIn(
        rows.map((row) => row[0] ?? null),
        types[0],
      ).text;
    case 'sql_insert':
      return sqlInsert(table, names, rows, types);
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

// Rows as a SELECT that gives them.
function sql(names: string[], rows: Cell[][], types: string[]): string {
  const columns = distinct(names).map(quoted);
  const values = rows.map((row) => `  (${row.map((cell, column) => literal(cell, types[column])).join(', ')})`);
  return `SELECT * FROM (VALUES\n${values.join(',\n')}\n) AS t(${columns.join(', ')})`;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const dated: Record<string, string> = { date: 'DATE', timestamp: 'TIMESTAMP', time: 'TIME' };

/** A cell as SQL writes it. Numbers keep their digits; what a column of numbers holds besides numbers is cast. */
export function literal(value: Cell, type = ''): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  const text = `'${value.replaceAll("'", "''")}'`;
  if (type === 'integer' || type === 'decimal' || type === 'float')
    return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? value : `CAST(${text} AS DOUBLE)`;
  const word = dated[type];
  return word ? `${word} ${word === 'TIMESTAMP' ? text.replace('T', ' ') : text}` : text;
}

/** The different values of one column as a list for IN, in their order, and how many rows hold NULL, which no list holds. */
export function sqlIn(cells: Cell[], type = ''): { text: string; values: number; nulls: number } {
  const values = new Set(cells.flatMap((cell) => (cell === null ? [] : [literal(cell, type)])));
  const nulls = cells.filter((cell) => cell === null).length;
  return { text: `(${[...values].join(', ')})`, values: values.size, nulls };
}

// Some databases take no more rows in one statement.
const rowsAtOnce = 1000;

/** Rows as INSERT statements for a table that a person has. */
export function sqlInsert(table: string, names: string[], rows: Cell[][], types: string[] = []): string {
  const begin = `INSERT INTO ${quoted(table)} (${distinct(names).map(quoted).join(', ')}) VALUES\n`;
  const statements: string[] = [];
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const lines = rows
      .slice(from, from + rowsAtOnce)
      .map((row) => `  (${row.map((cell, column) => literal(cell, types[column])).join(', ')})`);
    statements.push(`${begin}${lines.join(',\n')};`);
  }
  return statements.join('\n\n');
}
