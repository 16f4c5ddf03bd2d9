// The arithmetic of the grid: which rows are in view, in which order, how wide the columns are. No DOM, no domain.
import type { Cell } from '../cell';
import { spreadsheetText } from '../spreadsheet';

/** The rows to draw, first included and last excluded. */
export interface RowWindow {
  first: number;
  last: number;
}

/** Gives the rows that touch the view, with some more on both sides so that scrolling shows no gap. */
export function rowsInView(
  scrollTop: number,
  viewHeight: number,
  rowHeight: number,
  count: number,
  spare = 8,
): RowWindow {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const last = Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + spare);
  return { first: Math.min(first, count), last: Math.max(last, 0) };
}

/** Gives the scroll position that brings a row into view, moving as little as possible. */
export function scrollToShow(row: number, scrollTop: number, viewHeight: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + viewHeight) return top + rowHeight - viewHeight;
  return scrollTop;
}

export interface Sorting {
  column: number;
  descending: boolean;
}

/**
 * Gives the order of the rows, as indexes. Nulls stand last in both directions; equal cells keep their order. Rows that
 * are no members (their `rank` is above 0) stay behind the others, the higher the later.
 */
export function sortedOrder(
  rows: Cell[][],
  sorting: Sorting | null,
  numeric: boolean,
  locale: string,
  rank: (row: number) => number = () => 0,
): number[] {
  const order = rows.map((_, index) => index);
  if (!sorting) return order;
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const sign = sorting.descending ? -1 : 1;
  const compare = (a: Cell, b: Cell): number => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (numeric) return sign * (Number(a) - Number(b));
    if (typeof a === 'string' && typeof b === 'string') return sign * collator.compare(a, b);
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  };
  return order.sort(
    (a, b) =>
      rank(a) - rank(b) || compare(rows[a]?.[sorting.column] ?? null, rows[b]?.[sorting.column] ?? null) || a - b,
  );
}

/** The next sorting when a header is pressed: ascending, descending, as it came. Numbers begin with the largest. */
export function nextSorting(current: Sorting | null, column: number, numeric: boolean): Sorting | null {
  if (current?.column !== column) return { column, descending: numeric };
  return current.descending === numeric ? { column, descending: !numeric } : null;
}

export const narrowest = 56;
export const widest = 640;

/** Gives a width in pixels that fits a header and a sample of its cells, in a font of fixed width. */
export function fittingWidth(header: string, unit: string, cells: string[], pixelsPerLetter = 7.4): number {
  const longest = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
  const letters = Math.max(longest, header.length + (unit ? unit.length + 1 : 0) + 2);
  return Math.round(Math.min(340, Math.max(80, letters * pixelsPerLetter + 26)));
}

/** A rectangle of cells, by display position, ends included. */
export interface CellRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const rangeBetween = (a: { row: number; column: number }, b: { row: number; column: number }): CellRange => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
});

/**
 * Writes cells as tab-separated values. Numbers are written as they are, so that a spreadsheet reads them; a text that it
 * would run as a formula is marked as text.
 */
export function asTSV(headers: string[] | null, rows: Cell[][]): string {
  const field = (value: Cell) => {
    const text = value === null ? '' : typeof value === 'string' ? spreadsheetText(value) : String(value);
    return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => row.map(field).join('\t'));
  return [...(headers ? [headers.map(field).join('\t')] : []), ...lines].join('\n');
}
