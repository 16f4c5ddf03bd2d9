import { describe, expect, it } from 'vitest';
import type { ChartEdit, Column, Frame, View } from '$lib/api/types';
import { FakeBackend } from '$lib/api/fake';
import { Fault } from '$lib/api/fault';
import { markedBy, marksBetween } from '$lib/chart/cut';
import { chartTypes, intentOf, mayBeLog, whyNot, withType } from '$lib/chart/intent';
import { aggregated, marksOfFrame, mostMarks } from '$lib/chart/marks';
import { forbiddenInChart } from '$lib/chart/policy';
import { fileName } from '$lib/save';
import { pictureOf } from '$lib/chart/spec';
import { totalOf, usualView, viewOf, waysToShow } from '$lib/chart/view';
import { ChartsController } from '$lib/controllers/charts.svelte';
import { answers, storedTurn } from './fixtures';

const column = (part: Partial<Column>): Column => ({
  name: 'c',
  role: 'dimension',
  type: 'text',
  unit: null as never,
  grain: null as never,
  metric: null as never,
  dimension: 'e.c',
  additivity: null as never,
  served_from: null as never,
  format: null as never,
  derived: null as never,
  ...part,
});
const category = column({ name: 'category', label: 'Category' });
const country = column({ name: 'country', label: 'Country', dimension: 'e.country' });
const month = column({ name: 'month', type: 'date', grain: 'month', dimension: 'e.date' });
const revenue = column({ name: 'revenue', label: 'Revenue', role: 'metric', type: 'decimal', unit: 'USD', additivity: 'additive' }); // prettier-ignore
const orders = column({ name: 'orders', role: 'metric', type: 'integer', additivity: 'additive' });
const average = column({ name: 'average', role: 'metric', type: 'float', additivity: 'none' });

const frameOf = (columns: Column[], rows: unknown[][]): Frame =>
  ({ ...answers.category.frame!, columns, rows, row_count: rows.length, truncated: null }) as Frame;
const names = (n: number) => Array.from({ length: n }, (_, i) => [`c${i}`, n - i]);
const months = (n: number) =>
  Array.from({ length: n }, (_, i) => [`${1990 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01`, i]);

const theme = {
  ink: '#000',
  faint: '#111',
  line: '#222',
  surface: '#fff',
  font: 'x',
  series: ['#1', '#2'],
  ramp: ['#3', '#4'],
  palettes: { accent: ['#5'], warm: ['#6'], cool: ['#7'], gray: ['#8'] },
};
const paper = (width = 600) => ({ theme, locale: 'en-US', width });
const start = (frame: Frame, part: Partial<ChartEdit> = {}): ChartEdit => ({ ...intentOf(null, frame), ...part });

describe('an intent', () => {
  it('begins as the program chose', () => {
    const { chart, frame } = answers.category;
    const intent = intentOf(chart, frame!);
    expect(intent).toMatchObject({ type: chart!.type, x: chart!.x, y: chart!.y });
    expect(intentOf({ ...chart!, type: 'heatmap', x: 'a', y: ['b'], color: 'n' }, frame!)).toMatchObject({ y: ['n'], color: 'b' }); // prettier-ignore
  });

  it('is whole after every change of its type, and says why a type cannot be', () => {
    const frames = {
      names: frameOf([category, revenue], names(5)),
      pairs: frameOf([category, country, revenue], [['a', 'x', 1], ['a', 'y', 2], ['b', 'x', 3]]),
      time: frameOf([month, revenue, orders], months(14).map(([at, n]) => [at, n, n])),
    }; // prettier-ignore
    for (const frame of Object.values(frames)) {
      for (const type of chartTypes) {
        const why = whyNot(type, frame);
        if (why !== null) continue;
        const intent = withType(start(frame), type, frame);
        expect(intent.type).toBe(type);
        for (const name of [intent.x, ...intent.y]) {
          if (type !== 'histogram') expect(frame.columns.map((known) => known.name)).toContain(name);
        }
        const picture = pictureOf(intent, frame, paper());
        expect(forbiddenInChart(picture.spec, true), `${type}`).toEqual([]);
        expect(JSON.stringify(picture.spec)).not.toMatch(/"(expr|signal|url|href)"/);
      }
    }
    expect(whyNot('stacked', frames.names)).toBe('window.chart.not_two_groups');
    expect(whyNot('scatter', frames.names)).toBe('window.chart.not_two_numbers');
    expect(whyNot('heatmap', frames.pairs)).toBeNull();
  });

  it('has a log scale only where no mark begins at zero', () => {
    const above = frameOf([month, revenue], [['1997-01-01', 1], ['1997-02-01', 1000]]); // prettier-ignore
    expect(mayBeLog(start(above, { type: 'line' }), above)).toBe(true);
    expect(mayBeLog(start(above, { type: 'bar' }), above)).toBe(false);
    const zero = frameOf([month, revenue], [['1997-01-01', 0]]);
    expect(mayBeLog(start(zero, { type: 'line' }), zero)).toBe(false);
  });
});

