import { describe, expect, it } from 'vitest';
import type { Artifact, Column, Comparison, DriverAnalysis, Frame, Simulation } from '$lib/api/types';
import { hasMade, madeOf, recommendationOf } from '$lib/artifacts';
import { cardsOf } from '$lib/blocks';
import { metricOf } from '$lib/card';
import { waysOf } from '$lib/chart/show-as';
import { align, comparisonOf } from '$lib/comparison';
import { comparisonWords } from '$lib/comparison-words';
import { floorOf, waterfallOf } from '$lib/drivers';
import { minus, plus, relative } from '$lib/exact';
import { structureGraph } from '$lib/graph';
import { cut, layOutTable } from '$lib/picture';
import { linear, needed } from '$lib/simulation';
import { storedTurn as turnView } from '$lib/turn';
import { answers, storedTurn } from './fixtures';

const column = (name: string, part: Partial<Column> = {}): Column => ({
  name, label: name, role: 'dimension', type: 'text', unit: null, grain: null, metric: null, dimension: null, additivity: null,
  served_from: null, format: null, derived: null, ...part,
}); // prettier-ignore
const number = (name: string, part: Partial<Column> = {}) =>
  column(name, { role: 'metric', type: 'decimal', unit: 'USD', additivity: 'additive', ...part });
const frame = (columns: Column[], rows: unknown[][]): Frame => ({
  ...answers.category.frame!, columns, rows, row_count: rows.length, truncated: null, notices: [], reasons: [],
}); // prettier-ignore
const artifact = (kind: string, body: unknown = {}): Artifact =>
  ({ id: `art_${kind}`, kind, turn: 1, title: `a ${kind}`, body, created: '' }) as Artifact;

describe('exact', () => {
  it('adds and takes away without rounding', () => {
    expect([plus(0.1, 0.2), minus('1.10', 0.1), minus(1, 3)]).toEqual([0.3, 1, -2]);
    expect(plus('12345678901234567890.01', '0.99')).toBe('12345678901234567891');
    expect(minus('0.00000000000000000002', '0.00000000000000000001')).toBe(1e-20);
    expect([plus(null, 1), plus('a', 1), plus(true, 1), plus('', 1)]).toEqual([null, null, null, null]);
    expect(plus(1e21, 1)).toBe('1000000000000000000001');
  });

  it('gives a fraction of the size of what was there', () => {
    expect([relative(200, 250), relative(-200, -100), relative(0, 5), relative(null, 5)]).toEqual([
      0.25,
      0.5,
      null,
      null,
    ]);
  });
});

