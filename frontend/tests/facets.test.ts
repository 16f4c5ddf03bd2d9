import { describe, expect, it } from 'vitest';
import { FakeResults } from '$lib/api/fake-results';
import type { Column, Frame, ResultFacet, ResultSet } from '$lib/api/types';
import type { Cell } from '$lib/cell';
import { literal, sqlIn, sqlInsert } from '$lib/grid/copy';
import { FacetChoice } from '$lib/grid/facet.svelte';
import { choiceOf, facetOf, linesOf } from '$lib/grid/facets';
import { LocalRows } from '$lib/grid/local.svelte';
import { numberRanges, timeRanges } from '$lib/grid/ranges';
import { mostAcross, pivotOf, usualAcross, whyNoPivot } from '$lib/pivot';
import { RemoteRows } from '$lib/results/remote.svelte';

describe('ranges', () => {
  it('of numbers go by steps that a person would take, and hold the least and the most', () => {
    expect(numberRanges('0.02', '1007.64', false).slice(0, 2)).toEqual([
      { from: '0', to: '100' },
      { from: '100', to: '200' },
    ]);
    expect(numberRanges('-0.3', '0.7', false)[0]).toEqual({ from: '-0.30', to: '-0.25' });
    expect(numberRanges('1', '42', true)[0]).toEqual({ from: '0', to: '5' });
    for (const [least, most] of [
      ['-1e20', '1e21'],
      ['9007199254740993', '9007199254741093'],
      ['0.0000001', '0.0000009'],
      ['5', '5'],
    ] as const) {
      const all = numberRanges(least, most, false);
      expect(Number(all[0]!.from)).toBeLessThanOrEqual(Number(least));
      expect(Number(all.at(-1)!.to)).toBeGreaterThan(Number(most));
      expect(all.length).toBeLessThan(25);
      expect(all.every(({ to }, at) => all[at + 1] === undefined || all[at + 1]!.from === to)).toBe(true);
    }
    expect(numberRanges('NaN', '3', false)).toEqual([]);
  });

  it('of days and moments go by the calendar and the clock', () => {
    const months = timeRanges('1996-07-04', '1998-05-06', false);
    expect([months.length, months[0]]).toEqual([23, { from: '1996-07-01', to: '1996-08-01' }]);
    expect(timeRanges('2026-01-07', '2026-03-30', false)[0]).toEqual({ from: '2026-01-05', to: '2026-01-12' });
    expect(timeRanges('1900-01-01', '2026-03-30', false)[0]).toEqual({ from: '1900-01-01', to: '1910-01-01' });
    expect(timeRanges('2026-01-01T10:07:00.5', '2026-01-01T11:55:00', true)[0]).toEqual({
      from: '2026-01-01T10:05:00',
      to: '2026-01-01T10:10:00',
    });
    expect(timeRanges('290000-01-01 (BC)', '2026-01-01', false)).toEqual([]);
  });
});

const kinds = ['text', 'number'] as const;
const rows: Cell[][] = [
  ['North', 1],
  ['North', 2],
  [null, 3],
  ['South', null],
  ['Sum', 6],
];

describe('facets of rows in memory', () => {
  const source = () =>
    new LocalRows(() => ({
      rows,
      kindOf: (column) => kinds[column]!,
      locale: 'en',
      marks: [null, null, null, null, 'total'],
    }));

  it('count members, where the filters of other columns hold', async () => {
    const all = source();
    const facet = await all.facet({ column: 0, find: '', ranges: [] });
    expect([facet.values, facet.nulls, facet.rows]).toEqual([
      [
        { value: 'North', rows: 2 },
        { value: 'South', rows: 1 },
      ],
      1,
      4,
    ]);
    await all.arrange({ sort: [], search: '', filters: [{ column: 1, op: 'at_least', value: '2' }] });
    expect((await all.facet({ column: 0, find: '', ranges: [] })).values).toEqual([{ value: 'North', rows: 1 }]);
    expect((await all.facet({ column: 1, find: '', ranges: [] })).rows).toBe(4);
  });

  it('keep as many rows as they count', async () => {
    const all = source();
    for (const keys of [['v North'], ['null'], ['v North', 'null'], ['v Sum']]) {
      await all.arrange({
        sort: [],
        search: '',
        filters: [{ column: 0, op: 'one_of', value: '', one_of: choiceOf(new Set(keys)) }],
      });
      expect(all.count).toBe({ 'v North': 2, null: 1, 'v North,null': 3, 'v Sum': 0 }[keys.join()]);
    }
    const numbers = facetOf([1, 2.5, 10, null], 'number', { column: 0, find: '', ranges: [{ from: '1', to: '10' }] });
    expect([numbers.ranges, numbers.nulls, numbers.min, numbers.max]).toEqual([[2], 1, '1', '10']);
  });

  it('list what is chosen also where it was not found', () => {
    const facet = facetOf(['a', 'b'], 'text', { column: 0, find: 'a', ranges: [] });
    expect(linesOf(facet, [], new Set(['v b', 'null']), 'a').map(({ key, rows: n }) => [key, n])).toEqual([
      ['v b', null],
      ['v a', 1],
    ]);
  });
});

const column = (name: string, more: Partial<Column> = {}): Column =>
  ({ name, label: name, role: 'dimension', type: 'text', unit: null, ...more }) as Column;

