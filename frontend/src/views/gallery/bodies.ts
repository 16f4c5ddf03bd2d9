// Bodies of the kinds that nothing sends yet, typed by what the API says of them.
import type { Comparison, DriverAnalysis, DriverNode, DriverStep, QMCard, Recommendation, Simulation, Structure } from '$lib/api/types'; // prettier-ignore
import { arabic, column, emoji, frameOf, hebrew, long, number } from './frames';

const sides = (names: string[], part: Partial<Comparison> = {}): Comparison => {
  const frame = (shift: number, from: number, to: number) =>
    frameOf(
      [column('Country'), number('Revenue'), number('Late share', { unit: null, format: 'percent', type: 'float', additivity: 'none' })],
      names.slice(from, to).map((name, at) => [name, (at === 3 ? 4000 : 4000 + ((at * 7919 + shift) % 5000)) + 0.25, 0.05 + ((at * 31 + shift) % 40) / 400]),
    ); // prettier-ignore
  return {
    base: { label: 'Q3 2025', request_id: '', frame: frame(100, 0, Math.max(0, names.length - 1)) },
    current: { label: 'Q4 2025', request_id: '', frame: frame(1700, names.length > 2 ? 1 : 0, names.length) },
    keys: ['Country'],
    measures: [
      { label: 'Revenue', base: 'Revenue', current: 'Revenue', better: 'up' },
      { label: 'Late share', base: 'Late share', current: 'Late share', better: 'down' },
    ],
    ...part,
  };
};

const total = (value: number | null) => frameOf([number('Revenue')], [[value]]);

export const comparisons: Record<string, Comparison> = {
  usual: sides(['Germany', 'USA', 'Brazil', 'France', 'Austria', 'UK', 'Sweden']),
  'one number': { base: { label: '1996', request_id: '', frame: total(1000) }, current: { label: '1997', request_id: '', frame: total(1250) }, keys: [], measures: [{ label: '', base: 'Revenue', current: 'Revenue', better: 'up' }] },
  'many rows': sides(Array.from({ length: 450 }, (_, at) => `Customer ${at}`)),
  names: sides([long, arabic, hebrew, emoji, 'ok', `${emoji} ${arabic}`]),
  empty: sides([]),
  'a column is missing': sides(['Germany', 'USA'], { keys: ['Land'] }),
}; // prettier-ignore

const lever = (id: string, label: string, part: object = {}) => ({ id, label, unit: '%', format: '', min: -30, max: 30, step: 1, baseline: 0, value: 0, ...part }); // prettier-ignore
const outcome = (id: string, label: string, observed: number, effects: Record<string, number>, part: object = {}) => ({ id, label, unit: 'USD', format: '', better: 'up' as const, observed, simulated: observed, effects, ...part }); // prettier-ignore

const simulation = (part: Partial<Simulation> = {}): Simulation => ({
  type: 'perturbation',
  source: { frame_id: 'f1', frame_ql: 'SELECT revenue AT region TIME 2025-Q4', label: 'Revenue by region, 2025-Q4' },
  assumptions: ['The price moves in every region alike.', 'Customers buy as much as before: nothing here knows how they would answer.'],
  recompute: 'linear',
  levers: [lever('price', 'Price'), lever('discount', 'Discounts', { format: 'percent', unit: '', min: 0, max: 0.3, step: 0.01, baseline: 0.06, value: 0.06 }), lever('orders', 'Orders a day', { unit: '', min: 0, max: 400, step: 5, baseline: 180, value: 180 })],
  outcomes: [
    outcome('revenue', 'Revenue', 1265793.03, { price: 12657.93, discount: -1300000, orders: 7032.18 }),
    outcome('margin', 'Margin', 0.31, { price: 0.004, discount: -0.9 }, { unit: '', format: 'percent' }),
    outcome('late', 'Late deliveries', 37, { orders: 0.4 }, { unit: '', better: 'down' }),
  ],
  goal: null, result: null, ...part,
}); // prettier-ignore

export const simulations: Record<string, Simulation> = {
  usual: simulation(),
  goal: simulation({ type: 'goal_seek', goal: { outcome: 'revenue', lever: 'price', target: 1400000 } }),
  'out of reach': simulation({ type: 'goal_seek', goal: { outcome: 'revenue', lever: 'price', target: 5000000 } }),
  'by the program': simulation({ recompute: 'program' }),
  'by a program that fails': simulation({ recompute: 'program' }),
  'cannot be moved': simulation({ type: 'time_shift', recompute: 'none', result: frameOf([column('Region'), number('Revenue')], [['North', 51230.5], ['South', 18220]]) }),
  names: simulation({ levers: [lever('price', long), lever('b', arabic), lever('c', emoji)], outcomes: [outcome('a', long, 10, { price: 1 }), outcome('b', arabic, 20, {}), outcome('c', emoji, 30, {})], assumptions: [long, arabic] }),
  empty: simulation({ levers: [], outcomes: [], assumptions: [] }),
}; // prettier-ignore

