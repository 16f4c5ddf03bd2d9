// What the profile of a column looks like, as pure functions.
import type { Bucket, ColumnProfile, SourceDetail, TableDetail } from './api/types';
import { formatDay, formatNumber } from './format';

export type { Bucket, ColumnProfile } from './api/types';

const numeric = new Set(['integer', 'decimal', 'float']);

/** A bar of a distribution, in units of the drawing. */
export interface Bar {
  x: number;
  width: number;
  y: number;
  height: number;
}

/** The bars of a distribution. A bucket that is not empty has a height that can be seen. */
export function barsOf(buckets: readonly Bucket[], width: number, height: number): Bar[] {
  const most = Math.max(...buckets.map((bucket) => bucket.count), 1);
  const step = width / Math.max(buckets.length, 1);
  const gap = Math.min(1, step / 4);
  return buckets.map((bucket, index) => {
    const tall = bucket.count === 0 ? 0 : Math.max(1, (bucket.count / most) * height);
    return { x: index * step, width: Math.max(step - gap, 0.5), y: height - tall, height: tall };
  });
}

/** A value of a column as a person reads it. */
export function shownValue(value: string | null, type: string, locale: string): string {
  if (value === null) return '';
  if (numeric.has(type)) {
    const digits = type === 'integer' ? 0 : Math.min(/\.(\d+)/.exec(value)?.[1]?.replace(/0+$/, '').length ?? 0, 6);
    return /^-?\d+(\.\d+)?$/.test(value) ? formatNumber(value, digits, locale) : value;
  }
  if (type === 'date') return formatDay(value, locale);
  return value;
}

/** What a bucket holds, such as 10 – 20. */
export function bucketRange(bucket: Bucket, type: string, locale: string): string {
  const edge = (value: number) => {
    if (type === 'date' || type === 'timestamp') return formatDay(new Date(value * 1000).toISOString(), locale);
    return new Intl.NumberFormat(locale, { maximumSignificantDigits: 5 }).format(value);
  };
  const single = type === 'integer' && bucket.to - bucket.from === 1;
  const [from, to] = [edge(bucket.from), edge(bucket.to)];
  return single || from === to ? from : `${from} – ${to}`;
}

/** A share of rows in percent; what is there is never shown as nothing, and what is missing never as all. */
export function percent(part: number, whole: number, locale: string): string {
  const share = whole === 0 ? 0 : part / whole;
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value);
  if (share > 0 && share < 0.001) return `< ${format(0.001)}`;
  if (share < 1 && share > 0.999) return `> ${format(0.999)}`;
  return format(share);
}

/** The mean of a column with as many digits as it is worth. */
export const shownMean = (column: ColumnProfile, locale: string): string =>
  column.mean === null ? '' : formatNumber(column.mean, Math.abs(column.mean) >= 1000 ? 0 : 2, locale);

/** A source with the tables and columns of it that match a search. */
export interface Found {
  source: SourceDetail;
  tables: { table: TableDetail; columns: string[]; open: boolean }[];
}

/** Searches sources, tables and columns. A table that is found by a column of it is open, and shows that column. */
export function searchSchema(sources: readonly SourceDetail[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found: Found[] = [];
  for (const source of sources) {
    const whole = words.length === 0 || fits(`${source.name} ${source.file}`);
    const tables: Found['tables'] = [];
    for (const table of source.tables) {
      const names = table.columns.map((column) => column.name);
      if (whole || fits(`${table.name} ${table.alias}`)) {
        tables.push({ table, columns: names, open: false });
        continue;
      }
      const columns = names.filter((name) => fits(name) || fits(`${table.name} ${name}`));
      if (columns.length > 0) tables.push({ table, columns, open: true });
    }
    if (whole || tables.length > 0) found.push({ source, tables });
  }
  return found;
}
