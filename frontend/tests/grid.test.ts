import { describe, expect, it } from 'vitest';
import type { Cell } from '$lib/cell';
import { arranged, asItCame, nextSort, type Arrangement, type Filter, type Kind } from '$lib/grid/arrange';
import { pretty } from '$lib/grid/cell-text';
import { written } from '$lib/grid/copy';
import { LocalRows } from '$lib/grid/local.svelte';
import { fittingWidth, rowsInView, scrollToShow } from '$lib/grid/rows';
import { ScrollMap } from '$lib/grid/scroll';
import { GridState, rowHeight } from '$lib/grid/state.svelte';
import { columnSums, plus, together } from '$lib/grid/sums';

describe('rowsInView', () => {
  it('draws what is in view and a few more, however many rows there are', () => {
    expect(rowsInView(0, 260, 26, 12000)).toEqual({ first: 0, last: 18 });
    expect(rowsInView(26 * 5000, 260, 26, 12000)).toEqual({ first: 4992, last: 5018 });
    expect(rowsInView(26 * 11995, 260, 26, 12000)).toEqual({ first: 11987, last: 12000 });
    expect(rowsInView(0, 260, 26, 0)).toEqual({ first: 0, last: 0 });
  });

  it('scrolls as little as needed', () => {
    expect(scrollToShow(3, 0, 260, 26)).toBe(0);
    expect(scrollToShow(20, 0, 260, 26)).toBe(21 * 26 - 260);
    expect(scrollToShow(2, 500, 260, 26)).toBe(52);
  });
});

describe('ScrollMap', () => {
  const view = 500;
  const map = new ScrollMap(260_000_000, 12_000_000);

  it('is the identity where all rows fit', () => {
    const small = new ScrollMap(26_000, 12_000_000);
    expect(small.height).toBe(26_000);
    expect(small.moved(0, 0, 777, view)).toEqual({ top: 777, bar: 777 });
  });

  it('reaches both ends, and goes there and back', () => {
    expect(map.height).toBe(12_000_000);
    expect(map.topAt(0)).toBe(0);
    expect(map.topAt(12_000_000 - view)).toBe(260_000_000 - view);
    for (const top of [0, 5, 99_999, 100_001, 130_000_000, 259_899_999, 259_900_001, 260_000_000]) {
      expect(map.topAt(map.barAt(top))).toBeCloseTo(top, 1);
    }
  });

  it('scrolls a short way exactly and a long way by the bar', () => {
    const top = 130_000_000;
    const bar = Math.round(map.barAt(top));
    expect(map.moved(top, bar, bar + 100, view)).toEqual({ top: top + 100, bar: bar + 100 });
    expect(map.moved(top, bar, 9_000_000, view).top).toBeCloseTo(map.topAt(9_000_000), 1);
  });

  it('arrives at the first and the last row however it is scrolled', () => {
    let at = { top: 90_000, bar: Math.round(map.barAt(90_000)) };
    for (let step = 0; step < 2000; step++) at = map.moved(at.top, at.bar, Math.max(0, at.bar - 300), view);
    expect(at).toEqual({ top: 0, bar: 0 });
    const last = 260_000_000 - view;
    at = { top: last - 400_000, bar: Math.round(map.barAt(last - 400_000)) };
    for (let step = 0; step < 2000; step++)
      at = map.moved(at.top, at.bar, Math.min(map.height - view, at.bar + 300), view);
    expect(at).toEqual({ top: last, bar: map.height - view });
  });
});

const sortBy = (column: number, descending = false): Arrangement => ({ ...asItCame, sort: [{ column, descending }] });
const kinds =
  (...all: Kind[]) =>
  (column: number): Kind =>
    all[column] ?? 'text';

