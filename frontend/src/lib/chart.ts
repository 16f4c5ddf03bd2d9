// From a chart of the session to something that Vega can draw: data bound by name, the theme of the page, the person's
// way of writing numbers. The specification itself is made by the core.
import type { Chart, Column, Frame } from './api/types';
import type { Cell } from './cell';
import { forbiddenInChart } from './chart-policy';
import { isNumeric, readTime } from './format';

/** Colours and fonts of the page, as the chart needs them. */
export interface ChartTheme {
  ink: string;
  faint: string;
  line: string;
  surface: string;
  font: string;
  series: string[];
  ramp: string[];
}

/** The rows of a frame as records. Dates become local time, decimals become numbers. */
export function chartRecords(frame: Frame): Record<string, unknown>[] {
  const columns = frame.columns ?? [];
  return (frame.rows ?? []).map((row) => {
    const record: Record<string, unknown> = {};
    columns.forEach((column, index) => (record[column.name] = chartValue((row?.[index] ?? null) as Cell, column)));
    return record;
  });
}

function chartValue(cell: Cell, column: Column): unknown {
  if (typeof cell !== 'string') return cell;
  if (isNumeric(column)) return Number(cell);
  if (column.type === 'date' || column.type === 'timestamp') return readTime(cell)?.getTime() ?? null;
  return cell;
}

/**
 * The specification with its data and theme. What the core wrote stays as it is; one that holds more than the core writes is not
 * drawn: it throws.
 */
export function themedSpec(chart: Chart, frame: Frame, theme: ChartTheme): Record<string, unknown> {
  const forbidden = forbiddenInChart(chart.vega_lite);
  if (forbidden.length > 0) throw new Error(`a chart may not have ${forbidden.join(', ')}`);
  const spec = { ...((chart.vega_lite ?? {}) as Record<string, unknown>) };
  delete spec.$schema;
  return {
    width: 'container',
    ...spec,
    ...(spec.height === undefined ? heightOf(spec, frame) : {}),
    autosize: { type: 'fit-x', contains: 'padding', resize: true },
    background: 'transparent',
    datasets: { frame: chartRecords(frame) },
    data: { name: 'frame' },
    config: {
      ...themeConfig(theme),
      ...spacingOf(spec, frame),
      ...(spec.config as Record<string, unknown> | undefined),
    },
  };
}

// Members down the side need a row each; without a height of its own the specification would give up the fit.
function heightOf(spec: Record<string, unknown>, frame: Frame): { height?: number } {
  const members = membersOf(spec, frame, 'y');
  return members > 0 ? { height: 20 * members } : {};
}

// How many members a channel has; 0 when it shows no members.
function membersOf(spec: Record<string, unknown>, frame: Frame, channel: 'x' | 'y'): number {
  const encoding = spec.encoding as Record<string, { field?: string; type?: string } | undefined> | undefined;
  const { field, type } = encoding?.[channel] ?? {};
  if (type !== 'nominal' && type !== 'ordinal') return 0;
  const index = frame.columns.findIndex((column) => column.name === field?.replaceAll('\\', ''));
  return new Set(frame.rows.map((row) => row?.[index])).size;
}

// A few upright bars stay bars: more space between them instead of blocks as wide as the panel.
function spacingOf(spec: Record<string, unknown>, frame: Frame): Record<string, unknown> {
  const members = membersOf(spec, frame, 'x');
  return members > 0 && members <= 4 ? { scale: { bandPaddingInner: 0.6, bandPaddingOuter: 0.4 } } : {};
}

function themeConfig(theme: ChartTheme): Record<string, unknown> {
  const [first] = theme.series;
  return {
    font: theme.font,
    padding: 2,
    view: { stroke: null, continuousHeight: 240 },
    axis: {
      labelColor: theme.faint,
      titleColor: theme.faint,
      labelFontSize: 11,
      titleFontSize: 11,
      titleFontWeight: 500,
      titlePadding: 8,
      labelPadding: 5,
      domainColor: theme.line,
      gridColor: theme.line,
      tickColor: theme.line,
      tickSize: 4,
      labelLimit: 150,
    },
    axisBand: { grid: false, ticks: false },
    axisTemporal: { grid: false },
    axisQuantitative: { tickCount: 6, domain: false, ticks: false },
    legend: {
      labelColor: theme.faint,
      titleColor: theme.faint,
      labelFontSize: 11,
      titleFontSize: 11,
      titleFontWeight: 500,
    },
    bar: { fill: first, cornerRadiusEnd: 1 },
    line: { stroke: first, strokeWidth: 1.75 },
    area: { fill: first, fillOpacity: 0.7 },
    point: { color: first, filled: true, size: 34 },
    rect: { stroke: theme.surface, strokeWidth: 1 },
    rule: { stroke: theme.line },
    range: { category: theme.series, ramp: theme.ramp, heatmap: theme.ramp, ordinal: theme.ramp },
  };
}

/** The separators of a locale in the form that d3 wants. */
export function numberLocale(locale: string): Record<string, unknown> {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(-1234567.5);
  const find = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise;
  return { decimal: find('decimal', '.'), thousands: find('group', ','), grouping: [3], currency: ['', ''] };
}

/** The names of months and days of a locale in the form that d3 wants. */
export function timeLocale(locale: string): Record<string, unknown> {
  const name = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date);
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)));
  const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 8, 1 + day)));
  return {
    dateTime: '%x, %X',
    date: '%Y-%m-%d',
    time: '%H:%M:%S',
    periods: ['AM', 'PM'],
    months: months.map((date) => name(date, { month: 'long' })),
    shortMonths: months.map((date) => name(date, { month: 'short' })),
    days: days.map((date) => name(date, { weekday: 'long' })),
    shortDays: days.map((date) => name(date, { weekday: 'short' })),
  };
}
