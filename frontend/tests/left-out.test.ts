import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Frame, SessionContents } from '$lib/api/types';
import type { CardOf } from '$lib/blocks';
import { leftOut } from '$lib/left-out';
import ComparisonCard from '$components/artifacts/comparison/ComparisonCard.svelte';
import SimulationCard from '$components/artifacts/simulation/SimulationCard.svelte';
import HandingHolds from '$components/session/HandingHolds.svelte';
import { desk } from './desk';
import { answers } from './fixtures';

const contents: SessionContents = {
  turns: 3, unfinished: 0, frames: 0, rows: 0, bytes: 1000, tables: [], personal: ['customers.contact_name'], sql: false, model: [], signer: null, key: '',
  sentences: 2, memos: 1, corrections: 1, terms: 2, shared_terms: 1, preferences: 1, feedback: 1, replies: 4, versions: 1, cleared: 1, origin: 'The day before', elsewhere: 0, sent_texts: 0,
}; // prettier-ignore
const without: Frame = { ...answers.category.frame!, rows: [], row_count: 0, truncated: { cap: 0, total_rows: 8 } };
const said = 'The rows were left out of the file that this came with, and the numbers that are made of them.';

describe('what is handed over', () => {
  const choice = { frames: 'none', model: false, sign: false, signer: '' } as const;
  it('names everything in a file without rows, and who may be named by its sentences', () => {
    const { container } = render(HandingHolds, { contents, form: 'file', choice, turns: 2, locale: 'en-US' });
    const lines = [...container.querySelectorAll('li')].map((line) => line.textContent.trim());
    expect(lines).toEqual([
      '3 turns with their questions, queries, grades and steps',
      'no rows',
      'the sentences of the answers, which stay and quote figures',
      'the memo of the session, with 1 turn',
      '1 turn that corrects one before it',
      '2 meanings that you taught',
      '1 meaning that is agreed for everybody',
      '1 preference of yours',
      'what you said of 1 answer',
      '4 recorded replies of language models',
      '1 other version of an answer',
      '1 turn that was cleared away',
      'that it was forked from The day before',
      'no rows of customers.contact_name, which name one person; the sentences of the answers may quote them',
    ]);
    expect(container.querySelector('.caution')?.textContent).toContain('contact_name');
  });

  it('says of a page what a page shows', () => {
    const { container } = render(HandingHolds, { contents, form: 'page', choice, turns: 3, locale: 'en-US' });
    expect(container.textContent).not.toContain('language models');
    expect(container.textContent).toContain('the sentences of the answers, which stay and quote figures');
  });
});

describe('what came without its rows', () => {
  it('is known from what was let go', () => {
    expect(leftOut(without)).toBe(true);
    expect(leftOut({ ...without, let_go: '2026-01-01T00:00:00Z' })).toBe(false);
    expect(leftOut(answers.category.frame!)).toBe(false);
  });

  it('is said by a comparison and a simulation', () => {
    const side = { label: 'now', request_id: '', frame: without };
    const comparison = { title: 'Two', body: { base: side, current: side, keys: [], measures: [] } } as unknown as CardOf<'comparison'>; // prettier-ignore
    render(ComparisonCard, { card: comparison, desk: desk() });
    const body = { type: 'filter', source: { frame_id: '', frame_ql: '', label: 'Revenue' }, assumptions: [], recompute: 'none', levers: [], outcomes: [], goal: null, result: without, left_out: true }; // prettier-ignore
    render(SimulationCard, { card: { title: 'If', body } as unknown as CardOf<'simulation'>, desk: desk() });
    expect(screen.getAllByText(said)).toHaveLength(2);
  });
});
