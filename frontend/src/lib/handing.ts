// What is handed over of a session, and as what. Pure.
import type { ReportPiece } from './api/reports';
import type { RowsChoice } from './api/session-files';
import type { Answer } from './api/types';

/** What a session is handed over as. */
export type HandingForm = 'file' | 'page' | 'workbook' | 'address';

/** A question of the session that can be the last one that is shown. */
export interface HandedTurn {
  /** As the program counts, from 1. */
  turn: number;
  question: string;
  requestId: string;
}

/** The session that is handed over, as it stood when somebody asked for it. */
export interface HandedSession {
  id: string;
  title: string;
  turns: HandedTurn[];
}

/** The answered turns among those that stand. */
export const handedTurns = (standing: { question: string; answer: Answer | null }[]): HandedTurn[] =>
  standing.flatMap(({ question, answer }) =>
    answer ? [{ turn: answer.turn, question, requestId: answer.request_id }] : [],
  );

/** How a form may hold the rows: a workbook without them would hold nothing. */
export const rowsOf = (form: HandingForm): RowsChoice[] =>
  form === 'workbook' ? ['whole', 'masked'] : ['whole', 'masked', 'none'];

/** Whether a form can end before the last question. */
export const endsEarlier = (form: HandingForm): boolean => form !== 'file';

/** The turns that are shown when it ends with one; 0: with the last. */
export const shownTurns = (turns: HandedTurn[], last: number): HandedTurn[] =>
  last === 0 ? turns : turns.filter(({ turn }) => turn <= last);

/** A workbook of whole answers, in their order: all of the session, or those up to a question. */
export const workbookPieces = (sessionId: string, turns: HandedTurn[], last: number): ReportPiece[] =>
  last === 0 ? [{ kind: 'session', id: sessionId }] : turns.map(({ requestId }) => ({ kind: 'answer', id: requestId }));
