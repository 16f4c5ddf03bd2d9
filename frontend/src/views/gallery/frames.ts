// Frames and answers for the gallery. Nothing here was observed.
import type { Answer, Chart, Column, Frame } from '$lib/api/types';

export const long =
  `Revenue of ${'a very long name that nobody would give to a thing but somebody did, and it goes on '.repeat(4)}`.slice(
    0,
    300,
  );
export const arabic = 'الإيرادات حسب المنطقة والفئة في الربع الأخير من السنة';
export const hebrew = 'הכנסות לפי אזור';
export const emoji = '👩‍🚀🏳️‍🌈 Größe — naïve ☃️ 数量';

export const column = (name: string, part: Partial<Column> = {}): Column => ({
  name, label: name, role: 'dimension', type: 'text', unit: null, grain: null, metric: null, dimension: null, additivity: null,
  served_from: null, format: null, derived: null, ...part,
}); // prettier-ignore

export const number = (name: string, part: Partial<Column> = {}): Column =>
  column(name, { role: 'metric', type: 'decimal', unit: 'USD', additivity: 'additive', metric: name, ...part });

export const month = column('Month', { type: 'date', grain: 'month' });

let frames = 0;

export const frameOf = (columns: Column[], rows: unknown[][], part: Partial<Frame> = {}): Frame => ({
  id: `frame_${++frames}`, columns, rows, row_count: rows.length, dialect: 'duckdb', frame_ql: 'SELECT revenue AT country TIME 1997',
  sql: 'SELECT country, sum(amount) AS revenue\nFROM orders\nGROUP BY country', notices: [], population: null, reasons: [], served_by: [],
  served_from: 'backend', source_epochs: {}, span: null, truncated: null, ...part,
}); // prettier-ignore

export const chartOf = (frame: Frame, part: Partial<Chart>): Chart =>
  ({ type: 'bar', frame: frame.id, reason: '', vega_lite: null, ...part }) as Chart;

/** An answer as far as cards look at it. */
export const answerOf = (question: string, part: Partial<Answer> = {}): Answer =>
  ({
    question, request_id: `request_${question}`, session_id: 'gallery', turn: 1, status: 'completed', outcome: 'answer', sql: '', artifacts: [],
    findings: [], followups: [], probes: [], trace: [], narration: null, chart: null, frame: null, explanation: null, clarification: null,
    refusal: null, metric_card: null, acceptance: null, risk: null, plan: null, escalation: null, confidence: null,
    understood: null, verification: { level: 'AA', checks: [], population: null }, timings_ms: { interpret: 1, resolve: 1, plan: 1, execute: 3, total: 6 }, ...part,
  }) as unknown as Answer; // prettier-ignore

const countries = ['Germany', 'USA', 'Brazil', 'France', 'Austria', 'Venezuela', 'UK', 'Sweden', 'Canada', 'Mexico', 'Ireland', 'Spain', 'Finland', 'Italy', 'Belgium', 'Switzerland', 'Denmark', 'Argentina', 'Portugal', 'Norway', 'Poland']; // prettier-ignore

// The same numbers every time.
const wave = (at: number, of: number) => Math.round(Math.abs(Math.sin(at * 12.9898 + of * 78.233)) * 90000) / 10;

export const byCountry = () =>
  frameOf([column('Country'), number('Revenue')], countries.slice(0, 8).map((name, at) => [name, wave(at, 1)])); // prettier-ignore

export const named = (names: string[], label: string) =>
  frameOf([column(label), number(`${label} (sum)`)], names.map((name, at) => [name, 1000 + wave(at, 2)])); // prettier-ignore

export const lines = (series: number) =>
  frameOf(
    [month, column('Country'), number('Revenue')],
    Array.from({ length: series * 24 }, (_, at) => {
      const [of, when] = [Math.floor(at / 24), at % 24];
      const name = countries[of % countries.length] + (of < countries.length ? '' : ` ${of}`);
      return [`${1996 + Math.floor(when / 12)}-${String((when % 12) + 1).padStart(2, '0')}-01`, name, Math.round(wave(of, 3) + wave(when, of) / 4)];
    }),
  ); // prettier-ignore

/** Very many points: two numbers of each order. */
export const points = (count: number) =>
  frameOf(
    [column('Order', { type: 'integer' }), number('Amount'), number('Freight')],
    Array.from({ length: count }, (_, at) => [at, wave(at, 4), Math.round(wave(at, 4) * 0.3 + wave(at, 5) * 0.2)]),
  );

export const daily = (count: number) =>
  frameOf(
    [column('Moment', { type: 'timestamp' }), number('Load', { unit: 'kWh' })],
    Array.from({ length: count }, (_, at) => [new Date(Date.UTC(2020, 0, 1) + at * 600_000).toISOString().slice(0, 19), Math.round(500 + Math.sin(at / 700) * 300 + wave(at, 6) / 90)]),
  ); // prettier-ignore
