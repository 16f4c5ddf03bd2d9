// Rows of a frame that are no members: the rest of a TOP, and totals. The frame says so in columns of the role "flag".
import type { Column } from './api/types';
import type { Cell } from './cell';

export type RowMark = 'other' | 'total' | null;

/** The positions of the columns that a person sees: flags are shown by how a row looks. */
export const shownColumns = (columns: Column[]): number[] =>
  columns.flatMap((column, index) => (column.role === 'flag' ? [] : [index]));

/** Gives what each row is. */
export function marksOf(columns: Column[], rows: Cell[][]): RowMark[] {
  const position = (name: string) => columns.findIndex((column) => column.role === 'flag' && column.name === name);
  const total = position('is_total');
  const other = position('is_other');
  if (total < 0 && other < 0) return [];
  return rows.map((row) => (row[total] === true ? 'total' : row[other] === true ? 'other' : null));
}
