// From the rows of a frame to the marks of a chart: values as numbers and moments, several rows of one mark put together, several
// numbers made into series, the order, and no more marks than can be seen. Pure. What was left out or put together is said.
import type { ChartEdit, Column, Frame } from '../api/types';
import type { Cell } from '../cell';
import { compareNumbers, plus, sumOf } from '../exact';
import { marksOf } from '../flags';
import { digitsFor, formatCell, formatNumber, formatShare, isNumeric, readTime } from '../format';
import { labelOf } from '../reading';
import { say } from '../text';
import { isTime } from './intent';
import { togetherWords } from './words';

/** More marks than this are put together. */
export const mostMarks = 5000;
/** More bars than this cannot be read; the largest are shown. */
export const mostBars = 50;
/** More slices are no picture; the smallest become one. */
export const mostSlices = 12;
/** As many as have colours of their own. */
export const mostSeries = 8;
/** More lines cannot be followed even as a bundle. */
export const mostLines = 60;

/** One mark. Its fields have names of our own, because columns are called anything. */
export interface Mark {
  x: string | number | null;
  y: number | null;
  series: string;
  facet: string;
  /** What is written beside it. */
  label: string;
  /** What the tooltip says, in the order of `Marks.tips`. */
  tips: string[];
  /** The cells that it stands for; null: of several rows that share none. */
  cells: Record<string, Cell> | null;
  /** Which group of rows it was made of first. */
  source: number;
}

export interface Marks {
  marks: Mark[];
  /** The names of what the tooltip says. */
  tips: string[];
  /** The members along the axis, in order; empty where the axis is a number or time. */
  order: string[];
  series: string[];
  /** Series that are drawn without a colour of their own. */
  faint: ReadonlySet<string>;
  facets: string[];
  /** What was left out or put together, in words. */
  notes: string[];
  x: Column | null;
  y: Column | null;
  /** The axis of members is time. */
  timed: boolean;
  /** The second number is what the first one is compared with. */
  compared: boolean;
}

interface Row {
  cells: Cell[];
  other: boolean;
}

