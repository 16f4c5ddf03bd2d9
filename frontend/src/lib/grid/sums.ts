// What selected cells come to. Decimals are added with every digit, as their text has them.
import type { Cell } from '../cell';
import { averageOf, compareNumbers, pointed } from '../exact';

export interface Sums {
  /** Cells that are selected, and those of them that hold something. */
  cells: number;
  filled: number;
  /** Numbers among them. The sum and what follows are text with every digit; empty where there is no number. */
  numbers: number;
  sum: string;
  average: string;
  min: string;
  max: string;
}

/** What one column of a selection comes to. */
export interface ColumnSums {
  count: number;
  numeric: boolean;
  sum: string;
  min: string;
  max: string;
}

/** Adds up columns that were added up one by one. */
export function together(cells: number, columns: ColumnSums[]): Sums {
  const filled = columns.reduce((n, column) => n + column.count, 0);
  const numeric = columns.filter((column) => column.numeric && column.count > 0 && column.sum !== '');
  const numbers = numeric.reduce((n, column) => n + column.count, 0);
  if (numbers === 0) return { cells, filled, numbers, sum: '', average: '', min: '', max: '' };
  const sum = numeric.map((column) => column.sum).reduce(plus);
  const least = numeric.map((column) => column.min).reduce((a, b) => (compareNumbers(b, a) < 0 ? b : a));
  const most = numeric.map((column) => column.max).reduce((a, b) => (compareNumbers(a, b) < 0 ? b : a));
  return { cells, filled, numbers, sum, average: averageOf(sum, numbers), min: least, max: most };
}

/** Adds up the cells of one column. */
export function columnSums(cells: Cell[], numeric: boolean): ColumnSums {
  let [count, sum, min, max] = [0, '', '', ''];
  for (const cell of cells) {
    if (cell === null) continue;
    count++;
    if (!numeric) continue;
    const text = String(cell);
    sum = sum === '' ? text : plus(sum, text);
    if (min === '' || compareNumbers(text, min) < 0) min = text;
    if (max === '' || compareNumbers(max, text) < 0) max = text;
  }
  return { count, numeric, sum, min, max };
}

interface Scaled {
  value: bigint;
  places: number;
}

// A number with a point; one with an exponent, NaN and infinities are none.
function scaled(text: string): Scaled | null {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const places = match[2] ?? '';
  return { value: BigInt((match[1] ?? '') + places), places: places.length };
}

/** Adds two numbers that are text; exactly, unless one of them has an exponent. */
export function plus(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)];
  if (!left || !right) return String(Number(a) + Number(b));
  const places = Math.max(left.places, right.places);
  const up = ({ value, places: own }: Scaled) => value * 10n ** BigInt(places - own);
  return pointed(up(left) + up(right), places);
}