const node = (id: string, label: string, part: object = {}) => ({ id, label, note: '', inferred: false, object: '', ...part }); // prettier-ignore
const edge = (from: string, to: string, part: object = {}) => ({ id: `${from}-${to}`, from, to, label: '', to_one: true, holds: 1, ...part }); // prettier-ignore

export const structures: Record<string, Structure> = {
  joins: {
    type: 'joins',
    nodes: [node('lines', 'Order lines', { note: '2,155 rows' }), node('orders', 'Orders', { note: '830 rows' }), node('customers', 'Customers', { note: '91 rows' }), node('products', 'Products', { note: '77 rows' }), node('categories', 'Categories', { note: '8 rows' }), node('territories', 'Territories', { inferred: true, note: '53 rows' })],
    edges: [edge('lines', 'orders'), edge('orders', 'customers', { label: 'billed to' }), edge('lines', 'products'), edge('products', 'categories'), edge('orders', 'territories', { to_one: false })],
  },
  dependencies: {
    type: 'dependencies',
    nodes: [node('postcode', 'postal code'), node('city', 'city'), node('region', 'region'), node('country', 'country')],
    edges: [edge('postcode', 'city', { holds: 0.987 }), edge('city', 'region'), edge('region', 'country'), edge('city', 'country')],
  },
  hierarchy: { type: 'hierarchy', nodes: [node('d', 'day'), node('m', 'month'), node('q', 'quarter'), node('y', 'year')], edges: [edge('d', 'm'), edge('m', 'q'), edge('q', 'y')] },
  names: { type: 'joins', nodes: [node('a', long), node('b', arabic), node('c', emoji, { note: hebrew })], edges: [edge('a', 'b'), edge('b', 'c', { label: long })] },
  empty: { type: 'joins', nodes: [], edges: [] },
}; // prettier-ignore

const profile = (part: Partial<QMCard['column']> = {}): QMCard['column'] => ({
  name: 'freight', type: 'decimal', personal: '', nulls: 12, distinct: 799, about: false, min: '0.02', max: '1007.64', mean: 78.24, avg_length: null, max_length: null,
  histogram: Array.from({ length: 20 }, (_, at) => ({ from: at * 50, to: at * 50 + 50, count: Math.round(420 * Math.exp(-at / 2.4)) })),
  top: [], ...part,
}); // prettier-ignore
const card = (column: QMCard['column'], part: Partial<QMCard> = {}): QMCard => ({ table: 'Orders', rows: 830, looked: 830, column, frame_ql: '', ...part }); // prettier-ignore
const top = (values: string[]) => values.map((value, at) => ({ value, count: 200 - at * 30, share: (200 - at * 30) / 830 })); // prettier-ignore

export const qmCards: Record<string, QMCard> = {
  number: card(profile()),
  text: card(profile({ name: 'country', type: 'text', min: 'Argentina', max: 'Venezuela', mean: null, distinct: 21, nulls: 0, histogram: [], top: top(['Germany', 'USA', 'Brazil', 'France']), avg_length: 6.2, max_length: 11 })),
  computed: card(profile({ name: 'order size' }), { frame_ql: 'DEFINE order_size = CASE WHEN freight > 100 THEN "large" ELSE "small" END' }),
  sample: card(profile({ about: true }), { rows: 48_000_000, looked: 1_000_000 }),
  personal: card(profile({ name: 'email', type: 'text', personal: 'email_address', min: null, max: null, mean: null, histogram: [], top: [] })),
  names: card(profile({ name: long, type: 'text', min: long, max: arabic, mean: null, histogram: [], top: top([long, arabic, emoji, hebrew]) }), { table: emoji }),
  empty: card(profile({ nulls: 0, distinct: 0, min: null, max: null, mean: null, histogram: [] }), { rows: 0, looked: 0 }),
}; // prettier-ignore

