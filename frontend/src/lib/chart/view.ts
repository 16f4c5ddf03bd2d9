// How a person looks at an answer: the chart as edited, the table, or the number.
import type { Chart, Frame, Turn, View } from '../api/types';
import type { Cell } from '../cell';
import { isNumeric } from '../format';
import { comparisonOf } from '../comparison';
import { whyNoPivot } from '../pivot';
import { canDraw } from './intent';

/** The view that a turn of a session keeps; null: none. */
export function viewOf(turn: Turn): View | null {
  const body = turn.artifacts.findLast((artifact) => artifact.kind === 'view')?.body;
  return isView(body) ? body : null;
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  ['chart', 'table', 'number', 'comparison', 'pivot'].includes((value as View).show);

/** What an answer can be shown as. */
export function waysToShow(frame: Frame): View['show'][] {
  return [
    ...(canDraw(frame) && frame.rows.length > 1 ? (['chart'] as const) : []),
    ...(totalOf(frame) ? (['number'] as const) : []),
    ...(comparisonOf(frame) ? (['comparison'] as const) : []),
    ...(whyNoPivot(frame) === null ? (['pivot'] as const) : []),
    'table',
  ];
}

/** How an answer is shown that nobody has looked at otherwise. */
export function usualView(chart: Chart | null): View {
  return { show: chart === null ? 'table' : chart.type === 'big_number' ? 'number' : 'chart' };
}

/**
 * One row that stands for a frame: itself when there is one, else the sums of what adds up. Null: nothing does. The number of rows
 * that were added goes with it.
 */
export function totalOf(frame: Frame): { frame: Frame; rows: number } | null {
  const isFlag = (name: string) => (row: unknown[] | null) =>
    row?.[frame.columns.findIndex((column) => column.role === 'flag' && column.name === name)] === true;
  if (frame.rows.length === 0) return null;
  if (frame.rows.length === 1) return frame.columns.some(isNumeric) ? { frame, rows: 1 } : null;
  if (frame.truncated) return null;
  const rows = frame.rows.filter((row) => !isFlag('is_total')(row));
  const sums = frame.columns.flatMap((column, index) =>
    isNumeric(column) && column.additivity === 'additive' && !column.derived?.of ? [{ column, index }] : [],
  );
  if (sums.length === 0) return null;
  const sum = (index: number): Cell => {
    const total = rows.reduce((all, row) => all + Number(row?.[index] ?? 0), 0);
    return Math.round(total * 1e6) / 1e6;
  };
  return {
    rows: rows.length,
    frame: {
      ...frame,
      columns: sums.map(({ column }) => column),
      rows: [sums.map(({ index }) => sum(index))],
      row_count: 1,
    },
  };
}
