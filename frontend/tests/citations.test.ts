import { describe, expect, it } from 'vitest';
import { cellOf, citedPieces, cutAtMarks, formulaWords, litPlaces, sameCell } from '$lib/citations';
import { answers } from './fixtures';

describe('cutAtMarks', () => {
  it('counts bytes of UTF-8, not letters', () => {
    const text = 'Käse aus Zürich: 12 €';
    const start = new TextEncoder().encode('Käse aus Zürich: ').length;
    const pieces = cutAtMarks(text, [{ start, end: start + 2 }]);
    expect(pieces.map((piece) => [piece.text, piece.mark !== null])).toEqual([
      ['Käse aus Zürich: ', false],
      ['12', true],
      [' €', false],
    ]);
  });

  it('leaves out marks that overlap or lie outside, and keeps the whole text', () => {
    const text = 'one two three';
    const pieces = cutAtMarks(text, [
      { start: 4, end: 7 },
      { start: 0, end: 5 },
      { start: 8, end: 99 },
      { start: 6, end: 8 },
    ]);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter((piece) => piece.mark).map((piece) => piece.text)).toEqual(['one t', 'o ']);
  });

  it('gives text without marks in one piece', () => {
    expect(cutAtMarks('plain', [])).toEqual([{ text: 'plain', mark: null }]);
  });
});

describe('citedPieces', () => {
  it('marks every number of the narration with its cell', () => {
    const { narration, frame } = answers.category;
    const cited = citedPieces(narration!).flatMap(({ text, mark }) => (mark ? [{ text, mark }] : []));
    expect(cited).toHaveLength(narration!.citations.length);
    for (const { text, mark } of cited) {
      const column = frame!.columns.findIndex((known) => known.name === mark.column);
      const cell = frame!.rows[mark.row]?.[column];
      expect(text.replaceAll(',', '')).toBe(typeof cell === 'number' ? cell.toFixed(2) : cell);
    }
  });
});

it('tells cells apart', () => {
  const cell = { frame: 'f', row: 1, column: 'a' };
  expect(sameCell(cell, { ...cell })).toBe(true);
  expect(sameCell(cell, { ...cell, row: 2 })).toBe(false);
  expect(sameCell(null, null)).toBe(false);
});

describe('numbers that were worked out', () => {
  const base = { start: 0, end: 3, frame: 'f' };
  const pair = {
    ...base,
    row: 5,
    column: 'revenue',
    formula: 'diff(r5.revenue,r1.revenue)',
    cells: [
      { row: 5, column: 'revenue' },
      { row: 1, column: 'revenue' },
    ],
  };
  const sum = { ...base, row: -1, column: 'revenue', formula: 'sum(revenue)', cells: [{ row: -1, column: 'revenue' }] };

  it('light all their cells, a column for one over it, and none for the number of rows', () => {
    expect(litPlaces(cellOf(pair))).toEqual(pair.cells);
    expect(litPlaces(cellOf(sum))).toEqual([{ row: -1, column: 'revenue' }]);
    expect(litPlaces(cellOf({ ...base, row: 2, column: 'a' }))).toEqual([{ row: 2, column: 'a' }]);
    expect(litPlaces(cellOf({ ...base, row: -1, column: '' }))).toEqual([]);
    expect(litPlaces(null)).toEqual([]);
  });

  it('say how, with rows as a person counts them', () => {
    expect(formulaWords(pair)).toBe('revenue in row 6 minus revenue in row 2');
    expect(formulaWords(sum)).toBe('The sum of revenue');
    expect(formulaWords({ formula: 'odd(revenue)', cells: sum.cells })).toBe('odd(revenue)');
  });
});
