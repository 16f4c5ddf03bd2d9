// How the columns of an answer or a table look in a grid.
import type { Column } from '../api/types';
import type { Cell } from '../cell';
import { digitsFor, formatCell, isNumeric } from '../format';
import { labelOf } from '../reading';
import type { Kind } from './arrange';
import type { GridColumn } from './state.svelte';

const kinds: Record<string, Kind> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'truth',
  date: 'time',
  timestamp: 'time',
  time: 'time',
};

/** The columns of a grid for columns that a person sees (flags are none). Each is remembered by its name, and by its place among equals. */
export function gridColumns(columns: Column[]): GridColumn[] {
  const seen = new Map<string, number>();
  return columns.map((column) => {
    const times = seen.get(column.name) ?? 0;
    seen.set(column.name, times + 1);
    return {
      name: times === 0 ? column.name : `${column.name} ${times + 1}`,
      label: labelOf(column),
      unit: column.unit ?? '',
      numeric: isNumeric(column),
      kind: kinds[column.type] ?? 'text',
      type: column.type,
      personal: column.personal === true,
    };
  });
}

/** How cells read. `sample` gives some cells of a column, for the digits that its numbers show. */
export function shower(
  columns: Column[],
  sample: (column: number) => Cell[],
  locale: string,
): (cell: Cell, column: number) => string {
  const digits = columns.map((column, index) => (isNumeric(column) ? digitsFor(column, sample(index)) : 0));
  return (cell, index) => {
    const column = columns[index];
    return column ? formatCell(cell, column, digits[index] ?? 0, locale) : '';
  };
}
