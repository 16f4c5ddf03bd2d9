import { describe, expect, it } from 'vitest';
import type { ChartEdit, Column, Frame } from '$lib/api/types';
import type { Cell } from '$lib/cell';
import { marksOfFrame } from '$lib/chart/marks';
import { averageOf, compareNumbers, plus, rounded, shifted, sumOf } from '$lib/exact';
import { digitsFor, formatCell, formatNumber } from '$lib/format';
import { arranged, asItCame, type Filter, type Kind } from '$lib/grid/arrange';
import { written } from '$lib/grid/copy';
import { facetOf } from '$lib/grid/facets';
import { numberRanges } from '$lib/grid/ranges';
import { columnSums } from '$lib/grid/sums';

// As the program sends them: text where a number of the page would lose digits; see large_numbers of the core's tests.
const large: Cell[] = [
  '-170141183460469231731687303715884105727',
  '-99999999999999999999999999999999999999',
  '-9223372036854775808',
  '-9223372036854775807',
  '-9007199254740993',
  -9007199254740991,
  0,
  '0.00000000000000000000000000000000000001',
  7,
  9007199254740991,
  '9007199254740992',
  '9007199254740993',
  '9007199254740993.25',
  '9223372036854775806',
  '9223372036854775807',
  '18446744073709551614',
  '18446744073709551615',
  '1234567890123456789012345678.0123456788',
  '1234567890123456789012345678.0123456789',
  '170141183460469231731687303715884105726',
  '170141183460469231731687303715884105727',
];

const column = (type: string, more: Partial<Column> = {}): Column =>
  ({ name: 'n', label: 'N', role: 'metric', type, unit: '', grain: '', ...more }) as Column;

const number = (): Kind => 'number';
const rows = large.map((cell) => [cell]);

describe('numbers that a number of the page does not hold', () => {
  it('are ordered by all of their digits, and what is no number comes last', () => {
    const mixed = large.map((_, index) => large[(index * 8) % large.length]!);
    expect(new Set(mixed).size).toBe(large.length);
    expect(mixed.sort(compareNumbers)).toEqual(large);
    expect(['NaN', 'Infinity', '-Infinity', '1'].sort(compareNumbers)).toEqual(['-Infinity', '1', 'Infinity', 'NaN']);
    expect(compareNumbers('1.50', 1.5)).toBe(0);
    expect(compareNumbers('9007199254740993.0', '9007199254740993')).toBe(0);
  });

  it('are added, moved and rounded with all of their digits', () => {
    expect(plus('9007199254740993', 1)).toBe('9007199254740994');
    expect(sumOf(['9223372036854775807', '9223372036854775807', -1])).toBe('18446744073709551613');
    expect(sumOf([9007199254740991, 2])).toBe('9007199254740993');
    expect([sumOf([0.5, 0.25, null]), sumOf([null]), sumOf(['x'])]).toEqual([0.75, null, null]);
    expect(shifted('9007199254740993', -3)).toBe('9007199254740.993');
    expect([shifted(0.57, 2), shifted('0.1234567890123456789', 2)]).toEqual([57, '12.34567890123456789']);
    expect(rounded('1234567890123456789012345678.0123456789', 2)).toBe('1234567890123456789012345678.01');
    expect([rounded('-0.005', 2), rounded('0.994999', 2), rounded('2.5', 0), rounded(7, 2)]).toEqual(['-0.01', '0.99', '3', '7.00']); // prettier-ignore
    expect(averageOf('18014398509481987', 2)).toBe('9007199254740993.5');
    expect(averageOf('-10', 3)).toBe('-3.333333');
  });

  it('read the same in a grid, a copy and a choice of values', () => {
    const whole = large.filter((cell) => !String(cell).includes('.'));
    for (const cell of whole) {
      const shown = formatCell(cell, column('integer'), 0, 'en-US');
      expect(shown.replaceAll(',', '')).toBe(String(cell));
      expect(formatCell(cell, column('integer', { role: 'dimension' }), 0, 'en-US')).toBe(String(cell));
    }
    for (const format of ['tsv', 'csv'] as const)
      expect(written(format, ['n'], rows, false)).toBe(large.map(String).join('\n'));
    expect(JSON.parse(written('json', ['n'], rows, true))).toEqual(large.map((n) => ({ n })));
    const typed = { types: ['decimal'], table: 't' };
    for (const format of ['sql', 'sql_in', 'sql_insert'] as const) {
      const text = written(format, ['n'], rows, true, typed);
      for (const cell of large) expect(text).toContain(String(cell));
      expect(text).not.toContain("'");
    }
    const facet = facetOf(large, 'number', { column: 0, find: '', ranges: [] });
    expect([facet.distinct, facet.min, facet.max]).toEqual([large.length, large[0], large.at(-1)]);
    expect(new Set(facet.values.map(({ value }) => value))).toEqual(new Set(large.map(String)));
    const sums = columnSums(['9223372036854775806', '9223372036854775807'], true);
    expect(sums).toMatchObject({ sum: '18446744073709551613', min: '9223372036854775806', max: '9223372036854775807' });
  });

  it('are sorted and filtered one by one', () => {
    const sort = [{ column: 0, descending: true }];
    expect(arranged(rows, { ...asItCame, sort }, number, 'en')).toEqual(large.map((_, index) => index).reverse());
    large.forEach((cell, index) => {
      const kept = (filter: Partial<Filter>) =>
        arranged(rows, { ...asItCame, filters: [{ column: 0, op: 'equals', value: String(cell), ...filter }] }, number, 'en'); // prettier-ignore
      expect(kept({})).toEqual([index]);
      expect(kept({ op: 'one_of', one_of: { values: [String(cell)] } })).toEqual([index]);
      expect(kept({ op: 'at_least' }).length).toBe(large.length - index);
      expect(kept({ op: 'at_most' }).length).toBe(index + 1);
      const next = String(large[index + 1] ?? Infinity);
      expect(kept({ op: 'one_of', one_of: { ranges: [{ from: String(cell), to: next }] } })).toEqual([index]);
    });
    expect(arranged(rows, { ...asItCame, filters: [{ column: 0, op: 'at_least', value: 'x' }] }, number, 'en')).toEqual([]); // prettier-ignore
  });

  it('lie in the ranges that are drawn for them', () => {
    for (const [least, most] of [
      ['7', '9007199254740993'],
      ['-170141183460469231731687303715884105727', '170141183460469231731687303715884105727'],
    ] as const) {
      const ranges = numberRanges(least, most, true);
      expect(ranges.length).toBeGreaterThan(1);
      expect(compareNumbers(ranges[0]!.from, least)).toBeLessThanOrEqual(0);
      expect(compareNumbers(ranges.at(-1)!.to, most)).toBe(1);
    }
  });

  it('keep their digits in a scale, in percent and as a sum of a chart', () => {
    const huge = '1234567890123456789012345678.0123456789';
    const scaled = column('decimal', { scale: 'thousands' });
    expect(formatCell(huge, scaled, digitsFor(scaled, [huge]), 'en-US')).toContain(
      '1,234,567,890,123,456,789,012,345.68',
    );
    const share = column('decimal', { format: 'percent' });
    expect(formatCell('90071992547409.93', share, 1, 'en-US')).toContain('9,007,199,254,740,993.0');
  });

  it('read as nothing where they are a zero below zero', () => {
    for (const cell of [-0, '-0', '-0.00'] as Cell[]) {
      expect(formatCell(cell, column('float'), 0, 'en-US')).toBe('0');
      expect(compareNumbers(cell, 0)).toBe(0);
    }
    expect(formatNumber(-0, 2, 'en-US')).toBe('0.00');
    expect(written('csv', ['n'], [[-0]], false)).toBe('0');
  });
});

