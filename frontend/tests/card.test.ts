import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import MetricCard from '$components/artifacts/chart/MetricCard.svelte';
import type { Column, MetricCard as Card } from '$lib/api/types';
import { changeOf, courseOf, partsOf, sourcesOf } from '$lib/card';

const source = (frame_ql: string) => ({ frame_id: 'frm_1', frame_ql, sql: 'SELECT 1' });
const card = (part: Partial<Card> = {}): Card => ({
  metric: 'revenue',
  label: 'Revenue',
  unit: 'USD',
  format: '',
  better: 'up',
  summary: 120,
  previous: 100,
  delta_pct: 0.2,
  against: 'Q3 1997',
  grain: 'month',
  timeseries: [
    { date: '1997-10-01', value: 30 },
    { date: '1997-11-01', value: null },
    { date: '1997-12-01', value: 90 },
  ],
  by: 'products',
  breakdown: [
    { label: 'Chai', value: 60, rest: false },
    { label: null, value: 15, rest: false },
    { label: 'all others', value: 45, rest: true },
  ],
  sources: {
    summary: source('SELECT revenue'),
    previous: source('SELECT PREV(revenue)'),
    delta_pct: source('SELECT PREV(revenue)'),
    timeseries: source('SELECT month, revenue'),
    breakdown: null,
  },
  ...part,
});
const column: Column = {
  name: 'revenue',
  role: 'metric',
  type: 'decimal',
  unit: 'USD',
  grain: null,
  metric: 'revenue',
  dimension: null,
  additivity: 'additive',
  served_from: null,
  format: null,
  derived: null,
};

describe('a metric card', () => {
  it('judges a change by what is better', () => {
    expect(changeOf(card())).toEqual({ up: true, percent: 20, sense: 'good' });
    expect(changeOf(card({ better: 'down' }))?.sense).toBe('bad');
    expect(changeOf(card({ better: '' }))?.sense).toBe('even');
    expect(changeOf(card({ summary: '80.0', better: 'up' }))).toMatchObject({ up: false, sense: 'bad' });
    expect(changeOf(card({ delta_pct: null }))?.percent).toBeNull();
    expect(changeOf(card({ previous: null }))).toBeNull();
  });

  it('breaks the line where a value is missing and stands on zero', () => {
    const course = courseOf(card(), 100, 10);
    expect(course?.line.match(/M/g)).toHaveLength(2);
    expect(course?.low).toBe(30);
    expect(course?.high).toBe(90);
    expect(courseOf(card({ timeseries: [] }), 100, 10)).toBeNull();
  });

  it('draws bars for members and none for the rest', () => {
    expect(partsOf(card()).map((part) => part.share)).toEqual([1, 0.25, 0]);
    expect(partsOf(card({ breakdown: [] }))).toEqual([]);
  });

  it('names each query once, with all that was taken from it', () => {
    expect(sourcesOf(card()).map((each) => [each.frame_ql, each.parts.length])).toEqual([
      ['SELECT revenue', 1],
      ['SELECT PREV(revenue)', 2],
      ['SELECT month, revenue', 1],
    ]);
  });

  it('shows the number, its change and its parts, and runs the query behind one', async () => {
    const onrun = vi.fn();
    render(MetricCard, { card: card(), column, locale: 'en-US', running: false, onrun });
    screen.getByText('$120.00');
    screen.getByText('+20.0 %');
    screen.getByText('against Q3 1997: $100.00');
    screen.getByText('Chai');
    await fireEvent.click(screen.getByRole('button', { name: 'Queries behind this card' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Run SELECT PREV(revenue)' }));
    expect(onrun).toHaveBeenCalledExactlyOnceWith('SELECT PREV(revenue)');
  });
});
