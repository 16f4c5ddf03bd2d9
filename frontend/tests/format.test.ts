import { describe, expect, it } from 'vitest';
import type { Column } from '$lib/api/types';
import * as format from '$lib/format';

const column = (type: string, part: Partial<Column> = {}): Column => ({
  name: 'x',
  role: 'metric',
  type,
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

describe('percentages', () => {
  const share = column('float', { format: 'percent' });

  it('reads fractions in hundredths', () => {
    expect(format.digitsFor(share, [0.42, 0.1, null])).toBe(1);
    expect(format.formatCell(0.42, share, 1, 'en-US')).toBe('42.0 %');
    expect(format.formatCell(-0.0345, share, 1, 'de-DE')).toBe('-3,5 %');
    expect(format.formatWithUnit(1.5, share, 1, 'en-US')).toBe('150.0 %');
  });

  it('shows more digits of a small one, and leaves what is no number', () => {
    expect(format.formatCell(0.0004, share, format.digitsFor(share, [0.0004]), 'en-US')).toBe('0.04 %');
    expect(format.formatCell('NaN', share, 1, 'en-US')).toBe('NaN');
    expect(format.formatCell(null, share, 1, 'en-US')).toBe('');
  });
});

describe('numbers', () => {
  it('follows the locale', () => {
    expect(format.formatNumber(1234567.5, 2, 'en-US')).toBe('1,234,567.50');
    expect(format.formatNumber(1234567.5, 2, 'de-DE')).toBe('1.234.567,50');
  });

  it('keeps every digit of a long decimal', () => {
    expect(format.formatNumber('12345678901234567890.12', 2, 'en-US')).toBe('12,345,678,901,234,567,890.12');
    expect(format.formatNumber('-12345678901234567890.12', 2, 'de-DE')).toBe('-12.345.678.901.234.567.890,12');
    expect(format.formatNumber('NaN', 2, 'en-US')).toBe('NaN');
  });

  it('shows two digits of money and as many of the rest as there are, at most four', () => {
    expect(format.digitsFor(column('decimal', { unit: 'USD' }), [1, 2.5])).toBe(2);
    expect(format.digitsFor(column('decimal'), [1, 2.5, null])).toBe(1);
    expect(format.digitsFor(column('float'), [1 / 3])).toBe(4);
    expect(format.digitsFor(column('float', { unit: '%' }), [1 / 3])).toBe(2);
    expect(format.digitsFor(column('integer'), [7])).toBe(0);
    expect(format.digitsFor(column('float'), [1e-7])).toBe(4);
  });

  it('puts the unit beside a single figure', () => {
    expect(format.formatWithUnit(1265793.04, column('decimal', { unit: 'USD' }), 2, 'en-US')).toBe('$1,265,793.04');
    expect(format.formatWithUnit(12.5, column('float', { unit: '%' }), 1, 'en-US')).toBe('12.5 %');
    expect(format.formatWithUnit(3, column('integer'), 0, 'en-US')).toBe('3');
  });

  it('writes the number of an order as a name', () => {
    expect(format.formatCell(10248, column('integer', { role: 'dimension' }), 0, 'en-US')).toBe('10248');
    expect(format.formatCell(10248, column('integer'), 0, 'en-US')).toBe('10,248');
  });
});

describe('dates', () => {
  it('follows the grain', () => {
    const at = (grain: string | null) => format.formatCell('1997-04-01', column('date', { grain }), 0, 'en-US');
    expect(at('year')).toBe('1997');
    expect(at('quarter')).toBe('Q2 1997');
    expect(at('month')).toBe('Apr 1997');
    expect(at(null)).toBe('Apr 01, 1997');
  });

  it('never moves a day by a time zone', () => {
    const date = format.readTime('1997-01-01');
    expect([date?.getFullYear(), date?.getMonth(), date?.getDate()]).toEqual([1997, 0, 1]);
    expect(format.readTime('soon')).toBeNull();
  });

  it('shows both ends of a half-open range', () => {
    expect(format.formatRange({ from: '1997-01-01', to: '1998-01-01' }, 'en-US')).toBe('Jan 1, 1997 to Dec 31, 1997');
    expect(format.formatRange({ from: '1997-01-01', to: '1997-01-02' }, 'en-US')).toBe('Jan 1, 1997');
  });

  it('shows the clock only where there is one', () => {
    expect(format.formatCell('1997-04-01T00:00:00', column('timestamp'), 0, 'en-US')).toBe('Apr 01, 1997');
    expect(format.formatCell('1997-04-01T13:05:00', column('timestamp'), 0, 'de-DE')).toContain('13:05');
  });
});

it('formats lengths of time, sizes and shares', () => {
  expect(format.formatTook(0.4, 'en-US')).toBe('<1 ms');
  expect(format.formatTook(18.2, 'en-US')).toBe('18 ms');
  expect(format.formatTook(1234, 'en-US')).toBe('1.2 s');
  expect(format.formatBytes(606208, 'en-US')).toBe('606 kB');
  expect(format.formatBytes(12, 'en-US')).toBe('12 B');
  expect(format.formatBytes(2_500_000_000, 'en-US')).toBe('2.5 GB');
  expect(format.formatShare(0.081, 'en-US')).toBe('8%');
});

describe('numbers as their person prefers them', () => {
  const usd = (part: Partial<Column>) => column('decimal', { unit: 'USD', ...part });
  const shown = (cell: number | string, of: Column) =>
    format.formatCell(cell, of, format.digitsFor(of, [cell]), 'en-US');

  it('says the scale on every one', () => {
    expect(shown(1265793.04, usd({ scale: 'millions' }))).toBe('1.27 M');
    expect(shown(61258.07, usd({ scale: 'millions' }))).toBe('0.061 M');
    expect(shown(115387.64, usd({ scale: 'thousands' }))).toBe('115.39 K');
    expect(shown(-2_500_000_000, usd({ scale: 'billions' }))).toBe('-2.50 B');
    const of = usd({ scale: 'millions', decimals: 0 });
    expect(format.formatWithUnit(2265793.04, of, format.digitsFor(of, []), 'en-US')).toBe('$2 M');
    expect(shown(0, of)).toBe('0 M');
  });

  it('shows a number that is not zero never as zero, and no half million as one', () => {
    expect(shown(658388.75, usd({ scale: 'millions', decimals: 0 }))).toBe('0.66 M');
    expect(shown(0.3, usd({ decimals: 0 }))).toBe('0.3');
    expect(shown(0.7, usd({ decimals: 0 }))).toBe('1');
    expect(shown(0.0004, column('float', { format: 'percent', decimals: 0 }))).toBe('0.04 %');
  });

  it('takes the decimals that are preferred', () => {
    expect(shown(115387.64, usd({ decimals: 0 }))).toBe('115,388');
    expect(shown(12, usd({ decimals: 4 }))).toBe('12.0000');
    expect(shown(0.4242, column('float', { format: 'percent', decimals: 0 }))).toBe('42 %');
    expect(shown('12345678901234567890.12', usd({ decimals: 0 }))).toBe('12,345,678,901,234,567,890.12');
    expect(shown('NaN', usd({ decimals: 0, scale: 'millions' }))).toBe('NaN');
  });
});
