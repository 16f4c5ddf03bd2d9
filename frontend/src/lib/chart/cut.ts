// From what a person marks in a chart to what is asked of the program. Pure.
import type { ChartEdit, Frame, Marked } from '../api/types';
import type { Cell } from '../cell';
import type { Mark, Marks } from './marks';

/** What the marks of a chart stand for; null: they stand for nothing that could be asked. */
export function markedBy(chosen: Mark[], intent: ChartEdit, frame: Frame): Marked | null {
  const known = chosen.filter((mark) => mark.cells !== null);
  if (known.length === 0) return null;
  const grained = (name: string) => {
    const column = frame.columns.find((found) => found.name === name);
    return column?.role === 'dimension' && (column.type === 'date' || column.type === 'timestamp');
  };
  const names = Object.keys(known[0]!.cells!);
  if (known.length === 1) {
    return { members: names.map((column) => ({ column, value: known[0]!.cells![column] ?? null })) };
  }
  // Several marks: the stretch of the axis that they take, whatever their series.
  if (!names.includes(intent.x)) return null;
  const cells = known.map((mark) => mark.cells![intent.x] ?? null);
  if (grained(intent.x)) {
    const moments = cells.filter((cell): cell is string => typeof cell === 'string').sort();
    const [first] = moments;
    const last = moments.at(-1);
    return first && last ? { members: [], time: { column: intent.x, first, last } } : null;
  }
  return { members: [...new Set<Cell>(cells)].map((value) => ({ column: intent.x, value })) };
}

/** The marks whose places lie in a stretch of the axis. */
export function marksBetween(
  marks: Marks,
  from: number,
  to: number,
  placeOf: (value: unknown) => number | null,
): Mark[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  return marks.marks.filter((mark) => {
    const at = placeOf(mark.x);
    return at !== null && at >= low && at <= high;
  });
}
