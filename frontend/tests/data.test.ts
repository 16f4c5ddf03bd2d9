import { beforeEach, describe, expect, it } from 'vitest';
import { App } from '$lib/app.svelte';
import { Fault } from '$lib/api/fault';
import { FakeBackend } from '$lib/api/fake';
import type { Imported, Preview, SourceDetail, TableProfile } from '$lib/api/types';
import { LookController } from '$lib/controllers/look.svelte';
import { SourcesController } from '$lib/controllers/sources.svelte';
import { TableController } from '$lib/controllers/table.svelte';
import { WorkspaceController } from '$lib/controllers/workspace.svelte';
import { barsOf, bucketRange, percent, searchSchema, shownValue } from '$lib/profile';
import { asRecognised, takes, withColumn, withFile, withTable } from '$lib/readas';
import { northwind } from './fixtures';
import { eventually } from './eventually';

const column = (name: string) => ({ name, type: 'text', personal: '', key: false, refers: '' });

const source = (name: string, tables: Record<string, string[]>): SourceDetail => ({
  id: `${name}-1`,
  name,
  file: name,
  path: `/data/${name}`,
  state: 'same',
  declared: false,
  format: 'csv',
  bytes: 10,
  modified: '2026-01-01T00:00:00Z',
  imported: '2026-01-01T00:00:00Z',
  epoch: 'sha256:1',
  encoding: 'utf-8',
  delimiter: ',',
  header: true,
  reading: null,
  notes: [],
  tables: Object.entries(tables).map(([table, columns]) => ({
    name: table,
    alias: table.toLowerCase(),
    rows: 3,
    rejected: 0,
    columns: columns.map(column),
  })),
});

const preview = (...tables: string[]): Preview => ({
  file: 'a.csv',
  format: 'csv',
  bytes: 10,
  packed: false,
  whole: true,
  text: true,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: true,
  skip: 0,
  notes: [],
  tables: tables.map((name) => ({
    name,
    columns: [{ name: 'a', original: 'a', type: 'integer', written: '' }],
    rows: [['1']],
    row_count: 1,
    rejected: 0,
    lines: [],
  })),
});

const imported = (): Imported => ({ sources: [], failed: [], workspace: northwind });

let backend: FakeBackend;

