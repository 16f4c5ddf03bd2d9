import { describe, expect, it } from 'vitest';
import type { Column, ReadSpan, Understood } from '$lib/api/types';
import { readingParts } from '$lib/reading';
import { answers } from './fixtures';

const column = (part: Partial<Column>): Column => ({
  name: 'x',
  role: 'dimension',
  type: 'text',
  unit: null,
  grain: null,
  metric: null,
  dimension: null,
  additivity: null,
  ...part,
});
const span = (slot: string, target: string, method = 'exact'): ReadSpan => ({
  start: 0,
  end: 1,
  text: 'x',
  slot,
  target,
  method,
  confidence: 1,
});
const understood = (frame_ql: string, spans: ReadSpan[] = []): Understood => ({
  frame_ql,
  query: {},
  spans,
  assumptions: [],
  unread: [],
  reading: '',
});

describe('readingParts', () => {
  it('gives metric, dimension and period of an answer', () => {
    const { understood: read, frame } = answers.category;
    expect(readingParts(read!, frame!.columns)).toEqual([
      { slot: 'metric', text: 'Revenue', method: 'exact' },
      { slot: 'dimension', text: 'Category', method: 'exact' },
      { slot: 'period', text: '1997', method: 'exact' },
    ]);
  });

  it('tells what groups from what is only listed', () => {
    const columns = [
      column({ name: 'company_name', label: 'Company name', dimension: 'customers.company_name' }),
      column({ name: 'city', label: 'City', dimension: 'customers.city' }),
      column({ name: 'revenue', role: 'metric', type: 'decimal' }),
    ];
    const parts = readingParts(
      understood("SELECT customers.company_name, revenue AT customers WHERE country = 'UK' AND city = 'O''Fallon'"),
      columns,
    );
    expect(parts.map((part) => [part.slot, part.text])).toEqual([
      ['metric', 'revenue'],
      ['dimension', 'Company name'],
      ['columns', 'City'],
      ['filter', 'country = UK'],
      ['filter', "city = O'Fallon"],
    ]);
  });

  it('names an entity of which no column is shown', () => {
    const parts = readingParts(understood('SELECT revenue AT order_lines'), [
      column({ name: 'revenue', role: 'metric' }),
    ]);
    expect(parts.map((part) => part.text)).toEqual(['revenue', 'order lines']);
  });

  it('marks what was not in the question', () => {
    const parts = readingParts(
      understood('SELECT revenue DURING 1997', [span('metric', 'revenue', 'fuzzy'), span('time', '1997', 'default')]),
      [column({ name: 'revenue', role: 'metric' })],
    );
    expect(parts.map((part) => part.method)).toEqual(['fuzzy', 'default']);
  });

  it('finds the grain of a date column', () => {
    const month = column({
      name: 'month',
      label: 'Month',
      type: 'date',
      grain: 'month',
      dimension: 'orders.order_date',
    });
    expect(readingParts(understood('SELECT revenue AT order_date.month'), [month])[0]).toMatchObject({
      slot: 'dimension',
      text: 'Month',
    });
  });
});