describe('a chart', () => {
  const intent = { type: 'bar', x: 'id', y: ['n'], color: '', facet: '', aggregate: 'none', sort: 'frame' } as unknown as ChartEdit; // prettier-ignore
  const id = (type: string) => column(type, { name: 'id', label: 'ID', role: 'dimension' });
  const n = column('integer', { additivity: 'additive' });
  const frame = (columns: Column[], cells: Cell[][]) => ({ columns, rows: cells, row_count: cells.length }) as Frame;

  it('has a bar for each member, whichever digit parts them', () => {
    const ids = ['9007199254740993', '9007199254740992', '9007199254740994', '170141183460469231731687303715884105727'];
    const of = frame([id('integer'), n], ids.map((cell, index) => [cell, index + 1])); // prettier-ignore
    const { marks, order } = marksOfFrame(intent, of, 'en-US');
    expect(order).toEqual(ids);
    expect(marks.map(({ x, y, cells }) => [x, y, cells?.['id']])).toEqual(ids.map((cell, index) => [cell, index + 1, cell])); // prettier-ignore
  });

  it('has a bar for each member, also where they read the same', () => {
    const cells: Cell[] = [0.123411, 0.123412, 0.123413];
    const fractions = frame([id('float'), n], cells.map((cell) => [cell, 1])); // prettier-ignore
    expect(new Set(marksOfFrame(intent, fractions, 'en-US').order).size).toBe(3);
    const names: Cell[] = [null, '', '(null)', 'NULL', '—', 'null'];
    const texts = frame([id('text'), n], names.map((cell) => [cell, 1])); // prettier-ignore
    const drawn = marksOfFrame(intent, texts, 'en-US');
    expect(new Set(drawn.order).size).toBe(names.length);
    const beside = marksOfFrame({ ...intent, x: '', color: 'id' }, texts, 'en-US');
    expect(beside.series.length).toBe(names.length);
  });

  it('says sums and labels with all of their digits', () => {
    const of = frame([id('text'), n], [['a', '9223372036854775807'], ['a', '9223372036854775807'], ['b', '9007199254740993']]); // prettier-ignore
    const { marks } = marksOfFrame(intent, of, 'en-US');
    expect(marks.map(({ label }) => label)).toEqual(['18,446,744,073,709,551,614', '9,007,199,254,740,993']);
    expect(marks.map(({ tips }) => tips.at(-1))).toEqual(['18,446,744,073,709,551,614', '9,007,199,254,740,993']);
    const least = marksOfFrame({ ...intent, aggregate: 'min' }, of, 'en-US');
    expect(least.marks[0]!.label).toBe('9,223,372,036,854,775,807');
  });
});