describe('marks', () => {
  it('put rows of one mark together as the number adds up, and say so', () => {
    const rows = [['a', 'x', 1], ['a', 'y', 2], ['b', 'x', 5]]; // prettier-ignore
    const sums = marksOfFrame(start(frameOf([category, country, revenue], rows), { x: 'category' }), frameOf([category, country, revenue], rows), 'en-US'); // prettier-ignore
    expect(sums.marks.map(({ x, y }) => [x, y])).toEqual([['a', 3], ['b', 5]]); // prettier-ignore
    expect(sums.notes).toHaveLength(1);
    const frame = frameOf([category, country, average], rows);
    expect(marksOfFrame(start(frame, { x: 'category' }), frame, 'en-US').marks[0]!.y).toBe(1.5);
    expect(marksOfFrame(start(frame, { x: 'category', aggregate: 'max' }), frame, 'en-US').marks[0]!.y).toBe(2);
    expect(aggregated([null, 3, 1, 2], 'median')).toBe(2);
    expect(aggregated([null], 'sum')).toBeNull();
  });

  it('have units in what they say, and dates as the person writes them', () => {
    const frame = frameOf([month, revenue], [['1997-03-01', '1234567.5']]);
    expect(marksOfFrame(start(frame), frame, 'en-US').marks[0]!.tips).toEqual(['Mar 1997', '1,234,567.50 USD']);
    expect(marksOfFrame(start(frame), frame, 'de-DE').marks[0]!.tips[1]).toBe('1.234.567,50 USD');
  });

  it('are the largest where bars are many, and the smallest slices are one', () => {
    const frame = frameOf([category, revenue], names(77));
    const bars = marksOfFrame(start(frame, { sort: 'name' }), frame, 'en-US');
    expect(bars.order).toHaveLength(50);
    expect(bars.order.slice(0, 3)).toEqual(['c0', 'c1', 'c2']);
    const pie = marksOfFrame(start(frame, { type: 'pie' }), frame, 'en-US');
    expect(pie.marks).toHaveLength(12);
    expect(pie.marks.reduce((sum, mark) => sum + mark.y!, 0)).toBe((77 * 78) / 2);
    expect(pie.marks.at(-1)!.cells).toBeNull();
    expect(pie.notes).toHaveLength(1);
  });

  it('of 100,000 rows are put together, and that is said', () => {
    const many = 100_000;
    const days = Array.from({ length: many }, (_, i) => [new Date(Date.UTC(1800, 0, 1 + i)).toISOString().slice(0, 10), i % 7]); // prettier-ignore
    const line = frameOf([{ ...month, grain: 'day' }, revenue], days);
    const drawn = marksOfFrame(start(line, { type: 'line' }), line, 'en-US');
    expect(drawn.marks.length).toBeLessThanOrEqual(mostMarks);
    expect(drawn.notes.join()).toContain('100,000');
    const cloud = frameOf(
      [revenue, orders],
      Array.from({ length: many }, (_, i) => [i % 317, (i * 7) % 211]),
    );
    const points = marksOfFrame({ ...start(cloud), type: 'scatter', x: 'revenue', y: ['orders'] }, cloud, 'en-US');
    expect(points.marks.length).toBeLessThanOrEqual(mostMarks);
    expect(points.marks.reduce((sum, mark) => sum + Number(mark.label), 0)).toBe(many);
    expect(points.notes.join()).toContain('100,000');
  });

  it('leave totals out and name the rest of a top', () => {
    const flag = (name: string) => column({ name, role: 'flag', type: 'boolean' });
    const frame = frameOf([category, revenue, flag('is_other'), flag('is_total')], [['a', 1, false, false], [null, 2, true, false], [null, 3, false, true]]); // prettier-ignore
    const { marks } = marksOfFrame(start(frame), frame, 'en-US');
    expect(marks.map(({ y }) => y)).toEqual([1, 2]);
    expect(marks[1]!.cells).toBeNull();
  });
});

