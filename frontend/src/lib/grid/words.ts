// What the choices of the grid are called.
import type { CellChoice } from '../api/types';
import type { Cell } from '../cell';
import { formatRange } from '../format';
import { personLocale } from '../locale';
import { say, type Key } from '../text';
import type { FilterOp } from './arrange';
import type { CopyFormat } from './copy';
import { linesOfChoice, type FacetLine } from './facets';
import type { GridColumn } from './state.svelte';

export const opWords: Record<FilterOp, Key> = {
  contains: 'window.grid.op_contains',
  equals: 'window.grid.op_equals',
  differs: 'window.grid.op_differs',
  at_least: 'window.grid.op_at_least',
  at_most: 'window.grid.op_at_most',
  is_null: 'window.grid.op_is_null',
  not_null: 'window.grid.op_not_null',
  one_of: 'window.grid.op_one_of',
};

export const copyWords: Record<CopyFormat, Key> = {
  tsv: 'window.grid.copy_tsv',
  csv: 'window.grid.copy_csv',
  markdown: 'window.grid.copy_markdown',
  json: 'window.grid.copy_json',
  sql: 'window.grid.copy_sql',
  sql_in: 'window.grid.copy_sql_in',
  sql_insert: 'window.grid.copy_sql_insert',
};

/** A line of a facet as a person reads it. */
export function lineWords(line: FacetLine, column: GridColumn, show: (cell: Cell) => string): string {
  if (line.is === 'null') return say('window.cell.null');
  if (line.range) {
    const { from, to } = line.range;
    if (column.type === 'date') return formatRange(line.range, personLocale());
    return say('window.grid.range', { from: show(from), to: show(to) });
  }
  if (line.value === '') return say('window.grid.is_empty');
  if (column.kind === 'truth') return show(line.value === 'true');
  return show(line.value);
}

const named = 2;

/** What a choice keeps, in a few words. */
export function choiceWords(choice: CellChoice, column: GridColumn, show: (cell: Cell) => string): string {
  const all = linesOfChoice(choice).map((line) => lineWords(line, column, show).slice(0, 60));
  const words = all.slice(0, named).join(', ');
  const rest = all.length - named;
  return `${say('window.grid.op_one_of')} ${rest > 0 ? say('window.grid.and_more', { words, n: rest }) : words}`;
}
