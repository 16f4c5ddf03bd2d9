// The arithmetic of the grid: which rows are in view, how wide the columns are. No DOM, no domain.

/** The rows to draw, first included and last excluded. */
export interface RowWindow {
  first: number;
  last: number;
}

/** Gives the rows that touch the view, with some more on both sides so that scrolling shows no gap. */
export function rowsInView(top: number, viewHeight: number, rowHeight: number, count: number, spare = 8): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(count, Math.ceil((top + viewHeight) / rowHeight) + spare);
  return { first: Math.min(first, count), last: Math.max(last, 0) };
}

/** Gives the place that brings a row into view, moving as little as possible. */
export function scrollToShow(row: number, top: number, viewHeight: number, rowHeight: number): number {
  const own = row * rowHeight;
  if (own < top) return own;
  if (own + rowHeight > top + viewHeight) return own + rowHeight - viewHeight;
  return top;
}

export const narrowest = 56;
export const widest = 640;

/** Gives a width in pixels that fits a header and a sample of its cells, in a font of fixed width. */
export function fittingWidth(header: string, unit: string, cells: string[], pixelsPerLetter = 7.4): number {
  const longest = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
  const letters = Math.max(longest, Math.min(40, header.length) + (unit ? unit.length + 1 : 0) + 2);
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
