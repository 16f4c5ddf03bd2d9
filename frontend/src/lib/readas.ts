// How a file is read where that is not as recognised, changed one thing at a time. Pure.
import type { Preview, ReadAs } from './api/types';

/** The types that a column of untyped text may be given. */
export const types = ['text', 'integer', 'decimal', 'float', 'boolean', 'date', 'timestamp', 'time'] as const;

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1'] as const;

export const delimiters = [',', ';', '\t', '|'] as const;

/** Says whether a file is read as recognised. */
export const asRecognised = (reading: ReadAs): boolean =>
  Object.values(reading).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));

/** Changes what is wanted of the whole file. Columns are found by what the header says, so that another header forgets them. */
export function withFile(reading: ReadAs, change: Partial<ReadAs>): ReadAs {
  const next = { ...reading, ...change };
  if ('delimiter' in change || 'header' in change || 'skip' in change || 'encoding' in change) delete next.columns;
  for (const key of Object.keys(next) as (keyof ReadAs)[]) if (next[key] === undefined) delete next[key];
  return next;
}

/** Changes what is wanted of a column: its name or its type. Nothing but what was recognised is forgotten. */
export function withColumn(
  reading: ReadAs,
  preview: Preview,
  table: string,
  original: string,
  change: { name?: string; type?: string },
): ReadAs {
  const own = preview.tables.length > 1 ? table : '';
  const all = reading.columns ?? [];
  const is = (column: (typeof all)[number]) => column.column === original && (column.table ?? '') === own;
  const before = all.find(is) ?? { column: original, ...(own ? { table: own } : {}) };
  const next = { ...before, ...change };
  if (!next.name?.trim() || next.name.trim() === original) delete next.name;
  if (!next.type) delete next.type;
  const others = all.filter((column) => !is(column));
  const columns = next.name || next.type ? [...others, next] : others;
  return withFile(reading, { columns: columns.length > 0 ? columns : undefined });
}

/** Takes a sheet or table of the file, or leaves it out. All of them is nothing to say. The last one stays. */
export function withTable(reading: ReadAs, preview: Preview, table: string, taken: boolean): ReadAs {
  const names = preview.tables.map((one) => one.name);
  const now = reading.tables?.length ? reading.tables : names;
  const next = names.filter((name) => (name === table ? taken : now.includes(name)));
  if (next.length === 0) return reading;
  return withFile(reading, { tables: next.length === names.length ? undefined : next });
}

export const takes = (reading: ReadAs, table: string): boolean =>
  !reading.tables?.length || reading.tables.includes(table);
