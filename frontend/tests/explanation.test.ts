import { render, screen, within } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import ExplanationCard from '$components/artifacts/explanation/ExplanationCard.svelte';
import { LocalRows } from '$lib/grid/local.svelte';
import Grid from '$shared/grid/Grid.svelte';
import type { ExplainedCard } from '$lib/blocks';
import { answers } from './fixtures';

it('shows the plan, the rewrites with their reasons, the cache and the SQL, and runs the query', async () => {
  const explanation = answers.explained.explanation!;
  const card: ExplainedCard = {
    kind: 'explanation',
    place: '1',
    key: 'k',
    turn: 'k',
    number: 1,
    title: 'Revenue',
    at: '2026-10-28T09:00:00Z',
    answer: answers.explained,
    standing: null,
    explanation,
  };
  const onrun = vi.fn();
  render(ExplanationCard, { card, locale: 'en-US', running: false, onrun });
  const shown = within(screen.getByRole('article', { name: 'Revenue' }));
  expect(shown.getByText(explanation.steps[0]!.says, { selector: 'ol li:first-child p' })).toBeTruthy();
  for (const rewrite of explanation.rewrites) expect(shown.getAllByText(rewrite.name).length).toBeGreaterThan(0);
  expect(shown.getAllByText('Applied.')).toHaveLength(explanation.rewrites.filter((one) => one.applied).length);
  expect(shown.getByRole('group', { name: 'SQL (duckdb)' }).textContent).toContain('SELECT');
  shown.getByRole('button', { name: 'Run' }).click();
  expect(onrun).toHaveBeenCalledExactlyOnceWith(explanation.frame_ql);
});

it('tells in the title of an empty cell why it is empty', () => {
  const columns = [{ name: 'change', label: 'Change', unit: '', numeric: true }];
  render(Grid, {
    label: 'Changes',
    columns,
    source: new LocalRows(() => ({ rows: [[0.5], [null]], kindOf: () => 'number', locale: 'en-US' })),
    show: String,
    whyNull: (row: number) => (row === 1 ? 'No divisor' : ''),
    locale: 'en-US',
  });
  expect(screen.getByText('null').parentElement?.title).toBe('No divisor');
});