describe('arranged', () => {
  const rows: Cell[][] = [[2], [null], [10], [2]];

  it('puts nulls last both ways and keeps equals in order', () => {
    expect(arranged(rows, sortBy(0), kinds('number'), 'en')).toEqual([0, 3, 2, 1]);
    expect(arranged(rows, sortBy(0, true), kinds('number'), 'en')).toEqual([2, 0, 3, 1]);
  });

  it('compares long decimals as numbers and text as the locale does', () => {
    expect(arranged([['10'], ['9']], sortBy(0), kinds('number'), 'en')).toEqual([1, 0]);
    expect(arranged([['Zebra'], ['ähnlich'], ['Bär']], sortBy(0), kinds('text'), 'de')).toEqual([1, 2, 0]);
  });

  it('sorts by several columns, and keeps totals last', () => {
    const two: Cell[][] = [
      ['b', 1],
      ['a', 1],
      ['a', 2],
      ['total', 4],
    ];
    const sort = [
      { column: 1, descending: true },
      { column: 0, descending: false },
    ];
    const rank = (row: number) => (row === 3 ? 2 : 0);
    expect(arranged(two, { ...asItCame, sort }, kinds('text', 'number'), 'en', rank)).toEqual([2, 1, 0, 3]);
  });

  it('filters as the engine does', () => {
    const cells: Cell[][] = [
      ['North', 10.5, '2026-01-01T08:00:00'],
      ['south', '9007199254740993.25', '2026-01-02'],
      [null, null, null],
    ];
    const kept = (...filters: Filter[]) =>
      arranged(cells, { ...asItCame, filters }, kinds('text', 'number', 'time'), 'en').join();
    expect(kept({ column: 0, op: 'contains', value: 'TH' })).toBe('0,1');
    expect(kept({ column: 0, op: 'equals', value: 'North' })).toBe('0');
    expect(kept({ column: 0, op: 'differs', value: 'North' })).toBe('1,2');
    expect(kept({ column: 1, op: 'at_least', value: '10.5' }, { column: 1, op: 'at_most', value: '11' })).toBe('0');
    expect(kept({ column: 2, op: 'equals', value: '2026-01-01' })).toBe('0');
    expect(kept({ column: 2, op: 'is_null', value: '' })).toBe('2');
    expect(kept({ column: 2, op: 'not_null', value: '' })).toBe('0,1');
    expect(arranged(cells, { ...asItCame, search: 'OUT' }, kinds(), 'en')).toEqual([1]);
  });
});

it('a header goes through both directions and back; with Shift the others stay', () => {
  const first = nextSort([], 1, true);
  const second = nextSort(first, 1, true);
  expect([first, second, nextSort(second, 1, true)]).toEqual([
    [{ column: 1, descending: true }],
    [{ column: 1, descending: false }],
    [],
  ]);
  const both = nextSort(first, 0, false, true);
  expect(both).toEqual([...first, { column: 0, descending: false }]);
  expect(nextSort(both, 1, true, true)).toEqual([
    { column: 1, descending: false },
    { column: 0, descending: false },
  ]);
  expect(nextSort(both, 0, false)).toEqual([{ column: 0, descending: false }]);
});

describe('written', () => {
  const names = ['a', 'b'];
  const rows: Cell[][] = [
    ['x\ty', 1.5],
    ['say "hi"', null],
  ];

  it('as tab-separated values survives tabs, quotes and nulls', () => {
    expect(written('tsv', names, rows, true)).toBe('a\tb\n"x\ty"\t1.5\n"say ""hi"""\t');
    expect(written('tsv', names, rows, false)).toBe('"x\ty"\t1.5\n"say ""hi"""\t');
  });

  it('as CSV tells an empty text from a null', () => {
    expect(
      written(
        'csv',
        names,
        [
          ['', null],
          ['a,b', -1],
        ],
        true,
      ),
    ).toBe('a,b\n"",\n"a,b",-1');
  });

  it('as Markdown keeps bars and lines in their cells', () => {
    expect(written('markdown', names, [['a|b\nc', 2]], true)).toBe('| a | b |\n| --- | ---: |\n| a\\|b<br>c | 2 |');
  });

  it('as JSON keeps types, and columns of one name', () => {
    expect(JSON.parse(written('json', ['n', 'n'], [[null, true]], true))).toEqual([{ n: null, 'n (2)': true }]);
  });

  it('as SQL quotes text and names', () => {
    expect(written('sql_in', ['a'], [["O'Neil"], [null], [3], ["O'Neil"]], false)).toBe("('O''Neil', 3)");
    expect(written('sql', ['a', 'b"c'], [['x', 1]], false)).toBe(
      'SELECT * FROM (VALUES\n  (\'x\', 1)\n) AS t("a", "b""c")',
    );
  });

  it('marks what a spreadsheet would run, where one opens it', () => {
    expect(written('csv', ['a'], [['=1+1'], ['-3']], false)).toBe("'=1+1\n-3");
  });
});

describe('sums', () => {
  it('add decimals with every digit', () => {
    expect(plus('0.1', '0.2')).toBe('0.3');
    expect(plus('9007199254740993.25', '-0.25')).toBe('9007199254740993.00');
    expect(plus('-0.05', '0.04')).toBe('-0.01');
    expect(plus('1e21', '1')).toBe('1e+21');
  });

  it('say what a selection comes to', () => {
    const numbers = columnSums([1, null, 2.5, '9007199254740993'], true);
    expect(numbers).toEqual({ count: 3, numeric: true, sum: '9007199254740996.5', min: '1', max: '9007199254740993' });
    const texts = columnSums(['a', null], false);
    expect(together(6, [numbers, texts])).toMatchObject({ cells: 6, filled: 4, numbers: 3, min: '1' });
    expect(together(2, [texts])).toMatchObject({ filled: 1, numbers: 0, sum: '' });
  });
});