/** Makes the marks of an intent. */
export function marksOfFrame(intent: ChartEdit, frame: Frame, locale: string): Marks {
  const at = (name: string) => frame.columns.findIndex((column) => column.name === name);
  const rowMarks = marksOf(frame.columns, frame.rows as Cell[][]);
  const rows: Row[] = (frame.rows as Cell[][]).flatMap((cells, index) =>
    rowMarks[index] === 'total' ? [] : [{ cells: cells ?? [], other: rowMarks[index] === 'other' }],
  );
  const xAt = at(intent.x);
  const x = frame.columns[xAt] ?? null;
  const ys = intent.y.flatMap((name) => (at(name) >= 0 ? [at(name)] : []));
  const first = ys[0] === undefined ? null : (frame.columns[ys[0]] ?? null);
  const out: Marks = {
    marks: [],
    tips: [],
    order: [],
    series: [],
    faint: new Set(),
    facets: [],
    notes: [],
    x,
    y: first,
    timed: false,
    compared: false,
  };
  if (!first || ys.length === 0) return out;
  const second = ys[1] === undefined ? undefined : frame.columns[ys[1]];
  out.compared = second?.derived?.of === first.name;
  out.timed = x !== null && isTime(x) && intent.type !== 'scatter';

  const digits = new Map<number, number>();
  const digitsAt = (index: number) => {
    let known = digits.get(index);
    const column = frame.columns[index]!;
    if (known === undefined) {
      const sample = rows.slice(0, 500).map((row) => row.cells[index] ?? null);
      digits.set(index, (known = isNumeric(column) ? digitsFor(column, sample) : 0));
    }
    return known;
  };
  const show = (cell: Cell, index: number, other = false): string => {
    const column = frame.columns[index]!;
    if (cell === null) return say(other && column.role === 'dimension' ? 'window.cell.other' : 'window.cell.null');
    const text = formatCell(cell, column, digitsAt(index), locale);
    return column.unit && isNumeric(column) && column.format !== 'percent' ? `${text} ${column.unit}` : text;
  };
  // The name of a member along an axis or in a legend: what is not the same has not the same name.
  const naming = new Map<number, Names>();
  const name = (row: Row, index: number): string => {
    let names = naming.get(index);
    if (!names) naming.set(index, (names = new Names()));
    const cell = row.cells[index] ?? null;
    return names.of(JSON.stringify([cell, row.other]), () => {
      const shown = show(cell, index, row.other);
      return cell === null ? [shown] : [shown, String(cell)];
    });
  };
  const labels = new Names();
  const colorAt = at(intent.color);
  const facetAt = at(intent.facet);
  const single = intent.type === 'scatter' || intent.type === 'histogram' || intent.type === 'box';
  const place = (row: Row): string | number | null => {
    if (xAt < 0) return '';
    const cell = row.cells[xAt] ?? null;
    if (intent.type === 'scatter') return cell === null ? null : Number(cell);
    if (out.timed && cell !== null) return readTime(String(cell))?.getTime() ?? null;
    return name(row, xAt);
  };
  // A number in the members of a chart of one number: each mark is a row.
  const named = [xAt, colorAt, facetAt].filter((index, position, all) => index >= 0 && all.indexOf(index) === position);
  const tipColumns = single
    ? frame.columns.flatMap((column, index) => (column.role === 'flag' ? [] : [index]))
    : [...named, ...frame.columns.flatMap((column, index) => (column.role === 'flag' || named.includes(index) || column.role === 'dimension' ? [] : [index]))]; // prettier-ignore
  out.tips = tipColumns.map((index) => labelOf(frame.columns[index]!));

  const several = ys.length > 1 && colorAt < 0;
  // Words are made for what is left at the end: there may be very many marks before.
  const words: ((mark: Mark) => void)[] = [];
  const groups = new Map<string, { rows: Row[]; yAt: number }>();
  rows.forEach((row, index) => {
    for (const yAt of several ? ys : ys.slice(0, 1)) {
      const key = single ? String(index) : JSON.stringify([...named.map((i) => row.cells[i] ?? null), row.other, yAt]);
      const group = groups.get(key);
      if (group) group.rows.push(row);
      else groups.set(key, { rows: [row], yAt });
    }
  });
  let together = false;
  for (const { rows: members, yAt } of groups.values()) {
    const row = members[0]!;
    const column = frame.columns[yAt]!;
    const how = intent.aggregate === 'none' ? usual(column) : intent.aggregate;
    const combined = members.length > 1 || intent.aggregate === 'count';
    together ||= combined && members.length > 1;
    const exact = combined ? aggregated(members.map((member) => member.cells[yAt] ?? null), how) : (row.cells[yAt] ?? null); // prettier-ignore
    const y = numberOf(exact);
    const combine = (index: number): string => {
      if (!combined || !isNumeric(frame.columns[index]!) || named.includes(index)) return show(row.cells[index] ?? null, index, row.other); // prettier-ignore
      const value = aggregated(members.map((member) => member.cells[index] ?? null), index === yAt ? how : usual(frame.columns[index]!)); // prettier-ignore
      return value === null ? say('window.cell.null') : show(value, index);
    };
    out.marks.push({
      x: place(row),
      y,
      series: colorAt >= 0 ? name(row, colorAt) : several ? labels.of(String(yAt), () => [labelOf(column)]) : '',
      facet: facetAt >= 0 ? name(row, facetAt) : '',
      label: '',
      tips: [],
      source: words.length,
      cells: row.other
        ? null
        : Object.fromEntries(named.filter((index) => frame.columns[index]!.role === 'dimension').map((index) => [frame.columns[index]!.name, row.cells[index] ?? null])), // prettier-ignore
    });
    words.push((mark) => {
      mark.tips = tipColumns.map(combine);
      if (y !== null)
        mark.label = formatCell(exact, column, y % 1 === 0 && !column.scale ? 0 : Math.min(digitsAt(yAt), 2), locale);
    });
  }
  if (together) {
    const how = intent.aggregate === 'none' ? usual(first) : intent.aggregate;
    out.notes.push(say(togetherWords[how]));
  }
  reduce(out, intent, locale);
  for (const mark of out.marks) if (mark.tips.length === 0) words[mark.source]?.(mark);
  if (intent.type === 'pie') shares(out, locale);
  return out;
}

// A slice says its share of the whole; of very thin ones there is no room for words.
function shares(out: Marks, locale: string): void {
  const whole = out.marks.reduce((sum, mark) => sum + Math.max(0, mark.y ?? 0), 0);
  if (whole <= 0) return;
  out.tips.push(say('window.chart.share'));
  for (const mark of out.marks) {
    const share = Math.max(0, mark.y ?? 0) / whole;
    mark.label = share < 0.025 ? '' : formatShare(share, locale);
    mark.tips = [...mark.tips, say('window.cell.percent', { n: formatNumber(share * 100, 1, locale) })];
  }
}

const numberOf = (cell: Cell): number | null => {
  const value = cell === null || cell === '' ? NaN : Number(cell);
  return Number.isFinite(value) ? value : null;
};

