import type { Citation, Narration, ReadSpan } from './api/types';
import { byteLength, cutAtBytes } from './bytes';
import { say, type Key } from './text';

/** A piece of text, with the thing that it is marked with, if any. */
export interface Marked<Mark> {
  text: string;
  mark: Mark | null;
}

interface Extent {
  start: number;
  end: number;
}

/** Cuts text at the marks over it. A mark that overlaps an earlier one, or lies outside, is left out. */
export function cutAtMarks<Mark extends Extent>(text: string, marks: Mark[]): Marked<Mark>[] {
  const length = byteLength(text);
  const kept: Mark[] = [];
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    const after = kept.at(-1)?.end ?? 0;
    if (mark.start >= after && mark.end > mark.start && mark.end <= length) kept.push(mark);
  }
  const pieces = cutAtBytes(
    text,
    kept.flatMap((mark) => [mark.start, mark.end]),
  );
  return pieces
    .map((piece, index) => ({ text: piece, mark: index % 2 === 1 ? (kept[(index - 1) / 2] ?? null) : null }))
    .filter((piece) => piece.text !== '');
}

/** The narration as pieces of text, some of them cited to a cell. */
export const citedPieces = (narration: Narration): Marked<Citation>[] =>
  cutAtMarks(narration.text, narration.citations ?? []);

/** The question as pieces of text, some of them read as a slot. */
export const readPieces = (question: string, spans: ReadSpan[]): Marked<ReadSpan>[] => cutAtMarks(question, spans);

/** One cell of a frame; row -1 stands for the whole column. */
export interface Place {
  row: number;
  column: string;
}

/** What something points at in a frame: a cell, or, without a column, the number of rows. */
export interface CellRef extends Place {
  frame: string;
  /** All the cells that a number was worked out from; absent: it stands in the cell. */
  cells?: Place[];
}

/** Where a number of a narration comes from. */
export const cellOf = ({ frame, row, column, cells }: Citation): CellRef =>
  cells && cells.length > 0 ? { frame, row, column, cells } : { frame, row, column };

const formulas: Record<string, Key> = {
  sum: 'window.formula.sum',
  mean: 'window.formula.mean',
  max: 'window.formula.max',
  min: 'window.formula.min',
  share: 'window.formula.share',
  rank: 'window.formula.rank',
  diff: 'window.formula.diff',
  pct: 'window.formula.pct',
  ratio: 'window.formula.ratio',
};

/** How a number was worked out, for a person; rows are counted from one. */
export function formulaWords({ formula = '', cells = [] }: Pick<Citation, 'formula' | 'cells'>): string {
  const key = formulas[formula.slice(0, formula.indexOf('('))];
  const [a, b] = cells.map(({ row, column }) =>
    row < 0 ? column : say('window.formula.cell', { column, row: row + 1 }),
  );
  return key ? say(key, { a: a ?? '', b: b ?? '', column: cells[0]?.column ?? '' }) : formula;
}

/** The cells that light up for a reference; none for the number of rows. */
export function litPlaces(cell: CellRef | null): Place[] {
  if (cell === null || cell.column === '') return [];
  return cell.cells ?? [{ row: cell.row, column: cell.column }];
}

/** Says whether two references mean the same cell. */
export const sameCell = (a: CellRef | null, b: CellRef | null): boolean =>
  a !== null && b !== null && a.frame === b.frame && a.row === b.row && a.column === b.column;
