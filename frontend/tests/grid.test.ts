import { describe, expect, it } from 'vitest';
import type { Cell } from '$lib/cell';
import { asTSV, fittingWidth, nextSorting, rowsInView, scrollToShow, sortedOrder } from '$lib/grid/rows';
import { GridState, rowHeight } from '$lib/grid/state.svelte';

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

describe('sortedOrder', () => {
  const rows: Cell[][] = [[2], [null], [10], [2]];

  it('puts nulls last both ways and keeps equals in order', () => {
    expect(sortedOrder(rows, { column: 0, descending: false }, true, 'en')).toEqual([0, 3, 2, 1]);
    expect(sortedOrder(rows, { column: 0, descending: true }, true, 'en')).toEqual([2, 0, 3, 1]);
  });

  it('compares long decimals as numbers and text as the locale does', () => {
    expect(sortedOrder([['10'], ['9']], { column: 0, descending: false }, true, 'en')).toEqual([1, 0]);
    expect(sortedOrder([['Zebra'], ['ähnlich'], ['Bär']], { column: 0, descending: false }, false, 'de')).toEqual([
      1, 2, 0,
    ]);
  });

  it('goes through both directions and back', () => {
    const first = nextSorting(null, 1, true);
    const second = nextSorting(first, 1, true);
    expect([first, second, nextSorting(second, 1, true)]).toEqual([
      { column: 1, descending: true },
      { column: 1, descending: false },
      null,
    ]);
  });
});

it('writes tab-separated values that survive tabs, quotes and nulls', () => {
  expect(
    asTSV(
      ['a', 'b'],
      [
        ['x\ty', 1.5],
        ['say "hi"', null],
      ],
    ),
  ).toBe('a\tb\n"x\ty"\t1.5\n"say ""hi"""\t');
});

it('keeps column widths within bounds', () => {
  expect(fittingWidth('A', '', ['x'])).toBe(80);
  expect(fittingWidth('A', '', ['x'.repeat(500)])).toBe(340);
});

describe('GridState', () => {
  const columns = ['a', 'b'].map((name) => ({ name, label: name, unit: '', numeric: name === 'b' }));
  const rows: Cell[][] = Array.from({ length: 100 }, (_, index) => [`row ${index}`, 100 - index]);
  const key = (name: string, keys: Partial<KeyboardEvent> = {}) =>
    ({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...keys }) as KeyboardEvent;
  const make = () => {
    const grid = new GridState(() => ({ columns, rows, show: (cell) => String(cell), locale: 'en' }));
    grid.viewHeight = 30 + 10 * rowHeight;
    return grid;
  };

  it('moves by key and stays inside', () => {
    const grid = make();
    for (const name of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'PageDown']) expect(grid.press(key(name))).toBe(true);
    expect(grid.active).toEqual({ row: 10, column: 1 });
    grid.press(key('End', { ctrlKey: true }));
    expect(grid.active).toEqual({ row: 99, column: 1 });
    grid.press(key('ArrowDown'));
    expect(grid.active.row).toBe(99);
    expect(grid.press(key('x'))).toBe(false);
  });

  it('sorts and resizes from the header', () => {
    const grid = make();
    grid.press(key('ArrowUp'));
    expect(grid.active.row).toBe(-1);
    grid.press(key('Enter'));
    expect(grid.sorting).toEqual({ column: 0, descending: false });
    const before = grid.widths[0]!;
    grid.press(key('ArrowRight', { altKey: true }));
    expect(grid.widths[0]).toBe(before + 16);
  });

  it('finds rows again after sorting', () => {
    const grid = make();
    grid.sort(1);
    grid.sort(1);
    expect(grid.rowAt(0)).toEqual(['row 99', 1]);
    expect(grid.positions[99]).toBe(0);
  });

  it('copies the selection in the order shown', () => {
    const grid = make();
    grid.press(key('ArrowDown', { shiftKey: true }));
    grid.press(key('ArrowRight', { shiftKey: true }));
    expect(grid.copySelection()).toBe('row 0\t100\nrow 1\t99');
    grid.goTo({ row: 5, column: 0 });
    expect(grid.copySelection()).toBe('row 5');
    expect(grid.copyAll().split('\n')).toHaveLength(101);
  });
});
