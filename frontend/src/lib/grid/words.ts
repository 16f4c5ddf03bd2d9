// What the choices of the grid are called.
import type { Key } from '../text';
import type { FilterOp } from './arrange';
import type { CopyFormat } from './copy';

export const opWords: Record<FilterOp, Key> = {
  contains: 'window.grid.op_contains',
  equals: 'window.grid.op_equals',
  differs: 'window.grid.op_differs',
  at_least: 'window.grid.op_at_least',
  at_most: 'window.grid.op_at_most',
  is_null: 'window.grid.op_is_null',
  not_null: 'window.grid.op_not_null',
};

export const copyWords: Record<CopyFormat, Key> = {
  tsv: 'window.grid.copy_tsv',
  csv: 'window.grid.copy_csv',
  markdown: 'window.grid.copy_markdown',
  json: 'window.grid.copy_json',
  sql: 'window.grid.copy_sql',
};
