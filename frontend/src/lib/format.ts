// Numbers, dates and currencies as the person's locale writes them. Pure: the locale is always handed in.
import type { Column } from './api/types';
import type { Cell } from './cell';
import { rounded, shifted } from './exact';
import { say } from './text';

const numeric = new Set(['integer', 'decimal', 'float']);

/** Says whether cells of the column are numbers. */
export const isNumeric = (column: Column): boolean => numeric.has(column.type);

/** Says whether a unit is a currency (ISO 4217). */
export const isCurrency = (unit: string | null | undefined): boolean => /^[A-Z]{3}$/.test(unit ?? '');

/** Says whether cells of the column are fractions that are read in hundredths: 0.42 as 42 %. */
export const isPercent = (column: Column): boolean => column.format === 'percent';

/** How many digits after the point a column shows: as its person prefers, else enough for its cells, two for money, at most four. */
export function digitsFor(column: Column, cells: Cell[]): number {
  if (column.decimals !== undefined) return column.decimals;
  if (column.scale) return scaledDigits(cells, 10 ** (scales[column.scale] ?? 0));
  if (isPercent(column)) return percentDigits(cells);
  if (column.type === 'integer') return 0;
  if (isCurrency(column.unit)) return 2;
  let digits = 0;
  for (const cell of cells) {
    if (cell === null || typeof cell === 'boolean') continue;
    digits = Math.max(digits, fractionOf(String(cell)));
    if (digits >= 4) return column.unit === '%' ? 2 : 4;
  }
  return column.unit === '%' ? Math.min(digits, 2) : digits;
}

// One digit; more where a cell would be shown as nothing.
function percentDigits(cells: Cell[]): number {
  const sizes = cells.flatMap((cell) =>
    Math.abs(Number(cell)) > 0 && Number.isFinite(Number(cell)) ? [Math.abs(Number(cell)) * 100] : [],
  );
  const least = sizes.length > 0 ? Math.min(...sizes) : 1;
  return least >= 0.05 ? 1 : Math.min(4, Math.ceil(-Math.log10(least)));
}

/** The powers of ten of the scales. */
const scales: Record<string, number> = { thousands: 3, millions: 6, billions: 9 };
const scaleWords = { thousands: 'window.cell.thousands', millions: 'window.cell.millions', billions: 'window.cell.billions' } as const; // prettier-ignore

// Two digits; more where a cell would be shown as nothing.
function scaledDigits(cells: Cell[], scale: number): number {
  const sizes = cells.map((cell) => Math.abs(Number(cell)) / scale).filter((size) => size > 0 && Number.isFinite(size));
  const least = Math.min(...sizes, 1);
  return least >= 0.1 ? 2 : Math.min(6, Math.ceil(-Math.log10(least)) + 1);
}

// What is not zero has as many digits as it needs to be none, and two where it is below one of its scale.
function digitsOf(value: number, column: Column, digits: number): number {
  const size = Math.abs(value);
  if (size === 0 || size >= 1 || !Number.isFinite(size)) return digits;
  const zeros = Math.ceil(-Math.log10(size)) - 1;
  if (column.scale) return Math.min(12, Math.max(digits, zeros + 2));
  return size < 0.5 / 10 ** digits ? Math.min(12, zeros + 1) : digits;
}

/** How a column's numbers are written by a preference of its person; null: as any other's. */
function looked(
  cell: number | string,
  column: Column,
  digits: number,
): { value: number | string; digits: number } | null {
  const number = Number(cell);
  if ((!column.scale && column.decimals === undefined) || Number.isNaN(number)) return null;
  if (!column.scale) return { value: cell, digits: digitsOf(number, column, digits) };
  const value = moved(cell, -(scales[column.scale] ?? 0));
  const own = digitsOf(Number(value), column, digits);
  return { value: fitted(value, own), digits: own };
}

// Ten to a power times as much; an infinity stays what it is.
const moved = (cell: Cell, power: number): number | string => shifted(cell, power) ?? Number(cell);

// Text has all of its digits, and shows no more than it is asked for.
const fitted = (value: number | string, digits: number): number | string =>
  typeof value === 'string' ? rounded(value, digits) : value;

const withScale = (text: string, column: Column): string => {
  const word = scaleWords[column.scale as keyof typeof scaleWords];
  return word ? say(word, { n: text }) : text;
};

const fractionOf = (text: string): number => {
  const match = /^-?\d*(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!match) return 0;
  return Math.max(0, (match[1]?.length ?? 0) - Number(match[2] ?? 0));
};

const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

/** A number with a fixed count of digits after the point. Long decimals arrive as text and keep every digit. */
export function formatNumber(value: number | string, digits: number, locale: string): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (typeof value === 'number') return numberFormat(locale, options).format(value === 0 ? 0 : value); // -0 is 0
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!match) return value;
  if (value.replace(/\D/g, '').length <= 15) return formatNumber(Number(value), digits, locale);
  const whole = numberFormat(locale, { maximumFractionDigits: 0 }).format(BigInt(match[2] ?? '0'));
  const fraction = match[3] ?? '';
  const point = numberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0.5);
  const separator = point.find((part) => part.type === 'decimal')?.value ?? '.';
  return (match[1] === '-' ? '-' : '') + whole + (fraction === '' ? '' : separator + fraction);
}