const step = (label: string, amount: unknown, part: Partial<DriverStep> = {}): DriverStep => ({ label, type: 'segment', amount, standing: 'likely', frame_ql: `SELECT revenue TIME 2025-Q4 WHERE country = "${label.slice(0, 20)}"`, ...part }); // prettier-ignore
const member = (label: string, baseline: unknown, current: unknown, change: unknown, children: DriverNode[] = [], part: Partial<DriverNode> = {}): DriverNode => ({
  label, by: children.length > 0 ? 'product category' : '', baseline, current, change, excess: null, standing: 'likely', frame_ql: 'SELECT revenue', children, ...part,
}); // prettier-ignore

const drivers = (part: Partial<DriverAnalysis> = {}): DriverAnalysis => ({
  metric: 'revenue', label: 'Revenue', unit: 'USD', format: '', better: 'up',
  baseline: { label: '2025-Q3', from: '2025-07-01', to: '2025-10-01', value: '412300.50' },
  current: { label: '2025-Q4', from: '2025-10-01', to: '2026-01-01', value: 371120 },
  steps: [step('Germany', -38400.5), step('USA', -9120), step('Brazil', 6240, { standing: 'noise' }), step('Norway', 2100, { type: 'entered' }), step('Everything else', -2000, { type: 'rest', standing: 'untested', frame_ql: '' })],
  tree: [
    member('Germany', 121000, '82599.50', -38400.5, [member('Beverages', 60000, 30000, -30000, [member('Chai', 40000, 12000, -28000), member('Chang', 20000, 18000, -2000, [], { standing: 'noise' })], { excess: -21000, by: 'product' }), member('Produce', 61000, '52599.50', -8400.5)], { excess: -26000 }),
    member('USA', 98000, 88880, -9120, [], { excess: 690 }),
    member('Norway', null, 2100, 2100),
  ],
  against: [step('Brazil', 6240), step('Norway', 2100)],
  checks: [{ name: 'completeness', status: 'passed', text: 'Both periods have rows for every day.' }, { name: 'calendar', status: 'finding', text: 'The fourth quarter has two working days fewer.' }, { name: 'noise', status: 'could_not_check', text: 'There are six periods before; eight are needed.' }, { name: 'definition', status: 'not_applicable', text: 'The definition did not change.' }],
  coverage: 0.951, tested: 214, ...part,
}); // prettier-ignore

export const driverAnalyses: Record<string, DriverAnalysis> = {
  usual: drivers(),
  'mix and rate': drivers({ label: 'Late share', metric: 'late_share', unit: '', format: 'percent', better: 'down', baseline: { label: 'Q3', from: '', to: '', value: 0.08 }, current: { label: 'Q4', from: '', to: '', value: 0.11 }, steps: [step('Speedy Express', 0.018, { type: 'rate' }), step('United Package', 0.012, { type: 'mix' })], tree: [], against: [], coverage: 1 }),
  'does not add up': drivers({ steps: [step('Germany', -38400.5), step('USA', -9120)] }),
  'below zero': drivers({ label: 'Profit', baseline: { label: 'Q3', from: '', to: '', value: 900 }, current: { label: 'Q4', from: '', to: '', value: -350 }, steps: [step('Freight', -1500), step('Sales', 250)], tree: [], against: [] }),
  names: drivers({ label: long, steps: [step(long, -38400.5), step(arabic, -9120), step(emoji, 6340.5)], tree: [member(long, 1, 2, 1, [member(arabic, 1, 2, 1)]), member(emoji, 1, 2, 1)], checks: [] }),
  empty: drivers({ steps: [], tree: [], against: [], checks: [], coverage: 0, tested: 0, current: { label: '2025-Q4', from: '', to: '', value: '412300.50' } }),
}; // prettier-ignore

const recommendation = (part: Partial<Recommendation> = {}): Recommendation => ({
  request_id: 'r', reading: 'Revenue by customer, all time', frame_ql: 'SELECT revenue AT customer', sql: 'SELECT c.company_name, sum(l.quantity * l.unit_price) AS revenue\nFROM order_lines l\nJOIN orders o USING (order_id)\nJOIN customers c USING (customer_id)\nGROUP BY 1',
  reasons: ['The risk of 0.62 asks for level 2: it is shown and not run.', 'Revenue is not tested against another source.'], cost: { rows: 2155, bytes: 180000, ms: 40, basis: 'From 12 statements before.' }, until: '2099-01-01T12:00:00Z', ...part,
}); // prettier-ignore

export const recommendations: Record<string, Recommendation> = {
  usual: recommendation(),
  'by hand': recommendation({ frame_ql: '', cost: null, until: null, reasons: [] }),
  over: recommendation({ until: '2020-01-01T12:00:00Z' }),
  names: recommendation({ reading: long, reasons: [long, arabic], sql: `SELECT '${emoji}' AS "${long}"` }),
};