it('writes JSON on lines without touching its numbers, and leaves other text alone', () => {
  expect(pretty('{"a":[1.10,{}],"b":"x, y"}')).toBe('{\n  "a": [\n    1.10,\n    {}\n  ],\n  "b": "x, y"\n}');
  expect(pretty('[not json')).toBe('[not json');
});

it('keeps column widths within bounds', () => {
  expect(fittingWidth('A', '', ['x'])).toBe(80);
  expect(fittingWidth('A', '', ['x'.repeat(500)])).toBe(340);
  expect(fittingWidth('n'.repeat(300), '', ['x'])).toBeLessThan(345);
});

describe('GridState', () => {
  const key = (name: string, extra = {}) => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...extra,
  });
  const make = () => {
    const rows = Array.from({ length: 100 }, (_, index): Cell[] => [`row ${index}`, 100 - index]);
    const columns = [
      { name: 'a', label: 'A', unit: '', numeric: false },
      { name: 'b', label: 'B', unit: '', numeric: true },
    ];
    const source = new LocalRows(() => ({ rows, kindOf: kinds('text', 'number'), locale: 'en' }));
    const grid = new GridState(() => ({ source, columns, show: String }));
    grid.viewHeight = 30 + 10 * rowHeight;
    return { grid, source };
  };

  it('moves by key and stops at the edges', () => {
    const { grid } = make();
    grid.press(key('ArrowDown'));
    grid.press(key('ArrowRight'));
    grid.press(key('ArrowRight'));
    expect(grid.active).toEqual({ row: 1, column: 1 });
    grid.press(key('PageDown'));
    expect(grid.active.row).toBe(10);
    grid.press(key('End', { ctrlKey: true }));
    expect(grid.active).toEqual({ row: 99, column: 1 });
    expect(grid.topForActive()).toBe(90 * rowHeight);
    grid.press(key('Home', { ctrlKey: true }));
    grid.press(key('ArrowUp'));
    expect(grid.active).toEqual({ row: -1, column: 0 });
    grid.press(key('Enter'));
    expect(grid.source.arrangement.sort).toEqual([{ column: 0, descending: false }]);
  });

  it('selects, copies and remembers what stands where', async () => {
    const { grid, source } = make();
    grid.sort(1);
    grid.sort(1);
    expect(source.indexAt(0)).toBe(99);
    expect(source.positionOf(99)).toBe(0);
    grid.press(key('ArrowDown', { shiftKey: true }));
    grid.press(key('ArrowRight', { shiftKey: true }));
    expect((await grid.copy('tsv', grid.selected(), false)).text).toBe('row 99\t1\nrow 98\t2');
    await expect(grid.copy('sql_in', grid.selected(), false)).rejects.toThrow('of one column');
    grid.selectAll();
    expect(grid.cellsIn(grid.selected())).toBe(200);
  });

  it('draws rows in the places of those that they take over from', () => {
    const { grid } = make();
    const before = grid.drawn.map(grid.slotOf);
    grid.scrollTo(30 * rowHeight);
    expect(grid.drawn.every((position) => position >= 22 && position < 48)).toBe(true);
    expect(new Set(grid.drawn.map(grid.slotOf)).size).toBe(grid.drawn.length);
    expect(before.every((slot) => slot < 27)).toBe(true);
  });

  it('moves, pins and hides columns, and remembers it', () => {
    const { grid } = make();
    grid.layout.open('test');
    grid.layout.pin(1, true);
    expect(grid.layout.placed.map(({ index }) => index)).toEqual([1, 0]);
    grid.layout.hide(0, true);
    grid.layout.hide(1, true);
    expect(grid.layout.placed.map(({ index }) => index)).toEqual([1]);
    const other = make().grid;
    other.layout.open('test');
    expect(other.layout.hiddenCount).toBe(1);
    other.layout.reset();
    expect(other.layout.placed.map(({ index }) => index)).toEqual([0, 1]);
    other.layout.move(1, 0);
    expect(other.layout.placed.map(({ index }) => index)).toEqual([1, 0]);
    other.press(key('ArrowUp'));
    other.press(key('ArrowRight', { altKey: true, shiftKey: true }));
    expect(other.layout.placed.map(({ index }) => index)).toEqual([0, 1]);
  });
});
