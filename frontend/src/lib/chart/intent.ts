// The typed intent of a chart: what the program chose, what a person may make of it, and what a frame carries. Pure.
import type { Chart, ChartEdit, Column, Frame } from '../api/types';
import type { Cell } from '../cell';
import { isNumeric } from '../format';
import type { Key } from '../text';

export type ChartType = ChartEdit['type'];

export const chartTypes: ChartType[] = [
  'bar',
  'stacked',
  'grouped',
  'line',
  'area',
  'scatter',
  'pie',
  'histogram',
  'heatmap',
  'box',
];

/** Says whether the members of a column follow each other in time. */
export const isTime = (column: Column): boolean =>
  column.role === 'dimension' && (column.type === 'date' || column.type === 'timestamp');

/** The columns that can stand on each axis of a chart of a frame. */
export interface Roles {
  /** What marks are named by: dimensions. */
  members: Column[];
  /** What marks are as long as: numbers, those of their own first. */
  numbers: Column[];
  time: Column | null;
}

export function rolesOf(frame: Frame): Roles {
  const members = frame.columns.filter((column) => column.role === 'dimension');
  const listed = members.filter((column) => isNumeric(column));
  const numbers = frame.columns.filter((column) => isNumeric(column) && !['dimension', 'flag'].includes(column.role));
  const own = numbers.filter((column) => !column.derived?.of);
  const derived = numbers.filter((column) => column.derived?.of);
  return { members, numbers: [...own, ...derived, ...listed], time: members.find(isTime) ?? null };
}

/** Says whether there is anything to draw: a number, and rows. */
export const canDraw = (frame: Frame): boolean =>
  frame.rows.length > 0 && frame.columns.some((column) => isNumeric(column) && column.role !== 'dimension');

const distinct = (frame: Frame, name: string): number => {
  const index = frame.columns.findIndex((column) => column.name === name);
  return new Set(frame.rows.map((row) => row?.[index])).size;
};

const longest = (frame: Frame, name: string): number => {
  const index = frame.columns.findIndex((column) => column.name === name);
  return Math.max(0, ...frame.rows.slice(0, 1000).map((row) => String(row?.[index] ?? '').length));
};

/** Members that fit upright, and letters that fit under one. */
const upright = { members: 6, letters: 12 };

/** Bars lie when there are many of them or their names are long; time always goes from left to right. */
export function lies(frame: Frame, x: string): boolean {
  const column = frame.columns.find(({ name }) => name === x);
  if (!column || isTime(column)) return false;
  return distinct(frame, x) > upright.members || longest(frame, x) > upright.letters;
}

/** What the program chose, as an intent that can be edited. */
export function intentOf(chart: Chart | null, frame: Frame): ChartEdit {
  const { members, numbers, time } = rolesOf(frame);
  const type = chartTypes.find((known) => known === chart?.type) ?? (time ? 'line' : 'bar');
  let x = chart?.x || (time ?? members[0])?.name || '';
  let y = chart?.y?.length ? chart.y : numbers.slice(0, 1).map(({ name }) => name);
  let color = chart?.color ?? '';
  // The program names the axes of a heat map as they stand; an edit has its number in y like every other chart.
  if (chart?.type === 'heatmap' && chart.color) [y, color] = [[chart.color], chart.y?.[0] ?? ''];
  if (type === 'histogram' && chart?.x && !chart.y?.length) y = [chart.x];
  if (!frame.columns.some(({ name }) => name === x)) x = '';
  const lying = (type === 'bar' || type === 'stacked') && lies(frame, x);
  return {
    type,
    x,
    y,
    color,
    facet: '',
    aggregate: 'none',
    sort: lying || (type === 'pie' && !time) ? 'descending' : 'frame',
    scale: 'linear',
    zero: type !== 'scatter',
    labels: type === 'pie',
    palette: 'category',
    across: lying,
  };
}

