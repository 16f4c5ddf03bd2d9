// Two frames side by side: their rows aligned by key, with what differs. Pure.
import type { ComparedMeasure, Comparison, Column, Frame } from './api/types';
import type { Cell } from './cell';
import { minus, relative } from './exact';
import { marksOf } from './flags';
import { isNumeric } from './format';
import { labelOf } from './reading';
import { say } from './text';
import { senseOf, type Sense } from './sense';

/** How a row stands in the two frames. */
export type RowState = 'both' | 'same' | 'added' | 'removed';

export interface ComparedCell {
  base: Cell;
  current: Cell;
  /** Current minus base; null: one of them is missing. */
  change: number | string | null;
  /** As a fraction of the base; null: there is none to be a fraction of. */
  share: number | null;
  sense: Sense;
}

export interface ComparedRow {
  keys: Cell[];
  /** It is the rest of a TOP, or a total. */
  mark: 'other' | 'total' | null;
  state: RowState;
  cells: ComparedCell[];
  /** The largest change of the row, for its order. */
  size: number;
}

export interface Aligned {
  keys: Column[];
  /** The column of each measure, as the current frame has it. */
  measures: { label: string; column: Column }[];
  rows: ComparedRow[];
  counts: Record<RowState, number>;
  /** Keys that a side has several rows of: only the first one is compared. */
  repeated: number;
  /** A column that the payload names and a frame does not have. */
  missing: string[];
}

/** Aligns the rows of both sides, in the order of the current frame; what was removed stands at the end. */
export function align(comparison: Comparison): Aligned {
  const { base, current } = comparison;
  const at = (frame: Frame, name: string) => frame.columns.findIndex((column) => column.name === name);
  const missing: string[] = [];
  const known = (frame: Frame, name: string) => {
    const index = at(frame, name);
    if (index < 0) missing.push(name);
    return index;
  };
  const keysIn = (frame: Frame) => comparison.keys.map((name) => known(frame, name));
  const [baseKeys, currentKeys] = [keysIn(base.frame), keysIn(current.frame)];
  const measures = comparison.measures.flatMap((measure) => {
    const [from, to] = [known(base.frame, measure.base), known(current.frame, measure.current)];
    const column = current.frame.columns[to];
    return from >= 0 && column ? [{ measure, from, to, column }] : [];
  });
  let repeated = 0;
  const indexed = (frame: Frame, keys: number[]) => {
    const marks = marksOf(frame.columns, frame.rows as Cell[][]);
    const rows = new Map<string, { cells: Cell[]; mark: 'other' | 'total' | null }>();
    (frame.rows as Cell[][]).forEach((cells, index) => {
      const mark = marks[index] ?? null;
      const key = JSON.stringify([mark, ...keys.map((column) => cells[column] ?? null)]);
      if (rows.has(key)) repeated++;
      else rows.set(key, { cells, mark });
    });
    return rows;
  };
  const before = indexed(base.frame, baseKeys);
  const now = indexed(current.frame, currentKeys);
  const counts: Record<RowState, number> = { both: 0, same: 0, added: 0, removed: 0 };
  const rowOf = (key: string): ComparedRow => {
    const [was, is] = [before.get(key), now.get(key)];
    const cells = measures.map(({ measure, from, to }) =>
      compared(was?.cells[from] ?? null, is?.cells[to] ?? null, measure.better),
    );
    const same = cells.every((cell) => cell.base === cell.current || cell.change === 0);
    const state: RowState = !was ? 'added' : !is ? 'removed' : same ? 'same' : 'both';
    counts[state]++;
    const keys = (is ? currentKeys : baseKeys).map((column) => (is ?? was)?.cells[column] ?? null);
    const first = cells[0];
    const size = first ? Math.abs(Number(first.change ?? first.current ?? first.base ?? 0)) : 0;
    return { keys, mark: (is ?? was)?.mark ?? null, state, cells, size };
  };
  const order = [...now.keys(), ...[...before.keys()].filter((key) => !now.has(key))];
  return {
    keys: comparison.keys.flatMap(
      (_, index) => current.frame.columns[currentKeys[index]!] ?? base.frame.columns[baseKeys[index]!] ?? [],
    ),
    measures: measures.map(({ measure, column }) => ({ label: measure.label || labelOf(column), column })),
    rows: order.map(rowOf),
    counts,
    repeated,
    missing: [...new Set(missing)],
  };
}

function compared(base: Cell, current: Cell, better: ComparedMeasure['better']): ComparedCell {
  const change = minus(current, base);
  const moved = Number(change ?? 0);
  return { base, current, change, share: relative(base, current), sense: senseOf(moved, better) };
}

/** A frame whose numbers stand beside what they are compared with, as a comparison; null: it has no such numbers. */
export function comparisonOf(frame: Frame): Comparison | null {
  const compares = (column: Column) => column.derived?.how === 'previous' || column.derived?.how === 'target';
  const pairs = frame.columns.flatMap((column) => {
    const own = frame.columns.find((known) => known.name === column.derived?.of);
    return compares(column) && own && isNumeric(own) ? [{ own, before: column }] : [];
  });
  const [first] = pairs;
  if (!first || frame.rows.length === 0) return null;
  const keys = frame.columns.filter((column) => column.role === 'dimension').map(({ name }) => name);
  const label = first.before.derived?.how === 'target' ? 'window.comparison.target' : 'window.comparison.before';
  return {
    base: { label: say(label), request_id: '', frame },
    current: { label: say('window.comparison.now'), request_id: '', frame },
    keys,
    measures: pairs.map(({ own, before }) => ({ label: labelOf(own), base: before.name, current: own.name, better: 'none' })),
  }; // prettier-ignore
}