describe('a comparison', () => {
  const keys = [column('country')];
  const sides = (before: unknown[][], now: unknown[][], better: 'up' | 'down' = 'up'): Comparison => ({
    base: { label: '1996', request_id: '', frame: frame([...keys, number('revenue')], before) },
    current: { label: '1997', request_id: '', frame: frame([...keys, number('sales')], now) },
    keys: ['country'],
    measures: [{ label: 'Revenue', base: 'revenue', current: 'sales', better }],
  });

  it('aligns rows by key, with what was added, removed, changed and not', () => {
    const aligned = align(sides([['DE', '0.1'], ['FR', 5], ['UK', 7], [null, 1]], [['FR', 5], [null, 3], ['DE', '0.3'], ['US', 9]])); // prettier-ignore
    expect(aligned.rows.map(({ keys, state, cells }) => [keys[0], state, cells[0]!.change])).toEqual([
      ['FR', 'same', 0],
      [null, 'both', 2],
      ['DE', 'both', 0.2],
      ['US', 'added', null],
      ['UK', 'removed', null],
    ]);
    expect(aligned.counts).toEqual({ both: 2, same: 1, added: 1, removed: 1 });
    expect(aligned.rows[2]!.cells[0]).toMatchObject({ share: 2, sense: 'good' });
    expect(align(sides([['DE', 1]], [['DE', 2]], 'down')).rows[0]!.cells[0]!.sense).toBe('bad');
  });

  it('says what it cannot align', () => {
    expect(align(sides([['DE', 1], ['DE', 2]], [['DE', 3]])).repeated).toBe(1); // prettier-ignore
    const without = sides([['DE', 1]], [['DE', 2]]);
    without.measures[0]!.current = 'gone';
    expect(align(without)).toMatchObject({ missing: ['gone'], measures: [] });
  });

  it('reads with signs, percent and bars to one scale', () => {
    const aligned = align(sides([['a', 100], ['b', 100], ['c', 0]], [['a', 150], ['b', 75], ['c', 4]])); // prettier-ignore
    const words = comparisonWords(aligned, 'en-US');
    const of = (row: number) => aligned.rows[row]!.cells[0]!;
    expect([0, 1, 2].map((row) => [words.change(of(row), 0), words.share(of(row)), words.bar(of(row), 0)])).toEqual([
      ['+50.00', '+50%', 50],
      ['−25.00', '−25%', 25],
      ['+4.00', '–', 4],
    ]);
  });

  it('is made of a frame whose numbers stand beside what they are compared with', () => {
    const previous = number('revenue_prev', {
      role: 'comparison',
      derived: { of: 'revenue', how: 'previous', with: '' },
    });
    const compared = frame([...keys, number('revenue'), previous], [['DE', 3, 1], ['FR', 2, null]]); // prettier-ignore
    const aligned = align(comparisonOf(compared)!);
    expect(aligned.rows.map(({ cells }) => cells[0]!.change)).toEqual([2, null]);
    expect(comparisonOf(frame([...keys, number('revenue')], [['DE', 3]]))).toBeNull();
    expect(metricOf(compared)?.card).toMatchObject({ summary: 5, previous: null, delta_pct: null, by: 'country' });
    const complete = frame(compared.columns, [['DE', 3, 1], ['FR', 2, '1.5']]); // prettier-ignore
    expect(metricOf(complete)?.card).toMatchObject({ summary: 5, previous: 2.5, delta_pct: 1 });
  });
});

describe('a number at a glance', () => {
  it('has its course over time, in order', () => {
    const month = column('month', { type: 'date', grain: 'month' });
    const over = frame([month, number('revenue')], [['1997-03-01', 3], ['1997-01-01', '1.5'], ['1997-02-01', null]]); // prettier-ignore
    expect(metricOf(over)?.card).toMatchObject({
      summary: 4.5,
      previous: null,
      grain: 'month',
      timeseries: [{ value: '1.5' }, { value: null }, { value: 3 }],
    });
  });

  it('puts what is not among the largest together, and is nothing where numbers do not add up', () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].map((n) => [`c${n}`, n]);
    const parts = metricOf(frame([column('c'), number('n')], rows))!.card.breakdown;
    expect(parts.map(({ value, rest }) => [value, rest])).toEqual([[7, false], [6, false], [5, false], [4, false], [3, false], [3, true]]); // prettier-ignore
    expect(metricOf(frame([column('c'), number('n', { additivity: 'none' })], rows))).toBeNull();
    expect(metricOf({ ...frame([column('c'), number('n')], rows), truncated: { cap: 7, total_rows: 9 } as never })).toBeNull(); // prettier-ignore
  });
});

describe('show as', () => {
  it('names a reason for everything that does not fit, and keeps the pin', () => {
    const of = (one: Frame) => waysOf(one, null, { show: 'table', pinned: true });
    const two = of(frame([column('c'), number('n')], [['a', 1], ['b', 2]])); // prettier-ignore
    const fits = two.filter(({ why }) => why === null).map(({ show, type }) => type ?? show);
    expect(fits).toEqual(['table', 'bar', 'line', 'area', 'pie', 'histogram', 'number']);
    expect(two.find(({ chosen }) => chosen)?.show).toBe('table');
    expect(two.every(({ view }) => view.pinned)).toBe(true);
    expect(two.find(({ type }) => type === 'pie')?.view.chart?.type).toBe('pie');
    expect(of(frame([column('c')], [['a']])).filter(({ why }) => why === null).map(({ show }) => show)).toEqual(['table']); // prettier-ignore
  });
});

