// A frame of two dimensions or more with the members of one of them side by side. Nothing is put together: every cell is a cell of the
// frame, and totals are there only where the frame says that its numbers add up. Pure.
import type { Column, Frame } from './api/types';
import type { Cell } from './cell';
import { plus } from './exact';
import { marksOf } from './flags';
import { isNumeric } from './format';
import type { Key } from './text';

/** As many members stand side by side at most. */
export const mostAcross = 50;
/** A longer frame is not read for a pivot. */
export const mostPivoted = 200_000;

const placesOf = (columns: Column[], wanted: (column: Column) => boolean): number[] =>
  columns.flatMap((column, index) => (wanted(column) ? [index] : []));

/** The positions of the dimensions of a frame, and of its numbers. */
export const dimensionsOf = (columns: Column[]): number[] => placesOf(columns, ({ role }) => role === 'dimension');
export const numbersOf = (columns: Column[]): number[] =>
  placesOf(columns, (column) => column.role !== 'dimension' && column.role !== 'flag' && isNumeric(column));

/** Why a frame has no pivot; null: it has one. */
export function whyNoPivot(frame: Frame): Key | null {
  if (dimensionsOf(frame.columns).length < 2) return 'window.pivot.needs_two';
  if (numbersOf(frame.columns).length === 0) return 'window.show.no_numbers';
  const rest = marksOf(frame.columns, frame.rows as Cell[][]).includes('other');
  return rest ? 'window.pivot.has_rest' : null;
}

/** The dimension that stands across unless the person says otherwise: the one with the fewest members, the last of equals. */
export function usualAcross(columns: Column[], rows: Cell[][]): number {
  const members = (index: number) => new Set(rows.map((row) => row[index])).size;
  const sizes = dimensionsOf(columns).map((index) => ({ index, size: members(index) }));
  return sizes.reduce((best, one) => (one.size <= best.size ? one : best)).index;
}

/** Whether the cells of a column may be added up. */
export const addsUp = (column: Column | undefined): boolean => column?.additivity === 'additive' && !column.derived;

export interface PivotRow {
  /** The cells of the dimensions that stand in the rows. */
  keys: Cell[];
  /** One for each member across; undefined: the frame has no such row. */
  cells: (Cell | undefined)[];
  total: Cell;
}

export interface Pivot {
  /** Positions of the dimensions that stand in the rows. */
  down: number[];
  /** Members of the dimension across, in their order: of time by time, of others as the frame has them. */
  across: Cell[];
  rows: PivotRow[];
  /** The sums of each member, and of all of them; null: the number does not add up. */
  totals: { cells: Cell[]; all: Cell } | null;
  /** Rows of the frame that fell onto a cell that was taken: it is no key of the frame. */
  repeated: number;
}

/** Puts a dimension across; `tooMany` members are counted and not shown. */
export function pivotOf(
  columns: Column[],
  rows: Cell[][],
  across: number,
  number: number,
): Pivot | { tooMany: number } {
  const marks = marksOf(columns, rows);
  const members = rows.filter((_, index) => (marks[index] ?? null) === null);
  const down = dimensionsOf(columns).filter((index) => index !== across);
  const heads = ordered([...new Set(members.map((row) => row[across] ?? null))], columns[across]);
  if (heads.length > mostAcross) return { tooMany: heads.length };
  const placeOf = new Map(heads.map((head, place) => [head, place]));
  const found = new Map<string, PivotRow>();
  let repeated = 0;
  for (const row of members) {
    const keys = down.map((index) => row[index] ?? null);
    const key = JSON.stringify(keys);
    let line = found.get(key);
    if (!line) found.set(key, (line = { keys, cells: heads.map(() => undefined), total: null }));
    const place = placeOf.get(row[across] ?? null)!;
    if (line.cells[place] !== undefined) repeated++;
    else line.cells[place] = row[number] ?? null;
  }
  const lines = [...found.values()];
  if (!addsUp(columns[number]) || repeated > 0) return { down, across: heads, rows: lines, totals: null, repeated };
  for (const line of lines) line.total = sum(line.cells);
  const cells = heads.map((_, place) => sum(lines.map((line) => line.cells[place])));
  return { down, across: heads, rows: lines, totals: { cells, all: sum(cells) }, repeated };
}

// What is missing adds nothing; nothing but what is missing has no sum.
const sum = (cells: (Cell | undefined)[]): Cell =>
  cells.reduce<Cell>(
    (all, cell) => (cell === null || cell === undefined ? all : all === null ? cell : plus(all, cell)),
    null,
  );

function ordered(heads: Cell[], column: Column | undefined): Cell[] {
  if (column?.type !== 'date' && column?.type !== 'timestamp' && !column?.grain) return heads;
  return heads.sort((a, b) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : a > b ? 1 : 0));
}