describe('FacetChoice', () => {
  const facet: ResultFacet = {
    rows: 10,
    nulls: 1,
    long: 0,
    distinct: 5000,
    exact: false,
    min: '0',
    max: '99',
    values: [],
    ranges: [],
  };
  const set: ResultSet = {
    id: 's_1',
    rows: 10,
    columns: [column('is_total', { role: 'flag', type: 'boolean' }), column('n', { type: 'integer' })],
    changed: false,
    left_out: [],
    text_cut: 500,
    most_rows: 10000,
  };

  it('asks for ranges where there are too many numbers, in the columns of the result', async () => {
    const api = new FakeResults();
    api.counted = facet;
    const choice = new FacetChoice({ source: new RemoteRows(api, set), column: 0, kind: 'number', type: 'integer' });
    await choice.count();
    expect(api.facets.map(({ column: at, ranges }) => [at, ranges?.length])).toEqual([
      [1, 0],
      [1, 20],
    ]);
    choice.toggle('r 0 5');
    choice.toggle('null');
    expect(choice.filters()).toEqual([
      { column: 0, op: 'one_of', value: '', one_of: { values: [], ranges: [{ from: '0', to: '5' }], null: true } },
    ]);
    choice.toggle('r 0 5');
    choice.toggle('null');
    expect(choice.filters()).toEqual([]);
  });

  it('says why it cannot count', async () => {
    const choice = new FacetChoice({
      source: new RemoteRows(new FakeResults(), set),
      column: 0,
      kind: 'text',
      type: 'text',
    });
    await choice.count();
    expect([choice.problem?.message, choice.counting]).toEqual(['The values of this column are not counted.', false]);
  });
});

describe('copies as SQL', () => {
  it('write literals by the types of their columns', () => {
    expect(literal('2026-01-31', 'date')).toBe("DATE '2026-01-31'");
    expect(literal('2026-01-31T10:00:00.5', 'timestamp')).toBe("TIMESTAMP '2026-01-31 10:00:00.5'");
    expect(literal('12345678901234567.89', 'decimal')).toBe('12345678901234567.89');
    expect(literal('NaN', 'float')).toBe("CAST('NaN' AS DOUBLE)");
    expect(literal("1); DROP TABLE x --'", 'decimal')).toBe("CAST('1); DROP TABLE x --''' AS DOUBLE)");
    expect([literal(true), literal(null, 'date'), literal("O'Neil")]).toEqual(['TRUE', 'NULL', "'O''Neil'"]);
  });

  it('name different values once, and NULL aside', () => {
    expect(sqlIn(['b', 'a', null, 'b', null], 'text')).toEqual({ text: "('b', 'a')", values: 2, nulls: 2 });
  });

  it('insert in statements of a thousand rows', () => {
    expect(sqlInsert('my "t"', ['a', 'a'], [[1, 'x']], ['integer', 'text'])).toBe(
      'INSERT INTO "my ""t""" ("a", "a (2)") VALUES\n  (1, \'x\');',
    );
    const many = sqlInsert(
      't',
      ['a'],
      Array.from({ length: 1001 }, (_, n) => [n]),
    );
    expect(many.split('INSERT INTO').length - 1).toBe(2);
  });
});

describe('pivot', () => {
  const year = column('year', { type: 'date', grain: 'year' });
  const revenue = column('revenue', { role: 'metric', type: 'decimal', additivity: 'additive' });
  const columns = [column('category'), year, revenue];
  const cells: Cell[][] = [
    ['Beverages', '1998-01-01', 0.1],
    ['Beverages', '1997-01-01', 0.2],
    ['Seafood', '1997-01-01', null],
  ];

  it('puts the members of one dimension side by side, time by time, and adds up exactly', () => {
    expect(pivotOf(columns, cells, 1, 2)).toEqual({
      down: [0],
      across: ['1997-01-01', '1998-01-01'],
      rows: [
        { keys: ['Beverages'], cells: [0.2, 0.1], total: 0.3 },
        { keys: ['Seafood'], cells: [null, undefined], total: null },
      ],
      totals: { cells: [0.2, 0.1], all: 0.3 },
      repeated: 0,
    });
    expect(usualAcross(columns, cells)).toBe(1);
  });

  it('has no totals where the number does not add up, or rows fall together', () => {
    const price = [...columns.slice(0, 2), { ...revenue, additivity: 'none' }] as Column[];
    expect(pivotOf(price, cells, 1, 2)).toMatchObject({ totals: null });
    const share = [...columns.slice(0, 2), { ...revenue, derived: { of: '', how: 'share', with: '' } }] as Column[];
    expect(pivotOf(share, cells, 1, 2)).toMatchObject({ totals: null });
    expect(pivotOf(columns, [...cells, cells[0]!], 1, 2)).toMatchObject({ totals: null, repeated: 1 });
  });

  it('refuses more members than can stand side by side', () => {
    const many = Array.from({ length: mostAcross + 1 }, (_, n): Cell[] => [`c${n}`, '1997-01-01', n]);
    expect(pivotOf(columns, many, 0, 2)).toEqual({ tooMany: mostAcross + 1 });
    const frame = (of: Column[], all: Cell[][]) => ({ columns: of, rows: all, truncated: null }) as unknown as Frame;
    expect(whyNoPivot(frame(columns, cells))).toBeNull();
    expect(whyNoPivot(frame(columns.slice(1), cells))).toBe('window.pivot.needs_two');
    const rest = column('is_other', { role: 'flag', type: 'boolean' });
    expect(whyNoPivot(frame([...columns, rest], [['x', '1997-01-01', 1, true]]))).toBe('window.pivot.has_rest');
  });
});
