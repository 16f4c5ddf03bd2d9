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
  served_from: null,
  format: null,
  derived: null,
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
  confirm: [],
  unread: [],
  reading: '',
  derived: null,
  carried: [],
  dropped: [],
  settled: [],
});

describe('readingParts', () => {
  it('gives metric, dimension and period of an answer', () => {
    const { understood: read, frame } = answers.category;
    expect(readingParts(read!, frame!.columns)).toEqual([
      { slot: 'metric', text: 'Revenue', part: 'revenue', method: 'exact' },
      { slot: 'dimension', text: 'Category', part: 'category', method: 'exact' },
      { slot: 'period', text: '1997', part: '1997', method: 'exact' },
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

  it('names every clause of the language', () => {
    const derived = { of: 'revenue', how: 'previous', with: 'PREVIOUS PERIOD' };
    const parts = readingParts(
      understood(
        "WITH big AS (SUM(total)) SELECT category, revenue FROM order_lines DURING 1997 COMPARE TO DURING FROM 1996-01-01 TO 1997-01-01, TARGET goal HAVING revenue > 5 TOP 3 category BY revenue PER year WITH OTHER FILL ZERO TOTALS BY category, () ORDER BY revenue DESC LIMIT 5 OPTIONS (tz = 'Europe/Bern', week_start = sun)",
      ),
      [
        column({ name: 'category', dimension: 'categories.category' }),
        column({ name: 'revenue', role: 'metric' }),
        column({ name: 'revenue_previous', role: 'comparison', derived }),
        column({ name: 'is_other', role: 'flag' }),
      ],
    );
    expect(parts.map((part) => [part.slot, part.text])).toEqual([
      ['definition', 'big AS (SUM(total))'],
      ['metric', 'revenue'],
      ['dimension', 'category'],
      ['rows', 'order lines'],
      ['period', '1997'],
      ['compare', 'FROM 1996-01-01 TO 1997-01-01'],
      ['compare', 'TARGET goal'],
      ['having', 'revenue > 5'],
      ['top', '3 category BY revenue'],
      ['per', 'year'],
      ['other', 'the rest in one row'],
      ['fill', 'zero'],
      ['totals', 'category, ()'],
      ['order', 'revenue DESC'],
      ['limit', '5'],
      ['option', 'tz = Europe/Bern'],
      ['option', 'week_start = sun'],
    ]);
  });

  it('says of TOTALS alone that they are of everything', () => {
    const parts = readingParts(understood('SELECT revenue COMPARE TO SAME PERIOD LAST YEAR TOTALS'), [
      column({ name: 'revenue', role: 'metric' }),
    ]);
    expect(parts.map((part) => part.text)).toEqual(['revenue', 'SAME PERIOD LAST YEAR', 'of everything']);
  });

  it('tells measures and groups apart without a frame', () => {
    const parts = readingParts(understood('EXPLAIN SELECT orders.order_date.month, revenue'), []);
    expect(parts.map((part) => [part.slot, part.text])).toEqual([
      ['dimension', 'orders.order_date.month'],
      ['metric', 'revenue'],
    ]);
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