describe('a simulation', () => {
  const simulation: Simulation = {
    type: 'goal_seek', source: { frame_id: '', frame_ql: '', label: '' }, assumptions: [], recompute: 'linear',
    levers: [{ id: 'p', label: 'Price', unit: '%', format: '', min: -20, max: 20, step: 1, baseline: 0, value: 0 },
      { id: 'v', label: 'Orders', unit: '', format: '', min: 0, max: 100, step: 1, baseline: 50, value: 50 }],
    outcomes: [{ id: 'r', label: 'Revenue', unit: 'USD', format: '', better: 'up', observed: 1000, simulated: 1000, effects: { p: 10, v: 2 } }],
    goal: { outcome: 'r', lever: 'p', target: 1100 }, result: null,
  }; // prettier-ignore

  it('follows its levers in a straight line, within their range', () => {
    expect(linear(simulation, { p: 5, v: 60 }).outcomes[0]!.simulated).toBe(1070);
    expect(linear(simulation, { p: 500, v: 50 })).toMatchObject({ levers: [{ value: 20 }, {}], outcomes: [{ simulated: 1200 }] }); // prettier-ignore
    expect(linear(simulation, {}).outcomes[0]!.simulated).toBe(1000);
  });

  it('does not keep rows that belong to other levers', () => {
    const rowed = { ...simulation, result: frame([number('n')], [[1]]) };
    expect(linear(rowed, { p: 0, v: 50 }).result).not.toBeNull();
    expect(linear(rowed, { p: 1, v: 50 }).result).toBeNull();
  });

  it('says what a lever must be, whether it can be, and when it moves nothing', () => {
    expect(needed(simulation)).toMatchObject({ value: 10, reach: true });
    expect(needed({ ...simulation, goal: { ...simulation.goal!, target: 2000 } })).toMatchObject({ value: 100, reach: false }); // prettier-ignore
    expect(needed({ ...simulation, goal: { ...simulation.goal!, lever: 'x' } })).toBeNull();
    expect(needed(linear(simulation, { p: 3, v: 60 }))).toMatchObject({ value: 8 });
  });
});

describe('a driver analysis', () => {
  const step = (label: string, amount: unknown) =>
    ({ label, type: 'segment', amount, standing: 'likely', frame_ql: '' }) as DriverAnalysis['steps'][number];
  const analysis = (steps: DriverAnalysis['steps'], from: unknown = '1000.10', to: unknown = '900.30'): DriverAnalysis => ({
    metric: 'revenue', label: 'Revenue', unit: 'USD', format: '', better: 'up',
    baseline: { label: 'Q3', from: '', to: '', value: from }, current: { label: 'Q4', from: '', to: '', value: to },
    steps, tree: [], against: [], checks: [], coverage: 1, tested: 3,
  }); // prettier-ignore

  it('adds up from the baseline to the current number', () => {
    const fall = waterfallOf(analysis([step('DE', '-120.05'), step('FR', 20.25)]));
    expect(fall.missing).toBe(0);
    expect(fall.bars.map(({ kind, from, to, sense }) => [kind, from, to, sense])).toEqual([
      ['baseline', 0, 1000.1, 'even'],
      ['step', 1000.1, 880.05, 'bad'],
      ['step', 880.05, 900.3, 'good'],
      ['current', 0, 900.3, 'even'],
    ]);
  });

  it('shows what its steps leave out', () => {
    const fall = waterfallOf(analysis([step('DE', -50)]));
    expect(fall.missing).toBe(-49.8);
    expect(fall.bars.map(({ kind }) => kind)).toEqual(['baseline', 'step', 'missing', 'current']);
  });

  it('takes binary fractions for what they are', () => {
    expect(waterfallOf(analysis([step('a', 0.1), step('b', 0.2)], 1, 1.3000000000000003)).missing).toBe(0);
  });

  it('breaks the axis only where the steps are thin and nothing is below zero', () => {
    expect(floorOf(waterfallOf(analysis([step('DE', -99.8)])))).toBeGreaterThan(0);
    expect(floorOf(waterfallOf(analysis([step('DE', -900)], 1000, 100)))).toBe(0);
    expect(floorOf(waterfallOf(analysis([step('DE', -1100)], 1000, -100)))).toBe(-100);
  });
});