type How = Exclude<ChartEdit['aggregate'], 'none'>;

/** How several rows of one mark are put together when nobody says it: what adds up is added. */
export const usual = (column: Column): How => (column.additivity === 'additive' ? 'sum' : 'mean');

/** Several cells of one mark as one; null where none of them is a number. */
export function aggregated(cells: Cell[], how: How): number | string | null {
  if (how === 'count') return cells.length;
  const numbers = cells.filter((cell): cell is number | string => numberOf(cell) !== null);
  if (numbers.length === 0) return null;
  const middle = Math.floor(numbers.length / 2);
  switch (how) {
    case 'sum':
      return sumOf(numbers);
    case 'mean':
      return Number(sumOf(numbers)) / numbers.length;
    case 'min':
      return numbers.reduce((a, b) => (compareNumbers(b, a) < 0 ? b : a));
    case 'max':
      return numbers.reduce((a, b) => (compareNumbers(b, a) > 0 ? b : a));
    case 'median': {
      const sorted = numbers.sort(compareNumbers);
      return sorted.length % 2 ? sorted[middle]! : Number(plus(sorted[middle - 1]!, sorted[middle]!)) / 2;
    }
  }
}

/** Names of members, no two of which are called the same. */
class Names {
  private readonly known = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** The name of what has a key: the first of its names that nothing else has. */
  of(key: string, names: () => string[]): string {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const wanted = names();
    let name = wanted.find((one) => !this.taken.has(one));
    for (let n = 2; name === undefined; n++) {
      const next = `${wanted[0]} (${n})`;
      if (!this.taken.has(next)) name = next;
    }
    this.known.set(key, name);
    this.taken.add(name);
    return name;
  }
}

// Puts marks into order and leaves no more of them than can be seen.
function reduce(out: Marks, intent: ChartEdit, locale: string): void {
  const n = (value: number) => formatNumber(value, 0, locale);
  out.series = unique(out.marks.map(({ series }) => series));
  out.facets = unique(out.marks.map(({ facet }) => facet));
  if (intent.facet && out.facets.length > 12) {
    out.notes.push(say('window.chart.facets_left_out', { shown: 12, all: n(out.facets.length) }));
    out.facets = largest(out.marks, (mark) => mark.facet).slice(0, 12);
    out.marks = out.marks.filter((mark) => out.facets.includes(mark.facet));
  }
  if (out.series.length > mostSeries && intent.type === 'line' && intent.color) faintly(out, n);
  else if (out.series.length > mostSeries && intent.type !== 'heatmap' && intent.color) {
    const keep = largest(out.marks, (mark) => mark.series).slice(0, mostSeries);
    out.notes.push(say('window.chart.series_left_out', { shown: mostSeries, all: n(out.series.length) }));
    out.series = out.series.filter((name) => keep.includes(name));
    out.marks = out.marks.filter((mark) => keep.includes(mark.series));
  }
  if (intent.type === 'scatter' || intent.type === 'histogram') {
    out.marks = out.marks.filter((mark) => mark.y !== null && (intent.type === 'histogram' || mark.x !== null));
    if (intent.type === 'scatter') binned(out, n);
    return;
  }
  if (intent.type === 'line' || intent.type === 'area') thinned(out, n);
  if (out.timed) {
    out.marks.sort((a, b) => Number(a.x) - Number(b.x));
    return;
  }
  const names = unique(out.marks.map((mark) => String(mark.x)));
  const total = new Map<string, number>();
  for (const mark of out.marks) total.set(String(mark.x), (total.get(String(mark.x)) ?? 0) + (mark.y ?? 0));
  const by = (name: string) => total.get(name) ?? 0;
  out.order = [...names];
  if (intent.sort === 'descending') out.order.sort((a, b) => by(b) - by(a));
  if (intent.sort === 'ascending') out.order.sort((a, b) => by(a) - by(b));
  if (intent.sort === 'name') out.order.sort((a, b) => a.localeCompare(b, locale, { numeric: true }));
  const most = intent.type === 'pie' ? mostSlices : ['bar', 'stacked', 'grouped', 'heatmap', 'box'].includes(intent.type) ? mostBars : Infinity; // prettier-ignore
  if (names.length > most) {
    const keep = new Set([...names].sort((a, b) => by(b) - by(a)).slice(0, intent.type === 'pie' ? most - 1 : most));
    const rest = out.marks.filter((mark) => !keep.has(String(mark.x)));
    out.order = out.order.filter((name) => keep.has(name));
    out.marks = out.marks.filter((mark) => keep.has(String(mark.x)));
    if (intent.type === 'pie') {
      const y = rest.reduce((sum, mark) => sum + (mark.y ?? 0), 0);
      const x = say('window.chart.rest', { n: n(rest.length) });
      out.order.push(x);
      out.marks.push({ ...rest[0]!, x, y, label: '', tips: out.tips.map((_, i) => (i === 0 ? x : '')), cells: null });
      out.notes.push(say('window.chart.slices_put_together', { n: n(rest.length) }));
    } else out.notes.push(say('window.chart.largest', { shown: n(most), all: n(names.length) }));
  }
  const position = new Map(out.order.map((name, index) => [name, index]));
  out.marks.sort((a, b) => (position.get(String(a.x)) ?? 0) - (position.get(String(b.x)) ?? 0));
}

