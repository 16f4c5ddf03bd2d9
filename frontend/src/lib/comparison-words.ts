// How the cells of a comparison read. Pure.
import type { Cell } from './cell';
import type { Aligned, ComparedCell, ComparedRow } from './comparison';
import { digitsFor, formatCell } from './format';
import { say } from './text';

/** A fraction as a change in percent with its sign. */
export const signedShare = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    .format(share)
    .replace('-', '−');

export interface ComparisonWords {
  figure: (cell: Cell, measure: number) => string;
  change: (cell: ComparedCell, measure: number) => string;
  share: (cell: ComparedCell) => string;
  key: (row: ComparedRow, at: number) => string;
  /** How long the bar of a change is, of the half of its place: 0 to 50. */
  bar: (cell: ComparedCell, measure: number) => number;
}

export function comparisonWords({ keys, measures, rows }: Aligned, locale: string): ComparisonWords {
  const sample = rows.slice(0, 500);
  const digits = measures.map(({ column }, at) =>
    digitsFor(column, sample.flatMap((row) => [row.cells[at]?.base ?? null, row.cells[at]?.current ?? null])),
  ); // prettier-ignore
  // Bars of one measure share a scale; a total would dwarf the others.
  const widest = measures.map(
    (_, at) =>
    rows.reduce((most, row) => Math.max(most, row.mark === 'total' ? 0 : Math.abs(Number(row.cells[at]?.change ?? 0))), 0), // prettier-ignore
  );
  const figure = (cell: Cell, at: number) =>
    cell === null ? say('window.cell.null') : formatCell(cell, measures[at]!.column, digits[at] ?? 0, locale);
  return {
    figure,
    change: (cell, at) => {
      if (cell.change === null) return '';
      const text = figure(cell.change, at);
      return Number(cell.change) > 0 ? `+${text}` : text.replace(/^-/, '−');
    },
    share: ({ share, change }) => (change === null ? '' : share === null ? '–' : signedShare(share, locale)),
    key: (row, at) => {
      if (row.mark && at === 0) return say(row.mark === 'total' ? 'window.cell.total' : 'window.cell.other');
      const cell = row.keys[at] ?? null;
      if (cell === null) return row.mark ? '' : say('window.cell.null');
      return formatCell(cell, keys[at]!, 0, locale);
    },
    bar: ({ change }, at) => (widest[at] ? Math.min(1, Math.abs(Number(change ?? 0)) / widest[at]) * 50 : 0),
  };
}
