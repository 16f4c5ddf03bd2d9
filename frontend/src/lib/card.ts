// What a metric card shows, worked out from the answer. Pure.
import type { Column, Frame, MetricCard } from './api/types';
import type { Cell } from './cell';
import { comparisonOf } from './comparison';
import { minus, plus, relative } from './exact';
import { marksOf } from './flags';
import { isNumeric } from './format';
import { labelOf } from './reading';
import { say, type Key } from './text';

/** How the number moved since the period before; null when there is none. */
export function changeOf(
  card: MetricCard,
): { up: boolean; percent: number | null; sense: 'good' | 'bad' | 'even' } | null {
  if (card.previous === null || card.previous === undefined) return null;
  const moved = Number(minus(card.summary as Cell, card.previous as Cell) ?? 0);
  const up = moved >= 0;
  const share = card.delta_pct === null || card.delta_pct === undefined ? null : Math.abs(Number(card.delta_pct)) * 100;
  if (moved === 0 || card.better === '') return { up, percent: share, sense: 'even' };
  return { up, percent: share, sense: up === (card.better === 'up') ? 'good' : 'bad' };
}

type Point = MetricCard['timeseries'][number];

export interface Course {
  first: Point;
  last: Point;
  low: number;
  high: number;
  line: string;
  area: string;
}

/** The series as a path in a box; null when it has fewer than two points. A missing value breaks the line. */
export function courseOf(card: MetricCard, width: number, height: number): Course | null {
  const points = card.timeseries;
  const first = points[0];
  const last = points.at(-1);
  const values = points.flatMap((point) => (point.value === null ? [] : [Number(point.value)]));
  if (!first || !last || values.length < 2) return null;
  const low = Math.min(...values);
  const high = Math.max(...values);
  const floor = Math.min(low, 0);
  const ceiling = Math.max(high, 0);
  const pad = 2;
  const x = (index: number) => ((index * width) / (points.length - 1)).toFixed(1);
  const y = (value: number) => (pad + (1 - (value - floor) / (ceiling - floor || 1)) * (height - 2 * pad)).toFixed(1);
  let line = '';
  let area = '';
  let run: string[] = [];
  let began = 0;
  const finish = (end: number) => {
    if (run.length > 0) {
      line += `M${run.join('L')}`;
      area += `M${x(began)},${y(0)}L${run.join('L')}L${x(end)},${y(0)}Z`;
    }
    run = [];
  };
  points.forEach((point, index) => {
    if (point.value === null) {
      finish(index - 1);
      return;
    }
    if (run.length === 0) began = index;
    run.push(`${x(index)},${y(Number(point.value))}`);
  });
  finish(points.length - 1);
  return { first, last, low, high, line, area };
}

export interface Part {
  label: string | null;
  value: number | string | null;
  rest: boolean;
  /** Of the longest bar, 0 to 1. The rest of the members has none: it is no member. */
  share: number;
}

/** The members with the length of their bars. */
export function partsOf(card: MetricCard): Part[] {
  const size = (value: unknown) => (value === null ? 0 : Math.abs(Number(value)));
  const most = Math.max(...card.breakdown.map((part) => (part.rest ? 0 : size(part.value))), 0);
  return card.breakdown.map((part) => ({
    label: part.label === null ? null : String(part.label),
    value: part.value as Part['value'],
    rest: part.rest,
    share: most === 0 || part.rest ? 0 : size(part.value) / most,
  }));
}

export interface Source {
  frame_ql: string;
  /** What was taken from it. */
  parts: Key[];
}

/** The queries behind the card, each once with what was taken from it. */
export function sourcesOf(card: MetricCard): Source[] {
  const { sources } = card;
  const named: [Key, { frame_ql: string } | null][] = [
    ['window.card.part_summary', sources.summary],
    ['window.card.part_previous', sources.previous],
    ['window.card.part_delta', sources.delta_pct],
    ['window.card.part_course', sources.timeseries],
    ['window.card.part_breakdown', sources.breakdown],
  ];
  const all: Source[] = [];
  for (const [part, source] of named) {
    if (!source) continue;
    const known = all.find((other) => other.frame_ql === source.frame_ql);
    if (known) known.parts.push(part);
    else all.push({ frame_ql: source.frame_ql, parts: [part] });
  }
  return all;
}

