import type { Frame } from '$lib/api/types';
import type { Cell } from '$lib/cell';
import { marksOf, shownColumns } from '$lib/flags';
import { formatNumber, isNumeric } from '$lib/format';
import { shower } from '$lib/grid/of-columns';
import { layOutTable, mostColumns, mostRows, type Letters, type TableSheet } from '$lib/picture';
import { labelOf } from '$lib/reading';
import { count, say } from '$lib/text';

/** The rows of a frame as they are put on a picture. */
export function sheetOf(frame: Frame, title: string, locale: string): TableSheet {
  const seen = shownColumns(frame.columns);
  const columns = seen.flatMap((index) => frame.columns[index] ?? []);
  const rows = frame.rows.slice(0, mostRows) as Cell[][];
  const marks = marksOf(frame.columns, rows);
  const first = columns.findIndex(({ role }) => role === 'dimension');
  const show = shower(columns, (column) => rows.map((row) => row[seen[column] ?? -1] ?? null), locale);
  const n = (value: number) => formatNumber(value, 0, locale);
  const left = [
    ...(frame.row_count > rows.length ? [say('window.picture.rows_left', { shown: n(rows.length), all: n(frame.row_count) })] : []),
    ...(columns.length > mostColumns ? [say('window.picture.columns_left', { shown: mostColumns, all: n(columns.length) })] : []),
  ]; // prettier-ignore
  return {
    title,
    note: count('window.frame.rows', frame.row_count),
    columns: columns.map((column) => ({
      label: column.unit && column.format !== 'percent' ? `${labelOf(column)} (${column.unit})` : labelOf(column),
      right: isNumeric(column) && column.role !== 'dimension',
    })),
    rows: rows.map((row, at) =>
      seen.map((index, column) => {
        const cell = row[index] ?? null;
        if (cell !== null) return show(cell, column);
        if (marks[at] && columns[column]?.role === 'dimension')
          return column === first ? say(marks[at] === 'total' ? 'window.cell.total' : 'window.cell.other') : '';
        return say('window.cell.null');
      }),
    ),
    left: left.join(' '),
  };
}

/** The table as a PNG in the colours and letters of the page, twice as sharp. */
export async function pictureOfTable(frame: Frame, title: string, locale: string): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const fonts: Record<Letters, string> = {
    title: `600 14px ${token('--font')}`,
    small: `500 11px ${token('--font')}`,
    text: `400 13px ${token('--font')}`,
    figure: `400 12px ${token('--mono')}`,
  };
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const painted = layOutTable(sheetOf(frame, title, locale), (text, letters) => {
    context.font = fonts[letters];
    return context.measureText(text).width;
  });
  canvas.width = painted.width * 2;
  canvas.height = painted.height * 2;
  context.scale(2, 2);
  context.fillStyle = token('--surface');
  context.fillRect(0, 0, painted.width, painted.height);
  context.fillStyle = token('--line');
  for (const y of painted.lines) context.fillRect(0, y, painted.width, 1);
  context.textBaseline = 'middle';
  for (const { x, y, text, letters, faint, right } of painted.words) {
    context.font = fonts[letters];
    context.fillStyle = token(faint ? '--ink-3' : '--ink');
    context.textAlign = right ? 'right' : 'left';
    context.fillText(text, x, y);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('no picture');
  return blob;
}
