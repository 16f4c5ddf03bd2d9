// A table as a picture: where each word and each line goes. Pure; what paints it is handed how wide words are.

export interface TableSheet {
  title: string;
  /** Small words beside the title. */
  note: string;
  columns: { label: string; right: boolean }[];
  rows: string[][];
  /** What was left out, in words; empty: nothing. */
  left: string;
}

export type Letters = 'title' | 'small' | 'text' | 'figure';

export interface Words {
  x: number;
  y: number;
  text: string;
  letters: Letters;
  faint: boolean;
  /** x is where they end. */
  right: boolean;
}

export interface Painted {
  width: number;
  height: number;
  words: Words[];
  /** Lines from side to side. */
  lines: number[];
}

/** More rows or columns make no picture that can be read. */
export const mostRows = 40;
export const mostColumns = 12;

const [edge, gap, row, widest, narrowest] = [16, 20, 24, 280, 40];

/** Cuts text so that it is no wider than it may be. */
export function cut(text: string, most: number, width: (text: string) => number): string {
  const line = text.replace(/\s+/g, ' ');
  if (width(line) <= most) return line;
  const letters = [...line];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (width(`${letters.slice(0, middle).join('')}…`) <= most) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('').trimEnd()}…`;
}

/** Lays a table out; y is where the middle of a line of text is. */
export function layOutTable(sheet: TableSheet, widthOf: (text: string, letters: Letters) => number): Painted {
  const rows = sheet.rows.slice(0, mostRows);
  const columns = sheet.columns.slice(0, mostColumns);
  const letters = (right: boolean): Letters => (right ? 'figure' : 'text');
  const widths = columns.map(({ label, right }, at) => {
    const cells = rows.map((cells) => widthOf(cells[at] ?? '', letters(right)));
    return Math.min(widest, Math.max(narrowest, widthOf(label, 'small'), ...cells));
  });
  const words: Words[] = [];
  const table = widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
  const width = Math.ceil(Math.max(table, 240) + edge * 2);
  const note = cut(sheet.note, width / 2, (text) => widthOf(text, 'small'));
  const room = width - edge * 2 - (note ? widthOf(note, 'small') + gap : 0);
  words.push({ x: edge, y: 22, text: cut(sheet.title, room, (text) => widthOf(text, 'title')), letters: 'title', faint: false, right: false }); // prettier-ignore
  if (note) words.push({ x: width - edge, y: 22, text: note, letters: 'small', faint: true, right: true });
  const place = (cells: string[], y: number, head: boolean) => {
    let x = edge;
    columns.forEach(({ right }, at) => {
      const kind: Letters = head ? 'small' : letters(right);
      const most = widths[at] ?? 0;
      const text = cut(cells[at] ?? '', most, (part) => widthOf(part, kind));
      words.push({ x: right ? x + most : x, y, text, letters: kind, faint: head, right });
      x += most + gap;
    });
  };
  const head = 56;
  place(columns.map(({ label }) => label), head, true); // prettier-ignore
  const lines = [40, head + 13];
  rows.forEach((cells, at) => {
    const y = head + 13 + row * (at + 0.5);
    place(cells, y, false);
    lines.push(head + 13 + row * (at + 1));
  });
  let height = head + 13 + row * rows.length + edge / 2;
  if (sheet.left) {
    words.push({ x: edge, y: height + 8, text: cut(sheet.left, width - edge * 2, (text) => widthOf(text, 'small')), letters: 'small', faint: true, right: false }); // prettier-ignore
    height += 24;
  }
  return { width, height, words, lines };
}
