import category from './fixtures/category.json';
import clarify from './fixtures/clarify.json';
import explained from './fixtures/explained.json';
import orders from './fixtures/orders.json';
import refuse from './fixtures/refuse.json';
import workspace from './fixtures/workspace.json';
import type { Answer, SessionDocument, Step, Turn, Workspace } from '$lib/api/types';

// JSON has no literal types; the fixtures were written from what the program sends.
export const answers = {
  category: category as unknown as Answer,
  clarify: clarify as unknown as Answer,
  explained: explained as unknown as Answer,
  orders: orders as unknown as Answer,
  refuse: refuse as unknown as Answer,
};
export const northwind = workspace as unknown as Workspace;

export const step = (name: string, status: string, took = 0, note = ''): Step => ({
  name,
  status,
  started: '2026-10-28T09:00:00Z',
  took_ms: took,
  note,
});

export const storedTurn = (part: Partial<Turn>): Turn => ({
  index: 1,
  place: 1,
  chosen: true,
  request_id: 'r1',
  question: 'revenue by category in 1997',
  asked: '2026-10-28T09:00:00Z',
  outcome: 'answer',
  status: 'completed',
  frame_ql: '',
  answer: null,
  fault: null,
  artifacts: [],
  trace: [],
  feedback: null,
  given: null,
  made_by: null,
  holding: null,
  ...part,
});

export const storedSession = (): SessionDocument => ({
  id: 'ses_1',
  title: 'revenue',
  created: '2026-10-28T09:00:00Z',
  updated: '2026-10-28T09:00:00Z',
  turns: [storedTurn({ answer: answers.category, trace: answers.category.trace })],
  origin: null,
  imported: null,
});