describe('artifacts of a turn', () => {
  it('are cards by themselves, or belong to others; an unknown kind is named', () => {
    const made = madeOf([artifact('frame'), artifact('chart'), artifact('view'), artifact('structure'), artifact('hologram')]); // prettier-ignore
    expect(made).toMatchObject([{ kind: 'structure', title: 'a structure' }, { kind: 'unknown', named: 'hologram' }]); // prettier-ignore
    const refs = (...kinds: string[]) => ({
      ...answers.category,
      artifacts: kinds.map((kind) => ({ id: kind, kind })),
    });
    expect([hasMade(refs('frame', 'chart', 'narration')), hasMade(refs('simulation')), hasMade(refs('hologram'))]).toEqual([false, true, true]); // prettier-ignore
  });

  it('stand behind the frame of their turn, newest turn first', () => {
    const turns = [
      turnView(storedTurn({ answer: answers.category, artifacts: [artifact('qm_card'), artifact('hologram')] }), 0),
      turnView(storedTurn({ answer: answers.orders, request_id: 'r2' }), 1),
    ];
    expect(cardsOf(turns).map(({ kind, key }) => `${kind} ${key}`)).toEqual(['frame r2', 'frame r1', 'qm_card art_qm_card', 'unknown art_hologram']); // prettier-ignore
  });

  it('an answer that was recommended and not run is a card', () => {
    const advised = {
      ...answers.category,
      status: 'recommended',
      frame: null,
      chart: null,
      sql: 'SELECT 1',
      plan: null,
    };
    expect(recommendationOf(advised)).toMatchObject({ sql: 'SELECT 1', request_id: advised.request_id });
    expect(cardsOf([turnView(storedTurn({ answer: advised }), 0)]).map(({ kind }) => kind)).toEqual(['recommendation']); // prettier-ignore
    expect(recommendationOf(answers.category)).toBeNull();
  });
});

describe('a structure', () => {
  it('cuts very long names, keeps them whole beside, and leaves out lines to nowhere', () => {
    const node = (id: string, label: string) => ({ id, label, note: '', inferred: false, object: '' });
    const edge = (from: string, to: string, holds = 1) => ({ id: from + to, from, to, label: '', to_one: true, holds });
    const { nodes, edges } = structureGraph({
      type: 'joins',
      nodes: [node('a', '👩‍🚀'.repeat(300)), node('b', 'b')],
      edges: [edge('a', 'b', 0.98), edge('a', 'c')],
    });
    expect(nodes[0]!.shown.endsWith('…')).toBe(true);
    expect(nodes[0]!.width).toBeLessThan(320);
    expect(nodes[0]!.label).toBe('👩‍🚀'.repeat(300));
    expect(edges).toMatchObject([{ whole: false }]);
  });
});

describe('the picture of a table', () => {
  const widthOf = (text: string) => [...text].length * 7;

  it('cuts what is too wide, never in the middle of a letter', () => {
    expect(cut('abcdef', 28, widthOf)).toBe('abc…');
    expect(cut('a\nb', 100, widthOf)).toBe('a b');
    expect(cut('😀'.repeat(10), 28, widthOf)).toBe('😀😀😀…');
  });

  it('has a place for every word, none over another one, and says what was left out', () => {
    const rows = Array.from({ length: 100 }, (_, at) => [`${'name '.repeat(60)}${at}`, '1,234.50']);
    const sheet = { title: 't'.repeat(300), note: '100 rows', columns: [{ label: 'Name', right: false }, { label: 'Revenue (USD)', right: true }], rows, left: 'The first 40 of 100 rows.' }; // prettier-ignore
    const painted = layOutTable(sheet, widthOf);
    const spans = painted.words.map(({ x, y, text, right }) => ({ y, from: right ? x - widthOf(text) : x, to: right ? x : x + widthOf(text) })); // prettier-ignore
    for (const [at, one] of spans.entries()) {
      expect(one.from).toBeGreaterThanOrEqual(0);
      expect(one.to).toBeLessThanOrEqual(painted.width);
      expect(one.y).toBeLessThan(painted.height);
      for (const other of spans.slice(at + 1)) expect(other.y !== one.y || other.from >= one.to || other.to <= one.from).toBe(true); // prettier-ignore
    }
    expect(painted.words.filter(({ letters }) => letters === 'figure')).toHaveLength(40);
    expect(painted.words.at(-1)!.text).toBe('The first 40 of 100 rows.');
  });
});
