import { describe, expect, it } from 'vitest';
import type { Column } from '$lib/api/types';
import { marksOf, shownColumns } from '$lib/flags';

const column = (name: string, role: string) => ({ name, role, type: 'text' }) as Column;

describe('flags', () => {
  const columns = [
    column('region', 'dimension'),
    column('revenue', 'metric'),
    column('is_other', 'flag'),
    column('is_total', 'flag'),
  ];

  it('hides flag columns', () => {
    expect(shownColumns(columns)).toEqual([0, 1]);
  });

  it('marks the rest and the totals', () => {
    const rows = [
      ['West', 1, false, false],
      [null, 2, true, false],
      [null, 3, false, true],
    ];
    expect(marksOf(columns, rows)).toEqual([null, 'other', 'total']);
  });

  it('says nothing about a frame without flags, whatever its columns are called', () => {
    expect(marksOf([column('is_total', 'dimension')], [[true]])).toEqual([]);
  });
});
