// In which order the rows of a grid stand, and which of them. Rows in memory are arranged here, others by whoever has them.
import type { CellChoice } from '../api/types';
import type { Cell } from '../cell';
import { compareNumbers } from '../exact';
import type { Range } from './ranges';

export interface SortKey {
  column: number;
  descending: boolean;
}

export type FilterOp = 'contains' | 'equals' | 'differs' | 'at_least' | 'at_most' | 'is_null' | 'not_null' | 'one_of';

export interface Filter {
  column: number;
  op: FilterOp;
  value: string;
  /** Of `one_of`: what the cell may be. Rows that are no members are none of it. */
  one_of?: CellChoice;
}

export interface Arrangement {
  sort: SortKey[];
  filters: Filter[];
  search: string;
}

export const asItCame: Arrangement = { sort: [], filters: [], search: '' };

/** What kind of cells a column has, for comparing them. */
export type Kind = 'number' | 'text' | 'time' | 'truth';

/** What a condition may be; a choice of values is made elsewhere. */
export const opsOf = (kind: Kind): FilterOp[] => {
  if (kind === 'truth') return ['equals', 'is_null', 'not_null'];
  if (kind === 'text') return ['contains', 'equals', 'differs', 'is_null', 'not_null'];
  return ['equals', 'differs', 'at_least', 'at_most', 'is_null', 'not_null'];
};

export const needsValue = (op: FilterOp): boolean => op !== 'is_null' && op !== 'not_null' && op !== 'one_of';

/** The sorting when a header is pressed: ascending, descending, as it came. Numbers begin with the largest. With `add` others stay. */
export function nextSort(current: SortKey[], column: number, numeric: boolean, add = false): SortKey[] {
  const now = current.find((key) => key.column === column);
  const others = add ? current.filter((key) => key.column !== column) : [];
  if (!now || (!add && current.length > 1)) return [...others, { column, descending: numeric }];
  if (now.descending !== numeric) return others;
  const turned = { column, descending: !numeric };
  return add ? current.map((key) => (key.column === column ? turned : key)) : [turned];
}

/**
 * Gives the order of the rows that are wanted, as indexes. Nulls stand last in both directions; equal cells keep their order.
 * Rows that are no members (their `rank` is above 0) stay behind the others, the higher the later.
 */
export function arranged(
  rows: Cell[][],
  { sort, filters, search }: Arrangement,
  kindOf: (column: number) => Kind,
  locale: string,
  rank: (row: number) => number = () => 0,
): number[] {
  const tests = filters.map((filter) => testOf(filter, kindOf(filter.column)));
  const choosing = filters.some(({ op }) => op === 'one_of');
  const words = search.toLocaleLowerCase(locale);
  const order: number[] = [];
  rows.forEach((row, index) => {
    const found =
      words === '' || row.some((cell) => cell !== null && String(cell).toLocaleLowerCase(locale).includes(words));
    if (found && (!choosing || rank(index) === 0) && tests.every((test) => test(row))) order.push(index);
  });
  if (sort.length === 0) return order;
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const keys = sort.map(({ column, descending }) => {
    const compare = kindOf(column) === 'number' ? compareNumbers : compareBy(collator);
    return { column, sign: descending ? -1 : 1, compare };
  });
  return order.sort((a, b) => {
    const apart = rank(a) - rank(b);
    if (apart !== 0) return apart;
    for (const { column, sign, compare } of keys) {
      const left = rows[a]?.[column] ?? null;
      const right = rows[b]?.[column] ?? null;
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      const difference = compare(left, right);
      if (difference !== 0) return sign * difference;
    }
    return a - b;
  });
}

const compareBy = (collator: Intl.Collator) => (a: Cell, b: Cell) =>
  typeof a === 'string' && typeof b === 'string' ? collator.compare(a, b) : Number(a! > b!) - Number(a! < b!);

/** Says whether a cell lies in a range. */
export function inRange(cell: Cell, { from, to }: Range, kind: Kind): boolean {
  if (kind === 'number') return compareNumbers(cell, from) >= 0 && compareNumbers(cell, to) < 0;
  const text = String(cell).replace(' ', 'T');
  return text >= from && text < to;
}

function testOf({ column, op, value, one_of }: Filter, kind: Kind): (row: Cell[]) => boolean {
  const cellOf = (row: Cell[]) => row[column] ?? null;
  if (op === 'is_null') return (row) => cellOf(row) === null;
  if (op === 'not_null') return (row) => cellOf(row) !== null;
  if (op === 'one_of') {
    const values = new Set(one_of?.values);
    return (row) => {
      const cell = cellOf(row);
      if (cell === null) return one_of?.null === true;
      return values.has(String(cell)) || (one_of?.ranges ?? []).some((range) => inRange(cell, range, kind));
    };
  }
  if (op === 'contains') {
    const words = value.toLowerCase();
    return (row) =>
      String(cellOf(row) ?? '')
        .toLowerCase()
        .includes(words);
  }
  // A day stands for all of its moments.
  const day = kind === 'time' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const place = (cell: Cell): number => {
    if (kind === 'number') return Number.isNaN(Number(value)) ? NaN : compareNumbers(cell, value);
    const text = day ? String(cell).slice(0, 10) : String(cell).replace(' ', 'T');
    const other = kind === 'time' ? value.replace(' ', 'T') : value;
    return text < other ? -1 : text > other ? 1 : 0;
  };
  if (op === 'differs') return (row) => cellOf(row) === null || place(cellOf(row)) !== 0;
  return (row) => {
    const cell = cellOf(row);
    if (cell === null) return false;
    const where = place(cell);
    return op === 'equals' ? where === 0 : op === 'at_least' ? where >= 0 : where <= 0;
  };
}
