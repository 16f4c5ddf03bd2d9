import {
  tableFromArrays,
  tableToIPC,
  decimal128,
  int64,
  utf8,
  columnFromArray,
  tableFromColumns,
} from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { FakeResults } from '$lib/api/fake-results';
import { Fault } from '$lib/api/fault';
import type { ResultSet } from '$lib/api/types';
import { AllRows } from '$lib/controllers/all-rows.svelte';
import { readWindow } from '$lib/results/arrow';
import { BlockCache, blockRows, blocksFor, blocksKept } from '$lib/results/blocks';
import { RemoteRows } from '$lib/results/remote.svelte';

describe('readWindow', () => {
  it('keeps every digit', () => {
    const table = tableFromColumns({
      '0': columnFromArray([1n, 9223372036854775807n, null], int64()),
      '1': columnFromArray([1050n, -900719925474099325n, 5n], decimal128(18, 2), { useDecimalInt: true }),
      '2': columnFromArray(['é', null, 'مرحبا 🎉'], utf8()),
    });
    const { rows, columns } = readWindow(tableToIPC(table, { format: 'stream' })!.slice().buffer as ArrayBuffer);
    expect(rows).toBe(3);
    expect(columns.get('0')).toEqual([1, '9223372036854775807', null]);
    expect(columns.get('1')).toEqual([10.5, '-9007199254740993.25', 0.05]);
    expect(columns.get('2')).toEqual(['é', null, 'مرحبا 🎉']);
  });

  it('names what is no number of JSON', () => {
    const table = tableFromArrays({ '0': new Float64Array([1.5, NaN, Infinity, -Infinity]) });
    const { columns } = readWindow(tableToIPC(table, { format: 'stream' })!.slice().buffer as ArrayBuffer);
    expect(columns.get('0')).toEqual([1.5, 'NaN', 'Infinity', '-Infinity']);
  });
});

describe('blocks', () => {
  it('in the middle of the view go first', () => {
    expect(blocksFor(150, 650, [0, 40]).map(({ row, column }) => `${row}:${column}`)).toEqual(
      expect.arrayContaining(['0:0', '1:0', '2:0', '3:0', '0:1', '3:1']),
    );
    expect(blocksFor(350, 450, [0])).toEqual([
      { row: 1, column: 0 },
      { row: 2, column: 0 },
    ]);
    expect(blocksFor(0, 0, [0])).toEqual([]);
  });

  it('are kept as long as there is room, those in view the longest', () => {
    const cache = new BlockCache();
    const first = { row: 0, column: 0 };
    for (let row = 0; row < blocksKept; row++) cache.put({ row, column: 0 }, [[row]]);
    cache.keep([first]);
    cache.put({ row: blocksKept, column: 0 }, [['new']]);
    expect(cache.has(first)).toBe(true);
    expect(cache.has({ row: 1, column: 0 })).toBe(false);
    expect(cache.cell(blocksKept * blockRows, 0)).toBe('new');
    expect(cache.cell(blockRows, 0)).toBeUndefined();
  });
});

const column = (name: string, role: string, type: string) =>
  ({ name, label: name, role, type, unit: null }) as unknown as ResultSet['columns'][number];
const result = (rows: number): ResultSet => ({
  id: 's_1',
  rows,
  columns: [
    column('is_total', 'flag', 'boolean'),
    column('name', 'dimension', 'text'),
    column('n', 'metric', 'integer'),
  ],
  changed: false,
  left_out: [],
  text_cut: 500,
  most_rows: 10000,
});
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('RemoteRows', () => {
  const make = () => {
    const api = new FakeResults();
    api.set = result(1_000_000);
    api.rowOf = (row) => [row === 999_999, `row ${row}`, row];
    return { api, rows: new RemoteRows(api, api.set) };
  };

  it('reads what is in view, and leaves out what was only passed', async () => {
    const { api, rows } = make();
    expect(rows.cell(500_000, 0)).toBeUndefined();
    for (let first = 0; first < 500_000; first += 10_000) rows.want(first, first + 30, [0, 1]);
    rows.want(500_000, 500_030, [0, 1]);
    await settled();
    expect(rows.cell(500_000, 0)).toBe('row 500000');
    expect(rows.cell(500_029, 1)).toBe(500_029);
    expect(api.windows.length).toBeLessThan(6);
    rows.want(999_980, 1_000_000, [0]);
    await settled();
    expect(rows.markAt(999_999)).toBe('total');
    expect(rows.markAt(999_998)).toBeNull();
  });

  it('sorts where the rows are, in the columns of the result', async () => {
    const { api, rows } = make();
    api.viewRows = 7;
    expect(rows.positionOf(3)).toBe(3);
    await rows.arrange({
      sort: [{ column: 1, descending: true }],
      filters: [{ column: 0, op: 'contains', value: 'x' }],
      search: '',
    });
    expect(api.views[0]).toEqual({
      sort: [{ column: 2, descending: true }],
      filters: [{ column: 1, op: 'contains', value: 'x' }],
      search: '',
    });
    expect([rows.count, rows.total, rows.positionOf(3)]).toEqual([7, 1_000_000, -1]);
    await rows.arrange({ sort: [], filters: [], search: '' });
    expect([rows.count, api.views.length]).toEqual([1_000_000, 1]);
  });

  it('reads what is in view again when it has become something else', async () => {
    const { api, rows } = make();
    rows.want(0, 30, [0, 1]);
    await settled();
    api.viewRows = 1_000_000;
    await rows.arrange({ sort: [{ column: 0, descending: false }], filters: [], search: '' });
    await settled();
    expect(rows.cell(0, 0)).toBe('row 0');
    expect(api.windows).toHaveLength(2);
  });

  it('says why rows cannot be arranged, and stays as it was', async () => {
    const { api, rows } = make();
    api.view = () => Promise.reject(new Fault('invalid', 'No such value.', 'Write a number.'));
    await rows.arrange({ sort: [], filters: [], search: 'x' });
    expect(rows.problem).toEqual({ message: 'No such value.', hint: 'Write a number.' });
    expect([rows.count, rows.arrangement.search, rows.arranging]).toEqual([1_000_000, '', false]);
  });

  it('reads a copy in full and in parts', async () => {
    const { api, rows } = make();
    const cells = await rows.read(5, 25_005, [1, 0]);
    expect([cells.length, cells[0], cells[25_000 - 1]]).toEqual([25_000, [5, 'row 5'], [25_004, 'row 25004']]);
    expect(api.windows.every(({ whole, limit }) => whole && limit <= 10_000)).toBe(true);
  });
});

describe('AllRows', () => {
  it('opens once, and says why not', async () => {
    const api = new FakeResults();
    const all = new AllRows(api, { answer_to: 'r1' });
    await all.open();
    expect([all.rows, all.problem?.code, all.opening]).toEqual([null, 'conflict', false]);
    api.set = result(12);
    await all.open();
    await all.open();
    expect([all.rows?.total, all.problem, api.asked.length]).toEqual([12, null, 2]);
  });
});
