// The artifacts of a turn that are cards of their own: what is in the session document, and what follows from an answer. Pure.
import type {
  Answer,
  Artifact,
  Comparison,
  DriverAnalysis,
  QMCard,
  Recommendation,
  Simulation,
  Structure,
} from './api/types';

export type ArtifactKind = Artifact['kind'];

/** What the body of each kind is that is a card by itself. */
export interface Bodies {
  comparison: Comparison;
  simulation: Simulation;
  structure: Structure;
  qm_card: QMCard;
  driver_analysis: DriverAnalysis;
  recommendation: Recommendation;
}

export type BodyKind = keyof Bodies;

/**
 * Where artifacts of a kind are shown: in the dialogue, among the results, on the card of the frame that they belong to, or not at
 * all, because they say how another one is shown. A kind that is missing here does not compile.
 */
export const places: Record<ArtifactKind, 'dialogue' | 'results' | 'frame' | 'none'> = {
  narration: 'dialogue',
  clarification: 'dialogue',
  refusal: 'dialogue',
  followups: 'dialogue',
  frame: 'results',
  explanation: 'results',
  comparison: 'results',
  simulation: 'results',
  structure: 'results',
  qm_card: 'results',
  driver_analysis: 'results',
  recommendation: 'results',
  chart: 'frame',
  provenance: 'frame',
  view: 'none',
};

const ofAnswer: ArtifactKind[] = ['frame', 'explanation'];

/** An artifact that is a card by itself: of a kind that is known here, or of one that a newer program made. */
export type Made =
  | { [K in BodyKind]: { id: string; kind: K; title: string; body: Bodies[K] } }[BodyKind]
  | { id: string; kind: 'unknown'; title: string; named: string };

/** The artifacts of a turn that its answer does not hold, in their order. */
export function madeOf(artifacts: readonly Artifact[]): Made[] {
  return artifacts.flatMap(({ id, kind, title, body }): Made[] => {
    const place = (places as Record<string, string | undefined>)[kind];
    if (place === undefined) return [{ id, kind: 'unknown', title, named: String(kind) }];
    if (place !== 'results' || ofAnswer.includes(kind)) return [];
    return [{ id, kind, title, body } as Made];
  });
}

/** Says whether an answer refers to artifacts that it does not hold itself. */
export const hasMade = (answer: Answer): boolean =>
  answer.artifacts.some(({ kind }) => {
    const place = (places as Record<string, string | undefined>)[kind];
    return place === undefined || (place === 'results' && !(ofAnswer as string[]).includes(kind));
  });

/** The artifact that a card shows: the one that it is named after, else the first of its kind; empty: none. */
export const artifactOf = ({ artifacts }: Answer, kind: string, key = ''): string =>
  (artifacts.find(({ id }) => id === key) ?? artifacts.find((one) => one.kind === kind))?.id ?? '';

/** A statement that was written and not run, as its answer says it; null: it ran, or there is none. */
export function recommendationOf(answer: Answer): Recommendation | null {
  if (answer.status !== 'recommended' || answer.frame || answer.sql === '') return null;
  return {
    request_id: answer.request_id,
    reading: answer.understood?.reading || answer.question,
    frame_ql: answer.understood?.frame_ql ?? '',
    sql: answer.sql,
    reasons: [...new Set([...(answer.risk?.reasons ?? [])].reverse())],
    cost: answer.plan ?? null,
    until: answer.acceptance?.deadline ?? null,
  };
}