/** Why a type cannot be drawn of a frame, as a key of the catalogue; null: it can. */
export function whyNot(type: ChartType, frame: Frame): Key | null {
  const { members, numbers } = rolesOf(frame);
  const own = members.filter((column) => !numbers.includes(column));
  switch (type) {
    case 'scatter':
      return numbers.length >= 2 ? null : 'window.chart.not_two_numbers';
    case 'histogram':
      return frame.rows.length >= 2 ? null : 'window.chart.not_one_row';
    case 'stacked':
    case 'heatmap':
      return members.length >= 2 ? null : 'window.chart.not_two_groups';
    case 'grouped':
      return members.length >= 2 || numbers.length >= 2 ? null : 'window.chart.not_two_groups';
    case 'box':
      return members.length >= 1 && frame.rows.length >= 5 ? null : 'window.chart.not_few_rows';
    default:
      return own.length + members.length > 0 ? null : 'window.chart.not_no_groups';
  }
}

/** Makes an intent whole after its type was changed: axes that the new type needs, settings that it cannot have. */
export function withType(intent: ChartEdit, type: ChartType, frame: Frame): ChartEdit {
  const { members, numbers } = rolesOf(frame);
  const next: ChartEdit = { ...intent, type };
  const named = (name: string) => members.find((column) => column.name === name)?.name;
  const other = (...not: string[]) => members.find(({ name }) => !not.includes(name))?.name ?? '';
  if (type === 'scatter') {
    const [first, second] = numbers.map(({ name }) => name);
    const x = numbers.find(({ name }) => name === intent.x)?.name ?? first ?? '';
    next.y = [(intent.y[0] !== x && intent.y[0]) || (second !== x ? second : first) || ''];
    next.x = x;
    next.color = intent.color && distinct(frame, intent.color) <= 8 ? intent.color : '';
    next.zero = false;
  } else {
    next.x = named(intent.x) ?? (rolesOf(frame).time ?? members[0])?.name ?? '';
    const y = intent.y.filter((name) => numbers.some((column) => column.name === name));
    next.y = y.length > 0 ? y : numbers.slice(0, 1).map(({ name }) => name);
    next.zero = true;
  }
  if (['stacked', 'heatmap', 'grouped'].includes(type) && !named(next.color)) next.color = other(next.x);
  if (type === 'grouped' && next.color === '' && next.y.length < 2)
    next.y = numbers.slice(0, 2).map(({ name }) => name);
  if (['pie', 'histogram', 'box'].includes(type) || next.color === next.x) next.color = '';
  if (['heatmap', 'pie', 'histogram', 'box', 'stacked', 'scatter'].includes(type)) next.y = next.y.slice(0, 1);
  next.across = ['bar', 'stacked', 'grouped'].includes(type) && type !== 'grouped' && lies(frame, next.x);
  next.sort = next.across || (type === 'pie' && !rolesOf(frame).time) ? 'descending' : 'frame';
  if (!mayBeLog(next, frame)) next.scale = 'linear';
  next.labels = type === 'pie';
  return next;
}

/** A scale of powers has no zero: what is drawn from zero cannot have one, nor numbers that are not above it. */
export function mayBeLog(intent: ChartEdit, frame: Frame): boolean {
  if (intent.type !== 'line' && intent.type !== 'scatter' && intent.type !== 'box') return false;
  const axes = intent.type === 'scatter' ? [intent.x, ...intent.y] : intent.y;
  return axes.every((name) => {
    const index = frame.columns.findIndex((column) => column.name === name);
    return index >= 0 && frame.rows.every((row) => cellAbove((row?.[index] ?? null) as Cell));
  });
}

const cellAbove = (cell: Cell) => cell === null || Number(cell) > 0;

/** What is drawn from zero must begin there. */
export const mayLeaveZero = (intent: ChartEdit): boolean => ['line', 'scatter', 'box'].includes(intent.type);

/** Says whether two intents draw the same. */
export const sameIntent = (a: ChartEdit, b: ChartEdit): boolean => JSON.stringify(a) === JSON.stringify(b);