const fewest = 3; // points of a course

/**
 * A frame of several rows as one number at a glance: the sum of its first number that adds up, what that is compared with, its course
 * over time or its largest members. Null: there is no such number, or rows are missing.
 */
export function metricOf(frame: Frame): { card: MetricCard; column: Column } | null {
  const marks = marksOf(frame.columns, frame.rows as Cell[][]);
  const rows = (frame.rows as Cell[][]).filter((_, index) => marks[index] !== 'total');
  const at = frame.columns.findIndex((one) => isNumeric(one) && one.additivity === 'additive' && !one.derived?.of);
  const column = frame.columns[at];
  if (!column || rows.length < 2 || frame.truncated) return null;
  const summed = (index: number): Cell => {
    let all: Cell = 0;
    for (const row of rows) all = row[index] === null ? all : (plus(all, row[index] ?? null) ?? all);
    return all;
  };
  const summary = summed(at);
  const measure = comparisonOf(frame)?.measures.find(({ current }) => current === column.name);
  const before = frame.columns.findIndex(({ name }) => name === measure?.base);
  // A sum that lacks a part is compared with nothing.
  const whole = before >= 0 && rows.every((row) => (row[before] === null) === (row[at] === null));
  const previous = whole ? summed(before) : null;
  const dimensions = frame.columns.flatMap((one, index) => (one.role === 'dimension' ? [{ one, index }] : []));
  const [by] = dimensions;
  const only = dimensions.length === 1 && by ? by : null;
  const timed = only !== null && (only.one.type === 'date' || only.one.type === 'timestamp');
  const source = { frame_id: frame.id, frame_ql: frame.frame_ql, sql: frame.sql };
  const points = timed && rows.length >= fewest ? rows.map((row) => ({ date: row[only.index] ?? null, value: row[at] ?? null })) : []; // prettier-ignore
  const members = only && !timed ? membersOf(rows, only.index, at, marks) : [];
  const part = <One>(there: boolean, one: One) => (there ? one : null);
  return {
    column,
    card: {
      metric: column.metric ?? '',
      label: labelOf(column),
      unit: column.unit ?? '',
      format: column.format ?? '',
      better: '',
      summary,
      previous,
      delta_pct: previous === null ? null : relative(previous, summary),
      against: before >= 0 ? labelOf(frame.columns[before]!) : '',
      grain: timed ? (only.one.grain ?? '') : '',
      timeseries: points.sort((a, b) => String(a.date).localeCompare(String(b.date))),
      by: members.length > 0 ? labelOf(only!.one) : '',
      breakdown: members,
      sources: {
        summary: source,
        previous: part(previous !== null, source),
        delta_pct: part(previous !== null, source),
        timeseries: part(points.length > 0, source),
        breakdown: part(members.length > 0, source),
      },
    },
  };
}

const shownMembers = 5;

function membersOf(rows: Cell[][], label: number, value: number, marks: (string | null)[]): MetricCard['breakdown'] {
  const largest = rows
    .map((row, index) => ({ label: row[label] ?? null, value: row[value] ?? null, rest: marks[index] === 'other' }))
    .sort((a, b) => Number(a.rest) - Number(b.rest) || Math.abs(Number(b.value)) - Math.abs(Number(a.value)));
  const shown = largest.slice(0, shownMembers);
  const left = largest.slice(shownMembers);
  if (left.length === 0) return shown;
  const rest = left.reduce<Cell>((all, one) => plus(all, one.value) ?? all, 0);
  return [...shown, { label: say('window.card.rest'), value: rest, rest: true }];
}
