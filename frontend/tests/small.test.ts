import { describe, expect, it } from 'vitest';
import { numberLocale, timeLocale } from '$lib/chart/theme';
import { byDay } from '$lib/days';
import { colour } from '$lib/highlight';
import { count, say } from '$lib/text';

describe('colour', () => {
  it('changes no letter', () => {
    const code = `SELECT a."it's", 'o''clock -- no' -- a "note"\n/* SELECT */ FROM t WHERE x >= 1.5 AND f(y) IN ('é', 2);`;
    expect(colour(code).map((piece) => piece.text).join('')).toBe(code); // prettier-ignore
  });

  it('knows keywords, strings, numbers, calls and comments', () => {
    const inks = Object.fromEntries(
      colour("SELECT SUM(x) + 12 -- 'note'\n, 'text'").map(({ ink, text }) => [text.trim(), ink]),
    );
    expect(inks).toMatchObject({
      SELECT: 'keyword',
      SUM: 'call',
      '12': 'number',
      "-- 'note'": 'comment',
      "'text'": 'string',
    });
  });
});

describe('byDay', () => {
  it('groups by local day, newest first', () => {
    const now = new Date(2026, 9, 28, 12);
    const at = (day: number, hour: number, year = 2026) => ({ at: new Date(year, 9, day, hour).toISOString() });
    const days = byDay(
      [at(27, 23), at(28, 1), at(1, 8), at(28, 9), at(1, 8, 2025)],
      (item) => item.at,
      now,
      { today: 'Today', yesterday: 'Yesterday' },
      'en-US',
    );
    expect(days.map((day) => [day.label, day.items.length])).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      ['Thursday, October 1', 1],
      ['Wednesday, October 1, 2025', 1],
    ]);
  });
});

describe('charts', () => {
  it('speaks the locale', () => {
    expect(numberLocale('de-DE')).toMatchObject({ decimal: ',', thousands: '.' });
    expect(timeLocale('de-DE')).toMatchObject({ shortDays: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'] });
    expect((timeLocale('en-US').months as string[])[2]).toBe('March');
  });
});

describe('say', () => {
  it('fills placeholders and leaves unknown ones', () => {
    expect(say('window.narration.cell', { column: 'revenue', row: 3 })).toContain('revenue');
    expect(say('window.narration.cell', { column: 'revenue' })).toContain('{row}');
  });

  it('chooses the form for the number', () => {
    expect([count('window.frame.rows', 1), count('window.frame.rows', 8), count('window.frame.rows', 0)]).toEqual([
      '1 row',
      '8 rows',
      '0 rows',
    ]);
  });
});
