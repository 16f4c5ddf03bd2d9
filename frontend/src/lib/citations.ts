import type { Citation, Narration, ReadSpan } from './api/types';
import { byteLength, cutAtBytes } from './bytes';

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

/** A cell of a frame that something points at. */
export interface CellRef {
  frame: string;
  row: number;
  column: string;
}

/** Says whether two references mean the same cell. */
export const sameCell = (a: CellRef | null, b: CellRef | null): boolean =>
  a !== null && b !== null && a.frame === b.frame && a.row === b.row && a.column === b.column;