beforeEach(() => {
  backend = new FakeBackend();
  backend.workspaces = [northwind];
  backend.data.workspace = northwind;
  backend.data.imported = imported();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

describe('distributions', () => {
  it('have bars whose heights are shares of the fullest, and one that can be seen for what is rare', () => {
    const bars = barsOf(
      [
        { from: 0, to: 1, count: 1000 },
        { from: 1, to: 2, count: 0 },
        { from: 2, to: 3, count: 1 },
      ],
      90,
      20,
    );
    expect(bars.map(({ height }) => height)).toEqual([20, 0, 1]);
    expect(bars.map(({ x }) => x)).toEqual([0, 30, 60]);
    expect(bars[0]!.width).toBeLessThan(30);
    expect(barsOf([], 90, 20)).toEqual([]);
  });

  it('say what a bucket holds', () => {
    expect(bucketRange({ from: 3, to: 4, count: 1 }, 'integer', 'en-US')).toBe('3');
    expect(bucketRange({ from: 0.5, to: 1234.5678, count: 1 }, 'decimal', 'en-US')).toBe('0.5 – 1,234.6');
    expect(bucketRange({ from: 0, to: 86400 * 40, count: 1 }, 'date', 'en-US')).toMatch(/1970 – .*1970/);
  });

  it('show values and shares as a person reads them', () => {
    expect(shownValue('1234.5000', 'decimal', 'en-US')).toBe('1,234.5');
    expect(shownValue('10248', 'integer', 'de-DE')).toBe('10.248');
    expect(shownValue('01-012', 'text', 'en-US')).toBe('01-012');
    expect(shownValue(null, 'text', 'en-US')).toBe('');
    expect(percent(1, 100_000, 'en-US')).toBe('< 0.1%');
    expect(percent(99_999, 100_000, 'en-US')).toBe('> 99.9%');
    expect([percent(0, 5, 'en-US'), percent(5, 5, 'en-US'), percent(0, 0, 'en-US')]).toEqual(['0%', '100%', '0%']);
  });
});

describe('the search of tables and columns', () => {
  const sources = [source('shop.csv', { Orders: ['id', 'city'], Items: ['price'] }), source('b.csv', { b: ['x'] })];

  it('finds columns, and opens their tables with what was found', () => {
    const found = searchSchema(sources, 'CITY');
    expect(found.map((one) => one.source.name)).toEqual(['shop.csv']);
    expect(found[0]!.tables).toMatchObject([{ table: { name: 'Orders' }, columns: ['city'], open: true }]);
  });

  it('finds tables with all their columns, sources with all their tables, and everything for nothing', () => {
    expect(searchSchema(sources, 'orders')[0]!.tables).toMatchObject([{ columns: ['id', 'city'], open: false }]);
    expect(searchSchema(sources, 'shop')[0]!.tables).toHaveLength(2);
    expect(searchSchema(sources, 'orders id')[0]!.tables).toMatchObject([{ columns: ['id'], open: true }]);
    expect(searchSchema(sources, ' ')).toHaveLength(2);
    expect(searchSchema(sources, 'nowhere')).toEqual([]);
  });
});

describe('another way to read a file', () => {
  it('changes one thing at a time, and forgets columns where the header changes', () => {
    const typed = withColumn({}, preview('a'), 'a', 'a', { type: 'text' });
    expect(typed).toEqual({ columns: [{ column: 'a', type: 'text' }] });
    const named = withColumn(typed, preview('a'), 'a', 'a', { name: 'First' });
    expect(named).toEqual({ columns: [{ column: 'a', type: 'text', name: 'First' }] });
    expect(withColumn({ columns: [{ column: 'a', name: 'x' }] }, preview('a'), 'a', 'a', { name: ' ' })).toEqual({});
    expect(withFile(named, { delimiter: ';' })).toEqual({ delimiter: ';' });
    expect(asRecognised({})).toBe(true);
    expect(asRecognised({ header: false })).toBe(false);
    expect(asRecognised({ columns: [] })).toBe(true);
  });

  it('names tables of a file that has several, and leaves one of them at least', () => {
    const two = preview('a', 'b');
    expect(withColumn({}, two, 'b', 'a', { type: 'text' }).columns).toEqual([
      { column: 'a', table: 'b', type: 'text' },
    ]);
    const one = withTable({}, two, 'a', false);
    expect(one).toEqual({ tables: ['b'] });
    expect([takes(one, 'a'), takes(one, 'b'), takes({}, 'a')]).toEqual([false, true, true]);
    expect(withTable(one, two, 'b', false)).toBe(one);
    expect(withTable(one, two, 'a', true)).toEqual({});
  });
});

describe('LookController', () => {
  const files = (...names: string[]) => names.map((name) => new File(['x'], name));

  it('looks at files one by one, another way, and hands over what is wanted', async () => {
    backend.data.previews = [preview('a')];
    const look = new LookController(backend);
    await look.take(files('a.csv', 'b.csv'));
    expect(look.open).toBe(true);
    expect(look.now?.preview?.tables[0]!.name).toBe('a');
    await look.change({ delimiter: ';' });
    await look.choose(1);
    expect(backend.data.previewed).toEqual([
      { token: 'token-a.csv', reading: {} },
      { token: 'token-a.csv', reading: { delimiter: ';' } },
      { token: 'token-b.csv', reading: {} },
    ]);
    expect(look.settle()).toEqual({
      tokens: ['token-a.csv', 'token-b.csv'],
      readings: { 'token-a.csv': { delimiter: ';' } },
      names: ['a.csv', 'b.csv'],
    });
    expect(look.open).toBe(false);
    expect(backend.data.done).toEqual([]);
  });

  it('keeps what a file says against a reading, and forgets files that are not wanted', async () => {
    backend.data.previews = [preview('a')];
    const look = new LookController(backend);
    await look.take(files('a.csv'));
    backend.data.failures.preview = new Fault('invalid', 'Row 3 is no date.', 'Read it as text.');
    await look.change({ columns: [{ column: 'a', type: 'date' }] });
    expect(look.now?.problem?.message).toBe('Row 3 is no date.');
    expect(look.now?.preview).not.toBeNull();
    look.close();
    expect(backend.data.done).toEqual(['forget token-a.csv']);
    backend.failures.upload = new Fault('limit', 'Too large.', '');
    await look.take(files('big.csv'));
    expect([look.open, look.problem?.message]).toEqual([true, 'Too large.']);
  });
});

describe('SourcesController', () => {
  const make = async () => {
    backend.data.listed = [source('a.csv', { a: ['x'] })];
    const sources = new SourcesController(backend.data, new WorkspaceController(backend));
    await sources.load();
    return sources;
  };

  it('removes with a way back, renames, and says what went wrong', async () => {
    const sources = await make();
    expect(sources.sourceOf('a')?.name).toBe('a.csv');
    expect(await sources.remove(sources.all![0]!)).toBe(true);
    expect(sources.removed).toMatchObject({ name: 'a.csv', declared: false });
    expect(await sources.undo()).toBe(true);
    expect([sources.removed, backend.data.done]).toEqual([null, ['remove a.csv-1', 'restore a.csv-1']]);
    expect(await sources.undo()).toBe(false);
    await sources.rename('a.csv-1', 'People');
    expect(sources.all![0]!.name).toBe('People');
    backend.data.failures.rename = new Fault('invalid', 'A source needs a name.', '');
    expect(await sources.rename('a.csv-1', '')).toBe(false);
    expect(sources.problem?.message).toBe('A source needs a name.');
  });

  it('imports again, once at a time, and stops', async () => {
    const sources = await make();
    const first = sources.refresh('a.csv-1', { reading: { header: false } });
    expect(sources.refreshing?.id).toBe('a.csv-1');
    expect(await sources.refresh('a.csv-1')).toBe(false);
    expect(await first).toBe(true);
    expect(sources.refreshing).toBeNull();
    expect(backend.data.refreshed).toMatchObject([['a.csv-1', { reading: { header: false } }]]);
    backend.data.failures.refresh = new Fault('canceled', 'stopped');
    expect(await sources.refresh('a.csv-1')).toBe(false);
    expect(sources.problem?.code).toBe('canceled');
  });
});

describe('TableController', () => {
  const profile = (table: string): TableProfile => ({
    table,
    rows: 3,
    looked: 3,
    columns: [],
    key: [],
    key_declared: false,
    determines: [],
  });

  it('shows progress and the profile, and what belongs to another table never', async () => {
    const table = new TableController(backend.data);
    let finish: (found: TableProfile) => void = () => undefined;
    backend.data.profiles = (_signal, onProgress) => {
      onProgress(1, 2);
      return new Promise((resolve) => (finish = resolve));
    };
    table.open('a');
    expect(table.progress).toEqual({ done: 1, total: 2 });
    const late = finish;
    backend.data.profiles = async () => profile('b');
    table.open('b');
    late(profile('a'));
    await eventually(() => expect(table.profile?.table).toBe('b'));
    expect([table.name, table.progress]).toEqual(['b', null]);
  });

  it('stops, and measures a sample instead', async () => {
    const table = new TableController(backend.data);
    backend.data.profiles = (signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError'))),
      );
    table.open('a');
    table.stop();
    await eventually(() => expect(table.stopped).toBe(true));
    backend.data.profiles = async () => profile('a');
    await table.measure(1000);
    expect([table.stopped, table.profile?.table]).toEqual([false, 'a']);
    expect(backend.data.profiled.map(({ sample }) => sample)).toEqual([0, 1000]);
    backend.data.profiles = () => Promise.reject(new Fault('limit', 'Too much memory.', ''));
    await table.measure(0);
    expect(table.profileProblem?.message).toBe('Too much memory.');
  });
});

describe('App', () => {
  it('asks about a column in words that the program knows, else puts the words into the composer', async () => {
    const app = new App(backend);
    backend.data.asks = 'order count for Rome';
    backend.answer = () => Promise.reject(new Fault('internal', 'x'));
    await app.askAbout('a', 'town', 'Rome');
    expect(backend.asked[0]?.question).toBe('order count for Rome');
    backend.data.asks = '';
    await app.askAbout('a', 'town', 'Rome');
    expect(app.draft).toEqual({ text: 'town Rome' });
    expect(backend.asked).toHaveLength(1);
  });

  it('imports what was looked at the way that was wanted', async () => {
    const app = new App(backend);
    backend.data.previews = [preview('a')];
    backend.imported = imported();
    app.intake.take([new File(['x'], 'a.csv')], true);
    await eventually(() => expect(app.look.now?.preview).toBeTruthy());
    await app.look.change({ header: false });
    app.intake.takeLooked();
    await eventually(() => expect(app.imports.result).not.toBeNull());
    expect(backend.imports).toMatchObject([
      { tokens: ['token-a.csv'], readings: { 'token-a.csv': { header: false } } },
    ]);
    await app.intake.takeSample();
    expect(app.imports.problem).toBeNull();
  });

  it('says which files of several were not imported, and replaces a source by a newer file', async () => {
    const app = new App(backend);
    const problem = { code: 'invalid', message: 'bad.csv is empty.', hint: '' };
    backend.imported = { ...imported(), failed: [{ file: 'bad.csv', problem }] };
    await app.imports.take([new File(['x'], 'a.csv'), new File([''], 'bad.csv')]);
    expect(app.imports.failed).toEqual([{ file: 'bad.csv', problem }]);
    await app.intake.replace('a-1', new File(['x'], 'new.csv'));
    expect(backend.data.refreshed).toMatchObject([['a-1', { token: 'token-new.csv' }]]);
  });
});
