// What the cells of a column are, with how many rows have each: counted here where the rows are in memory, elsewhere by whoever has
// them. Pure.
import type { CellChoice, ResultFacet } from '../api/types';
import type { Cell } from '../cell';
import { compareNumbers } from '../exact';
import { inRange, type Kind } from './arrange';
import { numberRanges, timeRanges, type Range } from './ranges';

export interface FacetOf {
  column: number;
  /** Only values that hold this text; empty: all. */
  find: string;
  /** Count these instead of values; empty: values. */
  ranges: Range[];
}

/** As many values are listed at most. */
export const mostValues = 300;
/** Numbers and dates of more different values than these are shown in ranges. */
export const mostApart = 40;

/** Counts the rows of a facet: cells of a column, without those of rows that are no members. */
export function facetOf(cells: Cell[], kind: Kind, { find, ranges }: FacetOf): ResultFacet {
  const facet: ResultFacet = {
    rows: cells.length,
    nulls: 0,
    long: 0,
    distinct: 0,
    exact: true,
    min: '',
    max: '',
    values: [],
    ranges: ranges.map(() => 0),
  };
  const counts = new Map<string, number>();
  const words = find.toLowerCase();
  for (const cell of cells) {
    if (cell === null) {
      facet.nulls++;
      continue;
    }
    const text = String(cell);
    ranges.forEach((range, index) => inRange(cell, range, kind) && facet.ranges[index]!++);
    if (kind === 'number' && Number.isFinite(Number(cell))) {
      if (facet.min === '' || compareNumbers(cell, facet.min) < 0) facet.min = text;
      if (facet.max === '' || compareNumbers(cell, facet.max) > 0) facet.max = text;
    } else if (kind === 'time') {
      if (facet.min === '' || text < facet.min) facet.min = text;
      if (text > facet.max) facet.max = text;
    }
    if (text.toLowerCase().includes(words)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  facet.distinct = counts.size;
  if (ranges.length > 0) return facet;
  facet.values = [...counts]
    .map(([value, rows]) => ({ value, rows }))
    .sort((a, b) => b.rows - a.rows || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues);
  return facet;
}

/** The ranges in which a column is shown; none: its values are. */
export function rangesOf(facet: ResultFacet, kind: Kind, type: string): Range[] {
  if (facet.min === '' || facet.distinct <= mostApart) return [];
  if (kind === 'number') return numberRanges(facet.min, facet.max, type === 'integer');
  return kind === 'time' ? timeRanges(facet.min, facet.max, type === 'timestamp') : [];
}

/** One line of a facet. */
export interface FacetLine {
  key: string;
  is: 'null' | 'value' | 'range';
  value: string;
  range: Range | null;
  /** Rows; null: not counted, it is chosen and not among those that are listed. */
  rows: number | null;
}

const keyOfRange = ({ from, to }: Range) => `r ${from} ${to}`;

/** The lines to choose from. NULL stands first where it is; what is chosen stands even where it is not among those that were found. */
export function linesOf(facet: ResultFacet, ranges: Range[], chosen: ReadonlySet<string>, find: string): FacetLine[] {
  const lines: FacetLine[] =
    ranges.length > 0
      ? ranges.map((range, n) => ({ ...lineOfRange(range), rows: facet.ranges[n] ?? 0 }))
      : facet.values.map(({ value, rows }) => ({ ...lineOfValue(value), rows }));
  const here = new Set(lines.map(({ key }) => key));
  const others = [...chosen].filter((key) => key !== 'null' && !here.has(key)).map(lineOfKey);
  const none: FacetLine[] = facet.nulls > 0 || chosen.has('null') ? [{ ...nullLine, rows: facet.nulls }] : [];
  return [...(find === '' ? none : []), ...others, ...lines.filter(({ rows }) => rows !== 0 || ranges.length === 0)];
}

const nullLine: FacetLine = { key: 'null', is: 'null', value: '', range: null, rows: null };
const lineOfValue = (value: string): FacetLine => ({ key: `v ${value}`, is: 'value', value, range: null, rows: null });
const lineOfRange = (range: Range): FacetLine => ({
  key: keyOfRange(range),
  is: 'range',
  value: '',
  range,
  rows: null,
});

function lineOfKey(key: string): FacetLine {
  if (key === 'null') return nullLine;
  if (key.startsWith('v ')) return lineOfValue(key.slice(2));
  const [from = '', to = ''] = key.slice(2).split(' ');
  return lineOfRange({ from, to });
}

/** What a choice holds, one by one. */
export const linesOfChoice = (choice: CellChoice): FacetLine[] => [
  ...(choice.null ? [nullLine] : []),
  ...(choice.ranges ?? []).map(lineOfRange),
  ...(choice.values ?? []).map(lineOfValue),
];

/** The choice that some keys of lines are. */
export function choiceOf(keys: ReadonlySet<string>): CellChoice {
  const lines = [...keys].map(lineOfKey);
  return {
    values: lines.flatMap(({ is, value }) => (is === 'value' ? [value] : [])),
    ranges: lines.flatMap(({ range }) => (range ? [range] : [])),
    null: keys.has('null'),
  };
}
