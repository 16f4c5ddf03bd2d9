// What selected cells come to. Decimals are added with every digit, as their text has them.
import type { Cell } from '../cell';

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
  const least = numeric.map((column) => column.min).reduce((a, b) => (before(b, a) ? b : a));
  const most = numeric.map((column) => column.max).reduce((a, b) => (before(a, b) ? b : a));
  return { cells, filled, numbers, sum, average: String(Number(sum) / numbers), min: least, max: most };
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
    if (min === '' || before(text, min)) min = text;
    if (max === '' || before(max, text)) max = text;
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
  return written(up(left) + up(right), places);
}

/** A whole number of which the last `places` digits stand behind the point. */
export function written(value: bigint, places: number): string {
  if (places === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function before(a: string, b: string): boolean {
  const difference = Number(a) - Number(b);
  if (difference !== 0) return difference < 0;
  const [left, right] = [scaled(a), scaled(b)];
  if (!left || !right) return false;
  const places = Math.max(left.places, right.places);
  return left.value * 10n ** BigInt(places - left.places) < right.value * 10n ** BigInt(places - right.places);
}