// More lines than colours: the largest have one, the others are drawn faintly; of very many the largest are drawn.
function faintly(out: Marks, n: (value: number) => string): void {
  const all = largest(out.marks, (mark) => mark.series);
  const kept = new Set(all.slice(0, mostLines));
  const values = { colored: mostSeries, shown: mostLines, members: n(all.length) };
  out.notes.push(say(all.length > mostLines ? 'window.chart.lines_most' : 'window.chart.lines_faint', values));
  out.marks = out.marks.filter((mark) => kept.has(mark.series));
  out.faint = new Set(all.slice(mostSeries, mostLines));
  out.series = out.series.filter((name) => kept.has(name) && !out.faint.has(name));
}

const unique = (names: string[]): string[] => [...new Set(names)];

// Names by how much they have, the largest first.
function largest(marks: Mark[], name: (mark: Mark) => string): string[] {
  const sums = new Map<string, number>();
  for (const mark of marks) sums.set(name(mark), (sums.get(name(mark)) ?? 0) + Math.abs(mark.y ?? 0));
  return [...sums].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}

// A line of very many points is drawn through the averages of neighbours.
function thinned(out: Marks, n: (value: number) => string): void {
  if (out.marks.length <= mostMarks) return;
  const lines = new Map<string, Mark[]>();
  for (const mark of out.marks) {
    const key = JSON.stringify([mark.series, mark.facet]);
    const line = lines.get(key);
    if (line) line.push(mark);
    else lines.set(key, [mark]);
  }
  const size = Math.ceil(out.marks.length / (mostMarks / 5));
  const all = out.marks.length;
  out.marks = [...lines.values()].flatMap((line) => {
    const sorted = out.timed ? [...line].sort((a, b) => Number(a.x) - Number(b.x)) : line;
    const shorter: Mark[] = [];
    for (let i = 0; i < sorted.length; i += size) {
      const part = sorted.slice(i, i + size);
      const y = numberOf(aggregated(part.map((mark) => mark.y), 'mean')); // prettier-ignore
      shorter.push({ ...part[0]!, y, label: '', cells: null });
    }
    return shorter;
  });
  out.notes.push(say('window.chart.averaged', { all: n(all), size: n(size) }));
}

// Very many points are counted in the cells of a raster; the size of a point says how many it is.
function binned(out: Marks, n: (value: number) => string): void {
  if (out.marks.length <= mostMarks) return;
  const all = out.marks.length;
  const xs = range(out.marks.map((mark) => Number(mark.x)));
  const ys = range(out.marks.map((mark) => mark.y ?? 0));
  const across = 60;
  const down = 40;
  const cells = new Map<string, Mark & { count: number }>();
  for (const mark of out.marks) {
    const column = Math.min(across - 1, Math.floor(((Number(mark.x) - xs.from) / xs.length) * across));
    const row = Math.min(down - 1, Math.floor(((mark.y! - ys.from) / ys.length) * down));
    const key = `${column}:${row}:${mark.series}`;
    const cell = cells.get(key);
    if (cell) cell.count++;
    else
      cells.set(key, {
        ...mark,
        x: xs.from + ((column + 0.5) / across) * xs.length,
        y: ys.from + ((row + 0.5) / down) * ys.length,
        label: '',
        cells: null,
        count: 1,
      });
  }
  out.tips = [say('window.chart.count')];
  out.marks = [...cells.values()].map(({ count, ...mark }) => ({ ...mark, label: String(count), tips: [n(count)] }));
  out.notes.push(say('window.chart.counted', { all: n(all), shown: n(out.marks.length) }));
}

function range(values: number[]): { from: number; length: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const value of values) {
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return { from, length: to > from ? to - from : 1 };
}