/** A number that names something (an order, a year) and is written without separators. */
const isName = (column: Column): boolean => column.role === 'dimension' && column.type === 'integer';

/** A cell as a person reads it. A null is shown by the caller, who marks it; here it is empty text. */
export function formatCell(cell: Cell, column: Column, digits: number, locale: string): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? say('window.cell.true') : say('window.cell.false');
  if (isName(column)) return String(cell);
  if (isPercent(column) && !Number.isNaN(Number(cell))) {
    const hundredths = moved(cell, 2);
    const own = column.decimals === undefined ? digits : digitsOf(Number(hundredths), column, digits);
    return say('window.cell.percent', { n: formatNumber(fitted(hundredths, own), own, locale) });
  }
  const look = isNumeric(column) ? looked(cell, column, digits) : null;
  if (look) return withScale(formatNumber(look.value, look.digits, locale), column);
  if (isNumeric(column)) return formatNumber(cell, digits, locale);
  if (column.type === 'date' || column.type === 'timestamp') return formatTime(String(cell), column, locale);
  return String(cell);
}

/** A number with its unit, as a single big figure shows it: a currency by its sign, a percentage by its mark. */
export function formatWithUnit(cell: Cell, column: Column, digits: number, locale: string): string {
  const unit = column.unit ?? '';
  if (typeof cell === 'number' && isCurrency(unit)) {
    const look = looked(cell, column, digits) ?? { value: cell, digits };
    const format = numberFormat(locale, {
      style: 'currency',
      currency: unit,
      minimumFractionDigits: look.digits,
      maximumFractionDigits: look.digits,
    });
    return withScale(format.format(Number(look.value)), column);
  }
  const text = formatCell(cell, column, digits, locale);
  return unit === '' || text === '' ? text : `${text} ${unit}`;
}

/** Reads "2006-01-02" or "2006-01-02T15:04:05" as local time, never shifted by a zone; null when it is neither. */
export function readTime(text: string): Date | null {
  const match = /^(\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  return new Date(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let format = timeFormats.get(key);
  if (!format) timeFormats.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  return format;
}

const dayOptions: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: '2-digit' };

function formatTime(text: string, column: Column, locale: string): string {
  const date = readTime(text);
  if (!date) return text;
  switch (column.grain) {
    case 'year':
      return String(date.getFullYear());
    case 'quarter':
      return say('window.cell.quarter', { quarter: Math.floor(date.getMonth() / 3) + 1, year: date.getFullYear() });
    case 'month':
      return timeFormat(locale, { year: 'numeric', month: 'short' }).format(date);
    case 'hour':
      return timeFormat(locale, { ...dayOptions, hour: '2-digit', minute: '2-digit' }).format(date);
  }
  const clock = column.type === 'timestamp' && /[T ](?!00:00(:00(\.0+)?)?$)/.test(text);
  const options: Intl.DateTimeFormatOptions = clock
    ? { ...dayOptions, hour: '2-digit', minute: '2-digit', second: '2-digit' }
    : dayOptions;
  return timeFormat(locale, options).format(date);
}

/** A day, as a person reads it. */
export function formatDay(text: string, locale: string): string {
  const date = readTime(text);
  return date ? timeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }).format(date) : text;
}

/** A half-open range of days, shown with both ends included. */
export function formatRange(range: { from: string; to: string }, locale: string): string {
  const end = readTime(range.to);
  const wholeDays = /^\d{4,6}-\d{2}-\d{2}(?:[T ]00:00(?::00)?)?$/.test(range.to);
  if (end && wholeDays) end.setDate(end.getDate() - 1);
  const last = end ? timeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }).format(end) : range.to;
  const first = formatDay(range.from, locale);
  return first === last ? first : say('window.format.range', { from: first, to: last });
}

/** A moment of the day. */
export const formatClock = (iso: string, locale: string): string =>
  timeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));

/** A day with its time. */
export const formatMoment = (iso: string, locale: string): string =>
  timeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }).format(
    new Date(iso),
  );

const lengths: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How far a moment is from now, in the largest unit of which there is one at least: "in 3 days", "2 hours ago". */
export function formatAway(iso: string, now: Date, locale: string): string {
  const away = new Date(iso).getTime() - now.getTime();
  const fitting = lengths.find(([, ms]) => Math.abs(Math.round(away / ms)) >= 1) ?? lengths[2]!;
  const [unit, ms] = fitting;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(away / ms), unit);
}

/** A length of time, from milliseconds. */
export function formatTook(ms: number, locale: string): string {
  if (ms < 1) return say('window.format.under_ms');
  if (ms < 1000) return say('window.format.ms', { n: Math.round(ms) });
  return say('window.format.s', { n: formatNumber(ms / 1000, 1, locale) });
}

/** An amount of bytes. */
export function formatBytes(bytes: number, locale: string): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${formatNumber(amount, unit === 0 || amount >= 100 ? 0 : 1, locale)} ${units[unit]}`;
}

/** A share between 0 and 1 as a percentage. */
export const formatShare = (share: number, locale: string): string =>
  numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);