describe('a picture', () => {
  it('names no column, so that none is read as a path', () => {
    const odd = column({ name: 'a.b[c]\\d', label: 'Odd' });
    const frame = frameOf([odd, revenue], [['x', 1]]);
    const { spec } = pictureOf(start(frame), frame, paper());
    expect(JSON.stringify(spec.encoding)).not.toContain('a.b');
    expect((spec.datasets as { frame: Record<string, unknown>[] }).frame[0]).toMatchObject({ x: 'x', y: 1 });
  });

  it('fits a narrow panel: legends below, names cut, small multiples one by one', () => {
    const frame = frameOf([category, country, revenue], [['a', 'x', 1], ['a', 'y', 2]]); // prettier-ignore
    const intent = start(frame, { type: 'line', x: 'category', color: 'country' });
    expect(JSON.stringify(pictureOf(intent, frame, paper(320)).spec)).toContain('"orient":"bottom"');
    expect(pictureOf({ ...intent, facet: 'country', color: '' }, frame, paper(320)).spec.columns).toBe(1);
    expect(pictureOf({ ...intent, facet: 'country', color: '' }, frame, paper(900)).spec.columns).toBe(3);
  });

  it('says each moment once when there are few', () => {
    const frame = frameOf([month, revenue], months(3));
    const { spec } = pictureOf(start(frame, { type: 'line' }), frame, paper());
    expect((spec.encoding as { x: { axis: { values: number[] } } }).x.axis.values).toHaveLength(3);
  });
});

describe('what is marked', () => {
  const pairs = frameOf([category, month, revenue], [['a', '1997-01-01', 1], ['a', '1997-02-01', 2], ['b', '1997-01-01', 3]]); // prettier-ignore
  const intent = start(pairs, { type: 'line', x: 'month', color: 'category' });
  const { marks } = marksOfFrame(intent, pairs, 'en-US');

  it('is the members of one mark, or the stretch of several', () => {
    expect(markedBy(marks.slice(0, 1), intent, pairs)).toEqual({
      members: [
        { column: 'month', value: '1997-01-01' },
        { column: 'category', value: 'a' },
      ],
    });
    expect(markedBy(marks, intent, pairs)).toEqual({ members: [], time: { column: 'month', first: '1997-01-01', last: '1997-02-01' } }); // prettier-ignore
    const bars = frameOf([category, revenue], names(4));
    const barIntent = start(bars);
    const barMarks = marksOfFrame(barIntent, bars, 'en-US');
    expect(markedBy(barMarks.marks.slice(0, 2), barIntent, bars)!.members.map(({ value }) => value)).toEqual(['c0', 'c1']); // prettier-ignore
    expect(markedBy([{ ...barMarks.marks[0]!, cells: null }], barIntent, bars)).toBeNull();
    expect(marksBetween(barMarks, 15, 5, (value) => Number(String(value).slice(1)) * 10)).toEqual([barMarks.marks[1]]);
  });
});

describe('a view', () => {
  it('comes back with the session', () => {
    const view: View = { show: 'table' };
    const artifact = { id: 'a', kind: 'view', turn: 1, title: '', body: view, created: '' };
    expect(viewOf(storedTurn({ artifacts: [artifact] as never }))).toEqual(view);
    expect(viewOf(storedTurn({ artifacts: [{ ...artifact, body: 'x' }] as never }))).toBeNull();
    expect([usualView(null).show, usualView(answers.category.chart).show]).toEqual(['table', 'chart']);
  });

  it('may be a number where numbers add up', () => {
    const frame = frameOf([category, revenue], [['a', '1.5'], ['b', 2]]); // prettier-ignore
    expect(totalOf(frame)).toMatchObject({ rows: 2, frame: { rows: [[3.5]] } });
    expect(waysToShow(frame)).toEqual(['chart', 'number', 'table']);
    expect(totalOf(frameOf([category, average], [['a', 1], ['b', 2]]))).toBeNull(); // prettier-ignore
    expect(totalOf({ ...frame, truncated: { cap: 2, total_rows: 3 } })).toBeNull();
    expect(waysToShow(frameOf([category], [['a'], ['b']]))).toEqual(['table']);
  });

  it('is kept, the newest last, and a failure is told', async () => {
    const backend = new FakeBackend();
    const charts = new ChartsController(backend.charts);
    await Promise.all([charts.look('r', { show: 'table' }), charts.look('r', { show: 'number' }), charts.look('r', { show: 'chart' })]); // prettier-ignore
    expect(backend.views.at(-1)).toEqual(['r', { show: 'chart' }]);
    expect(charts.viewOf('r')).toEqual({ show: 'chart' });
    backend.failures.saveView = new Fault('unavailable', 'gone');
    await charts.look('r', { show: 'table' });
    expect(charts.problem?.message).toBe('gone');
    expect(charts.viewOf('r')).toEqual({ show: 'table' });
  });

  it('has a file name made of the title', () => {
    expect(fileName('Revenue by category, 1997/98', 'png')).toBe('Revenue-by-category-1997-98.png');
    expect(fileName('…', 'svg')).toBe('chart.svg');
  });
});
