// A report that is being put together: what a session offers for it, and what was chosen, in its order. Pure.
import type { ReportPiece } from './api/reports';
import type { Answer } from './api/types';
import type { ArtifactKind } from './artifacts';
import type { Key } from './text';

/** A piece of a report with a name of its own, by which it is moved and changed. */
export type ReportItem = ReportPiece & { key: string };

/** What of a turn can stand in a report by itself: the whole answer, or one artifact of it. */
export interface Offer {
  /** `answer`: the whole of it. */
  kind: 'answer' | OfferedKind;
  piece: ReportPiece;
}

/** What a turn offers. */
export interface Offered {
  requestId: string;
  /** Of its place in the dialogue. */
  number: number;
  title: string;
  /** Rows of its table; null: it has none. */
  rows: number | null;
  grade: string;
  pinned: boolean;
  /** It was put away with its conversation, or another version stands in its place: it is offered only where it is pinned or chosen. */
  aside: boolean;
  offers: Offer[];
}

/** The kinds of artifacts that say something by themselves, in the order in which they are offered. */
const offeredKinds = [
  'narration',
  'chart',
  'frame',
  'comparison',
  'driver_analysis',
  'simulation',
  'qm_card',
  'structure',
  'explanation',
  'recommendation',
] as const satisfies ArtifactKind[];
export type OfferedKind = (typeof offeredKinds)[number];

/** What each of them is called. */
export const offerWords: Record<Offer['kind'], Key> = {
  answer: 'window.report.of_answer',
  narration: 'window.report.of_narration',
  chart: 'window.report.of_chart',
  frame: 'window.report.of_frame',
  comparison: 'window.report.of_comparison',
  driver_analysis: 'window.report.of_drivers',
  simulation: 'window.report.of_simulation',
  qm_card: 'window.report.of_profile',
  structure: 'window.report.of_structure',
  explanation: 'window.report.of_explanation',
  recommendation: 'window.report.of_recommendation',
};

interface Answered {
  number: number;
  question: string;
  answer: Answer | null;
  view: { title?: string } | null;
}

/** What a turn offers; null: there is nothing of it to show. */
export function offeredBy(turn: Answered, how: { pinned: boolean; aside: boolean }): Offered | null {
  const { answer } = turn;
  if (!answer) return null;
  const drawn = answer.chart !== null && answer.chart.type !== 'none';
  const artifacts = offeredKinds.flatMap((kind) =>
    answer.artifacts
      .filter((one) => one.kind === kind && (kind !== 'chart' || drawn))
      .map(({ id }): Offer => ({ kind, piece: { kind: 'artifact', id } })),
  );
  if (answer.outcome !== 'answer' && artifacts.length === 0) return null;
  return {
    requestId: answer.request_id,
    number: turn.number,
    title: turn.view?.title || answer.understood?.reading || turn.question,
    rows: answer.frame?.row_count ?? null,
    grade: answer.verification?.level ?? 'none',
    ...how,
    offers: [{ kind: 'answer', piece: { kind: 'answer', id: answer.request_id } }, ...artifacts],
  };
}

/** Whether two pieces are the same answer or artifact. Headings and texts are each one of their own. */
export const samePiece = (a: ReportPiece, b: ReportPiece): boolean =>
  'id' in a && 'id' in b && a.kind === b.kind && a.id === b.id;

/** Which turn a piece is of, and which of its offers; null: of none that is known. */
export function originOf(piece: ReportPiece, all: Offered[]): { of: Offered; offer: Offer } | null {
  for (const of of all) {
    const offer = of.offers.find((one) => samePiece(one.piece, piece));
    if (offer) return { of, offer };
  }
  return null;
}

/** A list with one of its items at another place; what lies between moves by one. */
export function moved<Item>(all: readonly Item[], from: number, to: number): Item[] {
  const rest = all.filter((_, index) => index !== from);
  return from in all ? rest.toSpliced(to, 0, all[from] as Item) : rest;
}

/** What is kept of a report that is not finished. */
export interface Draft {
  title: string;
  items: ReportItem[];
  /** When it was changed last, in milliseconds: of many drafts the oldest go. */
  at: number;
}

/** Reads a draft; null: there is none, or it is none. */
export function readDraft(kept: string | null): Draft | null {
  try {
    const draft = JSON.parse(kept ?? 'null') as Partial<Draft> | null;
    if (!draft || typeof draft.title !== 'string' || !Array.isArray(draft.items)) return null;
    return { title: draft.title, items: draft.items.filter(isItem), at: Number(draft.at) || 0 };
  } catch {
    return null;
  }
}

function isItem(value: unknown): value is ReportItem {
  if (typeof value !== 'object' || value === null) return false;
  const { key, kind, id, text } = value as Record<string, unknown>;
  if (typeof key !== 'string') return false;
  if (kind === 'answer' || kind === 'artifact') return typeof id === 'string';
  return (kind === 'heading' || kind === 'text') && typeof text === 'string';
}

/** The pieces as they are asked for: without what is empty. */
export const piecesOf = (items: ReportItem[]): ReportPiece[] =>
  items.flatMap((item): ReportPiece[] => {
    if ('id' in item) return [{ kind: item.kind, id: item.id }];
    return item.text.trim() === '' ? [] : [{ kind: item.kind, text: item.text.trim() }];
  });
