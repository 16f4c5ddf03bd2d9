// What is understood of a question, as pieces of its text. Pure.
import type { QuestionMark } from './api/types';
import { say, type Key } from './text';

export type MarkKind = QuestionMark['kind'];

export interface Piece {
  text: string;
  /** Null: nothing is said of it. */
  mark: QuestionMark | null;
}

/** A text in pieces, those that are marked and those between. Marks that do not fit the text are left out. */
export function piecesOf(text: string, marks: QuestionMark[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const mark of marks) {
    if (mark.start < at || mark.end > text.length || text.slice(mark.start, mark.end) !== mark.text) continue;
    if (mark.start > at) pieces.push({ text: text.slice(at, mark.start), mark: null });
    pieces.push({ text: mark.text, mark });
    at = mark.end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), mark: null });
  return pieces;
}

/** The kinds in the order in which a legend lists them, with their names. */
export const markNames: Record<MarkKind, Key> = {
  metric: 'window.mark.metric',
  dimension: 'window.mark.dimension',
  value: 'window.mark.value',
  time: 'window.mark.time',
  ranking: 'window.mark.ranking',
  comparison: 'window.mark.comparison',
  manner: 'window.mark.manner',
  unread: 'window.mark.unread',
};

/** The kinds that a question has, in the order of the legend. */
export function kindsOf(pieces: Piece[]): MarkKind[] {
  const there = new Set(pieces.flatMap(({ mark }) => (mark ? [mark.kind] : [])));
  return (Object.keys(markNames) as MarkKind[]).filter((kind) => there.has(kind));
}

/** What is understood, in one sentence for who does not see the lines. */
export function summaryOf(pieces: Piece[]): string {
  const parts = pieces.flatMap(({ mark }) => (mark ? [`${mark.text}: ${say(markNames[mark.kind])}`] : []));
  return parts.length === 0 ? '' : say('window.mark.summary', { parts: parts.join(', ') });
}
